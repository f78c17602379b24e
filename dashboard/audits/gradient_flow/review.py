"""Whether the search is stable, how long it will take and whether the rows suffice, before it is run."""

import math

import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.people import ROWS
from core.audits.gradient_flow.planning import GradientFlowPilot
from core.audits.gradient_flow.presets import PRESETS
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import REFUSED, WARNED, check_steps, kappa, taken_under
from core.base.errors import SettingsError
from core.base.thresholds import POWER
from core.language.phrases import count, number, percent, whole
from core.language.told import localized, retold, say
from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.audits.gradient_flow.setup import arguments
from dashboard.audits.pages import Expectation, Tile, so_many
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MetricPreview
from dashboard.messages import show_caveats, show_failure
from dashboard.waiting import answer, duration

_EXCESS = 0.1
"""How far above the tolerance the violation lies for which the rows needed are told."""


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, GradientFlow):
        return {}
    return {
        say("Gradient-flow test"): say(
            "similar people: “{metric}”; tolerated: ratio {delta}, with {alpha} confidence",
            metric=retold(plan.audit.metric.title),
            delta=number(plan.decision.delta),
            alpha=percent(1 - plan.decision.alpha),
        )
    }


def settings(draft: Draft) -> GradientFlow | None:
    """How thorough the search is, as the widgets say; None where a setting is not valid."""
    st.write(say("Choose how thorough the search is. More search finds more, and takes longer."))
    _choose_preset(draft)
    with st.expander(say("Every setting of the search"), icon=":material/tune:"):
        return forms.draw(GradientFlow, dict(draft.settings(GradientFlow)), "review.audit")


def problem(draft: Draft) -> str:
    """Why the search cannot be tried: its steps would be unstable for this metric."""
    audit = draft.settings(GradientFlow)
    fitted = answer("fit_metric", arguments(draft, audit.metric), say("Learning who counts as similar"))
    return (
        say("The metric cannot be used yet.")
        if fitted is None
        else _show_stability(audit, unpack(fitted, MetricPreview))
    )


def expectation(draft: Draft, pilot: GradientFlowPilot) -> Expectation:
    """What the pilot says of the search."""
    decision = draft.decision(GradientFlowDecision)
    found, known = pilot.detectable(decision), {"power": percent(POWER), "delta": number(decision.delta)}
    help = (
        say(
            "A true ratio of at least this is found with probability {power} if the learned metric is right; the "
            "tolerance is {delta}. How sure the metric is shows after the run, and the less sure, the less is found.",
            **known,
        )
        if pilot.relearning
        else say("A true ratio of at least this is found with probability {power}; the tolerance is {delta}.", **known)
    )
    if pilot.people:
        rests = say(
            "The verdict rests on people who could exist, looked for beside {rows}.", rows=count(pilot.people, "row")
        )
        help = f"{help} {rests}"
    return Expectation(
        rows=(Tile(say("Rows to audit"), whole(pilot.audited)),),
        seconds=pilot.seconds,
        seconds_help=say(
            "About {relearning} of it to learn the metric again from halves of its rows, for an interval "
            "that includes how sure it is who counts as similar.",
            relearning=duration(pilot.relearning),
        )
        if pilot.relearning
        else "",
        found=say("a ratio of {ratio}, at best", ratio=number(found)) if math.isfinite(found) else "",
        found_help=help,
        tried=count(pilot.rows, "row"),
        needed=_needed(pilot, decision),
    )


def _needed(pilot: GradientFlowPilot, decision: GradientFlowDecision) -> str:
    """How many rows find a ratio a little beyond the tolerance; that none do; or nothing, if not known."""
    rows, sought = pilot.rows_needed(decision, _EXCESS), number(decision.delta + _EXCESS)
    if math.isnan(rows):
        return ""
    if math.isinf(rows):
        return say(
            "No number of rows finds a true ratio of {ratio} so often: people who could exist are looked for beside "
            "{most} rows, however many there are.",
            ratio=sought,
            most=whole(ROWS),
        )
    needed = so_many(int(rows), pilot.audited, "row")
    if pilot.relearning:
        return say(
            "To find a true ratio of {ratio} so often, {needed} would be needed if the learned metric is right.",
            ratio=sought,
            needed=needed,
        )
    return say("To find a true ratio of {ratio} so often, {needed} would be needed.", ratio=sought, needed=needed)


def _show_stability(audit: GradientFlow, preview: MetricPreview) -> str:
    metric = preview.metric
    audit = taken_under(audit, metric)
    if audit.integrator != "euler":
        st.success(
            say("The search is stable, whatever the step size: each step is computed exponentially."),
            icon=":material/check_circle:",
        )
        return ""
    try:
        caveats = check_steps(audit, metric)
    except SettingsError as error:
        show_failure(error)
        return say("The search would be unstable with these settings.")
    show_caveats(caveats)
    if not caveats:
        st.success(
            say(
                "The search is stable: its stability number is {kappa}; up to {warned} is safe, and {refused} is "
                "the limit.",
                kappa=number(kappa(audit, metric.largest_eigenvalue)),
                warned=localized(f"{WARNED:g}"),
                refused=localized(f"{REFUSED:g}"),
            ),
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
    st.caption(" ".join(PRESETS[name].text for name in fitting[:1]) or say("Own settings."))
