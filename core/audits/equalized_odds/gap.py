"""How far apart the answers of groups lie, with bounds and the p-value of a tolerance.

The distance of two groups is Kolmogorov's: the largest difference, over all thresholds, of the shares of people whose
answer lies above it. The gap is the largest distance of two groups, over strata and answers.

- Upper bound: the largest pointwise one-sided bound, over strata, answers, ordered pairs of groups and thresholds. A
  maximum needs no correction: its bound misses only where that of the largest difference does (intersection-union;
  Berger 1982, "Multiparameter hypothesis testing and acceptance sampling"). Pointwise it is Zou and Donner's (2008,
  "Construction of confidence limits about effect measures"), which adds the limits of two shares in quadrature, as
  Newcombe does (1998, "Interval estimation for the difference between independent proportions", method 10), here
  Clopper and Pearson's, since Wilson's miss too often where groups differ in size.
- Lower bound: the largest of all distances less what chance adds to it, c scales, where a scale is the distance's
  standard deviation where groups do not differ. c is exceeded by the largest of all distances with probability alpha
  where chance alone is at work: among groups exchanged within strata, which is exact for a gap of nothing, and, since
  groups that differ also vary differently, among people drawn anew from each group. The larger c counts.

Decisions have one threshold, and both bounds are those of :mod:`core.audits.equalized_odds.decisions`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.audits.equalized_odds.cells import CountedStratum, cells_of, clusters_of, rows_of
from core.audits.equalized_odds.decisions import Decided
from core.base.remembered import remembered
from core.base.thresholds import DRAWS, FEWEST_ROWS
from core.inference.clusters import enough
from core.inference.p_values import monte_carlo_p, rank_at
from core.inference.pairwise import ConfidenceLimits, difference_of
from core.inference.sampling import ALONE, Sampling
from core.inference.several import Largest
from core.inference.share import exact_limits

_THRESHOLDS = 50
"""Lower bounds look at about so many quantiles of a stratum's answers."""
_LEAST_SPREAD = 0.05
_ROUNDING = 1e-9
"""Distances that differ by less, relative to themselves, are the same."""


@dataclass(frozen=True)
class EqualizedOddsGap:
    """The largest difference between two groups in the share of people above any threshold, within a stratum.

    It is the largest Kolmogorov distance between the groups' distributions of an answer, over strata and answers. For
    decisions it is the difference of rates that fairlearn calls the equalized odds difference.

    Attributes:
        value: The largest distance found, 0 to 1; NaN where no stratum has two groups with enough rows
            (:func:`core.inference.clusters.enough`).
        low: Lower bound of the largest distance; 0 if none is certain.
        high: Upper bound of every distance between groups with enough rows; 1 where there is nothing to compare. It
            says nothing about the groups in ``small``.
        stratum: Where the largest one is, index; -1 without one.
        answer: Index of the answer that differs most; -1 without one.
        groups: The two groups, indices, the one with the larger share above the threshold first; -1 without one.
        threshold: Their shares of answers above it differ most; NaN without one.
        small: Stratum and group of every cell with too few people to judge, or none; shape (m, 2), int. Strata without
            people and groups that nobody belongs to are left out.
        scarce: Whether it is too few clusters that the people of each of these cells belong to, shape (m,), bool.
    """

    value: float
    low: float
    high: float
    stratum: int
    answer: int
    groups: tuple[int, int]
    threshold: float
    small: np.ndarray
    scarce: np.ndarray


