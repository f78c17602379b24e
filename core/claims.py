"""A claim: who, in what, by how much, within which tolerance; all that a verdict is made of.

What a result says besides, of a group or a statistic that the verdict does not take, is a claim too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, Self

from core.inference.estimate import Interval, Verdict
from core.inference.evidence import TwoSided
from core.language.told import say
from core.language.units import PLAIN, Unit

if TYPE_CHECKING:
    import pandas as pd

Scale = Literal["difference", "ratio"]


@dataclass(frozen=True)
class Claim:
    """How somebody fares, or one set of people beside another, in one quantity.

    A difference grows with the harm and has a tolerance that it may reach. A ratio shrinks with the harm and has a
    tolerance below which it may not lie. The bound that accuses holds together with those of all claims of a result;
    the one that clears holds by itself, as a maximum asks for no more (Berger 1982, Technometrics 24:295).

    Attributes:
        who: Whom it is about, in words; empty for everybody.
        against: Whom they are compared with, in words; empty for nobody.
        what: The quantity that is compared.
        scale: Whether the estimate grows with the harm, or shrinks with it.
        here: The quantity among those it is about; NaN where only the difference is known.
        there: The quantity among those they are compared with; NaN likewise.
        people: How many it is about.
        others: How many they are compared with.
        estimate: Difference or ratio; NaN where nothing can be said.
        error: Its standard error; NaN where none is told.
        low: One-sided lower bound.
        high: One-sided upper bound.
        p_value: Of "within the tolerance", adjusted for all claims; 1 where too few people are compared, NaN where
            only bounds are given.
        tolerance: What is tolerated, as a difference or ratio; NaN where nothing is held against it.
        decides: Whether "no violation" takes this claim; others accuse, and are told where they stay open.
        one_sided: Whether it is known which direction is a harm; without, people are only treated differently.
        judged: Whether anything may be shown of it: enough people are compared, and nothing forbids it.
        of: The class the quantity is about; empty where it is about none.
        more: Whether a difference says how much larger the quantity is here than there, and not how much smaller.
        interval: Two-sided interval; None where only the bounds are told.
        unit: What the estimate is told in.
        why: Why there is no estimate or it is not judged, a few words or a sentence; may be empty.
    """

    who: str = ""
    against: str = ""
    what: str = ""
    scale: Scale = "difference"
    here: float = math.nan
    there: float = math.nan
    people: int = 0
    others: int = 0
    estimate: float = math.nan
    error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    tolerance: float = math.nan
    decides: bool = True
    one_sided: bool = True
    judged: bool = True
    of: str = ""
    more: bool = False
    interval: Interval | None = None
    unit: Unit = PLAIN
    why: str = ""

    @classmethod
    def of_evidence(
        cls,
        evidence: TwoSided,
        delta: float,
        alpha: float,
        *,
        what: str,
        judged: bool = True,
        **more: Any,
    ) -> Self:
        """What an estimate shows about a tolerance.

        Args:
            evidence: The estimate with its bounds.
            delta: The tolerance.
            alpha: The error rate.
            what: What is estimated.
            judged: Whether enough people are compared.
            more: Any other attributes.
        """
        return cls(
            what=what,
            estimate=evidence.value,
            low=evidence.lower_bound(alpha),
            high=evidence.upper_bound(alpha),
            p_value=evidence.p_value(delta),
            tolerance=delta,
            judged=judged and math.isfinite(evidence.value),
            interval=evidence.two_sided(alpha),
            **more,
        )

    @classmethod
    def with_ends(cls, who: str, what: str, value: float, ends: Interval | None = None, **more: Any) -> Self:
        """What is said of a group or a statistic by its interval, whose ends are its bounds.

        Args:
            who: Whom it is about; empty for everybody.
            what: What is estimated.
            value: The estimate; NaN where there is none.
            ends: The interval; None, or NaN at an end, for none.
            more: Any other attributes; without a tolerance nothing is held against it.
        """
        if ends is None or math.isnan(ends.low + ends.high):
            return cls(**{"who": who, "what": what, "estimate": value, "judged": math.isfinite(value), **more})
        known = {"low": ends.low, "high": ends.high, "interval": ends}
        return cls(**{"who": who, "what": what, "estimate": value, **known, **more})

    @property
    def defined(self) -> bool:
        """Whether there is an estimate."""
        return math.isfinite(self.estimate)

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends of the interval, or the bounds where only these are told."""
        return (self.low, self.high) if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def beyond(self) -> bool:
        """Whether it is shown to be beyond the tolerance."""
        shown = self.low > self.tolerance if self.scale == "difference" else self.high < self.tolerance
        return self.judged and shown

    @property
    def settled(self) -> bool:
        """Whether it is shown to be beyond the tolerance or within it."""
        return self.beyond or self.within

    @property
    def decisive(self) -> tuple[float, float]:
        """What the verdict took: from the estimate to the bound that decides, or both bounds where neither does."""
        if not self.settled:
            return self.low, self.high
        below = self.beyond is (self.scale == "difference")
        return (self.low, self.estimate) if below else (self.estimate, self.high)

    @property
    def within(self) -> bool:
        """Whether it is shown to be within the tolerance."""
        shown = self.high <= self.tolerance if self.scale == "difference" else self.low >= self.tolerance
        return self.judged and shown

    @property
    def better(self) -> bool:
        """Whether those it is about are shown to fare better than the others, by more than is tolerated."""
        return self.judged and self.one_sided and bool(self.against) and self._beyond_in_favour(self.low, self.high)

    @property
    def found_better(self) -> bool:
        """Whether they fared so in the table, shown of everybody or not."""
        return self.one_sided and bool(self.against) and self._beyond_in_favour(self.estimate, self.estimate)

    def _beyond_in_favour(self, low: float, high: float) -> bool:
        return low * self.tolerance > 1 if self.scale == "ratio" else high < -self.tolerance

    @property
    def verdict(self) -> Verdict:
        """What it would say by itself."""
        return Verdict.VIOLATION if self.beyond else Verdict.NO_VIOLATION if self.within else Verdict.INSUFFICIENT

    @property
    def differs(self) -> bool:
        """Whether it is shown that those it is about differ from the others, beyond the tolerance or not."""
        return self.judged and bool(self.against) and self._apart

    @property
    def stands_out(self) -> bool:
        """Whether it is shown that there is a difference, and the one found is beyond the tolerance."""
        found = self.estimate > self.tolerance if self.scale == "difference" else self.estimate < self.tolerance
        return self._apart and found

    @property
    def _apart(self) -> bool:
        """Whether the accusing bound lies beyond no difference."""
        return self.low > 0 if self.scale == "difference" else self.high < 1

    @property
    def distance(self) -> float:
        """How far the accusing bound lies beyond the tolerance; negative where it does not."""
        return self.low - self.tolerance if self.scale == "difference" else self.tolerance - self.high

    @property
    def times_shown(self) -> float:
        """How many times what is tolerated the accusing bound is; above 1 where the claim is beyond the tolerance.

        It has no unit, so that a rise of an error rate, a difference of means and a ratio can be put in one order. A
        p-value would have none either, but says how certain a difference is and not how large, and many bootstrap
        p-values are equally small.
        """
        if self.scale == "difference":
            return _times(self.low, self.tolerance)
        return _times(self.tolerance, self.high)

    @property
    def times_possible(self) -> float:
        """How many times what is tolerated the clearing bound is; at most 1 where the claim is within the tolerance."""
        if self.scale == "difference":
            return _times(self.high, self.tolerance)
        return _times(self.tolerance, self.low)


