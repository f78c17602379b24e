"""A finding: a judged result as its room says and shows it, each part worked out once, words once in each language."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from core.base.errors import Caveat
from core.base.tables import Case, Fact, Table
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.claim_charts import CLAIM_CHART, chart_of_parts
from core.claims import Claim
from core.claims_shown import each, statistics
from core.claims_told import Said, found, sides
from core.claims_told import headline as claim_in_a_headline
from core.contracts.audit import Pilot
from core.contracts.kind import Kind
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import GoodEnd
from core.figures.chart import Chart, Drawing
from core.headline import headline_of
from core.inference.estimate import Interval, Verdict
from core.judged import D, Judged, S
from core.language.cached import cached_in_language
from core.language.phrases import lower_first, percent, upper_first, without_stop
from core.language.reader import language
from core.language.told import retold, say


class AbstractFinding(Judged[S, D]):
    """A result under decision settings.

    A kind of test subclasses it with its own claims, caveats and every number that follows. Words, tables and charts
    are functions of the finding, which its :class:`Room` holds.

    Attributes:
        recorded: Names of what the record keeps, properties of the finding or else of what the test kept, besides
            headline, sentence, verdict, reasons, p-value, claims and parts.
        recorded_as: What the record calls those of them that it calls otherwise.
    """

    recorded: ClassVar[tuple[str, ...]] = ()
    recorded_as: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(self, result: S, decision: D, good_end: GoodEnd = "not said") -> None:
        super().__init__(result, decision, good_end)
        self._drawn: dict[tuple[str, str], Drawing] = {}

    @property
    def room(self) -> "Room[Any]":
        """What this kind of test runs, says and shows."""
        return room_of(self.kind)

    @property
    def reservations(self) -> str:
        """What stays open where "no violation" is found, in a few words; empty for nothing."""
        return self.room.reservations(self)

    @property
    def by_favourable_answers(self) -> str:
        """That favourable answers among all, which ask for no outcome, would be a violation; empty where not known."""
        return ""

    @property
    def affected(self) -> str:
        """Who is treated worse than tolerated where a violation is found, one sentence."""
        return self.room.affected(self)

    @property
    def record_hints(self) -> dict[str, tuple[Any, Any]]:
        """Value and type of everything the record keeps, by what it is called there."""
        names = dict.fromkeys(
            ("headline", "sentence", "verdict", "reasons", "p_value", "claims", "parts", *self.recorded)
        )
        owners = {name: self if hasattr(type(self), name) else self.result.detail for name in names}
        return {
            self.recorded_as.get(name, name): (getattr(owner, name), _type_of(type(owner), name))
            for name, owner in owners.items()
        }

    @cached_in_language
    def headline(self) -> str:
        """What people repeat: who, in which direction, two numbers and what is tolerated; no full stop at its end."""
        return headline_of(self)

    @cached_in_language
    def opening(self) -> str:
        """The verdict in a few words, with which its sentence begins."""
        if self.unclaimed:
            return say("Insufficient evidence")
        return self.room.opening(self)

    @cached_in_language
    def sentence(self) -> str:
        """The verdict with its numbers, a sentence or a few, which begin with the opening."""
        if self.unclaimed:
            return f"{self.opening}: {lower_first(without_stop(self.unclaimed[0].what))}."
        if self.withheld:
            why = lower_first(without_stop(self._about_missing_rows[0].what))
            return say(
                "{headline}: no violation is found among the {rows} audited, but {why}.",
                headline=self.opening,
                rows=self.result.data.rows,
                why=why,
            )
        return self.room.sentence(self)

    @property
    def explanation(self) -> str:
        """The sentence without its opening."""
        rest = self.sentence.removeprefix(self.opening).lstrip(":. ")
        return rest[:1].upper() + rest[1:]

    @cached_in_language
    def next_steps(self) -> tuple[str, ...]:
        """What would help where the evidence is insufficient, the most helpful first."""
        if self.unclaimed:
            return tuple(dict.fromkeys(caveat.advice for caveat in self.unclaimed))
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

    @property
    def rests_on(self) -> str:
        """The rows that its numbers are of, in words."""
        return self.result.data.rows

    @property
    def similar_people(self) -> str:
        """Who counts as similar, a phrase; empty for a test that compares groups as they are."""
        return next((fact.value for fact in self.similar if fact.label == say("Similar")), "")

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
    def assumptions(self) -> tuple[str, ...]:
        """What the test assumes and cannot say, one plain sentence or two each."""
        return self.room.assumptions(self)

    @cached_property
    def charts(self) -> dict[str, Chart[Any]]:
        """The charts that have something to show, by name, in the order of the room's table.

        A room without charts of its own shows its parts too, each list in a chart.
        """
        charts = dict(self.room.charts)
        if charts.get("claim") is CLAIM_CHART:
            charts |= {name: chart_of_parts(name, upper_first(name), "") for name in self.parts if name not in charts}
        return {name: chart for name, chart in charts.items() if chart.applies(self)}

    def drawing(self, name: str) -> Drawing:
        """The chart ``name``, drawn once in each language.

        Raises:
            KeyError: There is no such chart, or it has nothing to show.
        """
        drawn = (name, language())
        if drawn not in self._drawn:
            self._drawn[drawn] = self.charts[name].draw(self)
        return self._drawn[drawn]


F = TypeVar("F", bound=AbstractFinding[Any, Any])


def verdict_headline(finding: AbstractFinding[Any, Any], cleared: str = "") -> str:
    """The verdict in a few words; ``cleared`` says what "no violation" is about, the room's own where empty."""
    if finding.verdict is Verdict.VIOLATION:
        return say("Violation found")
    if finding.verdict is Verdict.INSUFFICIENT:
        return say("Insufficient evidence")
    cleared = retold(cleared or finding.room.cleared)
    return say("No violation found {cleared}", cleared=cleared) if cleared else say("No violation found")


