"""The page of a gradient-flow test: its tabs, its reading and its lines in the record."""

from typing import ClassVar, get_args

import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.report.numbers import GradientFlowNumbers
from core.audits.gradient_flow.result import GradientFlowResult
from core.phrases import p_value
from core.plan import AuditPlan
from dashboard.audits.gradient_flow import results_robustness as results_gradient_flow_robustness
from dashboard.audits.gradient_flow import results_who as results_gradient_flow_who
from dashboard.audits.gradient_flow import results_why as results_gradient_flow_why
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate, label, tip, widget_key
from dashboard.views.results.old_view import OldView


class GradientFlowView(OldView[GradientFlowResult, GradientFlowDecision, GradientFlowNumbers]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = ("Why", "Who", "Robustness")
    controls_in: ClassVar[str] = "Robustness"

    def controls(
        self, plan: AuditPlan, start: GradientFlowDecision, result: GradientFlowResult, alpha: ErrorRate
    ) -> GradientFlowDecision:
        """Tolerance, statistic, error rate and stopping time."""
        left, right = st.columns(2)
        with left:
            delta = st.slider(
                label(GradientFlowDecision, "delta"),
                1.0,
                _largest_delta(start, result),
                start.delta,
                0.01,
                key=widget_key("delta", plan),
                help=tip(GradientFlowDecision, "delta"),
                bind="query-params",
            )
            statistic = st.segmented_control(
                label(GradientFlowDecision, "statistic"),
                get_args(Statistic),
                default=start.statistic,
                required=True,
                key=widget_key("statistic", plan),
                help=tip(GradientFlowDecision, "statistic"),
                bind="query-params",
            )
        with right:
            rate = alpha()
            stop_at = _stopping_time(plan, start, result)
        return GradientFlowDecision(delta=delta, alpha=rate, stop_at=stop_at, statistic=statistic or start.statistic)

    def show_old(
        self,
        tab: str,
        plan: AuditPlan,
        result: GradientFlowResult,
        decision: GradientFlowDecision,
        numbers: GradientFlowNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Why":
            results_gradient_flow_why.show(result, decision, numbers)
        elif tab == "Who":
            results_gradient_flow_who.show(plan, result, decision)
        else:
            results_gradient_flow_robustness.show(result, decision, numbers)

    def p_values_old(self, numbers: GradientFlowNumbers) -> str:
        """Of both statistics."""
        told = ", ".join(f"{found.statistic} **{literal(p_value(found.p_value))}**" for found in numbers.statistics)
        return f"p-values against the tolerance: {told}."

    def facts(self, result: GradientFlowResult) -> dict[str, str]:
        """See the base class."""
        metric = result.metric
        learned = f", learned from {metric.learned_on:,} rows" if metric.learned_on else ""
        return {
            "Fair metric": f"{metric.name}{learned}",
            "Run time": f"{result.seconds:.1f} s, {result.detail.gradient_evaluations:,} gradients a row",
        }


def _stopping_time(plan: AuditPlan, start: GradientFlowDecision, result: GradientFlowResult) -> int | None:
    """The length chosen; None for the whole search."""
    steps = [int(step) for step in result.detail.steps]
    if len(steps) == 1:
        st.caption("The search was recorded at one length only, so it cannot be read as if it had stopped earlier.")
        return None
    chosen: int = st.select_slider(
        label(GradientFlowDecision, "stop_at"),
        steps,
        steps[result.detail.at(start.stop_at)],
        format_func=lambda step: f"{step:,} steps",
        key=widget_key("stop", plan),
        help=tip(GradientFlowDecision, "stop_at"),
        bind="query-params",
    )
    return None if chosen == steps[-1] else chosen


def _largest_delta(start: GradientFlowDecision, result: GradientFlowResult) -> float:
    """Upper end of the slider: past every bound of the whole search, and 2 at least; it stays put for a result."""
    found = [result.detail.estimate(GradientFlowDecision(statistic=statistic)) for statistic in get_args(Statistic)]
    bounds = [estimate.two_sided(0.05).high for estimate in found if not estimate.undefined]
    return float(min(max(2.0, start.delta, *(1.25 * bound for bound in bounds)), 100.0))
