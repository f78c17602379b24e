"""The page of a gradient-flow test: its tabs, its reading and its lines in the record."""

import math
from typing import ClassVar, get_args

import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic, heading_of, name_of
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.language.phrases import p_value, ratio
from core.language.told import say, say_count
from core.plan import AuditPlan
from dashboard.audits.gradient_flow import results_who
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate, end_of_slider, rooms, segments, side_by_side
from dashboard.views.results.tables import show_diagnostics, show_statistics
from dashboard.views.results.view import AbstractView
from dashboard.views.results.widgets import widget


class GradientFlowView(AbstractView[GradientFlowResult, GradientFlowDecision, GradientFlowFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Who"), say("Robustness"))

    def controls(
        self, plan: AuditPlan, start: GradientFlowDecision, result: GradientFlowResult, alpha: ErrorRate
    ) -> GradientFlowDecision:
        """Tolerance, statistic, error rate and stopping time."""
        tolerated, other = rooms(say("the statistic or the length of the search"))
        with tolerated:
            delta, rate = side_by_side(lambda: _tolerance(start, plan, result), alpha)
        with other:
            statistic: Statistic = segments(start, plan, "statistic", get_args(Statistic))
            stop_at = _stopping_time(plan, start, result)
        return GradientFlowDecision(delta=delta, alpha=rate, stop_at=stop_at, statistic=statistic)

    def show(self, tab: str, plan: AuditPlan, finding: GradientFlowFinding) -> None:
        """See the base class."""
        why, who, _ = self.tabs
        if tab == why:
            _why(finding)
        elif tab == who:
            results_who.show(plan, finding)
        else:
            _show_robustness(finding)

    def p_values(self, finding: GradientFlowFinding) -> str:
        """Of both statistics."""
        told = ", ".join(
            f"{name_of(one.decision.statistic)} **{literal(p_value(one.p_value))}**" for one in finding.both
        )
        return say("p-values against the tolerance: {told}.", told=told)


def _why(finding: GradientFlowFinding) -> None:
    """The estimate against the tolerance, both tests side by side, the spread of the ratios, and shorter searches."""
    show_chart(finding, "intervals")
    show_statistics(finding)
    for one in finding.both:
        if one.undefined:
            st.info(f"**{heading_of(one.decision.statistic)}:** {one.undefined}", icon=":material/info:")
    show_chart(finding, "ratios")
    show_chart(finding, "sweep")


def _stopping_time(plan: AuditPlan, start: GradientFlowDecision, result: GradientFlowResult) -> int | None:
    """The length chosen; None for the whole search."""
    steps = [int(step) for step in result.detail.steps]
    if len(steps) == 1:
        st.caption(
            say("The search was recorded at one length only, so it cannot be read as if it had stopped earlier.")
        )
        return None
    chosen: int = widget(
        st.select_slider,
        GradientFlowDecision,
        plan,
        "stop_at",
        steps,
        steps[result.detail.at(start.stop_at)],
        format_func=lambda step: say_count("{n} step", "{n} steps", step),
        key="stop",
    )
    if chosen == steps[-1]:
        return None
    if result.detail.people is not None:
        st.caption(say("Possible people were looked for at the search's end, so their numbers stay as they are."))
    return chosen


def _tolerance(start: GradientFlowDecision, plan: AuditPlan, result: GradientFlowResult) -> float:
    """Its slider ends past every bound of the whole search where it can; it stays put for a result."""
    both = GradientFlowFinding(result, GradientFlowDecision(alpha=0.05)).both
    bounds = [one.interval.high for one in both if not one.undefined]
    end = max(2.0, start.delta, *(1.25 * bound for bound in bounds))
    end = min(end_of_slider(end, start.delta, 1.0), 100.0)
    chosen: float = widget(st.slider, GradientFlowDecision, plan, "delta", 1.0, end, start.delta, 0.01)
    return chosen


def _show_robustness(finding: GradientFlowFinding) -> None:
    """The tab below the widgets of the decision settings."""
    st.markdown(_power(finding))
    show_chart(finding, "sweep")
    tried = [show_chart(finding, name) for name in ("other_weights", "rotations", "other_penalties", "resampled")]
    if not any(tried):
        st.info(
            say(
                "This audit did not try other settings. Other weights of similarity, metric rotations, and for a "
                "learned metric resamples and other penalties can be chosen in the review step. Each repeats the "
                "search on a part of the rows."
            ),
            icon=":material/info:",
        )
    show_diagnostics(finding)


def _power(finding: GradientFlowFinding) -> str:
    """The headline, and what an audit of this size finds."""
    if finding.minimum_detectable == math.inf:
        return say(
            "**With these settings: {headline}.** The rows say too little about who counts as similar: no true "
            "{statistic}, however large, would be found in four cases out of five.",
            headline=finding.opening,
            statistic=name_of(finding.decision.statistic),
        )
    return say(
        "**With these settings: {headline}.** An audit of this size finds a true {statistic} of "
        "{smallest} or more in four cases out of five, and smaller ones less often.",
        headline=finding.opening,
        statistic=name_of(finding.decision.statistic),
        smallest=ratio(finding.minimum_detectable, beside=finding.decision.delta),
    )
