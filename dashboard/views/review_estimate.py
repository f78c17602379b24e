"""Whether the search is stable, how long it will take and whether the rows suffice, before it is run."""

import streamlit as st

from core.audits.gradient_flow.stability import REFUSED, WARNED, kappa
from core.words import number
from dashboard.answers import unpack
from dashboard.messages import show_failure
from dashboard.previews import MetricPreview
from dashboard.session import Draft
from dashboard.views.metric import preview_arguments
from dashboard.waiting import answer


def show(draft: Draft) -> str:
    """The estimate; returns why the audit cannot be run."""
    fitted = answer("fit_metric", preview_arguments(draft), "Learning who counts as similar")
    if fitted is None:
        return "The metric cannot be used yet."
    preview = unpack(fitted, MetricPreview)
    return _show_stability(draft, preview)


def _show_stability(draft: Draft, preview: MetricPreview) -> str:
    from core.audits.gradient_flow.stability import check_stability
    from core.errors import SettingsError

    audit = draft.audit
    found = kappa(audit, preview.metric.largest_eigenvalue)
    if audit.integrator != "euler":
        st.success("Stable at every step size, with this integrator.", icon=":material/check_circle:")
        return ""
    try:
        check_stability(audit, preview.metric.largest_eigenvalue)
    except SettingsError as error:
        show_failure(error)
        return "The search would be unstable with these settings."
    said = f"Stability number {number(found)}"
    tip = "κ = 2 λ ε σ_max: below 1.5 the search is stable, from 2 on it is refused."
    if found > WARNED:
        st.warning(f"{said}, close to the limit {REFUSED:g}. Halve the step size to be safe. {tip}")
    else:
        st.success(f"{said}: stable (the limit is {REFUSED:g}).", icon=":material/check_circle:")
    return ""
