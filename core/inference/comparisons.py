"""Two sets of people compared, for many pairs of sets at once: differences and ratios of shares or means.

Every pair is a *first* and a *second* set that share nobody; of interest is by how much the first lies above the
second, and the second over the first. Limits of the two sides are combined by Zou and Donner (2008, "Construction of
confidence limits about effect measures") and Donner and Zou (2012): shares have mid-P limits, means Student's and
Hall's. How far out the limits are taken, for all lower bounds of a family to hold together, follows from draws of the
largest studentised contrast in a world without differences; pairs that share people miss together, so that this is
less far than Bonferroni's, never further.

Upper bounds that have to lie within a tolerance for all pairs need no such correction: the largest difference is
missed only where its own bound is (intersection-union; Berger 1982, Technometrics 24:295).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from core.inference.pair_effects import ClusteredRows
from core.inference.pairwise import ConfidenceLimits, difference_of, ratio_of, share_limits, student_and_hall
from core.inference.sampling import ALONE, Sampling
from core.inference.several import Largest

PSEUDO_PEOPLE = 4
"""People drawn from everybody by which a set is filled up before its variance is estimated (Agresti and Coull 1998 do
so with shares): a set without a single event has a variance all the same."""
_HALVINGS = 32
_SMALLEST = 1e-12
"""The smallest chance of a single limit to miss that is tried."""


class Sides(Protocol):
    """Estimates of s sets of people, each with limits of its own."""

    @property
    def value(self) -> np.ndarray:
        """The estimates, shape (s,); NaN for an empty set."""

    @property
    def rows(self) -> np.ndarray:
        """People in each, shape (s,); of rows that belong together as many as say as much."""

    def limits(self, tail: np.ndarray) -> ConfidenceLimits:
        """Estimates and limits, each of which misses with probability ``tail``, shape (s,)."""

    def take(self, places: np.ndarray) -> Self:
        """Those of the sets at ``places``."""

    def beside(self, others: Self) -> Self:
        """These sets and after them ``others``, shape (s + t,)."""

    def fewer(self, effects: np.ndarray) -> Self:
        """The same estimates of as many people as say as much, where so many rows say as much as one, shape (s,)."""


@dataclass(frozen=True)
class Shares:
    """Shares of the people of s sets.

    Attributes:
        counts: People counted, shape (s,).
        rows: All people, shape (s,); effective numbers, of rows that belong together, need not be whole.
    """

    counts: np.ndarray
    rows: np.ndarray

    @property
    def value(self) -> np.ndarray:
        """See :class:`Sides`."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.counts / self.rows)

    def limits(self, tail: np.ndarray) -> ConfidenceLimits:
        """See :class:`Sides`; mid-P limits."""
        return share_limits(self.counts, self.rows, tail)

    def take(self, places: np.ndarray) -> Self:
        """See :class:`Sides`."""
        return type(self)(self.counts[places], self.rows[places])

    def beside(self, others: Self) -> Self:
        """See :class:`Sides`."""
        return type(self)(np.concatenate([self.counts, others.counts]), np.concatenate([self.rows, others.rows]))

    def fewer(self, effects: np.ndarray) -> Self:
        """See :class:`Sides`."""
        return type(self)(self.counts / effects, self.rows / effects)


@dataclass(frozen=True)
class Means:
    """Means of a number over the people of s sets; every array is of shape (s,).

    Attributes:
        value: The means, float64; NaN for an empty set.
        rows: People in each, as for :class:`Shares`.
        spread: Variance of the number in each set.
        third: Its third central moment.
    """

    value: np.ndarray
    rows: np.ndarray
    spread: np.ndarray
    third: np.ndarray

    def limits(self, tail: np.ndarray) -> ConfidenceLimits:
        """See :class:`Sides`; the outer ones of Student's limits and of Hall's, which take skewness out.

        Infinite for sets of fewer than two people, and where everybody has the same number.
        """
        known = (self.rows > 1) & (self.spread > 0)
        n = np.where(known, self.rows, 2.0)
        spread = np.where(known, self.spread, 1.0)
        skewness = np.where(known, self.third, 0.0) / spread**1.5 / np.sqrt(n)
        found = student_and_hall(self.value, np.sqrt(spread / n), skewness, n - 1, tail)
        low, high = np.where(known, found.low, -np.inf), np.where(known, found.high, np.inf)
        return replace(found, low=low, high=high)

    def take(self, places: np.ndarray) -> Self:
        """See :class:`Sides`."""
        return type(self)(self.value[places], self.rows[places], self.spread[places], self.third[places])

    def beside(self, others: Self) -> Self:
        """See :class:`Sides`."""
        parts = ((getattr(side, part.name) for side in (self, others)) for part in fields(self))
        return type(self)(*(np.concatenate([*one]) for one in parts))

    def fewer(self, effects: np.ndarray) -> Self:
        """See :class:`Sides`."""
        return replace(self, rows=self.rows / effects)


