"""What the sensitivity test of columns will measure, how long it takes and what it can find, before it is run."""

import math
from typing import Any

import streamlit as st

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.planning import ColumnPilot
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.phrases import count, number, percent
from core.plan import AuditPlan
from dashboard import session
from dashboard.jobs.answers import unpack
from dashboard.session import Draft
from dashboard.waiting import answer, duration

_POWER = 0.8
_EXCESS = 0.02


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, ColumnSensitivity) or not isinstance(decision, ColumnSensitivityDecision):
        return {}
    found = {
        "Sensitivity test of columns": "how far answers move when people are put into another group; tolerated: "
        f"{100 * decision.delta:g} percentage points on average, with {percent(1 - decision.alpha)} confidence",
    }
    if audit.through:
        found["Features that carry the attribute"] = (
            f"{', '.join(audit.through)}; differences learned from {percent(audit.share)} of the rows, which are not "
            "measured"
        )
    return found


def settings(draft: Draft) -> dict[str, Any]:
    """Nothing: all of its own settings stand a step back."""
    return {}


def show(draft: Draft) -> str:
    """The estimate of the test; returns why it cannot be run."""
    arguments = session.about_model(draft) | {
        "audit": draft.column_sensitivity.model_dump(mode="json"),
        "seed": draft.seed,
    }
    tried = answer("pilot_columns", arguments, "Trying the test on some people")
    if tried is None:
        return "The test cannot be run like this yet."
    _show_pilot(draft.column_sensitivity_decision, unpack(tried, ColumnPilot))
    return ""


def _show_pilot(decision: ColumnSensitivityDecision, pilot: ColumnPilot) -> None:
    found = pilot.detectable(decision, _POWER)
    with st.container(horizontal=True, key="estimate_columns"):
        st.metric("People to measure", f"{pilot.audited:,}", border=True)
        st.metric("Time it will take", f"about {duration(pilot.seconds)}", border=True)
        if math.isfinite(found):
            st.metric(
                "Smallest violation it will find",
                f"{number(100 * found)} points",
                border=True,
                help=f"A true mean of at least this is found with probability {_POWER:.0%}.",
            )
    if math.isfinite(found):
        needed = pilot.rows_needed(decision, _EXCESS, _POWER)
        st.caption(
            f"Estimated from {count(pilot.people, 'person', 'people')}; found means found in four audits out of five. "
            f"To find a true mean of {100 * (decision.delta + _EXCESS):g} points so often, about "
            f"{count(needed, 'person', 'people')} like these would be needed."
        )
    else:
        st.warning(
            "Warning: The slope has no value, because the model has no gradients. Read the change of the answer.",
            icon=":material/warning:",
        )
    if decision.delta == ColumnSensitivityDecision().delta:
        st.caption(
            "The tolerance of 5 percentage points is a proposal, no legal threshold; choose your own above, or when "
            "you see the result."
        )
