"""How differently groups are treated, in the outcome's own units, with bounds and the p-value of a tolerance.

The verdict is about V, the largest size of a mean difference between two groups of an attribute in any part of what
they are compared by (:mod:`core.audits.equalized_odds.parts`). A mean over several neighbouring parts is never larger,
so any of them may show that V exceeds a tolerance, and differences in opposite directions cannot cancel: "no violation"
needs every part.

- Upper bound: the largest pointwise one-sided bound over pairs and parts; a maximum needs no correction
  (intersection-union, Berger 1982, "Multiparameter hypothesis testing and acceptance sampling").
- p-value of "V is at most the tolerance" and lower bound: the smallest p-value over all runs of neighbouring parts,
  corrected by the distribution of the largest of their correlated normal statistics, and over pairs by their number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from core.audits.equalized_odds.parts import PairParts, compare_pair
from core.base.remembered import remembered
from core.inference.pairwise import straightened
from core.inference.several import Largest, each_of

_DRAWS = 20_000
_UNSURE = 1.4
"""Bounds take the skewness for what is worst for them of those within so many errors of it. With that found, 14% of
tables were false violations where a group has 60 people and log-normal residuals with a deviation of 1.2; now 6% are.
"""
_MOST_SKEWED = 1.0
"""A mean is never found more skewed than this: the skewness of a sample of n is at most the root of n."""
_SYMMETRIC = 1e-6
"""Skewness below this is taken for this, which changes no digit."""


@dataclass(frozen=True)
class MeanDifference:
    """The mean difference of two groups over a run of neighbouring parts, in the score's units.

    Attributes:
        groups: The two groups, indices, the one with the larger mean first.
        value: By how much it is larger.
        low: Lower end of an interval that holds for all runs and pairs together; negative if the other may be larger.
        high: Its upper end.
        ends: Smallest and largest Z of the people compared; NaN where everybody is.
        parts: How many parts they are.
        everywhere: Whether these are all parts.
    """

    groups: tuple[int, int]
    value: float
    low: float
    high: float
    ends: tuple[float, float]
    parts: int
    everywhere: bool


@dataclass(frozen=True)
class MeanEffects:
    """The mean differences between all groups of one attribute: evidence of V.

    It is an :class:`core.audits.equalized_odds.evidence.Evidence` in the units of the score.

    Attributes:
        pairs: Pairs of groups with at least 30 people each who can be compared.
        unclear: Pairs of groups, indices, that cannot be cleared: too few of their people can be compared.
    """

    pairs: tuple[PairParts, ...]
    unclear: tuple[tuple[int, int], ...]

    @property
    def value(self) -> float:
        """The largest difference found in a part; NaN without a pair."""
        return max((float(np.abs(pair.difference).max()) for pair in self.pairs), default=math.nan)

    @remembered
    def p_value(self, delta: float) -> float:
        """p-value of "V is at most ``delta``"; 1 where nothing can be compared."""
        return min((self._p_value(runs, delta) for runs in self._runs), default=1.0)

    @remembered
    def lower_bound(self, alpha: float) -> float:
        """Lower bound of V: the smallest tolerance whose p-value exceeds ``alpha``, below 1."""
        low = 0.0
        for runs in self._runs:
            if self._p_value(runs, low) <= alpha:
                low = _first_above(partial(self._p_value, runs), alpha, low, self.value)
        return low

    @remembered
    def upper_bound(self, alpha: float) -> float:
        """Upper bound of the V of all pairs that can be compared; infinite without one."""
        return max((runs.highest_part(alpha) for runs in self._runs), default=math.inf)

    def differences(self, alpha: float) -> tuple[MeanDifference, ...]:
        """The difference of every pair over every run of parts; their intervals hold together."""
        each = each_of(alpha, max(len(self.pairs), 1))
        return tuple(one for runs in self._runs for one in runs.intervals(each))

    def shown(self, alpha: float) -> MeanDifference | None:
        """The difference that shows most, the one whose interval lies furthest from none; None without a pair."""
        return max(self.differences(alpha), key=lambda one: one.low, default=None)

    def detectable(self, alpha: float, power: float) -> float:
        """How far beyond a tolerance the mean difference of the two groups that are known least must lie to be shown.

        Args:
            alpha: Error rate of the lower bound.
            power: The probability with which it is shown; NaN without two groups to compare.
        """
        from scipy.special import ndtri

        each = each_of(alpha, max(len(self.pairs), 1))
        reaches = ((-ndtri(2 * runs.largest.level(each)), runs.error[runs.whole]) for runs in self._runs)
        return max((float((limit + ndtri(power)) * error) for limit, error in reaches), default=math.nan)

    def clearable(self, alpha: float, share: float) -> float:
        """The upper bound that this share of tables stay below if no groups differ; infinite without a pair."""
        from scipy.special import stdtrit

        draws, highest = np.random.default_rng(0), []
        for one in self.pairs:
            sizes = np.abs(draws.standard_normal((_DRAWS, len(one)))) - stdtrit(one.freedom, alpha)
            highest.append((sizes * np.sqrt(one.variance)).max(axis=1))
        return float(np.quantile(np.max(highest, axis=0), share)) if highest else math.inf

    def _p_value(self, runs: _Runs, delta: float) -> float:
        """A pair's p-value, corrected for the number of pairs (Bonferroni)."""
        return min(len(self.pairs) * runs.p_value(delta), 1.0)

    @cached_property
    def _runs(self) -> tuple[_Runs, ...]:
        return tuple(map(_Runs.of, self.pairs))


