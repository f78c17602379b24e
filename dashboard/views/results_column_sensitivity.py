"""The page of a sensitivity audit of columns: its tabs, its reading and its lines in the record."""

import math
from typing import ClassVar, get_args

import streamlit as st

from core.audits.column_sensitivity.reading import ColumnSensitivityReading, Measure
from core.plan import AuditPlan
from core.report.column_sensitivity.numbers import ColumnSensitivityNumbers
from core.report.tellings import telling_of
from core.result import ColumnSensitivityResult
from core.settings import name_of_choice
from core.words import p_value
from core.words_column_sensitivity import changed_columns, flips_sentence, next_steps
from dashboard.text import literal
from dashboard.views import results_chart
from dashboard.views.results_reading import ErrorRate, label, tip, widget_key
from dashboard.views.results_tables import show_facts, show_table
from dashboard.views.results_view import AbstractView

STEPS = 200
"""Places of the slider."""


class ColumnSensitivityView(AbstractView[ColumnSensitivityResult, ColumnSensitivityReading, ColumnSensitivityNumbers]):
    """See the base class."""

    label: ClassVar[str] = "Column sensitivity"
    tabs: ClassVar[tuple[str, ...]] = ("Why", "Who", "What changes")

    def controls(
        self, plan: AuditPlan, start: ColumnSensitivityReading, result: ColumnSensitivityResult, alpha: ErrorRate
    ) -> ColumnSensitivityReading:
        """Attribute, measure, tolerance in percentage points, and the error rate."""
        with st.expander("Change the attribute, the measure, the tolerance or the error rate", icon=":material/tune:"):
            attribute = _attribute(plan, start, result)
            measure = _measure(plan, start, result, attribute)
            left, right = st.columns(2)
            with left:
                delta = _tolerance(plan, start)
            with right:
                rate = alpha()
        return ColumnSensitivityReading(attribute=attribute, measure=measure, delta=delta, alpha=rate)

    def show(
        self,
        tab: str,
        plan: AuditPlan,
        result: ColumnSensitivityResult,
        reading: ColumnSensitivityReading,
        numbers: ColumnSensitivityNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Why":
            results_chart.show("column sensitivity interval", result, reading)
            show_table(telling_of(plan).statistics(reading, numbers))
            st.markdown(literal(flips_sentence(result.detail.of(reading), reading.alpha)))
            _table(plan, result, reading, numbers, "column sensitivity interval")
        elif tab == "Who":
            results_chart.show("column sensitivity groups", result, reading)
            _table(plan, result, reading, numbers, "column sensitivity groups")
            results_chart.show("column sensitivity distribution", result, reading)
        else:
            _what_changes(plan, result, reading, numbers)

    def next_steps(
        self, plan: AuditPlan, result: ColumnSensitivityResult, reading: ColumnSensitivityReading
    ) -> tuple[str, ...]:
        """See the base class."""
        return next_steps(result, reading)

    def p_values(self, numbers: ColumnSensitivityNumbers) -> str:
        """Of the attribute the verdict is about."""
        return f"p-value against the tolerance: **{literal(p_value(numbers.p_value))}**."

    def facts(self, result: ColumnSensitivityResult) -> dict[str, str]:
        """See the base class."""
        detail = result.detail
        facts = {f"What changes with {one.attribute}": changed_columns(result, one) for one in detail.attributes}
        facts["People measured"] = f"{len(detail.attributes[0].codes):,}"
        if detail.learned_on:
            facts["Rows the differences were learned from"] = f"{detail.learned_on:,}"
        return {**facts, "Run time": f"{result.seconds:.1f} s, {detail.draws:,} bootstrap draws"}


def _attribute(plan: AuditPlan, start: ColumnSensitivityReading, result: ColumnSensitivityResult) -> str:
    """A choice only where several were changed."""
    names = [one.attribute for one in result.detail.attributes]
    if len(names) == 1:
        return start.attribute
    chosen: str = st.selectbox(
        label(ColumnSensitivityReading, "attribute"),
        names,
        names.index(result.detail.of(start).attribute),
        format_func=literal,
        key=widget_key("attribute", plan),
        help=tip(ColumnSensitivityReading, "attribute"),
        bind="query-params",
    )
    return chosen


def _measure(
    plan: AuditPlan, start: ColumnSensitivityReading, result: ColumnSensitivityResult, attribute: str
) -> Measure:
    """A choice only where the model has gradients."""
    read = start.model_copy(update={"attribute": attribute, "measure": "slope"})
    undefined = result.detail.estimate(read).undefined
    if undefined and start.measure == "change":
        st.caption(literal(undefined))
        return start.measure
    chosen: Measure | None = st.segmented_control(
        label(ColumnSensitivityReading, "measure"),
        get_args(Measure),
        default=start.measure,
        required=True,
        format_func=lambda value: name_of_choice(ColumnSensitivityReading, "measure", value),
        key=widget_key("measure", plan),
        help=tip(ColumnSensitivityReading, "measure"),
        wrap=True,
        bind="query-params",
    )
    return chosen or start.measure


def _tolerance(plan: AuditPlan, start: ColumnSensitivityReading) -> float:
    """In percentage points; the slider ends at 20, or a half above the plan's own where that is larger."""
    first = 100 * start.delta
    end = max(20.0, min(100.0, float(math.ceil(1.5 * first))))
    chosen: float = st.slider(
        f"{label(ColumnSensitivityReading, 'delta')} (percentage points)",
        0.0,
        end,
        first,
        end / STEPS,
        key=widget_key("delta", plan),
        help=tip(ColumnSensitivityReading, "delta"),
        bind="query-params",
    )
    return start.delta if chosen == first else chosen / 100


def _what_changes(
    plan: AuditPlan,
    result: ColumnSensitivityResult,
    reading: ColumnSensitivityReading,
    numbers: ColumnSensitivityNumbers,
) -> None:
    one = result.detail.of(reading)
    told = {f"What changes with {one.attribute}": changed_columns(result, one)}
    if result.detail.learned_on:
        told["Differences learned from"] = f"{result.detail.learned_on:,} rows, which were not measured"
    show_facts(told, "Change", "")
    _table(plan, result, reading, numbers, "column sensitivity shifts", folded=False)
    if not results_chart.show("column sensitivity slope", result, reading):
        st.caption("What the slope promises is not known, because the model has no gradients.")


def _table(
    plan: AuditPlan,
    result: ColumnSensitivityResult,
    reading: ColumnSensitivityReading,
    numbers: ColumnSensitivityNumbers,
    name: str,
    *,
    folded: bool = True,
) -> None:
    """A table of the report under its own caption; nothing where there is none."""
    table = telling_of(plan).tables(result, reading, numbers).get(name)
    if table is None:
        return
    if not folded:
        st.caption(literal(table.caption))
        show_table(table)
        return
    with st.expander(literal(table.caption)):
        show_table(table)