@dataclass(frozen=True)
class People:
    """What was counted of n people who fall into c cells; comparisons are of sets of cells.

    Attributes:
        powers: Sums over a cell's people of what is compared to the powers 0 to 3, about ``centre``; shape (c, 4).
        centre: That centre; 0 for shares.
        shares: Whether what is compared is 0 or 1.
        belonging: The rows that were counted, where they belong to clusters; None where each stands for itself.
    """

    powers: np.ndarray
    centre: float
    shares: bool
    belonging: ClusteredRows | None = None

    @classmethod
    def of(cls, values: np.ndarray, cells: np.ndarray, count: int, *, shares: bool, sampling: Sampling = ALONE) -> Self:
        """Count people.

        Args:
            values: What is compared, shape (n,), float64; 0 or 1 where ``shares``.
            cells: Cell of each person, shape (n,), int; -1 for people who are not compared.
            count: c.
            shares: Whether values are 0 or 1.
            sampling: What rows stand for.
        """
        known = cells >= 0
        many = sampling.people(len(cells))[known].astype(np.float64)
        centre = 0.0 if shares or not known.any() else float(many @ values[known] / many.sum())
        apart = values[known] - centre
        powers = np.stack([np.bincount(cells[known], many * apart**power, count) for power in range(4)], axis=1)
        return cls(powers, centre, shares, ClusteredRows.of(values, cells, sampling))

    def sides(self, members: np.ndarray) -> Shares | Means:
        """The sets with these cells, shape (s, c), bool."""
        n, first, second, third = (members.astype(np.float64) @ self.powers).T
        if self.shares:
            return Shares(np.rint(first).astype(np.int64), np.rint(n).astype(np.int64))
        mean, spread, skew = _moments(n, first, second, third)
        total, everybody_spread, everybody_skew = _moments(*self.powers.sum(axis=0))
        apart = total - mean
        known = np.maximum(n, 1.0)
        filled = (n * spread + PSEUDO_PEOPLE * (everybody_spread + apart**2)) / (known + PSEUDO_PEOPLE)
        skewed = everybody_skew + 3 * apart * everybody_spread + apart**3
        return Means(
            mean + self.centre,
            n.astype(np.int64),
            filled * known / np.maximum(n - 1, 1.0),
            (n * skew + PSEUDO_PEOPLE * skewed) / (known + PSEUDO_PEOPLE),
        )

    @cached_property
    def _spread(self) -> np.ndarray:
        """Standard deviation of a sum over each cell's people, shape (c,), filled up by people like everybody."""
        n, first, second = self.powers[:, 0], self.powers[:, 1], self.powers[:, 2]
        total = self.powers.sum(axis=0)
        mean = total[1] / max(total[0], 1.0)
        about_mean = second - 2 * mean * first + n * mean**2
        everybody = about_mean.sum() / max(total[0], 1.0)
        own = about_mean - n * np.where(n > 0, first / np.maximum(n, 1) - mean, 0.0) ** 2
        return np.asarray(np.sqrt(np.maximum(n * (own + PSEUDO_PEOPLE * everybody) / (n + PSEUDO_PEOPLE), 0.0)))

    def draw_largest(self, contrasts: np.ndarray, seed: int) -> Largest:
        """The largest studentised contrast of the cells' sums in a world without differences.

        Sums over the people of a cell are about normal, independently of other cells.

        Args:
            contrasts: Weight of each person of a cell in each contrast, shape (s, c).
            seed: Fixes the draws.
        """
        return Largest.of_normal(contrasts * self._spread, seed)


