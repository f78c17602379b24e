"""Whether the model was read right: its answers beside known ones."""

import streamlit as st

from core.language.phrases import listed, quoted
from core.language.told import say
from core.models import ModelSource
from core.models.inspection import ModelReport
from core.models.proof import Proof
from dashboard import forms, samples, session, uploads
from dashboard.text import literal

_KEY = "model.known"


def show(model: ModelSource, report: ModelReport) -> str:
    """What was compared, and ways to say more; returns why the next step is shut."""
    if model.answers_in_the_table:
        return ""
    differs = [one for one in report.proofs if not one.proved]
    for one in report.proofs:
        if one.proved:
            st.success(literal(session.draft().told(one).told), icon=":material/verified:")
    for place, one in enumerate(differs):
        _show_difference(model, one, place)
    if model.other_system:
        with st.container(horizontal=True, vertical_alignment="center", key="model_other_system"):
            st.caption(
                say(
                    "You said that another system gave {columns}, so nothing is compared with it.",
                    columns=literal(listed([quoted(name) for name in session.draft().told(model.other_system)])),
                )
            )
            if st.button(say("Take that back"), key="model.other_system_not", icon=":material/undo:"):
                _take(model.model_copy(update={"other_system": ()}))
    _bring_rows(model, compared=bool(report.proofs))
    return say("The model's answers differ from known ones.") if differs else ""


def _show_difference(model: ModelSource, one: Proof, place: int) -> None:
    st.error(f"**{literal(session.draft().told(one).told)}**  \n{literal(one.advice)}", icon=":material/difference:")
    if model.known_answers is not None and one.from_rows:
        return
    if st.button(
        say("{known} holds answers of another system", known=literal(quoted(session.draft().told(one.known)))),
        key=f"model.other_system.{place}",
        icon=":material/check:",
        help=say("It is then not compared with this model."),
    ):
        _take(model.model_copy(update={"other_system": (*model.other_system, one.known)}))


def _bring_rows(model: ModelSource, *, compared: bool) -> None:
    """An uploader for rows with known answers; open to whoever has nothing to compare with."""
    with st.expander(
        say("Compare with known answers") if compared else say("Nothing is compared yet: bring a few known answers"),
        icon=":material/fact_check:",
    ):
        st.caption(
            say(
                "A small table: the columns that the model reads, and one more that holds the answer the system gave "
                "to each row."
            )
        )
        file = st.file_uploader(say("Rows with known answers"), key=forms.key_of(f"{_KEY}.file"))
        samples.offer("known_answers")
        if file is not None and st.session_state.get(f"{_KEY}.seen") != file.file_id:
            ref = uploads.keep(file)
            if ref is not None:
                st.session_state[f"{_KEY}.seen"] = file.file_id
                _take(model.model_copy(update={"known_answers": ref}))
        if model.known_answers is not None:
            st.caption(say("Compared with: {name}", name=literal(model.known_answers.name)))
            if st.button(say("Do not compare with it"), key="model.known_not", icon=":material/undo:"):
                forms.forget("model.known")
                _take(model.model_copy(update={"known_answers": None}))


def _take(model: ModelSource) -> None:
    session.change(model=model)
    st.rerun()
