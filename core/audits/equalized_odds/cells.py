"""People counted by stratum, group and answer: all that shares and their bounds need, however many people there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

MOST_THRESHOLDS = 1_000
"""A stratum with more different answers is counted above so many of its quantiles."""


@dataclass(frozen=True)
class Cells:
    """The people of one stratum by group, counted above every threshold of one answer; g groups, u thresholds.

    Attributes:
        stratum: Index.
        answer: Index.
        groups: Indices of the groups, ascending, shape (g,).
        rows: People of each group, shape (g,).
        thresholds: Descending, shape (u,): answers of the stratum, largest first, and -inf.
        above: People of each group with a larger answer, shape (g, u); none above the first, everybody above the last.
        between: Whether answers lie between thresholds, so that shares there are known only to lie between.
    """

    stratum: int
    answer: int
    groups: np.ndarray
    rows: np.ndarray
    thresholds: np.ndarray
    above: np.ndarray
    between: bool

    @property
    def share(self) -> np.ndarray:
        """Shares above every threshold, shape (g, u)."""
        return np.asarray(self.above / self.rows[:, None])

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the first and second group of each pair, in ``groups``; each of shape (p,)."""
        return np.triu_indices(len(self.groups), 1)

    def coarser(self, most: int) -> Cells:
        """The same people above at most about ``most`` thresholds, which are the stratum's quantiles."""
        if len(self.thresholds) <= most:
            return self
        everybody = self.above.sum(axis=0)
        wanted = np.arange(1, most + 1) * everybody[-1] / most
        kept = np.unique(np.append(0, np.searchsorted(everybody, wanted)))
        return Cells(
            self.stratum, self.answer, self.groups, self.rows, self.thresholds[kept], self.above[:, kept], between=True
        )


def rows_of(strata: np.ndarray, codes: np.ndarray, groups: int) -> np.ndarray:
    """People by stratum and group, shape (s, g); those in no stratum (-1) are left out."""
    inside = strata >= 0
    count = int(strata.max(initial=-1)) + 1
    return np.bincount(strata[inside] * groups + codes[inside], minlength=count * groups).reshape(count, groups)


def cells_of(answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, judged: np.ndarray) -> Iterator[Cells]:
    """Count people by every answer within every stratum.

    Two answers that sum to one for everybody, as the probabilities of two classes do, are one; the second is counted.

    Args:
        answers: Shape (n, c), finite.
        strata: Stratum of each row, shape (n,), int; -1 for rows that are in none.
        codes: Group of each row, shape (n,), int.
        judged: Whether a group is counted in a stratum, shape (s, g); none or at least two in each.
    """
    columns = range(answers.shape[1])
    if len(columns) == 2 and np.allclose(answers.sum(axis=1), 1.0, rtol=0, atol=1e-6):
        columns = columns[1:]
    for stratum in map(int, np.flatnonzero(judged.any(axis=1))):
        members = np.flatnonzero((strata == stratum) & judged[stratum][codes])
        groups, place = np.unique(codes[members], return_inverse=True)
        for column in columns:
            yield _counted(answers[members, column], place, groups, stratum, column)


def _counted(values: np.ndarray, place: np.ndarray, groups: np.ndarray, stratum: int, answer: int) -> Cells:
    distinct, at = np.unique(values, return_inverse=True)
    between = len(distinct) > MOST_THRESHOLDS
    if between:
        levels = np.arange(1, MOST_THRESHOLDS + 1) / MOST_THRESHOLDS
        distinct = np.unique(np.quantile(values, levels, method="inverted_cdf"))
        at = np.searchsorted(distinct, values)
    counts = np.bincount(place * len(distinct) + at, minlength=len(groups) * len(distinct))
    below = counts.reshape(len(groups), len(distinct))[:, ::-1].cumsum(axis=1)
    above = np.column_stack([np.zeros(len(groups), dtype=below.dtype), below])
    return Cells(stratum, answer, groups, below[:, -1], np.append(distinct[::-1], -np.inf), above, between)
