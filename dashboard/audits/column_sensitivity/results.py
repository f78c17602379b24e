"""The page of a sensitivity audit of columns: its tabs, its reading and its lines in the record."""

from typing import ClassVar, get_args

import streamlit as st

from core.audits.column_sensitivity.decision import ColumnMeasure, ColumnSensitivityDecision
from core.audits.column_sensitivity.result import ColumnSensitivityResult
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import changed_columns, flips_sentence
from core.language.phrases import p_value
from core.language.told import say, say_count
from core.language.units import POINTS
from core.plan import AuditPlan
from dashboard.messages import show_facts
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import (
    ErrorRate,
    choose_attribute,
    rooms,
    segments,
    share_slider,
    side_by_side,
)
from dashboard.views.results.tables import show_statistics, show_table_of
from dashboard.views.results.view import AbstractView

LARGEST_TOLERANCE = 20.0
"""Percentage points at which the slider ends."""


class ColumnSensitivityView(AbstractView[ColumnSensitivityResult, ColumnSensitivityDecision, ColumnSensitivityFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Who"), say("What changes"))

    def controls(
        self, plan: AuditPlan, start: ColumnSensitivityDecision, result: ColumnSensitivityResult, alpha: ErrorRate
    ) -> ColumnSensitivityDecision:
        """Attribute, measure, tolerance in percentage points, and the error rate."""
        tolerated, other = rooms(say("the attribute shown or the measure"))
        with tolerated:
            delta, rate = side_by_side(
                lambda: share_slider(start, plan, "delta", POINTS.name, LARGEST_TOLERANCE), alpha
            )
        with other:
            names = [one.attribute for one in result.detail.attributes]
            shown = names.index(ColumnSensitivityFinding(result, start).scores.attribute)
            attribute = choose_attribute(start, plan, names, shown, "attribute")
            measure = _measure(plan, start, result, attribute)
        return ColumnSensitivityDecision(attribute=attribute, measure=measure, delta=delta, alpha=rate)

    def show(self, tab: str, plan: AuditPlan, finding: ColumnSensitivityFinding) -> None:
        """See the base class."""
        why, who, _ = self.tabs
        if tab == why:
            show_chart(finding, "column sensitivity interval")  # verbatim
            show_statistics(finding)
            st.markdown(literal(flips_sentence(finding.scores, finding.decision.alpha)))
            show_table_of(finding, "column sensitivity interval")  # verbatim
        elif tab == who:
            for name in ("column sensitivity groups", "column sensitivity flips"):  # verbatim
                show_chart(finding, name)
                show_table_of(finding, name)
            show_chart(finding, "column sensitivity distribution")  # verbatim
        else:
            _what_changes(finding)

    def p_values(self, finding: ColumnSensitivityFinding) -> str:
        """Of all attributes together."""
        told = literal(p_value(finding.p_value))
        if len(finding.estimates) > 1:
            return say("p-value against the tolerance, adjusted for all attributes: **{p_value}**.", p_value=told)
        return say("p-value against the tolerance: **{p_value}**.", p_value=told)


def _measure(
    plan: AuditPlan, start: ColumnSensitivityDecision, result: ColumnSensitivityResult, attribute: str
) -> ColumnMeasure:
    """A choice only where the model has gradients."""
    undefined = ColumnSensitivityFinding(result, start).under(attribute=attribute, measure="slope").undefined
    if undefined and start.measure == "change":
        st.caption(literal(undefined))
        return start.measure
    return segments(start, plan, "measure", get_args(ColumnMeasure))


def _what_changes(finding: ColumnSensitivityFinding) -> None:
    name = say("What changes with {attribute}", attribute=finding.scores.attribute)
    told = {name: changed_columns(finding.result, finding.scores)}
    if finding.result.detail.learned_on:
        told[say("Differences learned from")] = say_count(
            "{n} row, which were not measured", "{n} rows, which were not measured", finding.result.detail.learned_on
        )
    show_facts(told, say("Change"))
    show_table_of(finding, "column sensitivity shifts", folded=False)  # verbatim
    if not show_chart(finding, "column sensitivity slope"):  # verbatim
        st.caption(say("What the slope promises is not known, because the model has no gradients."))
