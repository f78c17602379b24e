"""How one kind of test is told: its numbers, tables and limits, for report, record, command line and pages alike."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from core.decision import DecisionSettings
from core.plan import AuditPlan
from core.report.numbers import Numbers
from core.report.tables import Fact, Table
from core.result import AuditResult

S = TypeVar("S", bound=AuditResult)
R = TypeVar("R", bound=DecisionSettings)
N = TypeVar("N", bound=Numbers)


class AbstractTelling(ABC, Generic[S, R, N]):
    """A test in words and tables of aggregates; never a row of the table.

    Attributes:
        numbers: The type of its numbers.
        name: What people call the test.
        about: What it does, in two or three plain sentences.
        citation: The paper that describes it.
        topics: Topics of the glossary whose symbols it uses, besides the verdict's.
        notion: What kind of fairness it is about.
        compared: Heading of the part that says who is compared with whom.
    """

    numbers: ClassVar[type[Numbers]]
    name: ClassVar[str]
    about: ClassVar[str]
    citation: ClassVar[str]
    topics: ClassVar[tuple[str, ...]]
    notion: ClassVar[str] = "Individual fairness"
    compared: ClassVar[str] = "Who counts as similar"

    @abstractmethod
    def collect(self, result: S, decision: R) -> N:
        """All numbers of a result under decision settings."""

    @abstractmethod
    def similar(self, result: S) -> tuple[Fact, ...]:
        """Who counts as similar."""

    @abstractmethod
    def statistics(self, decision: R, numbers: N) -> Table:
        """Estimate, interval, bounds and p-value."""

    @abstractmethod
    def tables(self, result: S, decision: R, numbers: N) -> dict[str, Table]:
        """Tables by the name of the figure they stand below."""

    @abstractmethod
    def diagnostics(self, result: S, decision: R, numbers: N) -> tuple[Fact, ...]:
        """What tells whether the numbers can be trusted."""

    @abstractmethod
    def limits(self, plan: AuditPlan, result: S, decision: R) -> tuple[str, ...]:
        """What the test assumes and cannot say, one plain sentence or two each."""
