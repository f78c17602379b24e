"""People counted by stratum, group and answer: all that shares and their bounds need, however many people there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.inference.counted import quantiles
from core.inference.pair_effects import threshold_effects
from core.inference.sampling import ALONE, Sampling

MOST_THRESHOLDS = 1_000
"""A stratum with more different answers is counted above so many of its quantiles."""

_ENDS = 2
"""Thresholds above which there is nobody, or everybody."""


@dataclass(frozen=True)
class CountedStratum:
    """The people of one stratum by group, counted above every threshold of one answer; g groups, u thresholds.

    Where rows belong together, they say as much about two groups as fewer people who stand alone: as rows / effects
    (Kish's effective sample size, by which Korn and Graubard 1998 take exact limits of shares), not always whole.

    Attributes:
        stratum: Index.
        answer: Index.
        groups: Indices of the groups, ascending, shape (g,).
        rows: People of each group, shape (g,).
        thresholds: Descending, shape (u,): answers of the stratum, largest first, and -inf.
        above: People of each group with a larger answer, shape (g, u); none above the first, everybody above the last.
        effects: How many rows say as much about how far two groups' shares above a threshold lie apart as one that
            stands alone, shape (p, u): 1 where rows stand alone. Whole clusters may be alike about one threshold, and
            not about the others.
        between: Whether answers lie between thresholds, so that shares there are known only to lie between.
    """

    stratum: int
    answer: int
    groups: np.ndarray
    rows: np.ndarray
    thresholds: np.ndarray
    above: np.ndarray
    effects: np.ndarray
    between: bool

    @property
    def share(self) -> np.ndarray:
        """Shares above every threshold, shape (g, u)."""
        return np.asarray(self.above / self.rows[:, None])

    @property
    def effect(self) -> np.ndarray:
        """The largest of the effects of each group's pairs, above thresholds that divide people; shape (g,)."""
        dividing = self.effects[:, 1:-1] if self.effects.shape[1] > _ENDS else self.effects
        found, largest = np.zeros(len(self.rows)), dividing.max(axis=1)
        for places in self.pairs:
            np.maximum.at(found, places, largest)
        return found

    @property
    def whole(self) -> tuple[np.ndarray, np.ndarray]:
        """People of each group, and everybody's between one threshold and the next, in whole numbers of equal sums.

        As many as say as much as the rows do about the share that they know least.
        """
        rows, everybody = np.rint(self.rows / self.effect).astype(np.int64), (1 / self.effect) @ self.above
        return rows, np.diff(np.rint(everybody * (rows.sum() / everybody[-1])).astype(np.int64))

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the first and second group of each pair, in ``groups``; each of shape (p,)."""
        return np.triu_indices(len(self.groups), 1)

    def of_each(self, pairs: np.ndarray) -> np.ndarray:
        """What is said of each pair, shape (p,), by both of its groups, shape (g, g)."""
        found = np.zeros((len(self.rows), len(self.rows)))
        first, second = self.pairs
        found[first, second] = found[second, first] = pairs
        return found

    def coarser(self, most: int) -> CountedStratum:
        """The same people above at most about ``most`` thresholds, which are the stratum's quantiles."""
        if len(self.thresholds) <= most:
            return self
        everybody = self.above.sum(axis=0)
        wanted = np.arange(1, most + 1) * everybody[-1] / most
        kept = np.unique(np.append(0, np.searchsorted(everybody, wanted)))
        return replace(
            self,
            thresholds=self.thresholds[kept],
            above=self.above[:, kept],
            effects=self.effects[:, kept],
            between=True,
        )


def rows_of(strata: np.ndarray, codes: np.ndarray, groups: int, sampling: Sampling) -> np.ndarray:
    """People by stratum and group, shape (s, g); those in no stratum (-1) are left out."""
    inside = strata >= 0
    count = int(strata.max(initial=-1)) + 1
    found = sampling.take(inside).count(strata[inside] * groups + codes[inside], count * groups)
    return found.reshape(count, groups)


def clusters_of(strata: np.ndarray, codes: np.ndarray, groups: int, clusters: np.ndarray) -> np.ndarray:
    """Clusters by stratum and group, likewise."""
    inside = strata >= 0
    count = int(strata.max(initial=-1)) + 1
    cells = np.unique(np.stack([strata[inside] * groups + codes[inside], clusters[inside]]), axis=1)[0]
    return np.bincount(cells, minlength=count * groups).reshape(count, groups)


def cells_of(
    answers: np.ndarray,
    strata: np.ndarray,
    codes: np.ndarray,
    judged: np.ndarray,
    sampling: Sampling = ALONE,
) -> Iterator[CountedStratum]:
    """Count people by every answer within every stratum.

    Two answers that sum to one for everybody, as the probabilities of two classes do, are one; the second is counted.

    Args:
        answers: Shape (n, c), finite.
        strata: Stratum of each row, shape (n,), int; -1 for rows that are in none.
        codes: Group of each row, shape (n,), int.
        judged: Whether a group is counted in a stratum, shape (s, g); none or at least two in each.
        sampling: What rows stand for.
    """
    columns = range(answers.shape[1])
    if len(columns) == 2 and np.allclose(answers.sum(axis=1), 1.0, rtol=0, atol=1e-6):
        columns = columns[1:]
    for stratum in map(int, np.flatnonzero(judged.any(axis=1))):
        members = np.flatnonzero((strata == stratum) & judged[stratum][codes])
        groups, place = np.unique(codes[members], return_inverse=True)
        for column in columns:
            yield _counted(
                answers[members, column],
                place=place,
                groups=groups,
                stratum=stratum,
                answer=column,
                sampling=sampling.take(members),
            )


def _counted(
    values: np.ndarray,
    *,
    place: np.ndarray,
    groups: np.ndarray,
    stratum: int,
    answer: int,
    sampling: Sampling,
) -> CountedStratum:
    distinct, at = np.unique(values, return_inverse=True)
    between = len(distinct) > MOST_THRESHOLDS
    if between:
        levels = np.arange(1, MOST_THRESHOLDS + 1) / MOST_THRESHOLDS
        distinct = np.unique(quantiles(values, levels, sampling.times))
        at = np.searchsorted(distinct, values)
    first = len(distinct) - at
    thresholds = np.append(distinct[::-1], -np.inf)
    shape = len(groups), len(thresholds)
    counts = sampling.count(place * shape[1] + first, shape[0] * shape[1]).reshape(shape)
    pairs = list(zip(*np.triu_indices(len(groups), 1), strict=True))
    effects = np.ones((len(pairs), len(thresholds)))
    if (clusters := sampling.clusters) is not None:
        for pair, (one, other) in enumerate(pairs):
            both = (place == one) | (place == other)
            effects[pair] = threshold_effects(first[both], len(thresholds), place[both] == one, clusters[both])
    above = counts.cumsum(axis=1)
    return CountedStratum(stratum, answer, groups, above[:, -1], thresholds, above, effects, between)
