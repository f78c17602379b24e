"""A claim: who, in what, by how much, within which tolerance; all that a verdict is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Scale = Literal["difference", "ratio"]


@dataclass(frozen=True)
class Claim:
    """How one set of people fares beside another, in one quantity.

    A difference grows with the harm and has a tolerance that it may reach. A ratio shrinks with the harm and has a
    tolerance below which it may not lie. The bound that accuses holds together with those of all claims of a result;
    the one that clears holds by itself, as a maximum asks for no more (Berger 1982, Technometrics 24:295).

    Attributes:
        who: Whom it is about, in words.
        against: Whom they are compared with, in words.
        what: The quantity that is compared.
        scale: Whether the estimate is a difference or a ratio.
        here: The quantity among those it is about.
        there: The quantity among those they are compared with.
        people: How many it is about.
        others: How many they are compared with.
        estimate: Difference or ratio; NaN where nothing can be said.
        low: Lower bound.
        high: Upper bound.
        p_value: Of "within the tolerance", adjusted for all claims; 1 where too few people are compared.
        tolerance: What is tolerated, as a difference or ratio.
        decides: Whether "no violation" takes this claim; others accuse, and are told where they stay open.
        one_sided: Whether it is known which direction is a harm; without, people are only treated differently.
        judged: Whether enough people are compared for anything to be shown.
        of: The class the quantity is about; empty where it is about none.
        more: Whether a difference says how much larger the quantity is here than there, and not how much smaller.
    """

    who: str
    against: str
    what: str
    scale: Scale
    here: float
    there: float
    people: int
    others: int
    estimate: float
    low: float
    high: float
    p_value: float
    tolerance: float
    decides: bool = True
    one_sided: bool = True
    judged: bool = True
    of: str = ""
    more: bool = False

    @property
    def beyond(self) -> bool:
        """Whether it is shown to be beyond the tolerance."""
        shown = self.low > self.tolerance if self.scale == "difference" else self.high < self.tolerance
        return self.judged and shown

    @property
    def within(self) -> bool:
        """Whether it is shown to be within the tolerance."""
        shown = self.high <= self.tolerance if self.scale == "difference" else self.low >= self.tolerance
        return self.judged and shown

    @property
    def stands_out(self) -> bool:
        """Whether it is shown that there is a difference, and the one found is beyond the tolerance."""
        if self.scale == "difference":
            return self.low > 0 and self.estimate > self.tolerance
        return self.high < 1 and self.estimate < self.tolerance

    @property
    def distance(self) -> float:
        """How far the accusing bound lies beyond the tolerance; negative where it does not."""
        return self.low - self.tolerance if self.scale == "difference" else self.tolerance - self.high


def leading(claims: Iterable[Claim]) -> Claim | None:
    """The claim to tell first: one that is beyond its tolerance before others, deciding ones and differences first.

    Among those the one whose accusing bound lies furthest beyond its tolerance; with too few people the largest.
    """
    return max(
        claims,
        key=lambda one: (
            one.judged,
            one.beyond,
            one.decides,
            one.scale == "difference",
            one.distance if one.judged else one.estimate,
        ),
        default=None,
    )