@dataclass(frozen=True)
class MeasuredGap:
    """The gap of one attribute, whose bounds are asked for; see :class:`core.audits.equalized_odds.evidence.Evidence`.

    Attributes:
        cells: Everybody, by every stratum and answer in which two groups have enough people.
        small: As in :class:`EqualizedOddsGap`, like the next.
        scarce: Likewise.
        seed: Fixes what is drawn.
    """

    cells: tuple[CountedStratum, ...]
    small: np.ndarray
    scarce: np.ndarray
    seed: tuple[int, ...]

    @classmethod
    def of(
        cls,
        answers: np.ndarray,
        strata: np.ndarray,
        codes: np.ndarray,
        *,
        seed: tuple[int, ...] = (0,),
        fewest: int = FEWEST_ROWS,
        sampling: Sampling = ALONE,
    ) -> MeasuredGap:
        """Measure the gap.

        A stratum with a single group has no gap; that the others are absent is told in ``small``.

        Args:
            answers: What is compared, shape (n, c), finite.
            strata: Stratum of each row, shape (n,), int, from 0; -1 for rows that are in none.
            codes: Group of each row, shape (n,), int.
            seed: Fixes what is drawn for lower bounds.
            fewest: A cell with fewer rows is too small to judge, as is one of fewer than 10 clusters.
            sampling: What rows stand for.
        """
        groups, clusters = int(codes.max(initial=-1)) + 1, sampling.clusters
        rows = rows_of(strata, codes, groups, sampling)
        occurs = (rows.sum(axis=1) > 0)[:, None] & (rows.sum(axis=0) > 0)
        occur = None if clusters is None else clusters_of(strata, codes, groups, clusters)
        judged = enough(rows, occur, fewest)
        small = np.argwhere(occurs & ~judged)
        judged[judged.sum(axis=1) < 2] = False
        cells = tuple(cells_of(answers, strata, codes, judged, sampling))
        return cls(cells, small, enough(rows, None, fewest)[tuple(small.T)], seed)

    def detectable(self, alpha: float, power: float) -> float:
        """How far beyond a tolerance the difference of the two groups that are known least must lie to be shown.

        Args:
            alpha: Error rate of the lower bound.
            power: The probability with which it is shown; NaN without two groups to compare.
        """
        from scipy.special import ndtri

        if not self.cells:
            return math.nan
        if self.decided is not None:
            chance = self.decided.reach(alpha)
        else:
            chance = max(one.critical(max(alpha, 1 / (DRAWS + 1))) for one in self._chance)
        return float((chance + ndtri(power)) * self._distances[1].max())

    def exchanged(self, rng: np.random.Generator) -> MeasuredGap:
        """The gap of people whose groups are exchanged within strata, counted above the lower bounds' thresholds."""
        drawn = []
        for one in self._coarse:
            (sizes, left), counts = one.whole, []
            for rows in sizes:
                counts.append(rng.multivariate_hypergeometric(left, rows, method="marginals"))
                left = left - counts[-1]
            above = np.cumsum(np.pad(counts, ((0, 0), (1, 0))), axis=1)
            drawn.append(replace(one, rows=one.effect * sizes, above=one.effect[:, None] * above, between=False))
        return replace(self, cells=tuple(drawn))

    def at(self, low: float, high: float) -> EqualizedOddsGap:
        """The gap with these bounds."""
        return replace(self._widest, low=low, high=high)

    @property
    def value(self) -> float:
        """The largest distance found; NaN without two groups to compare."""
        return self._widest.value

    @property
    def attainable(self) -> float:
        """The largest difference that there could be of groups none of which gets the rarer answer more often.

        Where an answer is given to at most 8% of every group, or to at least 92%, groups differ by at most 8 points. It
        is 1 where no answer is the rarer one in all groups.
        """
        rarer = (np.minimum(one.share.max(0), 1 - one.share.min(0)) for one in self.cells)
        most = max((float(shares.max()) for shares in rarer), default=1.0)
        return most if most <= 1 / 2 else 1.0

    @remembered
    def upper_bound(self, alpha: float) -> float:
        """Upper bound; 1 without two groups to compare."""
        if self.decided is not None:
            return float(self.decided.upper(alpha).max())
        return max((float(upper.max()) for upper in self._highest(alpha)), default=1.0)

    @remembered
    def lower_bound(self, alpha: float) -> float:
        """Lower bound; 0 where none is certain."""
        if self.decided is not None:
            return max(0.0, float(self.decided.lower(alpha).max()))
        return min((self._beyond(one.critical(alpha)) for one in self._chance), default=0.0)

    @remembered
    def p_value(self, delta: float) -> float:
        """Of "the gap is at most ``delta``": the share of draws, the gap itself among them, that leave no more."""
        if self.decided is not None:
            return self.decided.p_value(delta)
        return max((self._share(one.draws, delta) for one in self._chance), default=1.0)

    def clearest(self, delta: float, alpha: float, apart: float) -> tuple[EqualizedOddsGap, ...]:
        """The differences whose lower bound exceeds the tolerance, each with bounds of its own; the one to tell first.

        That is the one whose excess, times the people of the smaller group, is largest: the largest bound may be that
        of a tiny group. If there is none, it is the difference with the largest lower bound, and then the one that
        could be larger than all others, if that is of other groups.

        Args:
            delta: The tolerance.
            alpha: Error rate of the lower bounds, which hold together.
            apart: Error rate of each upper bound.
        """
        if not self.cells or (self.decided is None and not rank_at(alpha, DRAWS)):
            return (self.at(0.0, self.upper_bound(apart)),)
        if self.decided is not None:
            low = np.where(self.decided.comparisons.difference >= 0, self.decided.lower(alpha), -np.inf)
            high, of, pairs = self.decided.upper(apart), self.decided.cells, self.decided.pairs
        else:
            distances, scales = self._distances
            low = distances - max(one.critical(alpha) for one in self._chance) * scales
            high = np.concatenate(self._highest(apart))
            of = np.repeat(np.arange(len(self.cells)), [len(one.pairs[0]) for one in self.cells])
            pairs = np.concatenate([np.column_stack(one.pairs) for one in self.cells])
        smaller = np.array([self.cells[k].rows[pair].min() for k, pair in zip(of, pairs, strict=True)])
        weighed = np.where(low > delta, (low - delta) * smaller, low - delta)
        order = np.argsort(-weighed, kind="stable")[: max(int((low > delta).sum()), 1)]
        if low[order[0]] <= delta:
            first, last = int(order[0]), int(high.argmax())
            if of[first] == of[last] and set(pairs[first]) == set(pairs[last]):
                high = np.where(np.arange(len(high)) == first, high[last], high)
            else:
                order = np.array([first, last])
        nothing = _nothing(self.small, self.scarce)
        return tuple(
            replace(_widest(self.cells[of[k]], nothing, pairs[k]), low=max(0.0, float(low[k])), high=float(high[k]))
            for k in order
        )

    def decided_between(self, groups: tuple[int, int], alpha: float) -> tuple[float, float]:
        """How far apart two groups' decisions lie at most, over strata and answers, and its upper bound.

        The bound is infinite where a stratum has too few people of either, the difference NaN where all have.

        Args:
            groups: The two groups, indices, in any order.
            alpha: Error rate of the bound.
        """
        if self.decided is None:
            return math.nan, math.inf
        of = zip(self.decided.cells, self.decided.pairs, strict=True)
        theirs = np.array([{*self.cells[k].groups[pair].tolist()} == {*groups} for k, pair in of])
        value = float(self.decided.comparisons.difference[theirs].max(initial=-np.inf))
        if np.isin(self.small[:, 1], groups).any() or not theirs.any():
            return value if theirs.any() else math.nan, math.inf
        return value, float(self.decided.upper(alpha)[theirs].max())

    @remembered
    def _highest(self, alpha: float) -> tuple[np.ndarray, ...]:
        """The upper bound of each pair, over its orders and thresholds; by cells."""
        return tuple(_upper(one, alpha).max(axis=1).reshape(2, -1).max(axis=0) for one in self.cells)

    def _share(self, drawn: np.ndarray, delta: float) -> float:
        """Share of draws whose ``_beyond`` is at most delta; they are ascending, so that it never increases."""
        first, last = 0, len(drawn)
        while first < last:
            middle = (first + last) // 2
            first, last = (first, middle) if self._beyond(float(drawn[middle])) <= delta else (middle + 1, last)
        return monte_carlo_p(len(drawn) - first, len(drawn))

    def _beyond(self, chance: float) -> float:
        """What is left of the largest distance if chance adds so many scales."""
        distances, scales = self._distances
        return max(0.0, float((distances - chance * scales).max()))

    @cached_property
    def decided(self) -> Decided | None:
        """The groups compared by decisions; None where answers are none."""
        return Decided.of(self.cells)

    @cached_property
    def _coarse(self) -> tuple[CountedStratum, ...]:
        return tuple(one.coarser(_THRESHOLDS) for one in self.cells)

    @cached_property
    def _distances(self) -> tuple[np.ndarray, np.ndarray]:
        """The distance of every pair in every stratum and answer, and its scale."""
        pairs = [
            (np.abs(one.share[a] - one.share[b]).max(axis=1), _scales(one))
            for one in self._coarse
            for a, b in [one.pairs]
        ]
        distances, scales = zip(*pairs, strict=True)
        return np.concatenate(distances), np.concatenate(scales)

    def drawn_by_chance(self, draws: int) -> tuple[np.ndarray, ...]:
        """The largest of all distances by chance alone, in scales; drawn in two ways, or in none.

        Returns:
            Of groups exchanged within strata, and of people drawn anew from each group; of shape (draws,) each.
        """
        if not self.cells:
            return ()
        rngs = np.random.default_rng(self.seed).spawn(2)
        return tuple(
            np.asarray(np.max([_largest(one, way(one, draws, rng), _scales(one)) for one in self._coarse], axis=0))
            for way, rng in zip((_exchanged, _drawn_anew), rngs, strict=True)
        )

    @cached_property
    def _chance(self) -> tuple[Largest, ...]:
        """What of all distances is the largest."""
        several = len(self._distances[0]) if self.cells else 0
        return tuple(Largest(np.sort(drawn) * (1 + _ROUNDING), several) for drawn in self.drawn_by_chance(DRAWS))

    @cached_property
    def _widest(self) -> EqualizedOddsGap:
        """The largest distance, with bounds left open."""
        nothing = _nothing(self.small, self.scarce)
        return max((_widest(one, nothing) for one in self.cells), key=lambda one: one.value, default=nothing)


