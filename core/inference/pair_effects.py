"""How many rows say as much about a pair of sets as one that stands alone, where rows belong to clusters.

Sets of a pair may share clusters: pupils of both sexes of one school. So the effect is the pair's own: the variance of
the contrast by clusters, over what it would be of rows that stand alone. Where each cluster has rows of both sets, as
in matched designs, they say more than rows that stand alone, and the effect is below 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_TAIL = 0.05
_LEAST = 0.25
"""The smallest effect: that few clusters agree to the last row may be chance."""


@dataclass(frozen=True)
class ClusteredRows:
    """Rows that belong to clusters, one entry a row that is compared; n rows.

    Attributes:
        values: What is compared, shape (n,), float64.
        cells: Cell of each row, shape (n,), int.
        clusters: Code of each row's cluster, shape (n,), int.
    """

    values: np.ndarray
    cells: np.ndarray
    clusters: np.ndarray

    def occur(self, members: np.ndarray) -> np.ndarray:
        """How many clusters have rows in each of s sets of cells, shape (s, c), bool; shape (s,), int."""
        return np.array([len(np.unique(self.clusters[one[self.cells]])) for one in members], dtype=np.int64)

    def effects(self, first: np.ndarray, second: np.ndarray, factors: tuple[float, ...]) -> np.ndarray:
        """The effect of each of s pairs, shape (s,), float64.

        Args:
            first: Cells of the first set of each pair, shape (s, c), bool.
            second: Cells of the second, likewise.
            factors: Contrasts are so many times the first mean less the second; the largest effect counts.
        """
        found = [max(self._effect(*pair, factor) for factor in factors) for pair in zip(first, second, strict=True)]
        return np.array(found, dtype=np.float64)

    def _effect(self, first: np.ndarray, second: np.ndarray, factor: float) -> float:
        from scipy.stats import norm, t

        here, there = first[self.cells], second[self.cells]
        either = here | there
        if not here.any() or not there.any():
            return 1.0
        off = np.zeros(len(self.values))
        for rows, weight in ((here, factor), (there, -1.0)):
            off[rows] = weight * (self.values[rows] - self.values[rows].mean()) / np.count_nonzero(rows)
        _, place, sizes = np.unique(self.clusters[either], return_inverse=True, return_counts=True)
        number, alone = len(sizes), float(off @ off)
        if number < 2 or not alone:
            return float(sizes @ sizes) / float(sizes.sum())
        sums = np.bincount(place, off[either])
        found = number / (number - 1) * float(sums @ sums) / alone
        known = float(t.isf(_TAIL, number - 1) / norm.isf(_TAIL)) ** 2
        return float(max(found, _LEAST) * known)
