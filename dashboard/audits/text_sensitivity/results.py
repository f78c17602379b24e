"""The page of a text sensitivity test: its tabs, its decision settings and its lines in the record."""

from typing import ClassVar

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import (
    results_controls,
    results_corpus,
    results_read,
    results_robustness,
)
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.tables import show_statistics, show_table_of
from dashboard.views.results.view import AbstractView


class TextSensitivityView(AbstractView[TextSensitivityResult, TextSensitivityDecision, TextSensitivityFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Read"), say("Corpus"), say("Compare"), say("Robustness"))

    def tabs_of(self, result: TextSensitivityResult) -> tuple[str, ...]:
        """Without texts to read there is no tab for them, without a second model none to compare."""
        detail = result.detail
        _, read, _, compare, _ = self.tabs
        hidden = {read: not len(detail.shown.rows), compare: detail.reference is None}
        return tuple(tab for tab in self.tabs if not hidden.get(tab, False))

    def controls(
        self, plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
    ) -> TextSensitivityDecision:
        """What the verdict is about, the measure, the tolerance in its unit, and the error rate."""
        return results_controls.show(plan, start, result, alpha)

    def show(self, tab: str, plan: AuditPlan, finding: TextSensitivityFinding) -> None:
        """See the base class."""
        why, read, corpus, compare, _ = self.tabs
        if tab == why:
            show_chart(finding, "sensitivity interval")  # verbatim
            show_statistics(finding)
            show_table_of(finding, "sensitivity interval")  # verbatim
            show_chart(finding, "sensitivity flips")  # verbatim
        elif tab == read:
            results_read.show(plan, finding)
        elif tab == corpus:
            results_corpus.show(finding)
        elif tab == compare:
            results_corpus.compare(finding)
        else:
            results_robustness.show(plan, finding)