def _sentence(finding: AbstractFinding[Any, Any]) -> str:
    claim = finding.deciding
    if claim is None or not claim.defined:
        return f"{finding.opening}."
    unit, tolerance = claim.unit, claim.tolerance
    ends = claim.interval or Interval(claim.low, claim.high, 1 - finding.decision.alpha)
    return say(
        "{headline}: {found} ({confidence} interval {interval}), where {tolerance} is tolerated.",
        headline=finding.opening,
        found=found(claim),
        confidence=percent(ends.confidence),
        interval=unit.interval(ends.low, ends.high),
        tolerance=unit.tolerance(tolerance),
    )


def _next_steps(finding: AbstractFinding[Any, Any]) -> tuple[str, ...]:
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    return tuple(dict.fromkeys(one.advice for one in finding.reasons if one.level == "serious" and one.advice))


def _statistics(finding: AbstractFinding[Any, Any]) -> Table:
    claim = finding.deciding
    if claim is None:
        return Table("", ("",), ())
    known = {"alpha": finding.decision.alpha, "tolerance": finding.tolerance, "rows": finding.room.rows}
    return statistics(claim, finding.claims, finding.verdict, **known)


def tables_of_claims(finding: AbstractFinding[Any, Any]) -> dict[str, Table]:
    """Claims and parts, each list below its chart; claims stand below the first, one by itself in no table."""
    charts, parts = finding.room.charts, finding.parts
    first = next(iter(charts))
    lists = {**parts, first: (*finding.claims, *parts.get(first, ()))}
    known = {"alpha": finding.decision.alpha, "rows": finding.room.rows}
    return {
        name: each(claims, caption=_caption(finding, name) if name != first else "", **known)
        for name, claims in lists.items()
        if claims and not (name == first and len(claims) == 1)
    }


def _caption(finding: AbstractFinding[Any, Any], name: str) -> str:
    charts = finding.room.charts
    return charts[name].title if name in charts else upper_first(name)


def _assumptions(finding: AbstractFinding[Any, Any]) -> tuple[str, ...]:
    return (
        independent_rows(finding.result.data.independent),
        chosen_tolerance(finding.tolerance, finding.decision),
        read_once(finding.decision.alpha, say("tolerances")),
    )


def _affected(finding: AbstractFinding[Any, Any]) -> str:
    if finding.named:
        return say("Shown to be treated worse than tolerated: {named}.", named=finding.named)
    return names_nobody()


