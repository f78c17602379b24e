"""People who belong together: clusters are independent of each other, the people of one are not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Clusters:
    """How many people of each cluster are in each cell, with their losses summed; E pairs of a cluster and a cell.

    Attributes:
        clusters: G, how many there are.
        cluster: Of each pair, shape (E,), int, from 0 to G - 1, ascending.
        cell: Of each pair, shape (E,), int.
        count: People of each pair, shape (E,), int.
        total: Sum of their losses, shape (E,).
        half: Half that each cluster is dealt to, shape (G,), int; None where all are together.
    """

    clusters: int
    cluster: np.ndarray
    cell: np.ndarray
    count: np.ndarray
    total: np.ndarray
    half: np.ndarray | None = None

    @classmethod
    def of(cls, clusters: np.ndarray, cell: np.ndarray, losses: np.ndarray) -> Clusters:
        """Add up people: cluster from 0 on, without gaps, cell and loss of each, shape (n,)."""
        many = int(cell.max()) + 1
        pair, place = np.unique(clusters.astype(np.int64) * many + cell, return_inverse=True)
        return cls(
            clusters=int(clusters.max()) + 1,
            cluster=pair // many,
            cell=pair % many,
            count=np.bincount(place),
            total=np.bincount(place, losses),
        )

    def of_half(self, half: int) -> Clusters:
        """The clusters of one half alone, numbered anew."""
        if self.half is None:
            raise TypeError("the clusters are not dealt to halves")
        held = self.half == half
        kept = held[self.cluster]
        place = np.cumsum(held) - 1
        return Clusters(int(held.sum()), place[self.cluster[kept]], self.cell[kept], self.count[kept], self.total[kept])

    def merged(self, place: np.ndarray, losses: np.ndarray) -> Clusters:
        """The same people in other cells, ``place`` (K,) for each old one, -1 for none, with these losses (K',)."""
        kept = place[self.cell] >= 0
        cell = place[self.cell[kept]]
        return replace(self, cluster=self.cluster[kept], cell=cell, count=self.count[kept], total=losses[cell])._added()

    def joined(self, most: int, seed: int) -> Clusters:
        """At most so many clusters: of more, some are joined at random, and as independent as before."""
        if self.clusters <= most:
            return self
        place = np.random.default_rng((seed, self.clusters)).permutation(np.arange(self.clusters) % most)
        return replace(self, clusters=most, cluster=place[self.cluster])._added()

    def _added(self) -> Clusters:
        many = int(self.cell.max()) + 1
        pair, place = np.unique(self.cluster * many + self.cell, return_inverse=True)
        count, total = (np.bincount(place, some) for some in (self.count, self.total))
        return replace(self, cluster=pair // many, cell=pair % many, count=count.astype(np.int64), total=total)

    @cached_property
    def people(self) -> np.ndarray:
        """People of each cluster, shape (G,)."""
        return np.bincount(self.cluster, self.count, self.clusters)

    def in_cells(self, cells: int) -> np.ndarray:
        """Clusters with somebody in each cell, shape (K,), int."""
        return np.bincount(self.cell, minlength=cells)

    def matrix(self, cells: int) -> csr_array:
        """People of each cluster in each cell, shape (G, K)."""
        from scipy.sparse import csr_array

        return csr_array((self.count.astype(np.float64), (self.cluster, self.cell)), shape=(self.clusters, cells))

    def sums(self, gains: np.ndarray) -> np.ndarray:
        """Sum over the people of each cluster of what is said of their cell, shape (K,); shape (G,)."""
        return np.bincount(self.cluster, self.count * gains[self.cell], self.clusters)

    def scores(self, gains: np.ndarray, weight: np.ndarray, losses: np.ndarray) -> np.ndarray:
        """What each cluster adds to Σ_i f_i a_i with the error of the cells' mean losses, centred; shape (G,).

        Args:
            gains: a of each cell, shape (K,).
            weight: What a unit of error of each cell's loss adds per person of the cell, shape (K,).
            losses: Mean loss of each cell, shape (K,); NaN where nobody is.
        """
        own = self.sums(gains)
        off = weight[self.cell] * (self.total - self.count * np.nan_to_num(losses)[self.cell])
        found: np.ndarray = own - own.sum() / self.people.sum() * self.people
        return found + np.bincount(self.cluster, off, self.clusters)

    def hidden_noise(self, losses: np.ndarray) -> np.ndarray:
        """Variance per person of each cell that its own clusters do not show, because few make its mean; shape (K,).

        Deviations from the mean of few are too small, and 0 from that of one. As where each row stands for itself,
        each cell counts one more squared deviation, the mean one of all cells: with c_g people of a cluster whose
        deviation is u_g, E Σ_g c_g² (u_g - mean)² = σ² (C2 - 2 C3 / n + C2² / n²), C2 = Σ c_g², C3 = Σ c_g³.

        Args:
            losses: Mean loss of each cell, shape (K,); NaN where nobody is.
        """
        cells = len(losses)
        people, second, third = (np.bincount(self.cell, self.count**power, cells) for power in (1, 2, 3))
        some = np.maximum(people, 1)
        missing = 2 * third / some - (second / some) ** 2
        squares = float(((self.total - self.count * np.nan_to_num(losses)[self.cell]) ** 2).sum())
        seen = float((second - missing).sum())
        noise: np.ndarray = (squares / seen if seen > 0 else 0.0) * missing / some
        return noise