def _nothing(small: np.ndarray, scarce: np.ndarray) -> EqualizedOddsGap:
    """Of no two groups."""
    return EqualizedOddsGap(math.nan, 0.0, 1.0, -1, -1, (-1, -1), math.nan, small, scarce)


def _widest(cells: CountedStratum, nothing: EqualizedOddsGap, pair: np.ndarray | None = None) -> EqualizedOddsGap:
    """The largest distance in a stratum and answer; of thresholds where it is the same, the smallest answer.

    Args:
        cells: The people.
        nothing: A gap of no two groups.
        pair: Places of the only two groups that are looked at, shape (2,); None for all.
    """
    first, second = cells.pairs if pair is None else pair[:, None]
    difference = (cells.share[first] - cells.share[second])[:, -2::-1]
    row, place = np.unravel_index(int(np.abs(difference).argmax()), difference.shape)
    groups = int(cells.groups[first[row]]), int(cells.groups[second[row]])
    return replace(
        nothing,
        value=abs(float(difference[row, place])),
        stratum=cells.stratum,
        answer=cells.answer,
        groups=groups if difference[row, place] >= 0 else groups[::-1],
        threshold=float(cells.thresholds[-2 - place]),
    )


def _upper(cells: CountedStratum, alpha: float) -> np.ndarray:
    """Upper bounds of the difference of two shares, for every ordered pair and threshold; shape (2p, u)."""
    first, second = (np.concatenate(places) for places in zip(cells.pairs, cells.pairs[::-1], strict=True))
    above, rows, effects = cells.above, cells.rows[:, None], np.concatenate([cells.effects] * 2)
    if (effects == 1).all():
        least, most = exact_limits(above, rows, alpha)
        least, most = least[second], most[first]
    else:
        _, most = exact_limits(above[first] / effects, rows[first] / effects, alpha)
        least, _ = exact_limits(above[second] / effects, rows[second] / effects, alpha)
    share = cells.share
    one, other = [share[first], share[first], most], [share[second], least, share[second]]
    if cells.between:
        # Between two thresholds the first group's share is at most that above the lower one, the second's at least that
        # above the upper one.
        one, other = [part[:, 1:] for part in one], [part[:, :-1] for part in other]
    return difference_of(ConfidenceLimits(*one), ConfidenceLimits(*other)).high


