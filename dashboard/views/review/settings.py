"""The settings of the chosen tests and how their results are read."""

from typing import Any

import streamlit as st

from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.session import Draft
from dashboard.views.tests.kinds import TESTS


def show(draft: Draft) -> tuple[Draft, str]:
    """The draft with every setting as the forms say, and why it cannot be run."""
    changed: dict[str, Any] = {}
    for kind in draft.tests:
        changed |= TESTS[kind].settings(draft)
    with st.expander("How the result is read", icon=":material/rule:"):
        changed |= _choose_readings(draft)
    with st.expander("Random numbers", icon=":material/casino:"):
        changed["seed"] = st.number_input(
            "Seed", min_value=0, value=draft.seed, step=1, key="review.seed", help=_help("seed")
        )
    if any(value is None for value in changed.values()):
        return draft, "A setting is not valid yet."
    if any(getattr(draft, name) != value for name, value in changed.items()):
        draft = session.change(**changed)
    return draft, ""


def _choose_readings(draft: Draft) -> dict[str, Any]:
    """The decision settings of the chosen tests under one error rate; None for one that is not valid."""
    st.caption("You can change these on the results page too, without another run.")
    first = getattr(draft, f"{draft.tests[0]}_decision")
    shared = forms.draw(type(first), dict(first), "review.reading.shared", fields=("alpha",))
    found: dict[str, Any] = {}
    for kind in draft.tests:
        name = f"{kind}_decision"
        decision = getattr(draft, name)
        if len(draft.tests) > 1:
            st.markdown(f"**{TESTS[kind].title}**")
        drawn = forms.draw(type(decision), dict(decision), f"review.reading.{kind}", fields=TESTS[kind].decision_of)
        found[name] = None if drawn is None or shared is None else drawn.model_copy(update={"alpha": shared.alpha})
    return found


def _help(name: str) -> str | None:
    return AuditPlan.model_fields[name].description