@dataclass(frozen=True)
class Comparisons:
    """s pairs of sets of people whose lower bounds hold together.

    Attributes:
        first: The sets that may lie above.
        second: The sets they are compared with.
        largest: The largest of all studentised contrasts in a world without differences: of s, or 2 s where ratios are
            judged too.
    """

    first: Sides
    second: Sides
    largest: Largest

    @classmethod
    def of(
        cls,
        people: People,
        first: np.ndarray,
        second: np.ndarray,
        *,
        ratio: float | None = None,
        seed: int = 0,
    ) -> Self:
        """Compare sets of cells; pairs of rows that belong together hold together by Bonferroni.

        Args:
            people: What was counted in each of c cells.
            first: Cells of the first set of each pair, shape (s, c), bool.
            second: Cells of the second, likewise; they share no cell.
            ratio: Ratio of the second to the first below which a pair is beyond what is tolerated, judged beside the
                difference; None to judge differences alone.
            seed: Fixes the draws.
        """
        factors = (1.0,) if ratio is None else (1.0, ratio)
        if people.belonging is not None:
            return cls.alone(people, first, second, factors=factors)
        sides = people.sides(first), people.sides(second)
        one, other = (
            members / np.maximum(side.rows, 1)[:, None] for members, side in zip((first, second), sides, strict=True)
        )
        stacked = np.concatenate([factor * one - other for factor in factors])
        return cls(*sides, people.draw_largest(stacked, seed))

    @classmethod
    def alone(
        cls, people: People, first: np.ndarray, second: np.ndarray, *, factors: tuple[float, ...] = (1.0,)
    ) -> Self:
        """The same pairs without draws: bounds hold each by itself, and together by Bonferroni.

        Of rows that belong together a pair says as much as fewer people do.

        Args:
            people: As for :meth:`of`, like the next two.
            first: Cells of the first set of each pair.
            second: Cells of the second.
            factors: Contrasts that are judged are so many times the first less the second.
        """
        effects = 1.0 if people.belonging is None else people.belonging.effects(first, second, factors)
        above, below = (people.sides(members).fewer(np.asarray(effects)) for members in (first, second))
        return cls(above, below, Largest(np.zeros(0), len(factors) * len(first)))

    def __len__(self) -> int:
        return len(self.first.rows)

    @property
    def difference(self) -> np.ndarray:
        """The first less the second, shape (s,)."""
        return np.asarray(self.first.value - self.second.value)

    @property
    def ratio(self) -> np.ndarray:
        """The second over the first, shape (s,); NaN where the first is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.second.value / self.first.value
        return np.where(np.isfinite(found), found, np.nan)

    def lower(self, tail: float) -> np.ndarray:
        """Lower bounds of the differences, each missing with probability ``tail``; shape (s,)."""
        return self._lower(np.full(len(self), tail))

    def upper(self, tail: float) -> np.ndarray:
        """Upper bounds of the differences, each missing with probability ``tail``; shape (s,)."""
        return difference_of(*self._limits(np.full(len(self), tail))).high

    def ratio_limits(self, tail: float) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the ratios, each missing with probability ``tail``; shape (s,) each.

        0 and infinity where nothing is known.
        """
        found = self._ratio(np.full(len(self), tail))
        return found.low, found.high

    def p_values(self, delta: float) -> np.ndarray:
        """Of "the difference is at most ``delta``", each by itself: the smallest tail whose bound exceeds it."""
        return self._smallest_tail(lambda some, tail: some._lower(tail) > delta)

    def ratio_p_values(self, least: float) -> np.ndarray:
        """Of "the ratio is at least ``least``", each by itself."""
        return self._smallest_tail(lambda some, tail: some._ratio(tail).high < least)

    def _limits(self, tail: np.ndarray) -> tuple[ConfidenceLimits, ConfidenceLimits]:
        """Of the first sets and of the second, worked out in one go."""
        both = self.first.beside(self.second).limits(np.concatenate([tail, tail]))
        parts = (np.split(part, 2) for part in (both.value, both.low, both.high))
        (one, other), (low, lower), (high, higher) = parts
        return ConfidenceLimits(one, low, high), ConfidenceLimits(other, lower, higher)

    def _lower(self, tail: np.ndarray) -> np.ndarray:
        return difference_of(*self._limits(tail)).low

    def _ratio(self, tail: np.ndarray) -> ConfidenceLimits:
        first, second = self._limits(tail)
        return ratio_of(second, first)

    def _smallest_tail(self, shown: Callable[[Comparisons, np.ndarray], np.ndarray]) -> np.ndarray:
        """The smallest chance to miss, up to a half, at which something is shown, by halving its logarithm; else 1."""
        found = np.ones(len(self))
        places = np.flatnonzero(shown(self, np.full(len(self), 0.5)))
        some = replace(self, first=self.first.take(places), second=self.second.take(places))
        least, most = np.full(len(places), math.log(_SMALLEST)), np.full(len(places), math.log(0.5))
        for _ in range(_HALVINGS):
            middle = (least + most) / 2
            there = shown(some, np.exp(middle))
            least, most = np.where(there, least, middle), np.where(there, middle, most)
        found[places] = np.exp(most)
        return found


def _moments(
    n: np.ndarray, first: np.ndarray, second: np.ndarray, third: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, variance and third central moment from sums of powers; NaN means of nobody."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / n
        spread = np.maximum(second / n - mean**2, 0.0)
        return mean, spread, third / n - 3 * mean * second / n + 2 * mean**3
