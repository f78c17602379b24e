"""What the page of one kind of test consists of."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from core.contracts.decision import DecisionSettings
from core.finding import AbstractFinding
from core.language.phrases import p_value
from core.language.told import say
from core.plan import AuditPlan
from core.result import AuditResult
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate

S = TypeVar("S", bound=AuditResult[Any, Any, Any])
D = TypeVar("D", bound=DecisionSettings)
F = TypeVar("F", bound=AbstractFinding[Any, Any])


class AbstractView(ABC, Generic[S, D, F]):
    """How a finished test is shown.

    Attributes:
        tabs: Names of the test's tabs, in order.
    """

    tabs: ClassVar[tuple[str, ...]]

    def tabs_of(self, result: S) -> tuple[str, ...]:
        """The tabs that have something to show for this result; all of them unless a view says otherwise."""
        return self.tabs

    @abstractmethod
    def controls(self, plan: AuditPlan, start: D, result: S, alpha: ErrorRate) -> D:
        """Draw the widgets of the decision settings and return what they say.

        They say ``start``, the plan's, until somebody moves one. Every widget keeps its value in the address under a
        key of :func:`dashboard.views.results.widgets.widget_key`.
        """

    @abstractmethod
    def show(self, tab: str, plan: AuditPlan, finding: F) -> None:
        """The tab ``tab``, which is open."""

    def next_steps(self, plan: AuditPlan, finding: F) -> tuple[str, ...]:
        """What would help where the evidence is insufficient, a sentence or two each; empty where nothing is known."""
        return finding.next_steps

    def p_values(self, finding: F) -> str:
        """The p-values in a line of Markdown."""
        return say("p-value against the tolerance: **{p_value}**.", p_value=literal(p_value(finding.p_value)))
