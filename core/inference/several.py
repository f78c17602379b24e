"""Many things judged at once. There are three ways to do it, and each stands here once.

- *Holm's*, for p-values of anything: :func:`holm`. Bounds that go with its first step, Bonferroni's, miss with
  :func:`each_of` the error rate each.
- *The largest statistic's*, for bounds and p-values of many statistics that depend on each other: :class:`Largest`,
  drawn, or :class:`LargestOfPairs`, known exactly. They never say less than Bonferroni's.
- *Intersection-union*, for the upper bound of a maximum: the largest of the upper bounds, each by itself. It misses
  only where that of the truly largest does, so that nothing is to be adjusted (Berger 1982, "Multiparameter hypothesis
  testing and acceptance sampling").
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.inference.p_values import monte_carlo_p, rank_at

DRAWS = 10_000
"""Draws of the largest statistic."""


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjusted p-values (Holm 1979), in the order given; NaN (a test without a value) stays NaN and is not counted.

    Args:
        p_values: Raw p-values, shape (k,).
    """
    raw = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(raw.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(raw))
    order = tested[np.argsort(raw[tested], kind="stable")]
    adjusted[order] = np.minimum(np.maximum.accumulate(raw[order] * np.arange(len(order), 0, -1)), 1.0)
    return adjusted


def each_of(alpha: float, of: int) -> float:
    """The largest number of which ``of`` are no more than ``alpha``, to the last digit."""
    level = alpha / of
    while of * level > alpha:
        level = float(np.nextafter(level, 0.0))
    while of * float(np.nextafter(level, 1.0)) <= alpha:
        level = float(np.nextafter(level, 1.0))
    return level


@dataclass(frozen=True)
class Largest:
    """How large the largest of several statistics is where nothing differs.

    Attributes:
        draws: The largest statistic, drawn and ascending, shape (B,); empty where it is not known how they depend on
            each other, so that Bonferroni's error rates hold.
        several: How many statistics there are; of those that count in both directions twice as many.
        degrees: Degrees of freedom of each statistic, which is Student's t; infinite for normal ones.
    """

    draws: np.ndarray
    several: int
    degrees: float = math.inf

    @classmethod
    def of_normal(
        cls, weights: np.ndarray, seed: int = 0, *, both_sides: bool = False, degrees: float = math.inf
    ) -> Self:
        """Of statistics that are sums of independent normal numbers; of one alone nothing has to be drawn.

        Args:
            weights: What each of c numbers adds to each of s statistics, on any scale, shape (s, c). A statistic to
                which none adds is never the largest.
            seed: Fixes the draws.
            both_sides: Whether the size of a statistic counts.
            degrees: Degrees of freedom of the common error by which all are divided.
        """
        several = (1 + both_sides) * len(weights)
        norm = np.sqrt((weights**2).sum(axis=1, keepdims=True))
        weights = weights[norm[:, 0] > 0] / norm[norm > 0][:, None]
        if several == 1 + both_sides or not len(weights):
            return cls(np.zeros(0), several, degrees)
        rng = np.random.default_rng(seed)
        block = max(1, 2**22 // max(weights.shape))
        drawn = []
        for start in range(0, DRAWS, block):
            found = weights @ rng.standard_normal((weights.shape[1], min(block, DRAWS - start)))
            drawn.append((np.abs(found) if both_sides else found).max(axis=0))
        largest = np.concatenate(drawn)
        if math.isfinite(degrees):
            largest /= np.sqrt(rng.chisquare(degrees, DRAWS) / degrees)
        return cls(np.sort(largest), several, degrees)

    @classmethod
    def of_covariance(cls, covariance: np.ndarray, seed: int = 0, *, degrees: float = math.inf) -> Self:
        """Of the sizes of jointly normal estimates over their standard errors.

        Given the data, Gaussian multipliers on the rows' influence values make the estimates jointly normal with
        exactly this covariance (Chernozhukov, Chetverikov and Kato 2013), so that drawing from it is the multiplier
        bootstrap. The symmetric root is used because it turns a change by rounding in the covariance into one in the
        answer.

        Args:
            covariance: Shape (g, g), positive semidefinite, with a positive diagonal.
            seed: Fixes the draws.
            degrees: Degrees of freedom of the standard errors.
        """
        scale = np.sqrt(np.diag(covariance))
        values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
        root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
        return cls.of_normal(root, seed, both_sides=True, degrees=degrees)

    def critical(self, alpha: float) -> float:
        """What the largest exceeds with probability ``alpha`` at most; infinite with too few draws to say so."""
        rank = rank_at(alpha, len(self.draws))
        return float(self.draws[-rank]) if rank else math.inf

    def p_value(self, observed: float) -> float:
        """How likely the largest is at least as large as ``observed``; the observed one counts as one of the draws."""
        return monte_carlo_p(len(self.draws) - np.searchsorted(self.draws, observed), len(self.draws))

    def level(self, alpha: float) -> float:
        """How often each bound may miss, for any of all to miss with probability ``alpha``.

        It is the tail beyond the critical value, and never less than Bonferroni's.
        """
        from scipy.special import ndtr, stdtr

        far = -self.critical(alpha)
        by_draws = float(stdtr(self.degrees, far) if math.isfinite(self.degrees) else ndtr(far))
        return max(by_draws, alpha / max(self.several, 1))

    def together(self, p_values: np.ndarray) -> np.ndarray:
        """The smallest error rate whose :meth:`level` is at least each p-value; NaN stays."""
        from scipy.special import ndtri, stdtrit

        tails = np.clip(p_values, 1e-300, 1.0)
        far = -(stdtrit(self.degrees, tails) if math.isfinite(self.degrees) else ndtri(tails))
        as_far = len(self.draws) - np.searchsorted(self.draws, far, side="right")
        by_draws = (1 + as_far) / (len(self.draws) + 1)
        return np.where(np.isnan(p_values), np.nan, np.minimum(np.minimum(by_draws, self.several * p_values), 1.0))


@dataclass(frozen=True)
class LargestOfPairs:
    """The same of the differences of every two of several independent normal estimates, each over its standard error.

    It is the studentised range over the square root of two (Tukey), exactly where all errors are alike, and no smaller
    than the largest where they are not (Hayter 1984).

    Attributes:
        groups: How many estimates there are.
    """

    groups: int

    def level(self, alpha: float) -> float:
        """How often each limit may miss, so that all intervals of pairs hold together; with two groups alpha / 2."""
        from scipy.stats import norm, studentized_range

        if self.groups <= 2:
            return alpha / 2
        return float(norm.sf(studentized_range.ppf(1 - alpha, self.groups, np.inf) / math.sqrt(2)))

    def together(self, p_values: np.ndarray) -> np.ndarray:
        """The error rate of all pairs whose :meth:`level` each p-value is; NaN stays."""
        from scipy.stats import norm, studentized_range

        if self.groups <= 2:
            return 2 * p_values
        return np.asarray(studentized_range.sf(norm.isf(p_values) * math.sqrt(2), self.groups, np.inf))