def names_nobody() -> str:
    """That a test's number is about everybody, one sentence."""
    return say(
        "The number of this test is about everybody who was audited: it shows no group to be worse off than another."
    )


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
        headline: A claim as people repeat it, with whether it is shown, ruled out or open.
        sides: What the two numbers of a claim's headline are, and both; None where it has no two.
        measure: What a claim's number is of, in a few words.
        opening: The verdict in a few words.
        cleared: What "no violation" is about, in the opening; empty where that goes without saying.
        sentence: The verdict with its numbers, which begins with the opening.
        tolerance: The tolerance with its unit.
        next_steps: What would help where the evidence is insufficient, the most helpful first.
        question: What was asked.
        affected: Who is treated worse than tolerated where a violation is found, one sentence.
        reservations: What stays open where "no violation" is found, or reads otherwise beside a violation.
        reconciled: Why another claim, which may be another test's, is no contradiction to one that is beyond its
            tolerance, a sentence or two; empty where they agree, or nothing is known that reconciles them.
        case: The pair, text or group that shows it.
        similar: Who is compared with whom.
        statistics: Estimate, interval, bounds and p-value.
        rows: What the rows are that are counted.
        tables: Tables by the name of the chart below which they stand.
        impact_tables: Rates and impact ratios.
        diagnostics: What tells whether the numbers can be trusted.
        assumptions: What the test assumes and cannot say.
        charts: The charts by name.
        of_several: Charts of the findings of several models, by model, which were audited with the same settings.
        filled: A result's settings with what they left to the test as it was found, to measure others alike: two
            models whose tests differ in them have numbers that cannot be compared.
        begins: The settings with which the test begins for a model and a table.
        suited: The settings under which it can be run with a model and a table, if any do.
        against: Why it is not proposed for a model and a table; empty where nothing speaks against it.
    """

    run: Callable[[Any, Any], tuple[Any, tuple[Caveat, ...]]]
    result: Any
    finding: type[F]
    pilot: Pilot | None = None
    headline: Callable[[F, Claim, Said], str] = claim_in_a_headline
    sides: Callable[[F, Claim], tuple[str, float, float] | None] = sides
    measure: Callable[[F, Claim], str] = lambda finding, claim: claim.what
    opening: Callable[[F], str] = verdict_headline
    cleared: str = ""
    sentence: Callable[[F], str] = _sentence
    tolerance: Callable[[F], str] = lambda finding: finding.unit.tolerance(finding.decision.delta)
    next_steps: Callable[[F], tuple[str, ...]] = _next_steps
    similar: Callable[[F], tuple[Fact, ...]] = _nothing
    statistics: Callable[[F], Table] = _statistics
    rows: str = say("People")
    tables: Callable[[F], Mapping[str, Table]] = tables_of_claims
    assumptions: Callable[[F], tuple[str, ...]] = _assumptions
    reconciled: Callable[[F, Claim, Claim], str] = lambda finding, claim, other: ""
    case: Callable[[F], Case | None] = lambda finding: None
    diagnostics: Callable[[F], tuple[Fact, ...]] = _nothing
    impact_tables: Callable[[F], tuple[Table, ...]] = _nothing
    question: Callable[[F], str] = lambda finding: finding.kind.asks
    affected: Callable[[F], str] = _affected
    reservations: Callable[[F], str] = lambda finding: ""
    charts: Mapping[str, Chart[Any]] = field(default_factory=lambda: {"claim": CLAIM_CHART})
    of_several: Mapping[str, Chart[[Mapping[str, F]]]] = field(default_factory=dict)
    filled: Callable[[Any], Any] = lambda result: result.audit
    begins: Callable[[Any, AbstractModel, Dataset], Any] = lambda audit, model, dataset: audit
    suited: Callable[[Any, AbstractModel, Dataset], Any] = lambda audit, model, dataset: audit
    against: Callable[[Any, AbstractModel, Dataset], str] = lambda audit, model, dataset: ""


def room_of(kind: Kind) -> Room[Any]:
    """The room of a kind of test, imported when somebody uses it."""
    room: Room[Any] = importlib.import_module(f"core.audits.{kind.name}.room").ROOM
    return room


def _type_of(owner: type[Any], name: str) -> Any:
    """What a property returns, or what a field is."""
    found = getattr(owner, name, None)
    told = found.func if isinstance(found, cached_property) else getattr(found, "fget", None)
    return get_type_hints(owner)[name] if told is None else get_type_hints(told)["return"]
