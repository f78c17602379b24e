"""The prices of a unit of budget that could be optimal for the population, given a sample.

The audit value is the least of ε ν + Σ_i f_i a_i(ν) over the price ν, a_i(ν) = g_i(ν) - l_i (papers/faith.md, eq. 3.2,
with its signs put right). It is concave in f and has a kink in f where several prices are optimal. The derivative at f
in the direction h is the least of Σ_i h_i a_i(ν) over the optimal prices (theorem 3.4); between two neighbouring
breakpoints it is linear in ν, so the breakpoints suffice.
"""

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from typing import Literal

import numpy as np

from core.inference.transport.draws import BLOCK_NUMBERS
from core.inference.transport.envelope import Envelope
from core.inference.transport.sample import CellSample

_SPENT = 1e-12
"""Spending within this share of the budget counts as all of it: it is a sum of rounded numbers."""

_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_LOOKED_AT = 25
"""Places between the first and the last possible price at which gains are compared where people belong together."""


def closeness(n: int) -> float:
    """Standard errors within which a price counts as possibly optimal: 1.01 for 500 people, 1.10 for 5,000.

    It must grow without bound, however slowly, so that no optimal price is lost in the limit (Fang and Santos 2019,
    section 3.2). The factor is chosen by simulation: near kinks, with 1,500 samples, 0.75 sqrt(log log n) covered 0.94
    to 0.97 at nominal 0.95, sqrt(log log n) up to 0.976, sqrt(2 log log n) up to 0.986 and sqrt(log n) up to 0.991.
    """
    return 0.75 * sqrt(log(log(max(n, 16))))


