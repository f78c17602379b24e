"""Which outcome each label of a column means, asked where labels are not named as outcomes are."""

import streamlit as st

from core.language.told import say
from core.models.meanings import ProposedMeaning
from core.models.predictions import Meaning, PredictionColumns
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MeaningsPreview
from dashboard.text import literal
from dashboard.views.model import form
from dashboard.waiting import answer


def ask(draft: Draft, model: PredictionColumns) -> PredictionColumns | None:
    """The column with the meaning of each of its labels; None while one is open."""
    asked = draft.about_table | {"column": model.columns[0]}
    found = answer("propose_meanings", asked, say("Looking at the labels"))
    if found is None:
        return None
    proposed = unpack(found, MeaningsPreview).proposed
    said = {one.label: one.outcome for one in model.meanings}
    outcomes = form.labels_of(draft)
    labels = [one.meaning.label for one in proposed] or [label for label in said if label in outcomes]
    if not labels:
        return model
    if not set(labels) <= set(said):
        _propose(model, proposed)
    key = forms.key_of(f"model.form.meanings.{model.columns[0]}")
    chosen = {
        label: st.selectbox(
            say("Which outcome does “{label}” mean?", label=literal(label)),
            outcomes,
            index=outcomes.index(said[label]) if said.get(label) in outcomes else None,
            key=f"{key}.{place}",
            placeholder=say("Choose one"),
        )
        for place, label in enumerate(labels)
    }
    meant = tuple(Meaning(label=label, outcome=outcome) for label, outcome in chosen.items() if outcome is not None)
    if len(meant) < len(labels):
        return None
    return model.model_copy(update={"meanings": meant})


def _propose(model: PredictionColumns, proposed: tuple[ProposedMeaning, ...]) -> None:
    """What the table says for each label, and a button that takes it."""
    told = "".join(
        f"\n- {literal(one.meaning.label)} → {literal(one.meaning.outcome)}: {literal(one.reason)}" for one in proposed
    )
    intro = say("Some labels are not named as the outcomes are. If the answers are right more often than not:")
    st.info(f"{intro}\n{told}", icon=":material/help:")
    if st.button(say("Take this"), key="model.meanings", icon=":material/check:"):
        forms.forget("model.form")
        session.change(model=model.model_copy(update={"meanings": tuple(one.meaning for one in proposed)}))
        st.rerun()
