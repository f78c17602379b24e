"""What the page of one kind of test consists of."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from core.plan import AuditPlan
from core.reading import Reading
from core.report.numbers import Numbers
from core.result import AuditResult
from dashboard.views.results_reading import ErrorRate

S = TypeVar("S", bound=AuditResult)
R = TypeVar("R", bound=Reading)
N = TypeVar("N", bound=Numbers)


class AbstractView(ABC, Generic[S, R, N]):
    """How a finished test is shown.

    Attributes:
        label: What people call the test, short enough for a tab.
        tabs: Names of the test's tabs, in order.
        reading_in: The tab that holds the widgets of the reading; empty if they stand above the tabs.
    """

    label: ClassVar[str]
    tabs: ClassVar[tuple[str, ...]]
    reading_in: ClassVar[str] = ""

    def tabs_of(self, result: S) -> tuple[str, ...]:
        """The tabs that have something to show for this result; all of them unless a view says otherwise."""
        return self.tabs

    @abstractmethod
    def controls(self, plan: AuditPlan, start: R, result: S, alpha: ErrorRate) -> R:
        """Draw the widgets of the reading and return what they say: ``start``, the plan's, until somebody moves one.

        Every widget keeps its value in the address under a key of :func:`results_reading.widget_key`.
        """

    @abstractmethod
    def show(self, tab: str, plan: AuditPlan, result: S, reading: R, numbers: N) -> None:
        """The tab ``tab``, which is open."""

    def next_steps(self, plan: AuditPlan, result: S, reading: R) -> tuple[str, ...]:
        """What would help where the evidence is insufficient, a sentence or two each; empty where nothing is known."""
        return ()

    @abstractmethod
    def p_values(self, numbers: N) -> str:
        """The p-values in a line of Markdown."""

    @abstractmethod
    def facts(self, result: S) -> dict[str, str]:
        """What the record tab tells of this test beside its settings, by name."""
