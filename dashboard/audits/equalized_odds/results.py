"""The page of an equalized odds test: its tabs, its decision settings and its lines in the record."""

from typing import ClassVar

import streamlit as st

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import tolerance_text
from core.language.phrases import count, p_value
from core.language.told import say
from core.plan import AuditPlan
from dashboard.text import literal
from dashboard.views.results.decision import (
    ErrorRate,
    choose_attribute,
    side_by_side,
    tolerated_difference,
)
from dashboard.views.results.tables import show_charts_and_tables, show_diagnostics, show_statistics
from dashboard.views.results.view import AbstractView

_SHOWN = (
    (
        "fair dummies means",  # verbatim
        "fair dummies null",  # verbatim
        "fair dummies gap",  # verbatim
        "fair dummies decisions",  # verbatim
        "fair dummies shares",  # verbatim
    ),
    ("fair dummies answers",),  # verbatim
    ("fair dummies attribute model", "fair dummies attributes"),  # verbatim
)
"""Charts and tables of each tab, by name."""


class EqualizedOddsView(AbstractView[EqualizedOddsResult, EqualizedOddsDecision, EqualizedOddsFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Overview"), say("Answers"), say("Robustness"))

    def controls(
        self, plan: AuditPlan, start: EqualizedOddsDecision, result: EqualizedOddsResult, alpha: ErrorRate
    ) -> EqualizedOddsDecision:
        """Attribute, tolerance in percentage points or the outcome's units, and the error rate."""
        spread = result.detail.spread if result.detail.numbers else None
        delta, rate = side_by_side(lambda: tolerated_difference(start, plan, result.data.outcome, spread), alpha)
        names = [one.name for one in result.detail.attributes]
        read = start.model_copy(update={"delta": delta, "alpha": rate})
        attribute = choose_attribute(start, plan, names, EqualizedOddsFinding(result, read).place, "attribute")
        return read.model_copy(update={"attribute": attribute})

    def show(self, tab: str, plan: AuditPlan, finding: EqualizedOddsFinding) -> None:
        """See the base class."""
        overview, _, robustness = self.tabs
        show_charts_and_tables(finding, _SHOWN[self.tabs.index(tab)])
        if tab == overview:
            st.header(say("The numbers"), anchor=False)
            show_statistics(finding)
        elif tab == robustness:
            show_diagnostics(finding)

    def p_values(self, finding: EqualizedOddsFinding) -> str:
        """Of the tolerance and of "no difference", for each attribute."""
        tested = len(finding.attributes)
        asked = [(say("no difference"), [one.different_p for one in finding.attributes])]
        if finding.decision.delta > 0:
            tolerated = say("at most {tolerance} apart", tolerance=tolerance_text(finding))
            asked.insert(0, (tolerated, [first.p_value for first, *_ in finding.of_attributes]))
        told = []
        for what, found in asked:
            pairs = zip(finding.attributes, found, strict=True)
            each = "; ".join(f"{literal(one.attribute)} **{literal(p_value(p))}**" for one, p in pairs)
            told.append(
                say("p-values of “{what}”: {each}.", what=what, each=each)
                if tested > 1
                else say("p-value of “{what}”: {each}.", what=what, each=each)
            )
        if tested > 1:
            told.append(say("They are adjusted for {attributes}.", attributes=count(tested, "attribute")))
        return " ".join(told)
