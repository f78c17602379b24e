"""Two models' answers about the same people: by how much a rate of the one differs from that of the other.

A rate of a model (accuracy, balanced accuracy, a difference of groups) is a weighted sum of means over sets of people
that share nobody, and neither sets nor weights depend on the model. The difference of two models is therefore the same
sum of means of what each person's two numbers differ by: people about whom both say the same add nothing, and what is
hard about the rows for both cancels out (McNemar 1947). Limits are the outer ones of Student's and Hall's
(:func:`core.inference.pairwise.student_and_hall`), after every set was filled up by two people, or clusters, about
whom the models differ, one in each direction: shares of few differences would else have limits that are too narrow
(Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired
data").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.inference.estimate import Interval
from core.inference.pairwise import mean_moments, student_and_hall

_HALVINGS = 50
_SMALLEST = 1e-16


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
class WeightedSets:
    """A rate as a weighted sum of means over sets of people.

    Attributes:
        members: The set of each person, shape (n,), int; -1 for people in none.
        weights: Weight of each set's mean, shape (s,).
        times: How many people each row stands for, shape (n,), int64; None where each is a person.
    """

    members: np.ndarray
    weights: np.ndarray
    times: np.ndarray | None = None

    @property
    def rows(self) -> np.ndarray:
        """People of each set, shape (s,), int64."""
        inside = self.members >= 0
        times = None if self.times is None else self.times[inside]
        return np.bincount(self.members[inside], times, len(self.weights)).astype(np.int64)

    def means(self, values: np.ndarray) -> np.ndarray:
        """Mean of ``values``, shape (n,), over the people of each set; NaN for an empty one."""
        inside = self.members >= 0
        added = values[inside] if self.times is None else values[inside] * self.times[inside]
        with np.errstate(invalid="ignore"):
            return np.asarray(np.bincount(self.members[inside], added, len(self.weights)) / self.rows)

    def value(self, values: np.ndarray) -> float:
        """The rate of a model; NaN where a set is empty."""
        return float(self.weights @ self.means(values))


@dataclass(frozen=True)
class PairedDifference:
    """How much larger a rate is for one model than for another, on the same people.

    Attributes:
        value: The difference; NaN where a set is empty.
        units: What each person, or each cluster of people, adds, and what the people do by whom sets were filled up.
            Their mean is the difference.
        times: How many people each of the units is that of, int64; None where each is one's.
    """

    value: float
    units: np.ndarray
    times: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        first: np.ndarray,
        second: np.ndarray,
        sets: WeightedSets,
        *,
        largest: float | None = None,
        clusters: np.ndarray | None = None,
    ) -> PairedDifference:
        """Compare two models.

        Args:
            first: What is counted of the one model's answer about each person, shape (n,).
            second: The same of the other's.
            sets: What is made of it; rows that stand for several people belong to no clusters.
            largest: The largest difference of two such numbers (1 of shares), by which sets are filled up; None for
                numbers without bounds.
            clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.
        """
        apart = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
        value, rows = sets.value(apart), sets.rows
        if not math.isfinite(value):
            return cls(math.nan, np.empty(0))
        inside = sets.members >= 0
        where, of_one = sets.members[inside], sets.weights / rows
        adds = of_one[where] * (apart[inside] - sets.means(apart)[where])
        alone = rows
        if clusters is not None:
            codes = np.unique(clusters[inside], return_inverse=True)[1]
            adds = np.bincount(codes, adds)
            pairs = np.unique(np.stack([where, codes]), axis=1)[0]
            alone = np.bincount(pairs, minlength=len(rows))
        times = None if sets.times is None else sets.times[inside]
        if largest is not None:
            filled = sets.weights * largest / alone
            adds = np.concatenate([adds, filled, -filled])
            times = None if times is None else np.concatenate([times, np.ones(2 * len(filled), dtype=np.int64)])
        people = len(adds) if times is None else int(times.sum())
        return cls(value, value + people * adds, times)

    def limits(self, tail: float) -> tuple[float, float]:
        """Lower and upper limit, each of which misses with probability ``tail``; infinite where nothing is known."""
        if (len(self.units) if self.times is None else self.times.sum()) < 2:
            return -math.inf, math.inf
        mean, error, *more = self._moments
        if not error:
            return mean, mean
        found = student_and_hall(*(np.array(part) for part in (mean, error, *more, tail)))
        return float(found.low), float(found.high)

    @cached_property
    def _moments(self) -> tuple[float, float, float, float]:
        return mean_moments(self.units, self.times)

    def two_sided(self, alpha: float) -> Interval:
        """Equal-tailed interval."""
        return Interval(*self.limits(alpha / 2), 1 - alpha)

    @property
    def p_value(self) -> float:
        """Two-sided, of "the models do not differ": the smallest error rate whose interval leaves 0 out; 1 at 0."""
        if not self.value:
            return 1.0
        if math.isnan(self.value):
            return math.nan
        low, high = math.log(_SMALLEST), math.log(0.5)
        for _ in range(_HALVINGS):
            tail = (low + high) / 2
            least, most = self.limits(math.exp(tail))
            low, high = (low, tail) if least > 0 or most < 0 else (tail, high)
        return 2 * math.exp(high)
