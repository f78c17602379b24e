"""Whether the search is stable, how long it will take and whether the rows suffice, before it is run."""

import streamlit as st

from core.audits.gradient_flow import GradientFlow
from core.audits.gradient_flow.planning import Pilot
from core.audits.gradient_flow.reading import GradientFlowReading
from core.audits.gradient_flow.stability import REFUSED, WARNED, check_stability, kappa
from core.errors import SettingsError
from core.words import count, number
from dashboard import session
from dashboard.answers import unpack
from dashboard.messages import show_failure, show_notices
from dashboard.previews import MetricPreview
from dashboard.session import Draft
from dashboard.views import metric_preview
from dashboard.waiting import answer, duration

_POWER = 0.8


def show(draft: Draft) -> str:
    """The estimate of the gradient-flow test; returns why the audit cannot be run."""
    audit = draft.search
    fitted = answer("fit_metric", metric_preview.arguments(draft, audit.metric), "Learning who counts as similar")
    if fitted is None:
        return "The metric cannot be used yet."
    if problem := _show_stability(audit, unpack(fitted, MetricPreview)):
        return problem
    arguments = session.about_model(draft) | {"audit": audit.model_dump(mode="json"), "seed": draft.seed}
    tried = answer("pilot", arguments, "Trying the search on a few rows")
    if tried is not None:
        _show_pilot(draft.gradient_flow_reading, unpack(tried, Pilot))
    return ""


def _show_stability(audit: GradientFlow, preview: MetricPreview) -> str:
    largest = preview.metric.largest_eigenvalue
    if audit.integrator != "euler":
        st.success(
            "The search is stable, whatever the step size: each step is computed exponentially.",
            icon=":material/check_circle:",
        )
        return ""
    try:
        notices = check_stability(audit, largest)
    except SettingsError as error:
        show_failure(error)
        return "The search would be unstable with these settings."
    show_notices(notices)
    if not notices:
        st.success(
            f"The search is stable: its stability number is {number(kappa(audit, largest))}; up to {WARNED:g} is "
            f"safe, and {REFUSED:g} is the limit.",
            icon=":material/check_circle:",
        )
    return ""


def _show_pilot(reading: GradientFlowReading, pilot: Pilot) -> None:
    found = pilot.detectable(reading.delta, reading.alpha, _POWER)
    with st.container(horizontal=True, key="estimate"):
        st.metric("Rows to audit", f"{pilot.audited:,}", border=True)
        st.metric("Time it will take", f"about {duration(pilot.seconds)}", border=True)
        st.metric(
            "Smallest violation it will find",
            f"ratio {number(found)}",
            border=True,
            help=f"A true ratio of at least this is found with probability {_POWER:.0%}; the tolerance is "
            f"{number(reading.delta)}.",
        )
    excess = 0.1
    needed = pilot.rows_needed(excess, reading.alpha, _POWER)
    st.caption(
        f"Estimated from {count(pilot.rows, 'row')}; found means found in four audits out of five. To find a true "
        f"ratio of {number(reading.delta + excess)} so often, about {count(needed, 'row')} would be needed."
    )
