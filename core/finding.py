"""A finding: what a result means under decision settings, each part worked out once, words once in each language.

Moving the tolerance or the error rate makes a new finding of the same result and runs nothing again. What does not
depend on them, such as a bootstrap, is remembered by the result (:meth:`core.result.AuditResult.once`).
"""

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar, get_type_hints

from core.base.errors import Notice, most_serious_first
from core.base.tables import Fact, Table
from core.case import Case
from core.claims import Claim, forbidding
from core.contracts.audit import Pilot
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import ALWAYS_THE_SAME, AbstractModel
from core.data.dataset import Dataset
from core.data.left_out import summary as missing_rows
from core.figures.chart import Chart, Drawing
from core.inference.estimate import Interval, Verdict
from core.inference.evidence import Adjusted, Drawn, Estimated, Evidence, each_of
from core.judge import about_rows_left_out, judge
from core.language.cached import cached_in_language
from core.language.phrases import lower_first, without_stop
from core.language.reader import language
from core.language.told import retold, say
from core.language.units import Unit
from core.result import AuditResult

S = TypeVar("S", bound=AuditResult[Any, Any, Any])
D = TypeVar("D", bound=DecisionSettings)
T = TypeVar("T")


class AbstractFinding(ABC, Generic[S, D]):
    """A result under decision settings.

    A kind of test subclasses it with its own verdict and reasons, p-value and every number that follows. Words, tables
    and charts are functions of the finding, which its :class:`Room` holds.

    Attributes:
        kind: The kind of test.
        recorded: Names of the properties that the record keeps, besides headline, sentence, verdict, reasons and
            p-value.
        recorded_as: What the record calls those of them that it calls otherwise.
        copies_count: Whether a row that was copied counts once more; a test that counts each but once says so.
        result: What was found.
        decision: How it is judged.
    """

    kind: ClassVar[Kind]
    recorded: ClassVar[tuple[str, ...]] = ()
    recorded_as: ClassVar[Mapping[str, str]] = MappingProxyType({})
    copies_count: ClassVar[bool] = True

    def __init__(self, result: S, decision: D) -> None:
        self.result = result
        self.decision = decision
        self._drawn: dict[tuple[str, str], Drawing] = {}

    @property
    def room(self) -> "Room[Any]":
        """What this kind of test runs, says and shows."""
        return room_of(self.kind)

    @property
    def title(self) -> str:
        """What people call the test."""
        return self.result.audit.called or self.kind.title

    def under(self, **changes: Any) -> Self:
        """The same result under other decision settings."""
        return type(self)(self.result, self.decision.model_copy(update=changes))

    def once(self, question: tuple[object, ...], answer: Callable[[], T]) -> T:
        """An answer that does not depend on all decision settings, worked out once for the result."""
        return self.result.once(question, answer)

    @property
    @abstractmethod
    def claims(self) -> tuple[Claim, ...]:
        """What is said of the audited rows, with bounds that hold together; the verdict is made of nothing else."""

    @property
    def own_caveats(self) -> tuple[Notice, ...]:
        """What this kind of test knows that speaks against its claims; each says what it forbids."""
        return ()

    @property
    def worst_upper_bound(self) -> float:
        """The upper bound if whoever was left out for missing values were treated as badly as can be (Manski 1990).

        Infinite where the room does not know one, as it is unless a room says otherwise.
        """
        return math.inf

    @cached_property
    def by_claims(self) -> Verdict:
        """What the claims alone say."""
        return judge(self.claims)

    @cached_property
    def own_verdict(self) -> Verdict:
        """The verdict on the audited rows, with what this kind of test knows to speak against it."""
        return judge(self.claims, self.own_caveats)

    @cached_property
    def verdict(self) -> Verdict:
        """Violation, no violation, or insufficient evidence; :attr:`reasons` says what lies behind it."""
        return judge(self.claims, self.reasons)

    @cached_in_language
    def reasons(self) -> tuple[Notice, ...]:
        """What speaks against taking the claims at their word, most serious first."""
        constant = (ALWAYS_THE_SAME,) if self.result.model.constant else ()
        return most_serious_first((*self.unclaimed, *self._about_missing_rows, *constant, *self.own_caveats))

    @property
    def unclaimed(self) -> tuple[Notice, ...]:
        """Why nothing is claimed: the answers go against the outcomes, or too many rows are copies; else empty."""
        copies = self.result.data.about_copies if self.copies_count else ()
        return forbidding("any claim", (*self.result.model.against_outcomes, *copies))

    @property
    def _withheld(self) -> bool:
        return self.own_verdict is not judge(self.claims, (*self.own_caveats, *self._about_missing_rows))

    @property
    def _about_missing_rows(self) -> tuple[Notice, ...]:
        """Whom the verdict is not about, where they are not left out at random."""
        data = self.result.data
        goes_with = self.once(("missing rows",), lambda: data.missing_goes_with)  # verbatim
        if not goes_with:
            return ()
        told = missing_rows(data.rows_left_out, data.rows_read, goes_with)
        return tuple(about_rows_left_out(told, self.own_verdict, self.worst_upper_bound, self.decision.delta))

    @property
    def definition(self) -> str:
        """What is measured of whom, so that verdicts of different questions are never joined to one line."""
        return f"{self.kind.name} {self.result.audit.called}".strip()

    @property
    def reservations(self) -> str:
        """What stays open where "no violation" is found, in a few words; empty for nothing."""
        return self.room.reservations(self)

    @property
    def named(self) -> str:
        """Who is shown, beyond the doubt of the error rate, to be treated worse than tolerated, in a few words.

        Empty where the room names nobody, and where nothing is claimed.
        """
        return "" if self.unclaimed else self.own_named

    @property
    def own_named(self) -> str:
        """Whom the room names; empty where it names nobody."""
        return ""

    @property
    def affected(self) -> str:
        """Who is treated worse than tolerated where a violation is found, one sentence."""
        return self.room.affected(self)

    @property
    @abstractmethod
    def p_value(self) -> float:
        """One-sided, of "the value is at most the tolerance": at most alpha where the lower bound exceeds it; NaN
        when undefined.
        """

    @property
    def record_hints(self) -> dict[str, tuple[Any, Any]]:
        """Value and type of everything the record keeps, by what it is called there."""
        names = ("headline", "sentence", "verdict", "reasons", "p_value", *self.recorded)
        return {self.recorded_as.get(name, name): (getattr(self, name), _type_of(type(self), name)) for name in names}

    @cached_in_language
    def headline(self) -> str:
        """The verdict in a few words."""
        if self.unclaimed:
            return say("Insufficient evidence")
        return self.room.headline(self)

    @cached_in_language
    def sentence(self) -> str:
        """The verdict in one sentence, which begins with the headline."""
        if self.unclaimed:
            return f"{self.headline}: {lower_first(without_stop(self.unclaimed[0].what))}."
        if self._withheld:
            why = lower_first(without_stop(self._about_missing_rows[0].what))
            return say(
                "{headline}: no violation is found among the {rows} audited, but {why}.",
                headline=self.headline,
                rows=self.result.data.rows,
                why=why,
            )
        return self.room.sentence(self)

    @property
    def explanation(self) -> str:
        """The sentence without its headline."""
        rest = self.sentence.removeprefix(self.headline).lstrip(":. ")
        return rest[:1].upper() + rest[1:]

    @cached_in_language
    def next_steps(self) -> tuple[str, ...]:
        """What would help where the evidence is insufficient, the most helpful first."""
        if self.unclaimed:
            return tuple(dict.fromkeys(notice.advice for notice in self.unclaimed))
        return self.room.next_steps(self)

    @property
    def question(self) -> str:
        """What was asked."""
        return self.room.question(self)

    @property
    def tolerance(self) -> str:
        """The tolerance as people read it, with its unit."""
        return self.room.tolerance(self)

    @cached_in_language
    def case(self) -> Case | None:
        """The pair, text or group in which the difference is largest; None where there is none."""
        return self.room.case(self)

    @cached_in_language
    def similar(self) -> tuple[Fact, ...]:
        """Who counts as similar, or is compared with whom."""
        return self.room.similar(self)

    @cached_in_language
    def statistics(self) -> Table:
        """Estimate, interval, bounds and p-value."""
        return self.room.statistics(self)

    @cached_in_language
    def tables(self) -> dict[str, Table]:
        """Tables by the name of the chart they stand below."""
        return dict(self.room.tables(self))

    @cached_in_language
    def impact_tables(self) -> tuple[Table, ...]:
        """Rates and impact ratios, one table for each attribute and for each two; none where the room knows none."""
        return self.room.impact_tables(self)

    @cached_in_language
    def diagnostics(self) -> tuple[Fact, ...]:
        """What tells whether the numbers can be trusted."""
        return self.room.diagnostics(self)

    @cached_in_language
    def limits(self) -> tuple[str, ...]:
        """What the test assumes and cannot say, one plain sentence or two each."""
        return self.room.limits(self)

    @cached_property
    def charts(self) -> dict[str, Chart[Any]]:
        """The charts that have something to show, by name, in the order of the room's table."""
        return {name: chart for name, chart in self.room.charts.items() if chart.applies(self)}

    def drawing(self, name: str) -> Drawing:
        """The chart ``name``, drawn once in each language.

        Raises:
            KeyError: There is no such chart, or it has nothing to show.
        """
        drawn = (name, language())
        if drawn not in self._drawn:
            self._drawn[drawn] = self.charts[name].draw(self)
        return self._drawn[drawn]


