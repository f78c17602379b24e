"""A finding: what a result means under decision settings, each part worked out once, words once in each language.

Moving the tolerance or the error rate makes a new finding of the same result and runs nothing again. What does not
depend on them, such as a bootstrap, is remembered by the result (:meth:`core.result.AuditResult.once`).
"""

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, get_type_hints

import numpy as np

from core.base.errors import Caveat, forbidding, most_serious_first
from core.base.tables import Case, Fact, Table
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.claims import Claim, leading, nearest
from core.claims_shown import draw, each, statistics
from core.claims_told import Said, sides
from core.claims_told import headline as claim_in_a_headline
from core.contracts.audit import Pilot
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import ALWAYS_THE_SAME, AbstractModel
from core.data.dataset import Dataset
from core.data.left_out import summary as missing_rows
from core.figures import estimate
from core.figures.chart import Chart, Drawing
from core.figures.estimate import Shown
from core.headline import headline_of
from core.inference.estimate import Interval, Verdict
from core.judge import about_rows_left_out, judge
from core.language.cached import cached_in_language
from core.language.phrases import LONGEST_VALUE, lower_first, percent, shortened, upper_first, without_stop
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
        recorded: Names of what the record keeps, properties of the finding or else of what the test kept, besides
            headline, sentence, verdict, reasons, p-value, claims and parts.
        recorded_as: What the record calls those of them that it calls otherwise.
        nothing: The value of an estimate where there is no difference at all: 0, or 1 of a ratio that grows with harm.
        copies_count: Whether a row that was copied counts once more; a test that counts each but once says so.
        result: What was found.
        decision: How it is judged.
    """

    kind: ClassVar[Kind]
    recorded: ClassVar[tuple[str, ...]] = ()
    recorded_as: ClassVar[Mapping[str, str]] = MappingProxyType({})
    nothing: ClassVar[float] = 0.0
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
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """What is said besides of each group, statistic or attribute; no verdict takes any of it.

        By the name of the chart and table that show them; their bounds hold together.
        """
        return {}

    @property
    def own_caveats(self) -> tuple[Caveat, ...]:
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
    def reasons(self) -> tuple[Caveat, ...]:
        """What speaks against taking the claims at their word, most serious first."""
        constant = (ALWAYS_THE_SAME,) if self.result.model.constant else ()
        return most_serious_first((*self.unclaimed, *self._about_missing_rows, *constant, *self.own_caveats))

    @property
    def spoken(self) -> tuple[Caveat, ...]:
        """All caveats besides what the headline says itself, each once: of the finding, then of the run."""
        told = (*(one for one in self.reasons if one not in self.unclaimed), *self.result.caveats)
        return tuple(dict.fromkeys(told))

    @property
    def unclaimed(self) -> tuple[Caveat, ...]:
        """Why nothing is claimed: the answers go against the outcomes, or too many rows are copies; else empty."""
        copies = self.result.data.about_copies if self.copies_count else ()
        return forbidding("any claim", (*self.result.model.against_outcomes, *copies))

    @property
    def withheld(self) -> bool:
        """Whether "no violation" is withheld because of whom was left out for missing values."""
        return self.own_verdict is not judge(self.claims, (*self.own_caveats, *self._about_missing_rows))

    @property
    def _about_missing_rows(self) -> tuple[Caveat, ...]:
        """Whom the verdict is not about, where they are not left out at random."""
        data = self.result.data
        goes_with = self.once(("missing rows",), lambda: data.missing_goes_with)  # verbatim
        if not goes_with:
            return ()
        told = missing_rows(data.rows_left_out, data.rows_read, goes_with)
        return tuple(about_rows_left_out(told, self.own_verdict, self.worst_upper_bound, self.decision.delta))

    def each_row(self, claim: Claim) -> "EachRow | None":
        """The numbers whose mean a claim is, so that two models can be compared row by row; None where it is none."""
        return None

    @property
    def unit(self) -> Unit:
        """What differences and the tolerance are told in."""
        return type(self.decision).unit_of_tolerance(self.decision.model_dump())

    @property
    def deciding(self) -> Claim | None:
        """The claim to tell first, of which the table of statistics tells; None without claims."""
        return leading(self.claims)

    @property
    def pictured(self) -> Claim | None:
        """The claim that its own chart shows."""
        return self.deciding

    @property
    def definition(self) -> str:
        """What is measured of whom, so that verdicts of different questions are never joined to one line."""
        return f"{self.kind.name} {self.result.audit.called}".strip()

    @property
    def missing(self) -> str:
        """What settles an open claim where more audited rows do not, amid a sentence; empty where they may."""
        return ""

    @property
    def reservations(self) -> str:
        """What stays open where "no violation" is found, in a few words; empty for nothing."""
        return self.room.reservations(self)

    @property
    def named(self) -> str:
        """Who is shown, beyond the doubt of the error rate, to be treated worse than tolerated, in a few words.

        Empty where nobody is, where it is not known which direction is a harm, and where nothing is claimed.
        """
        claim = self.deciding
        if self.unclaimed or claim is None or not (claim.beyond and claim.one_sided):
            return ""
        return shortened(claim.who, LONGEST_VALUE)

    @property
    def affected(self) -> str:
        """Who is treated worse than tolerated where a violation is found, one sentence."""
        return self.room.affected(self)

    @property
    def p_value(self) -> float:
        """One-sided, of "the value is at most the tolerance": at most alpha where the lower bound exceeds it; NaN
        when undefined. That of the claims is their smallest, as they are adjusted for each other.
        """
        return min((one.p_value for one in self.claims if one.judged), default=math.nan)

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

    @property
    def headlined(self) -> Claim | None:
        """The claim that the headline tells; None where there is none to tell."""
        if self.verdict is Verdict.NO_VIOLATION:
            return nearest(one for one in self.claims if one.decides)
        if self.verdict is Verdict.VIOLATION:
            return leading(one for one in self.claims if one.beyond)
        return leading(one for one in self.claims if not one.within and one.decides) or leading(self.claims)

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
        "{headline}: {what} {value} ({confidence} interval {interval}), where {tolerance} is tolerated.",
        headline=finding.opening,
        what=lower_first(f"{claim.what}, {claim.who}," if claim.who else claim.what),
        value=unit.text(claim.estimate, beside=tolerance),
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


def chart_of_parts(
    name: str,
    title: str,
    caption: str,
    *,
    rows: tuple[str, str] = ("person", "people"),
    level: Callable[[Sequence[Claim]], tuple[float, str]] = lambda claims: (0.0, ""),
    slide: Literal["", "sure", "who"] = "",
    too_few: Callable[[Any], Sequence[str]] = lambda finding: (),
) -> Chart[AbstractFinding[Any, Any]]:
    """The chart of the parts called ``name``, where anything is known of them.

    Args:
        name: What chart, parts and table are called.
        title: What it shows, as a heading.
        caption: How to read it.
        rows: What one of the people is called, and several.
        level: Where a dotted line stands, and what is written at it.
        slide: The slide it stands on.
        too_few: Who is not drawn, or not everywhere, since too few people are known.
    """

    def drawn(finding: AbstractFinding[Any, Any]) -> Drawing:
        claims = [replace(one, what=finding.room.measure(finding, one)) for one in finding.parts[name]]
        (at, meant), alike = level(claims), len({one.what for one in claims}) == 1
        what = claims[0].what if alike else retold(title)
        return draw(claims, what=f"{what}.", rows=rows, level=at, meant=meant, too_few=too_few(finding))

    def applies(finding: AbstractFinding[Any, Any]) -> bool:
        return any(one.defined for one in finding.parts.get(name, ()))

    return Chart(title, caption, drawn, applies, slide=slide)


def _assumptions(finding: AbstractFinding[Any, Any]) -> tuple[str, ...]:
    return (
        independent_rows(finding.result.data.independent),
        chosen_tolerance(finding.tolerance, finding.decision),
        read_once(finding.decision.alpha, say("tolerances")),
    )


def _affected(finding: AbstractFinding[Any, Any]) -> str:
    if finding.named:
        return say("Shown to be treated worse than tolerated: {named}.", named=finding.named)
    return say("The number of this test is about everybody who was audited together. It names no group.")


def _nothing(*given: Any) -> tuple[Any, ...]:
    return ()


def estimate_chart(caption: str, *, zero: str = say("no difference"), level: float = 0.0) -> Chart[Any]:
    """The chart of one claim: estimate, interval, the bound that decides, and the tolerance.

    Args:
        caption: How to read it.
        zero: What a value at the level means, in a few words.
        level: Where nobody is treated otherwise, in the unit shown.
    """

    def drawn(finding: AbstractFinding[Any, Any]) -> Drawing:
        claim = finding.pictured or finding.claims[0]
        shown = Shown(claim.unit.axis(lower_first(claim.what)), retold(zero), finding.decision.alpha, level)
        return estimate.draw(claim, judge([claim], finding.reasons), shown)

    return Chart(say("Estimate and tolerance"), caption, drawn, slide="sure")


def _has_an_estimate(finding: AbstractFinding[Any, Any]) -> bool:
    return finding.deciding is not None and finding.deciding.defined


CLAIM_CHART: Chart[AbstractFinding[Any, Any]] = replace(
    estimate_chart(
        say("The diamond is the estimate and the bar its interval. Beyond the dashed line is more than tolerated.")
    ),
    applies=_has_an_estimate,
)
"""What a kind of test without charts of its own shows."""


@dataclass(frozen=True)
class EachRow:
    """The numbers whose mean a claim estimates, one for each of n rows.

    Attributes:
        rows: Which row of the table each is of, shape (n,), int.
        values: The numbers, shape (n,).
        largest: The largest difference of two of them that there can be; None where there is none.
        clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.
    """

    rows: np.ndarray
    values: np.ndarray
    largest: float | None = None
    clusters: np.ndarray | None = None


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
        reservations: What stays open where "no violation" is found, in a few words.
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
