"""How much more possible people are misjudged who are similar: who can be where the search ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.decision import Statistic
from core.inference.clusters import cluster_totals
from core.inference.estimate import Estimate
from core.inference.moments import (
    mean_from_sums,
    ratio_by_cluster,
    ratio_of_error_rates,
    ratio_upper_by_clusters,
    ratio_upper_by_counts,
)
from core.inference.studentised import bootstrap_t_by_cluster, bootstrap_t_interval

ROWS = 500
"""Rows to which similar possible people are looked for, among everybody."""
ROWS_OF_GROUP = 100
"""Rows of each group at least, where it has as many."""
_SEED = 0
"""Of the bootstrap-t resamples."""


def evenly_spaced(n: int, at_most: int) -> np.ndarray:
    """Positions of at most so many of n rows, evenly spaced, so that a sorted table is represented too."""
    return np.unique(np.linspace(0, n - 1, min(n, at_most)).astype(np.int64))


def taken_of(cells: GroupCells, cell: np.ndarray, most: int = ROWS) -> tuple[np.ndarray, np.ndarray]:
    """Rows to which possible people are looked for, and for whom each was taken.

    Args:
        cells: The groups.
        cell: Cell of each row in memory, shape (n,).
        most: How many are taken of everybody.

    Returns:
        Positions, shape (s,), and whether each is one of the evenly spaced rows of everybody, and of every group in the
        order of :meth:`GroupCells.all_groups`; shape (s, 1 + g), bool.
    """
    samples = [everybody := evenly_spaced(len(cell), most)]
    for name in cells.all_groups():
        inside = cells.members(*name)[cell]
        own = everybody[inside[everybody]]
        if len(own) < ROWS_OF_GROUP:
            rows = np.flatnonzero(inside)
            own = rows[evenly_spaced(len(rows), ROWS_OF_GROUP)]
        samples.append(own)
    positions = np.unique(np.concatenate(samples))
    return positions, np.stack([np.isin(positions, own) for own in samples], axis=1)


@dataclass(frozen=True)
class PossiblePeople:
    """Some audited rows, each beside the most misjudged possible person found who is similar.

    That person is looked for at the end of the search (:mod:`core.audits.gradient_flow.twins`), and is the person of
    the row where nobody else is misjudged more.

    Attributes:
        rows: Row numbers in the file (0-based); shape (s,), int.
        taken: For whom each row was taken: everybody, or a group (:func:`taken_of`); shape (s, 1 + g), bool.
        cluster: Code of each row's cluster; shape (s,), int; None where each row stands for itself.
        ratio: Loss ratios; shape (s,).
        wrong_start: Whether the row is misclassified; shape (s,), bool.
        wrong_end: Whether the possible person is; shape (s,), bool.
    """

    rows: np.ndarray
    taken: np.ndarray
    cluster: np.ndarray | None
    ratio: np.ndarray
    wrong_start: np.ndarray
    wrong_end: np.ndarray

    @property
    def number(self) -> int:
        """Rows taken for everybody."""
        return int(self.taken[:, 0].sum())

    def mistakes(self, place: int = 0) -> int:
        """Rows of those taken for somebody that are misclassified."""
        return int(self.wrong_start[self.taken[:, place]].sum())

    def mistakes_found(self, place: int = 0) -> int:
        """Rows of those taken for somebody whose possible person is misclassified."""
        return int(self.wrong_end[self.taken[:, place]].sum())

    def estimate(self, statistic: Statistic, place: int = 0) -> Estimate:
        """The mean loss ratio (eq. 3.4) or the ratio of error rates (eq. 3.12) with these people as the search's ends.

        Args:
            statistic: Which of the two.
            place: Of whom: everybody, or the group before this place.
        """
        rows = self.taken[:, place]
        above, below = (one[rows] for one in self._above_and_below(statistic))
        if self.cluster is not None:
            totals = cluster_totals(self.cluster[rows], above, below)
            found = ratio_by_cluster(totals[0], totals[1], len(above))
            return replace(found, value=1.0 + found.value) if statistic == "loss ratio" else found
        if statistic == "loss ratio":
            return mean_from_sums(float(above.sum()), float(above @ above), len(above))
        return ratio_of_error_rates(int(above.sum()), int(below.sum()), int(above @ below), len(above))

    def covariance(self, statistic: Statistic, places: np.ndarray) -> np.ndarray:
        """Covariance of the estimates of several, by linearisation from each row, or each cluster.

        Args:
            statistic: Which of the two.
            places: Of whom, as in :meth:`estimate`, shape (g,); each has an estimate.

        Returns:
            Shape (g, g).
        """
        taken = self.taken[:, places].T.astype(np.float64)
        above, below = self._above_and_below(statistic)
        total = (taken @ below)[:, None]
        moves = taken * (above - taken @ above[:, None] / total * below) / total
        if self.cluster is not None:
            _, codes = np.unique(self.cluster, return_inverse=True)
            moves = np.stack([np.bincount(codes, weights=one) for one in moves])
        return np.asarray(moves @ moves.T)

    def upper_bound(self, statistic: Statistic, alpha: float, place: int = 0) -> float:
        """A one-sided upper bound that takes no estimate for normal: by the bootstrap-t, or counted exactly.

        Args:
            statistic: Which of the two.
            alpha: How often it may be too low.
            place: Of whom, as in :meth:`estimate`.
        """
        rows, loss = self.taken[:, place], statistic == "loss ratio"
        above, below = (one[rows] for one in self._above_and_below(statistic))
        if self.cluster is not None:
            above, below = cluster_totals(self.cluster[rows], above, below)
            if loss:
                return bootstrap_t_by_cluster(self.estimate(statistic, place), above, below, 2 * alpha, _SEED).high
            return ratio_upper_by_clusters(above, below, float(np.bincount(self.cluster[rows]).max()), alpha)
        if not loss:
            return ratio_upper_by_counts(int(above.sum()), int(below.sum()), int(above @ below), alpha)
        values, counts = np.unique(self.ratio[rows], return_counts=True)
        rng = np.random.default_rng(_SEED)
        return bootstrap_t_interval(self.estimate(statistic, place), values, counts, 2 * alpha, rng).high

    def _above_and_below(self, statistic: Statistic) -> tuple[np.ndarray, np.ndarray]:
        """What each row adds above and below the line of the ratio; of the loss ratio, less 1. Shape (s,) each."""
        if statistic == "loss ratio":
            return self.ratio - 1.0, np.ones(len(self.ratio))
        return self.wrong_end.astype(np.float64), self.wrong_start.astype(np.float64)
