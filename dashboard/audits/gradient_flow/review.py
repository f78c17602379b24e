"""Whether the search is stable, how long it will take and whether the rows suffice, before it is run."""

from typing import Any

import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.planning import Pilot
from core.audits.gradient_flow.presets import PRESETS
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import REFUSED, WARNED, check_stability, kappa
from core.errors import SettingsError
from core.phrases import count, number, percent
from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.audits.gradient_flow import setup_preview as metric_preview
from dashboard.audits.gradient_flow.setup import CHOICES
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MetricPreview
from dashboard.messages import show_failure, show_notices
from dashboard.session import Draft
from dashboard.waiting import answer, duration

_POWER = 0.8


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, GradientFlow):
        return {}
    return {
        "Gradient-flow test": f"similar people: “{CHOICES[plan.audit.metric.kind][0]}”; tolerated: ratio "
        f"{number(plan.decision.delta)}, with {percent(1 - plan.decision.alpha)} confidence"
    }


def settings(draft: Draft) -> dict[str, Any]:
    """How thorough the search is, as the widgets say; None where a setting is not valid."""
    st.write("Choose how thorough the search is. More search finds more, and takes longer.")
    _choose_preset(draft)
    with st.expander("Every setting of the search", icon=":material/tune:"):
        values = dict(draft.gradient_flow) | {"metric": draft.metric}
        return {"gradient_flow": forms.draw(GradientFlow, values, "review.audit")}


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
        _show_pilot(draft.gradient_flow_decision, unpack(tried, Pilot))
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


def _show_pilot(decision: GradientFlowDecision, pilot: Pilot) -> None:
    found = pilot.detectable(decision.delta, decision.alpha, _POWER)
    with st.container(horizontal=True, key="estimate"):
        st.metric("Rows to audit", f"{pilot.audited:,}", border=True)
        st.metric("Time it will take", f"about {duration(pilot.seconds)}", border=True)
        st.metric(
            "Smallest violation it will find",
            f"ratio {number(found)}",
            border=True,
            help=f"A true ratio of at least this is found with probability {_POWER:.0%}; the tolerance is "
            f"{number(decision.delta)}.",
        )
    excess = 0.1
    needed = pilot.rows_needed(excess, decision.alpha, _POWER)
    st.caption(
        f"Estimated from {count(pilot.rows, 'row')}; found means found in four audits out of five. To find a true "
        f"ratio of {number(decision.delta + excess)} so often, about {count(needed, 'row')} would be needed."
    )


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
