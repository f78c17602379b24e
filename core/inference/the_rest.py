"""One group beside everybody else, in a share or a mean, as evidence that a claim can be made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from core.inference.clusters import enough
from core.inference.comparisons import Comparisons, People
from core.inference.estimate import Interval
from core.inference.sampling import ALONE, Sampling
from core.language.told import say

_GROUP, _REST = np.array([[False, True]]), np.array([[True, False]])


@dataclass(frozen=True)
class BesideTheRest:
    """By how much the share or mean of a group lies above that of everybody else (:class:`Comparisons`).

    Attributes:
        pair: The group, and everybody else.
        people: People of the group.
        others: Everybody else.
        enough: Whether both are people, and clusters, enough to say anything.
    """

    pair: Comparisons
    people: int
    others: int
    enough: bool

    @classmethod
    def of(cls, values: np.ndarray, group: np.ndarray, *, shares: bool, sampling: Sampling = ALONE) -> Self:
        """Compare people.

        Args:
            values: What is compared, shape (n,); False or True, 0 or 1 where ``shares``.
            group: Who belongs to the group, shape (n,), bool.
            shares: Whether shares are compared; else means.
            sampling: What rows stand for, such as those that belong together.
        """
        cells, codes = group.astype(np.int64), sampling.clusters
        people = People.of(values.astype(np.float64), cells, 2, shares=shares, sampling=sampling)
        clusters = None if codes is None else np.array([len(np.unique(codes[side])) for side in (~group, group)])
        counted = sampling.count(cells, 2)
        judged = bool(enough(counted, clusters).all())
        return cls(Comparisons.alone(people, _GROUP, _REST), int(counted[1]), int(counted[0]), judged)

    @property
    def sides(self) -> dict[str, Any]:
        """What a claim says of both sides: shares or means, numbers of people, and whether these are enough."""
        here, there = float(self.pair.first.value[0]), float(self.pair.second.value[0])
        known = {"here": here, "there": there, "people": self.people, "others": self.others, "judged": self.enough}
        return known | {"why": "" if self.enough else say("too few people")}

    @property
    def value(self) -> float:
        """The difference; NaN where a side is nobody."""
        return float(self.pair.difference[0])

    def lower_bound(self, alpha: float) -> float:
        """One-sided lower bound."""
        return float(self.pair.lower(alpha)[0])

    def upper_bound(self, alpha: float) -> float:
        """One-sided upper bound."""
        return float(self.pair.upper(alpha)[0])

    def two_sided(self, alpha: float) -> Interval:
        """Both bounds at half of the error rate each."""
        return Interval(self.lower_bound(alpha / 2), self.upper_bound(alpha / 2), 1 - alpha)

    def p_value(self, delta: float) -> float:
        """Of "the difference is at most ``delta``"."""
        return float(self.pair.p_values(delta)[0])