@dataclass(frozen=True)
class Prices:
    """Steps of the envelope that the sample's people can take, in order, with what they spend.

    Place p stands for the price at which the first p steps are worth taking: the gain per cost of step p, and 0 after
    the last.

    Attributes:
        envelope: All steps.
        sample: The people.
        steps: Steps out of cells with people, shape (U,), int.
        price: Price of each place, descending to 0, shape (U + 1,).
        spent: Mean cost once each step is taken, shape (U,).
        deviation: Standard deviation of that cost between people, times sqrt(n) times its standard error where they
            belong together, shape (U,).
    """

    envelope: Envelope
    sample: CellSample
    steps: np.ndarray
    price: np.ndarray
    spent: np.ndarray
    deviation: np.ndarray

    @classmethod
    def of(cls, envelope: Envelope, sample: CellSample) -> "Prices":
        """The steps of a sample's people."""
        masses = sample.masses
        steps = np.flatnonzero(masses[envelope.source] > 0)
        source, cost = envelope.source[steps], envelope.cost[steps]
        spent = np.cumsum(masses[source] * cost)
        squared = np.cumsum(masses[source] * cost * (2 * _before(source, cost) + cost))
        variance = squared - spent**2 if sample.together is None else _by_clusters(sample, source, cost, spent)
        deviation = np.sqrt(np.maximum(variance, 0.0))
        return cls(envelope, sample, steps, np.append(envelope.slope[steps], 0.0), spent, deviation)

    @cached_property
    def masses(self) -> np.ndarray:
        """f_n, shape (K,)."""
        return self.sample.masses

    @property
    def n(self) -> int:
        """People."""
        return self.sample.n

    def best(self, budget: float) -> int:
        """Place of an optimal price for the sample, the largest one."""
        return int(np.searchsorted(self.spent, budget * (1 - _SPENT) if np.isfinite(budget) else budget))

    def possible(self, budget: float, widened: float = 1.0) -> tuple[int, int]:
        """First and last place whose spending is within ``widened`` x ``closeness`` standard errors of the budget.

        A budget of 0 allows free moves only, whatever the sample: there is nothing uncertain about the price.
        """
        best = self.best(budget)
        if budget == 0 or not len(self.steps):
            return best, best
        room = widened * closeness(self.sample.independent) / sqrt(self.n) * self.deviation
        before = np.append(0.0, self.spent - room)
        after = np.append(self.spent + room, np.inf)
        places = np.flatnonzero((before <= budget) & (budget <= after))
        return min(best, int(places.min(initial=best))), max(best, int(places.max(initial=best)))

    def gains(self, place: int) -> np.ndarray:
        """a_i at the price of a place, shape (K,)."""
        return self.envelope.gains(float(self.price[place]))

    def widest(self, low: int, high: int) -> int:
        """The place from ``low`` to ``high`` whose gains vary most between people."""
        if low == high:
            return low
        if self.sample.together is not None:
            places = np.unique(np.linspace(low, high, _LOOKED_AT).astype(np.int64))
            return int(max(places, key=lambda place: self.sample.spread(self.gains(place))))
        source, cost, gain = (
            field[self.steps] for field in (self.envelope.source, self.envelope.cost, self.envelope.gain)
        )
        mass = self.masses[source]
        costs, gains = _before(source, cost), _before(source, gain) + self.envelope.free_gain[source]
        free = self.envelope.free_gain
        sums = [
            np.append(start, start + np.cumsum(mass * change))[low : high + 1]
            for start, change in (
                (self.masses @ free, gain),
                (self.masses @ free**2, gain * (2 * gains + gain)),
                (0.0, cost),
                (0.0, cost * (2 * costs + cost)),
                (0.0, (gains + gain) * (costs + cost) - gains * costs),
            )
        ]
        price = self.price[low : high + 1]
        mean = sums[0] - price * sums[2]
        return low + int(np.argmax(sums[1] - 2 * price * sums[4] + price**2 * sums[3] - mean**2))

    def least_change(
        self, masses: np.ndarray, low: int, high: int, best: int, budget: float | None = None
    ) -> np.ndarray:
        """Least Σ_i h_i (a_i(ν) - a_i(ν_best)) over the places from ``low`` to ``high``, h = f - f_n; at most 0.

        Args:
            masses: f, shape (b, K).
            low: First place.
            high: Last place.
            best: A place between them.
            budget: If given, how much further each price is from the optimum of the sample at this budget is added, so
                that the change is that of the dual objective εν + Σ_i f_i a_i(ν) itself.

        Returns:
            Shape (b,).
        """
        if low == high:
            return np.zeros(len(masses))
        source, cost = self.envelope.source[self.steps], self.envelope.cost[self.steps]
        start = np.bincount(source[:low], cost[:low], len(self.masses))
        inside = slice(low, high)
        drop = -np.diff(self.price[low : high + 1])
        least = np.empty(len(masses))
        block = max(1, BLOCK_NUMBERS // (high - low))
        for first in range(0, len(masses), block):
            change = masses[first : first + block] - self.masses
            spending = (change @ start)[:, None] + np.cumsum(change[:, source[inside]] * cost[inside], axis=1)
            if budget is not None:
                spending += self.spent[inside] - budget
            gained = np.cumsum(spending * drop, axis=1)
            at_best = gained[:, best - low - 1] if best > low else 0.0
            least[first : first + block] = np.minimum(gained.min(axis=1), 0.0) - at_best
        return least


def _before(source: np.ndarray, amount: np.ndarray) -> np.ndarray:
    """Sum of the amounts of all earlier steps out of the same cell, shape (U,)."""
    order = np.argsort(source, kind="stable")
    running = np.cumsum(amount[order]) - amount[order]
    first = np.diff(source[order], prepend=-1) > 0
    before = np.empty(len(source))
    before[order] = running - running[first][np.cumsum(first) - 1]
    return before


def _by_clusters(sample: CellSample, source: np.ndarray, cost: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """Variance of what is spent once each step is taken, n times that of the mean, by clusters; shape (U,)."""
    together = sample.together
    if together is None:
        raise TypeError("nobody belongs together")
    order = np.argsort(together.cell, kind="stable")
    first, last = (np.searchsorted(together.cell[order], source, side=side) for side in _SIDES)
    step = np.repeat(np.arange(len(source)), last - first)
    pair = order[np.arange(len(step)) - np.repeat(np.cumsum(last - first) - last, last - first)]
    cluster, paid = together.cluster[pair], together.count[pair] * cost[step]
    squares = np.cumsum(np.bincount(step, paid * (2 * _before(cluster, paid) + paid), len(source)))
    with_people = np.cumsum(np.bincount(step, paid * together.people[cluster], len(source)))
    centred: np.ndarray = squares - 2 * spent * with_people + spent**2 * float((together.people**2).sum())
    return centred / sample.n
