"""A share of n rows with its intervals."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.inference.bounded import means_with_largest, means_with_zero, p_at_most
from core.inference.estimate import Interval
from core.inference.p_values import rank_at

DRAWS = 9_999
"""Random weights of the limits where rows belong together; many groups may be judged at once."""


@dataclass(frozen=True)
class Share:
    """How many of n rows have a property.

    Attributes:
        count: Rows that have it.
        n: All rows; 0 if there are none.
    """

    count: int
    n: int

    @property
    def value(self) -> float:
        """The share; NaN without rows."""
        return self.count / self.n if self.n else math.nan

    @property
    def units(self) -> int:
        """How many independent units the rows are."""
        return self.n

    def two_sided(self, alpha: float) -> Interval:
        """Wilson's (1927) score interval; 0 to 1 without rows."""
        if not self.n:
            return Interval(0.0, 1.0, 1 - alpha)
        from scipy.special import ndtri

        z = float(ndtri(1 - alpha / 2))
        centre = (self.value + z**2 / (2 * self.n)) / (1 + z**2 / self.n)
        half = z / (1 + z**2 / self.n) * math.sqrt(self.value * (1 - self.value) / self.n + z**2 / (4 * self.n**2))
        low = 0.0 if self.count == 0 else max(0.0, centre - half)
        high = 1.0 if self.count == self.n else min(1.0, centre + half)
        return Interval(low, high, 1 - alpha)

    def upper_bound(self, alpha: float) -> float:
        """Clopper and Pearson's (1934) one-sided upper bound, which is never too low; 1 without rows."""
        return float(exact_limits(np.array(self.count), np.array(self.n), alpha)[1]) if self.n else 1.0

    def lower_bound(self, alpha: float) -> float:
        """Clopper and Pearson's one-sided lower bound, which is never too high; 0 without rows."""
        return float(exact_limits(np.array(self.count), np.array(self.n), alpha)[0]) if self.n else 0.0

    def p_at_most(self, most: float) -> float:
        """Exact p-value of "the share is at most this", at most alpha where the lower bound exceeds it.

        NaN without rows.
        """
        if not self.n:
            return math.nan
        from scipy.stats import binom

        return float(binom.sf(self.count - 1, self.n, most))


@dataclass(frozen=True)
class ClusteredShare(Share):
    """A share of rows that fall into clusters; its limits are a mean's of 0 and 1 (:mod:`core.inference.bounded`).

    Attributes:
        flags: Which rows have the property, shape (n,), bool.
        clusters: Code of each row's cluster, shape (n,), int.
    """

    flags: np.ndarray = field(repr=False, compare=False)
    clusters: np.ndarray = field(repr=False, compare=False)

    @cached_property
    def _below(self) -> np.ndarray:
        return means_with_zero(self.flags, draws=DRAWS, seed=0, clusters=self.clusters)

    @cached_property
    def _above(self) -> np.ndarray:
        return means_with_largest(self.flags, 1.0, draws=DRAWS, seed=0, clusters=self.clusters)

    @property
    def units(self) -> int:
        """How many clusters the rows fall into."""
        return len(np.unique(self.clusters))

    def two_sided(self, alpha: float) -> Interval:
        """Both limits at alpha / 2; 0 to 1 without rows."""
        return Interval(self.lower_bound(alpha / 2), self.upper_bound(alpha / 2), 1 - alpha)

    def upper_bound(self, alpha: float) -> float:
        """Gaffke's bound by clusters; 1 without rows."""
        place = DRAWS - rank_at(alpha, DRAWS)
        return float(self._above[place]) if self.count < self.n and place < DRAWS else 1.0

    def lower_bound(self, alpha: float) -> float:
        """The same from below; 0 without rows."""
        place = rank_at(alpha, DRAWS) - 1
        return float(self._below[place]) if self.count and place >= 0 else 0.0

    def p_at_most(self, most: float) -> float:
        """p-value of "the share is at most this", at most alpha where the lower bound exceeds it; NaN without rows."""
        return p_at_most(self._below, most) if self.n else math.nan


def share_of(flags: np.ndarray, clusters: np.ndarray | None = None) -> Share:
    """The share of the rows that are marked in ``flags``, shape (n,), bool, which may fall into clusters."""
    found = int(np.count_nonzero(flags)), len(flags)
    return Share(*found) if clusters is None else ClusteredShare(*found, flags, clusters)


def exact_limits(counted: np.ndarray, of: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Clopper and Pearson's (1934) one-sided lower and upper limits of shares.

    Args:
        counted: People counted, of any shape; effective numbers need not be whole.
        of: Of how many, likewise, above 0.
        alpha: Either limit misses with at most this probability.
    """
    from scipy.special import betaincinv

    least = betaincinv(np.where(counted > 0, counted, 1), of - counted + 1, alpha)
    most = betaincinv(counted + 1, np.where(counted < of, of - counted, 1), 1 - alpha)
    return np.where(counted > 0, least, 0.0), np.where(counted < of, most, 1.0)


def worst_case(upper: float, missing: float) -> float:
    """The largest difference of two shares, or mean of values from 0 to 1, once those with unknown values are counted.

    Of two groups with a known difference of at most U, of which at most a share m is unknown, the shares of all differ
    by at most (1 - m)(p + U) + m - p over every p from 0 to 1 - U, which is U + (1 - U) m (Manski 1990).

    Args:
        upper: Upper bound U among those that are known; below 0 it counts as 0.
        missing: The largest share m of a group that is unknown.
    """
    known = max(upper, 0.0)
    return known + (1 - min(known, 1.0)) * missing