def _times(value: float, tolerated: float) -> float:
    """How many times ``tolerated`` a value is; of nothing that is tolerated, infinitely many."""
    if tolerated:
        return value / tolerated
    return math.copysign(math.inf, value) if value else 0.0


def leading(claims: Iterable[Claim]) -> Claim | None:
    """The claim to tell first: one that is beyond its tolerance before others, deciding ones and differences first.

    Among those the one whose accusing bound is the largest multiple of its tolerance (:attr:`Claim.times_shown`), as
    claims of several tests differ in their units; with too few people the largest.
    """
    return max(claims, key=first_told, default=None)


def first_told(one: Claim) -> tuple[bool, bool, bool, bool, float, float]:
    """What the order follows in which claims are told, ascending."""
    size = (one.times_shown, one.distance) if one.judged else (one.estimate, one.estimate)
    return one.judged, one.beyond, one.decides, one.scale == "difference", *size


def nearest(claims: Iterable[Claim]) -> Claim | None:
    """Of claims that are cleared the one that came nearest to its tolerance."""
    return max(claims, key=lambda one: one.times_possible, default=None)


def to_frame(claims: Sequence[Claim]) -> pd.DataFrame:
    """One row a claim: its attributes, the ends of its interval, and what is said of it.

    :meth:`core.api.Claims.to_frame` says what each column holds.
    """
    import pandas as pd

    plain = [one.name for one in fields(Claim) if one.name not in ("interval", "unit")]
    rows = [
        {name: getattr(one, name) for name in plain}
        | {
            "who": one.who or say("Everybody"),
            "interval_low": math.nan if one.interval is None else one.interval.low,
            "interval_high": math.nan if one.interval is None else one.interval.high,
            "factor": one.unit.factor,
            "unit": one.unit.name,
            "said": "beyond" if one.beyond else "within" if one.within else "open",
        }
        for one in claims
    ]
    return pd.DataFrame(rows, columns=[*plain, "interval_low", "interval_high", "factor", "unit", "said"])
