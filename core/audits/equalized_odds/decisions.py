"""Bounds of the gap of decisions: one share a group, stratum and answer, every two groups compared in both directions.

Tables of several answers are drawn as if these were independent, which never makes the joint bounds miss more often
(Royen 2014, the Gaussian correlation inequality).

That a size is at most a tolerance is not true if the difference lies above it, or below its negative (Hodges and
Lehmann 1954, "Testing the approximate validity of statistical hypotheses"). Of the error rate of both directions nearly
all is spent on the one that is found, and the rest on what would have to be true of the other; only where the other
direction is possible it takes half.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.audits.equalized_odds.cells import CountedStratum
from core.base.remembered import remembered
from core.inference.comparisons import Comparisons, People, Shares
from core.inference.several import DRAWS

_OTHER = 1 / 32
"""The share of a pair's error rate that is spent on the other direction."""
_MOST_TAIL = 0.4999
_THRESHOLDS = 3
"""Of decisions: above both values there is nobody, above the smaller one whoever is decided for, and then everybody."""
_ALPHAS = np.append(0.5 ** np.arange(40, 0, -1), np.arange(1, DRAWS + 1)) / (DRAWS + 1)
"""Error rates at which there are bounds: those of the draws, and below the first of them, where Bonferroni's hold."""


@dataclass(frozen=True)
class Decided:
    """Every ordered pair of groups in every stratum and answer; s of them.

    Attributes:
        comparisons: By how much the first group's share lies above the second's.
        cells: Index of the stratum and answer of each, shape (s,), int.
        pairs: Places of its two groups there, shape (s, 2), int.
    """

    comparisons: Comparisons
    cells: np.ndarray
    pairs: np.ndarray

    @classmethod
    def of(cls, cells: Sequence[CountedStratum]) -> Self | None:
        """Compare the groups; None without any, and where an answer is no decision: it takes more than two values."""
        if not cells or any(len(one.thresholds) > _THRESHOLDS for one in cells):
            return None
        rows = np.concatenate([one.rows for one in cells])
        counts = np.concatenate([one.above[:, -2] for one in cells])
        starts = np.cumsum([0, *(len(one.rows) for one in cells)])[:-1]
        ordered = [np.argwhere(~np.eye(len(one.rows), dtype=bool)) for one in cells]
        pairs, place = np.concatenate(ordered), np.repeat(np.arange(len(cells)), [len(one) for one in ordered])
        first, second = (pairs + starts[place][:, None]).T
        effects = np.concatenate(
            [one.of_each(one.effects[:, -2])[*of.T] for one, of in zip(cells, ordered, strict=True)]
        )
        above, below = (Shares(counts[side], rows[side]).fewer(effects) for side in (first, second))
        alike = np.concatenate([one.effect for one in cells])
        known, counts = rows / alike, counts / alike
        contrasts, each = np.zeros((len(pairs), len(rows))), np.arange(len(pairs))
        contrasts[each, first], contrasts[each, second] = 1 / known[first], -1 / known[second]
        people = People(np.column_stack([known, counts, counts, counts]), 0.0, shares=True)
        return cls(Comparisons(above, below, people.draw_largest(contrasts, seed=0)), place, pairs)

    def lower(self, alpha: float) -> np.ndarray:
        """Lower bounds of the sizes of the differences, all of which hold together, shape (s,); -inf without any."""
        place = int(np.searchsorted(_ALPHAS, alpha, side="right")) - 1
        return self._lower(place) if place >= 0 else np.full(len(self.pairs), -np.inf)

    def upper(self, alpha: float) -> np.ndarray:
        """Upper bounds of the differences, each by itself; shape (s,)."""
        return self.comparisons.upper(alpha)

    @remembered
    def p_value(self, delta: float) -> float:
        """Of "no size is larger than ``delta``": the smallest error rate at which a lower bound is, 1 without one."""
        least, most = -1, len(_ALPHAS)
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (least, middle) if self._lower(middle).max() > delta else (middle, most)
        return float(_ALPHAS[most]) if most < len(_ALPHAS) else 1.0

    @remembered
    def _lower(self, place: int) -> np.ndarray:
        """Those at one of the error rates."""
        level = self.comparisons.largest.level(float(_ALPHAS[place]))
        tails = level, 2 * level * (1 - _OTHER), 2 * level * _OTHER
        sure, largest, other = (self.comparisons.lower(min(tail, _MOST_TAIL)) for tail in tails)
        return np.where(other > -largest, largest, sure)

    def reach(self, alpha: float) -> float:
        """How many standard errors a difference beyond a tolerance has to be beyond it to be shown."""
        from scipy.special import ndtri

        return -float(ndtri(min(2 * self.comparisons.largest.level(alpha) * (1 - _OTHER), _MOST_TAIL)))
