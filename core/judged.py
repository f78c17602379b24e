"""A result judged under decision settings: what is claimed of it, what speaks against that, and the verdict.

Moving the tolerance or the error rate judges the same result anew and runs nothing again. What does not depend on them,
such as a bootstrap, is remembered by the result (:meth:`core.result.AuditResult.once`).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

from core.base.errors import Caveat, forbidding, most_serious_first
from core.caveats.assumptions import IS_A_DECISION, is_decided
from core.claims import Claim, first_told, leading, nearest
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import ALWAYS_THE_SAME
from core.data.left_out import summary as missing_rows
from core.data.roles import GoodEnd
from core.inference.estimate import Verdict
from core.inference.paired import EachRow
from core.judge import about_rows_left_out, judge
from core.language.cached import cached_in_language
from core.language.phrases import LONGEST_VALUE, listed, shortened
from core.language.units import Unit
from core.result import AuditResult

S = TypeVar("S", bound=AuditResult[Any, Any, Any])
D = TypeVar("D", bound=DecisionSettings)
T = TypeVar("T")


class Judged(ABC, Generic[S, D]):
    """A result under decision settings, in numbers.

    Attributes:
        kind: The kind of test.
        nothing: The value of an estimate where there is no difference at all: 0, or 1 of a ratio that grows with harm.
        copies_count: Whether a row that was copied counts once more; a test that counts each but once says so.
        result: What was found.
        decision: How it is judged.
        good_end: Which end of an outcome that is a number is good for people, as the roles of the table say.
    """

    kind: ClassVar[Kind]
    nothing: ClassVar[float] = 0.0
    copies_count: ClassVar[bool] = True

    def __init__(self, result: S, decision: D, good_end: GoodEnd = "not said") -> None:
        self.result = result
        self.decision = decision
        self.good_end = good_end

    @property
    def title(self) -> str:
        """What people call the test."""
        return self.result.audit.called or self.kind.title

    def under(self, **changes: Any) -> Self:
        """The same result under other decision settings."""
        return type(self)(self.result, self.decision.model_copy(update=changes), self.good_end)

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
        told = (*(one for one in self.reasons if one not in self.unclaimed), *self.of_the_run)
        return tuple(dict.fromkeys(told))

    @property
    def reads_outcomes(self) -> bool:
        """Whether answers are held against outcomes; a test that holds answers against each other says so."""
        return True

    @property
    def of_the_run(self) -> tuple[Caveat, ...]:
        """What a reader has to know whatever the settings: of the run, and that outcomes are themselves decisions."""
        data = self.result.data
        decided = self.reads_outcomes and is_decided(data.outcome, data.favourable)
        return most_serious_first((*self.result.caveats, *([IS_A_DECISION] if decided else [])))

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

    def each_row(self, claim: Claim) -> EachRow | None:
        """The numbers whose mean a claim is, so that two models can be compared row by row; None where it is none."""
        return None

    @property
    def unit(self) -> Unit:
        """What differences and the tolerance are told in."""
        return self.decision.unit()

    @property
    def deciding(self) -> Claim | None:
        """The claim to tell first, of which the table of statistics tells; None without claims."""
        return leading(self.claims)

    @property
    def claims_widest_only(self) -> bool:
        """Whether pairs of groups are open that no claim is of, since others lie further apart."""
        return False

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
    def naming(self) -> tuple[Claim, ...]:
        """All that show people to be treated worse than tolerated, beyond the doubt of the error rate, clearest first.

        Empty where nobody is, where it is not known which direction is a harm, and where nothing is claimed.
        """
        beyond = () if self.unclaimed else (one for one in self.claims if one.beyond and one.one_sided)
        return tuple(sorted(beyond, key=first_told, reverse=True))

    @property
    def named(self) -> str:
        """Whom these claims are about, in a few words; empty where it is nobody, or everybody."""
        return listed([*dict.fromkeys(shortened(one.who, LONGEST_VALUE) for one in self.naming if one.who)])

    @property
    def p_value(self) -> float:
        """One-sided, of "the value is at most the tolerance": at most alpha where the lower bound exceeds it; NaN
        when undefined. That of the claims is their smallest, as they are adjusted for each other.
        """
        return min((one.p_value for one in self.claims if one.judged), default=math.nan)

    @property
    def headlined(self) -> Claim | None:
        """The claim that the headline tells; None where there is none to tell."""
        if self.verdict is Verdict.NO_VIOLATION:
            return nearest(one for one in self.claims if one.decides)
        if self.verdict is Verdict.VIOLATION:
            return leading(one for one in self.claims if one.beyond)
        return leading(one for one in self.claims if not one.within and one.decides) or leading(self.claims)
