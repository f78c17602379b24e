"""Whether the search is stable, how long it will take and whether the rows suffice, before it is run."""

import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.planning import GradientFlowPilot
from core.audits.gradient_flow.presets import PRESETS
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import REFUSED, WARNED, check_stability, kappa
from core.errors import SettingsError
from core.phrases import count, number, percent
from core.plan import AuditPlan
from core.thresholds import POWER
from dashboard import forms, session
from dashboard.audits.gradient_flow import setup_preview as metric_preview
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MetricPreview
from dashboard.messages import show_failure, show_notices
from dashboard.views.review.expectation import Expectation, Tile
from dashboard.views.similar.metric import CHOICES
from dashboard.waiting import answer, duration

_EXCESS = 0.1
"""How far above the tolerance the violation lies for which the rows needed are told."""


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, GradientFlow):
        return {}
    return {
        "Gradient-flow test": f"similar people: “{CHOICES[plan.audit.metric.kind][0]}”; tolerated: ratio "
        f"{number(plan.decision.delta)}, with {percent(1 - plan.decision.alpha)} confidence"
    }


def settings(draft: Draft) -> GradientFlow | None:
    """How thorough the search is, as the widgets say; None where a setting is not valid."""
    st.write("Choose how thorough the search is. More search finds more, and takes longer.")
    _choose_preset(draft)
    with st.expander("Every setting of the search", icon=":material/tune:"):
        return forms.draw(GradientFlow, dict(draft.settings(GradientFlow)), "review.audit")


def problem(draft: Draft) -> str:
    """Why the search cannot be tried: its steps would be unstable for this metric."""
    audit = draft.settings(GradientFlow)
    fitted = answer("fit_metric", metric_preview.arguments(draft, audit.metric), "Learning who counts as similar")
    return "The metric cannot be used yet." if fitted is None else _show_stability(audit, unpack(fitted, MetricPreview))


def expectation(draft: Draft, pilot: GradientFlowPilot) -> Expectation:
    """What the pilot says of the search."""
    decision = draft.decision(GradientFlowDecision)
    needed = count(pilot.rows_needed(_EXCESS, decision.alpha, POWER), "row")
    return Expectation(
        rows=(Tile("Rows to audit", f"{pilot.audited:,}"),),
        seconds=pilot.seconds,
        seconds_help=f"About {duration(pilot.relearning)} of it to learn the metric again from halves of its rows, for "
        "an interval that includes how sure it is who counts as similar."
        if pilot.relearning
        else "",
        found=f"ratio {number(pilot.detectable(decision.delta, decision.alpha, POWER))}",
        found_help=f"A true ratio of at least this is found with probability {POWER:.0%}; the tolerance is "
        f"{number(decision.delta)}.",
        tried=count(pilot.rows, "row"),
        needed=f"To find a true ratio of {number(decision.delta + _EXCESS)} so often, about {needed} would be needed.",
    )


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


def _choose_preset(draft: Draft) -> None:
    fitting = [name for name, preset in PRESETS.items() if preset.fits(draft.settings(GradientFlow))]
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
                session.keep(draft, preset.apply(draft.settings(GradientFlow)))
                st.rerun()
    st.caption(" ".join(PRESETS[name].text for name in fitting[:1]) or "Own settings.")