@dataclass(frozen=True)
class _Runs:
    """The r runs of neighbouring parts of a pair, and the distribution of the largest of their statistics.

    Attributes:
        pair: The pair.
        parts: First part of each run, and the one after its last; shape (r, 2), int.
        difference: Mean difference, shape (r,).
        error: Its standard error, shape (r,).
        skewness: Of the difference, the least and the most that is taken for possible, since small samples of skewed
            numbers seldom show their tail; shape (2, r).
        freedom: Degrees of freedom of the error, shape (r,).
        largest: The largest size of a statistic where nothing differs.
    """

    pair: PairParts
    parts: np.ndarray
    difference: np.ndarray
    error: np.ndarray
    skewness: np.ndarray
    freedom: np.ndarray
    largest: Largest

    @classmethod
    def of(cls, pair: PairParts) -> _Runs:
        parts = np.array(list(combinations(range(len(pair) + 1), 2)))
        places = np.arange(len(pair))
        inside = (parts[:, :1] <= places) & (places < parts[:, 1:])
        weight = inside * pair.weight / (inside @ pair.weight)[:, None]
        variances = weight**2 * pair.variance
        rooted = weight @ pair.root
        error = np.sqrt((rooted**2).sum(axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            third = weight**3 @ (pair.third + np.multiply.outer([-_UNSURE, _UNSURE], pair.third_error)).T
            skewness = np.clip(np.nan_to_num(third.T / error**3), -_MOST_SKEWED, _MOST_SKEWED)
            freedom = np.nan_to_num(variances.sum(axis=1) ** 2 / (variances**2 / pair.freedom).sum(axis=1), nan=1.0)
        largest = Largest.of_normal(rooted, both_sides=True)
        return cls(pair, parts, weight @ pair.difference, error, skewness, freedom, largest)

    def p_value(self, tolerance: float) -> float:
        """Of "no run's difference is larger than the tolerance"; nine digits, of which none is due to rounding."""
        each = np.maximum(self._each(tolerance), self._by_chance)
        smallest = float(np.where(self.error > 0, each, np.abs(self.difference) <= tolerance).min())
        together = float(self.largest.together(np.array(smallest / 2)))
        return float(f"{max(smallest, together):.9g}")

    @cached_property
    def _by_chance(self) -> np.ndarray:
        return self._each(0.0)

    def _each(self, tolerance: float) -> np.ndarray:
        """How likely each run's difference is as large, on either side, if it is the tolerance."""
        from scipy.special import stdtr

        size, least = np.abs(self.difference), np.where(self.difference >= 0, self.skewness[0], -self.skewness[1])
        most = np.where(self.difference >= 0, self.skewness[1], -self.skewness[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            same, opposite = (size - tolerance) / self.error, -(size + tolerance) / self.error
            above, below = -_straight(same, least), _straight(opposite, most)
            return np.asarray(stdtr(self.freedom, above) + stdtr(self.freedom, below))

    def highest_part(self, alpha: float) -> float:
        """The largest of the upper bounds of the parts, each by itself."""
        single = np.diff(self.parts, axis=1)[:, 0] == 1
        low, high = self._ends(alpha)
        return float(np.maximum(high, -low)[single].max())

    def intervals(self, alpha: float) -> list[MeanDifference]:
        """The runs' differences with intervals that miss none of them with probability 1 - alpha."""
        low, high = self._ends(self.largest.level(alpha))
        ends = self.pair.ends
        return [
            MeanDifference(
                self.pair.groups if difference >= 0 else self.pair.groups[::-1],
                abs(float(difference)),
                float(least if difference >= 0 else -most),
                float(most if difference >= 0 else -least),
                (float(ends[start, 0]), float(ends[stop - 1, 1])),
                int(stop - start),
                bool(stop - start == len(ends)),
            )
            for (start, stop), difference, least, most in zip(self.parts, self.difference, low, high, strict=True)
        ]

    @property
    def whole(self) -> int:
        """The run of all parts."""
        return int(np.diff(self.parts, axis=1).argmax())

    def _ends(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """One-sided lower and upper bounds of each run's difference, each by itself."""
        from scipy.special import stdtrit

        limit = -np.asarray(stdtrit(self.freedom, alpha))
        least, most = self.skewness
        return (
            self.difference - self.error * straightened(limit, least),
            self.difference - self.error * straightened(-limit, most),
        )


def _straight(statistic: np.ndarray, skewness: np.ndarray) -> np.ndarray:
    """Studentised means with their skewness taken out (Hall 1992, "On the removal of skewness by transformation").

    The inverse of :func:`core.inference.pairwise.straightened`.
    """
    third = np.where(np.abs(skewness) > _SYMMETRIC, skewness, _SYMMETRIC) / 3
    return np.asarray(((1 + third * statistic) ** 3 - 1) / (3 * third) + third / 2)


def mean_effects(
    score: np.ndarray,
    given: np.ndarray | None,
    codes: np.ndarray,
    groups: int,
    clusters: np.ndarray | None = None,
) -> MeanEffects:
    """Compare every two groups of an attribute.

    Args:
        score: What may differ, shape (n,), finite, in the outcome's units.
        given: Z, the number that people are compared by, shape (n,), finite; None to compare everybody.
        codes: Group of each person, shape (n,), int.
        groups: g.
        clusters: Code of each person's cluster, shape (n,), int; None where everybody stands alone.
    """
    if given is not None:
        order = np.argsort(given, kind="stable")
        score, given, codes = score[order], given[order], codes[order]
        clusters = None if clusters is None else clusters[order]
    occurs = np.flatnonzero(np.bincount(codes, minlength=groups))
    found, unclear = [], []
    for first, second in combinations(map(int, occurs), 2):
        rows = np.flatnonzero((codes == first) | (codes == second))
        z, together = (None if one is None else one[rows] for one in (given, clusters))
        pair = compare_pair(score[rows], z, codes[rows] == first, (first, second), together)
        if pair is not None:
            found.append(pair)
        if pair is None or not pair.fine:
            unclear.append((first, second))
    return MeanEffects(tuple(found), tuple(unclear))


def _first_above(p_value: Callable[[float], float], alpha: float, low: float, high: float) -> float:
    """The smallest tolerance whose p-value exceeds alpha, to the last digit; it lies above ``low``."""
    while p_value(high) <= alpha:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if p_value(middle) <= alpha else (low, middle)
    return high