class OneEstimateFinding(AbstractFinding[S, D]):
    """A finding that rests on one estimate with its interval and one-sided bounds.

    Attributes:
        exact_error: The Monte-Carlo error of an estimate that draws nothing.
    """

    exact_error: ClassVar[float] = math.nan
    recorded: ClassVar[tuple[str, ...]] = (
        "estimate", "interval_low", "interval_high", "lower_bound", "upper_bound", "lower_error", "upper_error", "n",
        "undefined",
    )  # fmt: skip

    @property
    @abstractmethod
    def inference(self) -> Estimated:
        """What the verdict rests on, by itself."""

    @property
    def judged_together(self) -> int:
        """How many such estimates are judged together, of which this is the one that decides."""
        return 1

    @cached_property
    def evidence(self) -> Evidence:
        """The same as one of all that are judged together."""
        return Adjusted(self.inference, self.judged_together) if self.judged_together > 1 else self.inference

    @property
    @abstractmethod
    def what(self) -> str:
        """What is estimated."""

    @property
    def unit(self) -> Unit:
        """What it is told in."""
        return type(self.decision).unit_of_tolerance(self.decision.model_dump())

    @cached_in_language
    def claims(self) -> tuple[Claim, ...]:
        """One, about everybody."""
        alpha, delta = self.decision.alpha, self.decision.delta
        return (Claim.of_evidence(self.evidence, delta, alpha, what=self.what, unit=self.unit, people=self.n),)

    @property
    def p_value(self) -> float:
        """See the base class."""
        return self.evidence.p_value(self.decision.delta)

    @property
    def estimate(self) -> float:
        """The value; NaN, like all that follows from it, if undefined."""
        return self.inference.value

    @cached_property
    def interval(self) -> Interval:
        """The two-sided interval."""
        return self.evidence.two_sided(self.decision.alpha)

    @property
    def interval_low(self) -> float:
        """Lower end of the two-sided interval."""
        return self.interval.low

    @property
    def interval_high(self) -> float:
        """Upper end of the two-sided interval."""
        return self.interval.high

    @cached_property
    def lower_bound(self) -> float:
        """One-sided lower bound."""
        return self.evidence.lower_bound(self.decision.alpha)

    @cached_property
    def upper_bound(self) -> float:
        """One-sided upper bound."""
        return self.evidence.upper_bound(self.decision.alpha)

    @property
    def lower_error(self) -> float:
        """Monte-Carlo standard error of the lower bound."""
        found, level = self.inference, each_of(self.decision.alpha, self.judged_together)
        return found.lower_error(level) if isinstance(found, Drawn) else self.exact_error

    @property
    def upper_error(self) -> float:
        """Monte-Carlo standard error of the upper bound."""
        found = self.inference
        return found.upper_error(self.decision.alpha) if isinstance(found, Drawn) else self.exact_error

    @property
    def n(self) -> int:
        """People or texts it rests on."""
        return self.inference.n

    @property
    def undefined(self) -> str:
        """Why there is no value; empty when there is one."""
        return retold(self.inference.undefined)


