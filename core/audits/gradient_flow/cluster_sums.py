"""Sums per stopping time over the rows that belong together, from which errors by cluster follow."""

from dataclasses import dataclass
from typing import Self

import numpy as np


@dataclass(frozen=True)
class ClusterSums:
    """Sums over the rows that a cluster has in a group cell; K pairs of a cluster and a cell, m stopping times.

    Attributes:
        cluster: Which cluster, 0..G-1; shape (K,), int.
        cell: Which cell; shape (K,), int.
        rows: How many rows; shape (K,), int.
        excess: Sum of r - 1 at each recorded stopping time; shape (m, K).
        wrong_start: Rows misclassified before the search; shape (K,), int.
        wrong_end: Rows misclassified at each stopping time; shape (m, K), int.
    """

    cluster: np.ndarray
    cell: np.ndarray
    rows: np.ndarray
    excess: np.ndarray
    wrong_start: np.ndarray
    wrong_end: np.ndarray

    @classmethod
    def empty(cls, clusters: np.ndarray, cell: np.ndarray, times: int) -> tuple[Self, np.ndarray]:
        """Nothing summed yet of rows with these clusters and cells, (n,) each; and the pair of each row, (n,)."""
        own, cluster = np.unique(clusters, return_inverse=True)
        pairs, place, rows = np.unique(
            cell.astype(np.int64) * len(own) + cluster, return_inverse=True, return_counts=True
        )
        counts = np.zeros(len(pairs), dtype=np.int64), np.zeros((times, len(pairs)), dtype=np.int64)
        return cls(pairs % len(own), pairs // len(own), rows, np.zeros((times, len(pairs))), *counts), place

    def add(self, place: np.ndarray, excess: np.ndarray, wrong_start: np.ndarray, wrong_end: np.ndarray) -> None:
        """Add rows: their pairs and whether they were wrong at the start, (b,), what became of them, (m, b) each."""
        np.add.at(self.wrong_start, place, wrong_start)
        for time in range(len(self.excess)):
            np.add.at(self.excess[time], place, excess[time])
            np.add.at(self.wrong_end[time], place, wrong_end[time])

    def over(self, values: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Sums of ``values``, (K,), over each cluster's rows in the marked ``cells``, (C,), bool; shape (G,)."""
        return np.bincount(self.cluster, weights=values * cells[self.cell])
