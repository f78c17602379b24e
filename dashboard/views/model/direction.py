"""Which way round answers are read, asked where they go against the outcomes."""

import streamlit as st

from core.language.told import say
from core.models import ModelSource
from core.models.inspection import ModelReport
from dashboard import forms, session
from dashboard.text import literal


def ask(model: ModelSource, report: ModelReport) -> str:
    """Ask for the direction where the answers go against the outcomes; returns why the next step is shut."""
    if report.direction is None or not report.direction.against:
        return ""
    told = say("{told}. The answers go against the outcomes.", told=session.draft().told(report.direction).told)
    if model.direction_confirmed:
        st.warning(
            f"**{literal(told)}** "
            + say("You said that they are right as they are. The audit will describe them and claim nothing."),
            icon=":material/warning:",
        )
        if st.button(say("Take that back"), key="model.unconfirm", icon=":material/undo:"):
            _take(model.model_copy(update={"direction_confirmed": False}))
        return ""
    st.error(f"**{literal(told)}**  \n{literal(report.direction.advice)}", icon=":material/swap_horiz:")
    turned = model.turned(report.classes)
    with st.container(horizontal=True, key="model_direction"):
        if turned is not None and st.button(
            say("They are the other way round: turn them"),
            key="model.turn",
            type="primary",
            icon=":material/swap_horiz:",
            help=say("Proposed because the answers then go with the outcomes."),
        ):
            _take(turned)
        if st.button(
            say("They are right as they are"),
            key="model.confirm",
            icon=":material/check:",
            help=say("The audit then describes the answers and claims nothing."),
        ):
            _take(model.model_copy(update={"direction_confirmed": True}))
    return say("Say above which way round the answers are: turn them, or confirm that they are right.")


def offer_turn(model: ModelSource, report: ModelReport) -> None:
    """Turn answers that do not go against the outcomes: folded, unless the model does worse than a guess and nothing
    shows that they go with them.
    """
    turned = model.turned(report.classes)
    if turned is None:
        return
    clear = report.direction is not None and report.direction.clearly_with
    doubtful = report.accuracy < report.majority_share and not clear
    with (
        st.container() if doubtful else st.expander(say("Outcomes the wrong way round?"), icon=":material/swap_horiz:")
    ):
        if st.button(
            say("Is the label turned round? Swap the classes"),
            key="model.swap",
            icon=":material/swap_horiz:",
            help=say("Reads each answer as the other outcome."),
        ):
            _take(turned)


def _take(model: ModelSource) -> None:
    forms.forget("model.form")
    session.change(model=model)
    st.rerun()