def _scales(cells: CountedStratum) -> np.ndarray:
    """Standard deviation of each pair's difference where it varies most, if groups do not differ; shape (p,)."""
    first, second = cells.pairs
    share = cells.above.sum(axis=0) / cells.rows.sum()
    both = cells.effects * (1 / cells.rows[first] + 1 / cells.rows[second])[:, None]
    return np.asarray(np.sqrt(np.maximum((share * (1 - share) * both).max(axis=1), _LEAST_SPREAD * both.min(axis=1))))


def _largest(cells: CountedStratum, off: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The largest distance of two groups, in scales, of each of B draws of how far shares are off, shape (g, B, u)."""
    # Drawn are as many people as are known least about: other shares, and other pairs, are known better.
    each, drawn = 1 / cells.rows, cells.effect / cells.rows
    found = np.zeros(off.shape[1])
    for first, second, effects, scale in zip(*cells.pairs, cells.effects[:, 1:], scales, strict=True):
        known = np.sqrt(effects * (each[first] + each[second]) / (drawn[first] + drawn[second]))
        np.maximum(found, (np.abs(off[first] - off[second]) * known).max(axis=1) / scale, out=found)
    return found


def _drawn_anew(cells: CountedStratum, draws: int, rng: np.random.Generator) -> np.ndarray:
    """How far shares, likewise, lie from those found if people are drawn anew from their group (Efron's bootstrap)."""
    chances = np.diff(cells.above, axis=1) / cells.rows[:, None]
    return np.stack(
        [
            np.cumsum(rng.multinomial(rows, own, size=draws), axis=1) / rows - share
            for rows, own, share in zip(cells.whole[0], chances, cells.share[:, 1:], strict=True)
        ]
    )


def _exchanged(cells: CountedStratum, draws: int, rng: np.random.Generator) -> np.ndarray:
    """How far shares above all thresholds but the first, shape (g, draws, u - 1), lie from everybody's.

    Groups are exchanged within the stratum: how many people of a group have an answer is hypergeometric, group by group
    and answer by answer.
    """
    sizes, everybody = cells.whole
    left = np.tile(everybody, (draws, 1))
    shares = []
    for rows in sizes[:-1]:
        counts, wanted, others = np.zeros_like(left), np.full(draws, rows), left.sum(axis=1)
        for place in range(left.shape[1]):
            others = others - left[:, place]
            counts[:, place] = rng.hypergeometric(left[:, place], others, wanted)
            wanted = wanted - counts[:, place]
        left = left - counts
        shares.append(np.cumsum(counts, axis=1) / rows)
    shares.append(np.cumsum(left, axis=1) / sizes[-1])
    return np.asarray(np.stack(shares) - np.cumsum(everybody) / sizes.sum())
