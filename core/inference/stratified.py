"""Two sets of people compared within cells of people who are alike: one difference over all cells.

Weights are those of Mantel and Haenszel (1959), n1 n2 / (n1 + n2) in each cell, with which the difference is the least
squares one of a regression on the set with an intercept for each cell.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.inference.comparisons import PSEUDO_PEOPLE, Comparisons, Shares
from core.inference.pair_effects import degrees_of_variance, student_over_normal
from core.inference.pairwise import difference_of
from core.inference.several import Largest


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
        shares: Both sets in each cell, where what is compared is 0 or 1; None of other numbers.
        weighted: Both sets over all cells, likewise, as shares of as many people as are known that well at least.
    """

    value: float
    error: float
    weights: np.ndarray
    differences: np.ndarray
    errors: np.ndarray
    compared: int
    shares: tuple[Shares, Shares] | None = None
    weighted: Comparisons | None = None

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
        found = cls(value, error, weights, differences, errors, int((n + m)[both].sum()))
        (_, total, squares), (_, other_total, other_squares) = first.T, second.T
        if not ((total == squares).all() and (other_total == other_squares).all()):
            return found
        here, there = (_weighted(side, weights[both], one + other) for side in (one, other))
        weighted = Comparisons(here, there, Largest(np.zeros(0), 1))
        return replace(found, shares=(Shares(total, n), Shares(other_total, m)), weighted=weighted)

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
        longer = error / self.error if self.error else 1.0
        found = replace(self, error=error, errors=self.errors * longer)
        if self.shares is None or self.weighted is None:
            return found
        effect, over = np.asarray(longer**2), self.weighted
        weighted = replace(over, first=over.first.fewer(effect), second=over.second.fewer(effect))
        first, second = (side.fewer(effect) for side in self.shares)
        return replace(found, shares=(first, second), weighted=weighted)

    def in_cells(self, tail: float) -> np.ndarray:
        """Lower bounds of the difference in each cell, each missing with probability ``tail``, shape (c,).

        Those of shares rest on limits of the counts: a cell may have few people, and ``tail`` be small.
        """
        if self.shares is not None:
            return np.asarray(difference_of(*(side.limits(np.asarray(tail)) for side in self.shares)).low)
        return np.asarray(self.differences - self._quantile(tail) * self.errors)

    def lower(self, tail: float) -> float:
        """Lower bound, which misses with about probability ``tail``; minus infinity where nothing is compared."""
        if self.weighted is not None:
            return float(self.weighted.lower(tail)[0])
        return self.value - self._reach(tail) if math.isfinite(self.value) else -math.inf

    def upper(self, tail: float) -> float:
        """Upper bound, likewise."""
        if self.weighted is not None:
            return float(self.weighted.upper(tail)[0])
        return self.value + self._reach(tail) if math.isfinite(self.value) else math.inf

    def p_value(self, delta: float) -> float:
        """Of "the difference is at most ``delta``"; 1 where nothing is compared."""
        from scipy.special import ndtr

        if not math.isfinite(self.value):
            return 1.0
        if self.weighted is not None:
            return float(self.weighted.p_values(delta)[0])
        if not self.error:
            return float(self.value <= delta)
        return float(ndtr((delta - self.value) / self.error))

    def _reach(self, tail: float) -> float:
        return self._quantile(tail) * self.error

    @staticmethod
    def _quantile(tail: float) -> float:
        from scipy.special import ndtri

        return -float(ndtri(tail))


def _weighted(side: np.ndarray, weights: np.ndarray, everybody: np.ndarray) -> Shares:
    """The weighted share over cells, shape (c, 3), as that of people whose share is known as well, shape (1,).

    Where the share differs between cells, less of it is chance. How much less is the larger of what the set's own cells
    and those of both sets together say: few people seem to differ, and two sets may differ otherwise.
    """
    n, total, _ = side.T
    each = weights**2 / n
    share, people = float(weights @ (total / n)), 1 / each.sum()
    chance = max(_chance(n, total, each), _chance(everybody[:, 0], everybody[:, 1], each))
    people = np.array([people / min(chance, 1.0) if chance > 0 else people])
    return Shares(people * share, people)


def _chance(n: np.ndarray, total: np.ndarray, each: np.ndarray) -> float:
    """Variance of 0 and 1 within cells, each weighing so much, against that over all; 0 where all are alike."""
    mean, known = total / n, n > 1
    over = float(each @ mean) / each.sum()
    within = np.where(known, mean * (1 - mean) * n / np.maximum(n - 1, 1), over * (1 - over))
    return float(each @ within) / (each.sum() * over * (1 - over)) if 0 < over < 1 else 0.0


def _mean_and_error(side: np.ndarray, centre: float, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each cell and its squared error, whose variance is filled up by four people like everybody."""
    n, total, squares = side.T
    mean = total / n
    own = np.maximum(squares - n * mean**2, 0.0)
    filled = (own + PSEUDO_PEOPLE * (spread + (mean - centre) ** 2)) / (n + PSEUDO_PEOPLE)
    return mean, filled / n
