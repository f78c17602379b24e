"""How many rows say as much about a pair of sets as one that stands alone, where rows belong to clusters.

Sets of a pair may share clusters: pupils of both sexes of one school. So the effect is the pair's own: the variance of
the contrast by clusters, over what it would be of rows that stand alone. Where each cluster has rows of both sets, as
in matched designs, they say more than rows that stand alone, and the effect is below 1. Where what one set gets in a
cluster the other lacks, they say less than the sets' own effects would have it.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.inference.sampling import Sampling

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

    @classmethod
    def of(cls, values: np.ndarray, cells: np.ndarray, sampling: Sampling) -> Self | None:
        """The rows in a cell, of which -1 is none; None where each row stands for itself."""
        if sampling.clusters is None:
            return None
        known = cells >= 0
        return cls(values[known], cells[known], sampling.clusters[known])

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
        here, there = first[self.cells], second[self.cells]
        either = here | there
        if not here.any() or not there.any():
            return 1.0
        off = np.zeros(len(self.values))
        for rows, weight in ((here, factor), (there, -1.0)):
            off[rows] = weight * (self.values[rows] - self.values[rows].mean()) / np.count_nonzero(rows)
        clusters = ClusteredPair.of(here[either], self.clusters[either])
        sums = np.bincount(clusters.place, off[either])
        return float(clusters.effects(np.array([float(sums @ sums)]), np.array([float(off @ off)]))[0])


@dataclass(frozen=True)
class ClusteredPair:
    """The n rows of two sets and the G clusters that they belong to.

    Attributes:
        place: Cluster of each row, shape (n,), int, from 0 to G - 1.
        sizes: Rows of each cluster, shape (G,), int.
        degrees: Student's degrees of freedom of the variance between clusters.
    """

    place: np.ndarray
    sizes: np.ndarray
    degrees: float

    @classmethod
    def of(cls, first: np.ndarray, clusters: np.ndarray) -> Self:
        """Two sets with rows.

        Args:
            first: Whether each row is of the first set, shape (n,), bool.
            clusters: Code of each row's cluster, shape (n,), int.
        """
        _, place, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        one = np.bincount(place, first)
        adds = (one / one.sum()) ** 2 + ((sizes - one) / (len(first) - one.sum())) ** 2
        return cls(place, sizes, degrees_of_variance(adds))

    def effects(self, together: np.ndarray, alone: np.ndarray) -> np.ndarray:
        """How many rows say as much as one that stands alone, for each of k contrasts of the sets, shape (k,).

        It is the variance by clusters over that of rows that stand alone. Below 1 it counts as far as that is sure, and
        all is known a little worse (:func:`student_over_normal`). It is at most the size of the largest cluster, which
        no such variance exceeds, and where nobody differs it is Kish's (1965), as if rows of a cluster were all alike.

        Args:
            together: Squared sums over clusters of what each row adds to a contrast's error, shape (k,).
            alone: Squared sums over rows, likewise.
        """
        from scipy.stats import chi2

        alike = float(self.sizes @ self.sizes) / float(self.sizes.sum())
        if len(self.sizes) < 2:
            return np.full(len(alone), alike)
        found = (1 + 1 / self.degrees) * together / np.where(alone > 0, alone, 1.0)
        sure = np.minimum(found * self.degrees / float(chi2.ppf(_TAIL, self.degrees)), 1.0)
        effects = np.maximum(np.maximum(found, sure), _LEAST) * student_over_normal(self.degrees) ** 2
        effects = np.minimum(effects, self.sizes.max())
        return np.where(alone > 0, effects, alike)


def degrees_of_variance(adds: np.ndarray) -> float:
    """Degrees of freedom of a variance of clusters, at least 1 (Satterthwaite 1946).

    Args:
        adds: What each adds to it, shape (G,): squares of the shares that it has of the sets, if its rows are alike.
    """
    return max(float(adds.sum() ** 2 / (adds @ adds)) - 1, 1.0)


def student_over_normal(degrees: float) -> float:
    """How much worse an error is known that rests on so many degrees of freedom: Student's quantile over the normal.

    As Korn and Graubard (1998, "Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data"), but with half of the degrees, since clusters of rare answers lie further apart than
    normal numbers.
    """
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(max(degrees / 2, 1.0), _TAIL) / ndtri(_TAIL))


def threshold_effects(first: np.ndarray, properties: int, inside: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """The effects of two sets of rows on the differences of shares with each of k nested properties, shape (k,).

    Args:
        first: The first property that each row has; it has all later ones too; shape (n,), int.
        properties: k.
        inside: Whether each row is of the first set, shape (n,), bool; rows of both sets are there.
        clusters: Code of each row's cluster, shape (n,), int.
    """
    pair, number = ClusteredPair.of(inside, clusters), np.count_nonzero(inside)
    weight = np.where(inside, 1 / number, -1 / (len(inside) - number))
    counts = np.stack([np.cumsum(np.bincount(first, side, properties)) for side in (inside, ~inside)])
    shares = counts / counts[:, -1:]
    # Each cluster's shares of both sets, and what those with a property add to the products with them.
    parts = np.stack([np.bincount(pair.place, side * weight, len(pair.sizes)) for side in (inside, ~inside)])
    order = np.lexsort((first, pair.place))
    sums = np.cumsum(weight[order]) - weight[order]
    starts = np.cumsum(pair.sizes) - pair.sizes
    earlier = np.empty(len(first))
    earlier[order] = sums - np.repeat(sums[starts], pair.sizes)
    squares, *products = (
        np.cumsum(np.bincount(first, one, properties))
        for one in ((2 * earlier + weight) * weight, *(weight * part[pair.place] for part in parts))
    )
    expected = sum(shares[a] * shares[b] * float(parts[a] @ parts[b]) for a in (0, 1) for b in (0, 1))
    together = squares - 2 * (shares[0] * products[0] + shares[1] * products[1]) + expected
    alone = (shares * (1 - shares) / counts[:, -1:]).sum(axis=0)
    return pair.effects(np.maximum(together, 0.0), np.where(alone > 1e-15, alone, 0.0))
