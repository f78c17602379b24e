"""The page of a fair-dummies test: its tabs, its reading and its lines in the record."""

import math
from typing import ClassVar

import streamlit as st

from core.audits.fair_dummies.reading import FairDummiesReading
from core.plan import AuditPlan
from core.report.fair_dummies.numbers import FairDummiesNumbers
from core.report.tables import Table
from core.report.tellings import telling_of
from core.result import FairDummiesResult
from core.words import count, p_value
from core.words_fair_dummies import next_steps, question, resampled
from dashboard.text import literal
from dashboard.views import results_chart, results_subgroups
from dashboard.views.results_reading import ErrorRate, label, tip, widget_key
from dashboard.views.results_tables import show_facts, show_table
from dashboard.views.results_view import AbstractView

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


class FairDummiesView(AbstractView[FairDummiesResult, FairDummiesReading, FairDummiesNumbers]):
    """See the base class."""

    label: ClassVar[str] = "Fair-dummies test"
    tabs: ClassVar[tuple[str, ...]] = ("Overview", "Answers", "Groups", "Subgroups", "Coverage", "Robustness")

    def tabs_of(self, result: FairDummiesResult) -> tuple[str, ...]:
        """Without the tab of prediction sets where there are none."""
        return tuple(name for name in self.tabs if name != "Coverage" or result.detail.coverage)

    def controls(
        self, plan: AuditPlan, start: FairDummiesReading, result: FairDummiesResult, alpha: ErrorRate
    ) -> FairDummiesReading:
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
        return FairDummiesReading(attribute=attribute, delta=delta, tolerance=tolerance, alpha=rate)

    def show(
        self,
        tab: str,
        plan: AuditPlan,
        result: FairDummiesResult,
        reading: FairDummiesReading,
        numbers: FairDummiesNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Subgroups":
            results_subgroups.show(result, reading)
            return
        if tab == "Coverage" and _sets_hold_everything(result, numbers):
            st.info(
                "Every set holds all outcomes, so it says nothing: to leave one out, the model would have to be right "
                "more often, or to say how sure it is.",
                icon=":material/info:",
            )
        tables = telling_of(plan).tables(result, reading, numbers)
        for name in _SHOWN[tab]:
            _figure_and_table(name, result, reading, tables.get(name))
        if tab == "Overview":
            st.subheader("The numbers", anchor=False)
            show_table(telling_of(plan).statistics(reading, numbers))
        elif tab == "Robustness":
            told = telling_of(plan).diagnostics(result, reading, numbers)
            show_facts({fact.label: fact.value for fact in told}, "How the test was made")

    def next_steps(self, plan: AuditPlan, result: FairDummiesResult, reading: FairDummiesReading) -> tuple[str, ...]:
        """See the base class."""
        return next_steps(result, reading)

    def p_values(self, numbers: FairDummiesNumbers) -> str:
        """Of each attribute; of several also adjusted for their number."""
        told = "; ".join(f"{literal(one.attribute)} **{literal(p_value(one.p_value))}**" for one in numbers.attributes)
        tested = sum(one.tested > 0 for one in numbers.attributes)
        if tested == 1:
            return f"p-value of “no difference”: {told}."
        return (
            f"p-values of “no difference”: {told}; the smallest, adjusted for {tested} attributes, "
            f"**{literal(p_value(numbers.p_value))}**."
        )

    def facts(self, result: FairDummiesResult) -> dict[str, str]:
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


def _sets_hold_everything(result: FairDummiesResult, numbers: FairDummiesNumbers) -> bool:
    """Whether that is so in every group of the attribute that is shown, as with decisions that often err."""
    sizes = [one.size for one in numbers.coverage if one.attribute == numbers.attribute]
    return bool(result.detail.classes) and all(size == len(result.detail.classes) for size in sizes)


def _figure_and_table(name: str, result: FairDummiesResult, reading: FairDummiesReading, table: Table | None) -> None:
    """A figure with its table folded below it; a table without a figure under a heading of its own.

    The first sentence of a table's caption names it, the rest says how to read it.
    """
    drawn = results_chart.show(name, result, reading)
    if table is None:
        return
    title, _, more = table.caption.partition(". ")
    if not drawn:
        st.subheader(literal(title), anchor=False)
    with st.expander(literal(title)) if drawn else st.container():
        if more:
            st.caption(literal(more))
        show_table(table)


def _attribute(plan: AuditPlan, start: FairDummiesReading, result: FairDummiesResult) -> str:
    """A choice only where several were tested."""
    names = [one.name for one in result.detail.attributes]
    if len(names) == 1:
        return start.attribute
    chosen: str = st.selectbox(
        label(FairDummiesReading, "attribute"),
        names,
        result.detail.place(start),
        format_func=literal,
        key=widget_key("attribute", plan),
        help=tip(FairDummiesReading, "attribute"),
        bind="query-params",
    )
    return chosen


def _tolerance(plan: AuditPlan, start: FairDummiesReading, field: str, unit: str) -> float:
    """In percent; the slider ends at 50, or a half above the plan's own where that is larger."""
    kept: float = getattr(start, field)
    first = 100 * kept
    end = max(50.0, min(100.0, float(math.ceil(1.5 * first))))
    chosen: float = st.slider(
        f"{label(FairDummiesReading, field)} ({unit})",
        0.0,
        end,
        first,
        end / STEPS,
        key=widget_key(field, plan),
        help=tip(FairDummiesReading, field),
        bind="query-params",
    )
    return kept if chosen == first else chosen / 100
