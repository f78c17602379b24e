"""Pages of rooms that are not converted yet."""

from abc import abstractmethod
from typing import Any, Generic, TypeVar

from core.plan import AuditPlan
from dashboard.views.results.view import AbstractView

S = TypeVar("S")
D = TypeVar("D")
N = TypeVar("N")


class OldView(AbstractView[Any, Any, Any], Generic[S, D, N]):
    """See the module."""

    def show(self, tab: str, plan: AuditPlan, finding: Any) -> None:
        """See the base class."""
        self.show_old(tab, plan, finding.result, finding.decision, finding.numbers)

    @abstractmethod
    def show_old(self, tab: str, plan: AuditPlan, result: Any, decision: Any, numbers: Any) -> None:
        """The tab ``tab``, which is open."""

    def next_steps(self, plan: AuditPlan, finding: Any) -> tuple[str, ...]:
        """See the base class."""
        return self.next_steps_old(plan, finding.result, finding.decision)

    def next_steps_old(self, plan: AuditPlan, result: Any, decision: Any) -> tuple[str, ...]:
        """What would help."""
        return ()

    def p_values(self, finding: Any) -> str:
        """See the base class."""
        return self.p_values_old(finding.numbers)

    @abstractmethod
    def p_values_old(self, numbers: Any) -> str:
        """The p-values in a line of Markdown."""
