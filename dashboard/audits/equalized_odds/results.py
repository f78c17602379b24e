"""The page of a fair-dummies test: its tabs, its reading and its lines in the record."""

import math
from typing import ClassVar

import streamlit as st

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.report.numbers import EqualizedOddsNumbers
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.wording import next_steps, question, resampled
from core.phrases import count, p_value
from core.plan import AuditPlan
from core.report.tables import Table
from core.report.tellings import telling_of
from dashboard.audits.groups import results_subgroups
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.decision import ErrorRate, label, tip, widget_key
from dashboard.views.results.old_view import OldView
from dashboard.views.results.tables import show_facts, show_table

_SHOWN = {
    "Overview": ("fair dummies null", "fair dummies gap"),
    "Answers": ("fair dummies answers",),
    "Groups": ("groups impact", "groups rates", "groups differences", "groups classes"),
    "Coverage": ("fair dummies coverage", "fair dummies set sizes"),
    "Robustness": ("fair dummies attribute model", "fair dummies attributes"),
}
"""Figures and tables of each tab, by name."""
STEPS = 200
"""Places of the sliders."""


class EqualizedOddsView(OldView[EqualizedOddsResult, EqualizedOddsDecision, EqualizedOddsNumbers]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = ("Overview", "Answers", "Groups", "Subgroups", "Coverage", "Robustness")

    def tabs_of(self, result: EqualizedOddsResult) -> tuple[str, ...]:
        """Without the tab of prediction sets where there are none."""
        return tuple(name for name in self.tabs if name != "Coverage" or result.detail.coverage)

    def controls(
        self, plan: AuditPlan, start: EqualizedOddsDecision, result: EqualizedOddsResult, alpha: ErrorRate
    ) -> EqualizedOddsDecision:
        """Attribute, tolerances in percentage points, and the error rate."""
        with st.expander("Change the attribute, the tolerances or the error rate", icon=":material/tune:"):
            attribute = _attribute(plan, start, result)
            left, right = st.columns(2)
            with left:
                delta = _tolerance(plan, start, "delta", "percentage points")
                rate = alpha()
            with right:
                unit = "percent of the mean error" if result.detail.numbers else "percentage points"
                tolerance = _tolerance(plan, start, "tolerance", unit)
        return EqualizedOddsDecision(attribute=attribute, delta=delta, tolerance=tolerance, alpha=rate)

    def show_old(
        self,
        tab: str,
        plan: AuditPlan,
        result: EqualizedOddsResult,
        decision: EqualizedOddsDecision,
        numbers: EqualizedOddsNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Subgroups":
            results_subgroups.show(result, decision)
            return
        if tab == "Coverage" and _sets_hold_everything(result, numbers):
            st.info(
                "Every set holds all outcomes, so it says nothing: to leave one out, the model would have to be right "
                "more often, or to say how sure it is.",
                icon=":material/info:",
            )
        tables = telling_of(plan).tables(result, decision, numbers)
        for name in _SHOWN[tab]:
            _figure_and_table(name, result, decision, tables.get(name))
        if tab == "Overview":
            st.subheader("The numbers", anchor=False)
            show_table(telling_of(plan).statistics(decision, numbers))
        elif tab == "Robustness":
            told = telling_of(plan).diagnostics(result, decision, numbers)
            show_facts({fact.label: fact.value for fact in told}, "How the test was made")

    def next_steps_old(
        self, plan: AuditPlan, result: EqualizedOddsResult, decision: EqualizedOddsDecision
    ) -> tuple[str, ...]:
        """See the base class."""
        return next_steps(result, decision)

    def p_values_old(self, numbers: EqualizedOddsNumbers) -> str:
        """Of each attribute; of several also adjusted for their number."""
        told = "; ".join(f"{literal(one.attribute)} **{literal(p_value(one.p_value))}**" for one in numbers.attributes)
        tested = sum(one.tested > 0 for one in numbers.attributes)
        if tested == 1:
            return f"p-value of “no difference”: {told}."
        return (
            f"p-values of “no difference”: {told}; the smallest, adjusted for {tested} attributes, "
            f"**{literal(p_value(numbers.p_value))}**."
        )

    def facts(self, result: EqualizedOddsResult) -> dict[str, str]:
        """See the base class."""
        detail = result.detail
        facts = {"Asked": question(detail.asks)}
        for test in detail.tests:
            if test.untested:
                facts[f"Test of {test.attribute}"] = "not possible: people who are compared are all of one group"
                continue
            facts[f"Test of {test.attribute}"] = (
                f"{test.tested:,} rows tested, {test.learned:,} learned from, {test.left_out:,} left out; groups "
                f"{resampled(test.resampling)}; {count(len(test.null), 'fair dummy', 'fair dummies')}"
            )
        return {**facts, "Run time": f"{result.seconds:.1f} s"}


def _sets_hold_everything(result: EqualizedOddsResult, numbers: EqualizedOddsNumbers) -> bool:
    """Whether that is so in every group of the attribute that is shown, as with decisions that often err."""
    sizes = [one.size for one in numbers.coverage if one.attribute == numbers.attribute]
    return bool(result.detail.classes) and all(size == len(result.detail.classes) for size in sizes)


def _figure_and_table(
    name: str, result: EqualizedOddsResult, decision: EqualizedOddsDecision, table: Table | None
) -> None:
    """A figure with its table folded below it; a table without a figure under a heading of its own.

    The first sentence of a table's caption names it, the rest says how to read it.
    """
    drawn = results_chart.show(name, result, decision)
    if table is None:
        return
    title, _, more = table.caption.partition(". ")
    if not drawn:
        st.subheader(literal(title), anchor=False)
    with st.expander(literal(title)) if drawn else st.container():
        if more:
            st.caption(literal(more))
        show_table(table)


def _attribute(plan: AuditPlan, start: EqualizedOddsDecision, result: EqualizedOddsResult) -> str:
    """A choice only where several were tested."""
    names = [one.name for one in result.detail.attributes]
    if len(names) == 1:
        return start.attribute
    chosen: str = st.selectbox(
        label(EqualizedOddsDecision, "attribute"),
        names,
        result.detail.place(start),
        format_func=literal,
        key=widget_key("attribute", plan),
        help=tip(EqualizedOddsDecision, "attribute"),
        bind="query-params",
    )
    return chosen


def _tolerance(plan: AuditPlan, start: EqualizedOddsDecision, field: str, unit: str) -> float:
    """In percent; the slider ends at 50, or a half above the plan's own where that is larger."""
    kept: float = getattr(start, field)
    first = 100 * kept
    end = max(50.0, min(100.0, float(math.ceil(1.5 * first))))
    chosen: float = st.slider(
        f"{label(EqualizedOddsDecision, field)} ({unit})",
        0.0,
        end,
        first,
        end / STEPS,
        key=widget_key(field, plan),
        help=tip(EqualizedOddsDecision, field),
        bind="query-params",
    )
    return kept if chosen == first else chosen / 100
