"""Two sets of people compared within cells of people who are alike: one difference over all cells.

Weights are those of Mantel and Haenszel (1959), n1 n2 / (n1 + n2) in each cell, with which the difference is the least
squares one of a regression on the set with an intercept for each cell.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.inference.comparisons import PSEUDO_PEOPLE
from core.inference.pair_effects import degrees_of_variance, student_over_normal


@dataclass(frozen=True)
class WithinCells:
    """The difference of two sets of people over c cells.

    Attributes:
        value: Mean difference, first less second; NaN where no cell has people of both.
        error: Its standard error.
        weights: Weight of each cell, shape (c,); they sum to 1.
        differences: Difference in each cell, shape (c,); NaN where a cell has no people of both.
        errors: Its standard error in each cell, shape (c,); likewise.
        compared: People in cells that have people of both.
    """

    value: float
    error: float
    weights: np.ndarray
    differences: np.ndarray
    errors: np.ndarray
    compared: int

    @classmethod
    def of(cls, first: np.ndarray, second: np.ndarray) -> Self:
        """Compare two sets.

        Args:
            first: People of the first set in each cell, and sums of the value and its square, shape (c, 3).
            second: Likewise.
        """
        (n, *_), (m, *_) = first.T, second.T
        both = (n > 0) & (m > 0)
        weights = np.where(both, n * m / np.maximum(n + m, 1.0), 0.0)
        if not both.any():
            nothing = np.full(len(n), math.nan)
            return cls(math.nan, math.nan, weights, nothing, nothing, 0)
        weights = weights / weights.sum()
        one, other, everybody = first[both], second[both], (first + second).sum(axis=0)
        centre = everybody[1] / everybody[0]
        spread = max(everybody[2] / everybody[0] - centre**2, 0.0)
        (mean, variance), (other_mean, other_variance) = (
            _mean_and_error(side, centre, spread) for side in (one, other)
        )
        differences, errors = np.full((2, len(n)), math.nan)
        differences[both], errors[both] = mean - other_mean, np.sqrt(variance + other_variance)
        value = float(weights[both] @ differences[both])
        error = math.sqrt(float(weights[both] ** 2 @ errors[both] ** 2))
        return cls(value, error, weights, differences, errors, int((n + m)[both].sum()))

    def by_clusters(self, values: np.ndarray, side: np.ndarray, alike: np.ndarray, clusters: np.ndarray) -> Self:
        """The same difference of rows that belong to clusters, with the larger error of rows and of clusters.

        Args:
            values: What is compared, shape (n,).
            side: 1 for rows of the first set, -1 for those of the second, 0 for others; shape (n,), int.
            alike: Cell of each row, shape (n,), int.
            clusters: Code of each row's cluster, shape (n,), int.
        """
        off, share = np.zeros((2, len(values)))
        for sign in (1, -1):
            rows = np.flatnonzero(side == sign)
            people, total = (np.bincount(alike[rows], one, len(self.weights)) for one in (None, values[rows]))
            here = alike[rows]
            share[rows] = self.weights[here] / people[here]
            off[rows] = sign * share[rows] * (values[rows] - total[here] / people[here])
        _, place = np.unique(clusters[side != 0], return_inverse=True)
        sums, number = np.bincount(place, off[side != 0]), place.max(initial=-1) + 1
        if number < 2 or not math.isfinite(self.value):
            return replace(self, value=math.nan, error=math.nan)
        adds = sum(np.bincount(place, share[side != 0] * (side[side != 0] == sign)) ** 2 for sign in (1, -1))
        degrees = degrees_of_variance(np.asarray(adds))
        error = max(self.error, student_over_normal(degrees) * math.sqrt((1 + 1 / degrees) * float(sums @ sums)))
        return replace(self, error=error, errors=self.errors * (error / self.error if self.error else 1.0))

    def in_cells(self, tail: float) -> np.ndarray:
        """Lower bounds of the difference in each cell, each missing with probability ``tail``, shape (c,)."""
        return np.asarray(self.differences - self._quantile(tail) * self.errors)

    def lower(self, tail: float) -> float:
        """Lower bound, which misses with about probability ``tail``; minus infinity where nothing is compared."""
        return self.value - self._reach(tail) if math.isfinite(self.value) else -math.inf

    def upper(self, tail: float) -> float:
        """Upper bound, likewise."""
        return self.value + self._reach(tail) if math.isfinite(self.value) else math.inf

    def p_value(self, delta: float) -> float:
        """Of "the difference is at most ``delta``"; 1 where nothing is compared."""
        from scipy.special import ndtr

        if not math.isfinite(self.value):
            return 1.0
        if not self.error:
            return float(self.value <= delta)
        return float(ndtr((delta - self.value) / self.error))

    def _reach(self, tail: float) -> float:
        return self._quantile(tail) * self.error

    @staticmethod
    def _quantile(tail: float) -> float:
        from scipy.special import ndtri

        return -float(ndtri(tail))


def _mean_and_error(side: np.ndarray, centre: float, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each cell and its squared error, whose variance is filled up by four people like everybody."""
    n, total, squares = side.T
    mean = total / n
    own = np.maximum(squares - n * mean**2, 0.0)
    filled = (own + PSEUDO_PEOPLE * (spread + (mean - centre) ** 2)) / (n + PSEUDO_PEOPLE)
    return mean, filled / n
