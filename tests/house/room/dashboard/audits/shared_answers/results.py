"""The page of a shared-answers test."""

from core.audits.shared_answers.decision import SharedAnswersDecision
from core.audits.shared_answers.result import SharedAnswersResult
from core.audits.shared_answers.verdict import SharedAnswersFinding

from core.language.phrases import p_value
from core.plan import AuditPlan
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.tables import show_statistics
from dashboard.views.results.view import AbstractView


class SharedAnswersView(AbstractView[SharedAnswersResult, SharedAnswersDecision, SharedAnswersFinding]):
    """See the base class."""

    tabs = ("Why",)

    def controls(
        self, plan: AuditPlan, start: SharedAnswersDecision, result: SharedAnswersResult, alpha: ErrorRate
    ) -> SharedAnswersDecision:
        """The error rate."""
        return start.model_copy(update={"alpha": alpha()})

    def show(self, tab: str, plan: AuditPlan, finding: SharedAnswersFinding) -> None:
        """The chart and the statistics."""
        show_chart(finding, "shared answers")
        show_statistics(finding)

    def p_values(self, finding: SharedAnswersFinding) -> str:
        """Its p-value."""
        return f"p-value: **{p_value(finding.p_value)}**"

    def facts(self, result: SharedAnswersResult) -> dict[str, str]:
        """None."""
        return {}