F = TypeVar("F", bound=AbstractFinding[Any, Any])


def _affected(finding: AbstractFinding[Any, Any]) -> str:
    if finding.named:
        return say("Shown to be treated worse than tolerated: {named}.", named=finding.named)
    return say("The violation is about all that was audited together: the tests name no single group.")


def _nothing(*given: Any) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True)
class Room(Generic[F]):
    """What a kind of test runs, says and shows: what cannot be said of all kinds alike.

    It is the ``ROOM`` of ``core.audits.<kind>.room`` and is imported when somebody uses it (:func:`room_of`).

    Attributes:
        run: Runs the test with its settings: a frozen dataclass of arrays, and what its reader has to know.
        result: The type of its results, :class:`~core.result.AuditResult` with its parameters.
        finding: The type of its findings.
        pilot: Tries the test on a few rows before it is run; None where there is nothing to try.
        headline: The verdict in a few words.
        sentence: The verdict in one sentence, which begins with the headline.
        tolerance: The tolerance with its unit.
        next_steps: What would help where the evidence is insufficient, the most helpful first.
        question: What was asked.
        affected: Who is treated worse than tolerated where a violation is found, one sentence.
        reservations: What stays open where "no violation" is found, in a few words.
        case: The pair, text or group that shows it.
        similar: Who is compared with whom.
        statistics: Estimate, interval, bounds and p-value.
        tables: Tables by the name of the chart below which they stand.
        impact_tables: Rates and impact ratios.
        diagnostics: What tells whether the numbers can be trusted.
        limits: What the test assumes and cannot say.
        charts: The charts by name.
        begins: The settings with which the test begins for a model and a table.
        suited: The settings under which it can be run with a model and a table, if any do.
        against: Why it is not proposed for a model and a table; empty where nothing speaks against it.
    """

    run: Callable[[Any, Any], tuple[Any, tuple[Notice, ...]]]
    result: Any
    finding: type[F]
    headline: Callable[[F], str]
    sentence: Callable[[F], str]
    tolerance: Callable[[F], str]
    next_steps: Callable[[F], tuple[str, ...]]
    similar: Callable[[F], tuple[Fact, ...]]
    statistics: Callable[[F], Table]
    tables: Callable[[F], Mapping[str, Table]]
    limits: Callable[[F], tuple[str, ...]]
    pilot: Pilot | None = None
    case: Callable[[F], Case | None] = lambda finding: None
    diagnostics: Callable[[F], tuple[Fact, ...]] = _nothing
    impact_tables: Callable[[F], tuple[Table, ...]] = _nothing
    question: Callable[[F], str] = lambda finding: finding.kind.asks
    affected: Callable[[F], str] = _affected
    reservations: Callable[[F], str] = lambda finding: ""
    charts: Mapping[str, Chart[Any]] = field(default_factory=dict)
    begins: Callable[[Any, AbstractModel, Dataset], Any] = lambda audit, model, dataset: audit
    suited: Callable[[Any, AbstractModel, Dataset], Any] = lambda audit, model, dataset: audit
    against: Callable[[Any, AbstractModel, Dataset], str] = lambda audit, model, dataset: ""


def room_of(kind: Kind) -> Room[Any]:
    """The room of a kind of test, imported when somebody uses it."""
    room: Room[Any] = importlib.import_module(f"core.audits.{kind.name}.room").ROOM
    return room


def _type_of(finding: type[AbstractFinding[Any, Any]], name: str) -> Any:
    """What a property returns."""
    found = getattr(finding, name)
    return get_type_hints(found.func if isinstance(found, cached_property) else found.fget)["return"]
