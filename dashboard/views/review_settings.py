"""The settings of the chosen tests and how their results are read."""

from typing import Any

import streamlit as st

from core.audits.gradient_flow import GradientFlow
from core.audits.gradient_flow.presets import PRESETS
from core.audits.gradient_flow.reading import GradientFlowReading
from core.audits.transport import Transport, TransportReading
from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.session import Draft, TestKind
from dashboard.views.tests import TESTS

_READINGS: dict[TestKind, tuple[Any, tuple[str, ...]]] = {
    "gradient_flow": (GradientFlowReading, ("delta", "statistic")),
    "transport": (TransportReading, ("delta", "loss", "budget", "method")),
}


def show(draft: Draft) -> tuple[Draft, str]:
    """The draft with every setting as the forms say, and why it cannot be run."""
    if "gradient_flow" in draft.tests:
        st.write("Choose how thorough the search is. More search finds more, and takes longer.")
        _choose_preset(draft)
    changed: dict[str, Any] = {}
    if "gradient_flow" in draft.tests:
        with st.expander("Every setting of the search", icon=":material/tune:"):
            values = dict(draft.gradient_flow) | {"metric": draft.metric}
            changed["gradient_flow"] = forms.draw(GradientFlow, values, "review.audit")
    with st.expander("How the result is read", icon=":material/rule:"):
        changed |= _choose_readings(draft)
    with st.expander("Random numbers", icon=":material/casino:"):
        changed["seed"] = st.number_input(
            "Seed", min_value=0, value=draft.seed, step=1, key="review.seed", help=_help("seed")
        )
        if "transport" in draft.tests:
            changed["transport"] = forms.draw(Transport, dict(draft.transport), "review.transport", fields=("draws",))
    if any(value is None for value in changed.values()):
        return draft, "A setting is not valid yet."
    if any(getattr(draft, name) != value for name, value in changed.items()):
        draft = session.change(**changed)
    return draft, ""


def _choose_preset(draft: Draft) -> None:
    fitting = [name for name, preset in PRESETS.items() if preset.fits(draft.gradient_flow)]
    with st.container(horizontal=True, key="presets"):
        for name, preset in PRESETS.items():
            if st.button(
                preset.title,
                key=f"preset_{name}",
                icon=":material/check:" if name in fitting[:1] else None,
                type="primary" if name in fitting[:1] else "secondary",
                help=preset.text,
            ):
                forms.forget("review.audit")
                session.change(gradient_flow=preset.apply(draft.gradient_flow))
                st.rerun()
    st.caption(" ".join(PRESETS[name].text for name in fitting[:1]) or "Own settings.")


def _choose_readings(draft: Draft) -> dict[str, Any]:
    """The readings of the chosen tests under one error rate; None for one that is not valid."""
    st.caption("You can change these on the results page too, without another run.")
    first = getattr(draft, f"{draft.tests[0]}_reading")
    shared = forms.draw(type(first), dict(first), "review.reading.shared", fields=("alpha",))
    found: dict[str, Any] = {}
    for kind in draft.tests:
        reading, fields = _READINGS[kind]
        name = f"{kind}_reading"
        if len(draft.tests) > 1:
            st.markdown(f"**{TESTS[kind].title}**")
        drawn = forms.draw(reading, dict(getattr(draft, name)), f"review.reading.{kind}", fields=fields)
        found[name] = None if drawn is None or shared is None else drawn.model_copy(update={"alpha": shared.alpha})
    return found


def _help(name: str) -> str | None:
    return AuditPlan.model_fields[name].description
