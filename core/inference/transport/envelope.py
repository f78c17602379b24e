"""The audit value ψ(f) of papers/faith.md, eq. 3.1, exactly and for many f at once.

The dual of eq. 3.1 has one variable, the price ν of a unit of budget (the signs printed in eq. 3.2 are mixed):
ψ(f) = min_{ν >= 0} εν + Σ_i f_i (g_i(ν) - l_i), g_i(ν) = max_j (l_j - ν C_ij) over the allowed moves. So eq. 3.1 is a
fractional knapsack: each cell's best moves are the corners of the upper concave envelope of its points (C_ij, l_j),
and the steps between corners, of all cells together, are taken in order of gain per cost until ε is spent. The steps
do not depend on f or ε: they are sorted once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from core.base.progress import OnProgress
from core.inference.transport.costs import BLOCK, AbstractCost, ClassCost
from core.inference.transport.ordered import PIECE, Steps, put_in_order
from core.inference.transport.solution import Certificate, Plan, Solution, scale
from core.inference.transport.steps import checked_losses, find_corners

_LOOKING_INSIDE = 50
"""Looking at one step inside a run costs about as much as this many sums over cells outside it."""

_LOOKED_AT = 256
"""One step in so many is looked at to cut all of them into pieces of about the same size."""

_SPENT = 1e-12
"""Spending within this share of the budget counts as all of it: it is a sum of rounded numbers."""


@dataclass(frozen=True)
class ValueCurve:
    """ψ as a function of the budget ε: rising, concave, straight between the points, constant after the last.

    Attributes:
        budgets: Every budget where the slope changes, ascending from 0, shape (p,).
        values: ψ there, shape (p,).
    """

    budgets: np.ndarray
    values: np.ndarray

    @property
    def slopes(self) -> np.ndarray:
        """Price of a unit of budget (ν) on the straight piece after each point, descending to 0; shape (p,)."""
        return np.append(np.diff(self.values) / np.diff(self.budgets), 0.0)

    def at(self, budgets: np.ndarray) -> np.ndarray:
        """ψ at any budgets."""
        values: np.ndarray = np.interp(budgets, self.budgets, self.values)
        return values


@dataclass(frozen=True)
class Envelope:
    """All that ψ needs to know about losses and costs.

    Attributes:
        losses: l, shape (K,).
        free: Best target of each cell at cost 0, itself where nothing is better, shape (K,), int.
        source: Cell of each step, shape (S,), int; steps are ordered by gain per cost, largest first, then by source.
        target: Cell the step leads to, shape (S,), int.
        cost: What the step costs more than the corner before it, shape (S,), positive.
        above: Largest amount by which a point (C_ij, l_j) lies above its cell's envelope: the residual of the dual's
            constraints, over all prices at once. 0 but for rounding.
    """

    losses: np.ndarray
    free: np.ndarray
    source: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    above: float

    @classmethod
    def build(cls, losses: np.ndarray, cost: AbstractCost, on_progress: OnProgress | None = None) -> "Envelope":
        """Find every cell's envelope and sort the steps.

        Args:
            losses: Loss of each cell, shape (K,), finite.
            cost: Costs between the K cells.
            on_progress: Called between blocks of rows.

        Raises:
            AuditError: A loss is not finite, there are not K of them, or the steps do not fit into memory.
        """
        losses = checked_losses(losses, cost.size)
        if isinstance(cost, ClassCost):
            none = np.empty(0, np.int32)
            free = _best_of_class(losses, cost.codes)
            return cls(losses, free, none, none, np.empty(0), 0.0)
        free, above, (source, target, costs, slopes) = _unsorted(losses, cost, on_progress)
        put_in_order(losses, free, (source, target, costs), slopes)
        return cls(losses, free, source, target, costs, above)

    @property
    def size(self) -> int:
        """K, the number of cells."""
        return len(self.losses)

    def pieces(self) -> Iterator[Steps]:
        """The steps in order, so many at once."""
        place = self.free.copy()
        for start in range(0, len(self.source), PIECE):
            yield self._steps(start, start + PIECE, place)

    def spending(self, masses: np.ndarray) -> Iterator[tuple[Steps, np.ndarray]]:
        """The steps out of cells with mass, so many at once, and what is spent once each is taken, shape (s,)."""
        before = 0.0
        for piece in self.pieces():
            mass = masses[piece.source]
            steps = piece.where(mass > 0)
            spent = np.cumsum(np.append(before, mass[mass > 0] * steps.cost))
            before = float(spent[-1])
            yield steps, spent[1:]

    def _steps(self, start: int, stop: int, place: np.ndarray) -> Steps:
        """Some steps; ``place`` as of `Steps.of`."""
        return Steps.of(self.losses, place, *(field[start:stop] for field in (self.source, self.target, self.cost)))

    @property
    def gain(self) -> np.ndarray:
        """What each step adds to the loss, shape (S,), positive."""
        return np.concatenate([np.empty(0), *(steps.gain for steps in self.pieces())])

    @property
    def slope(self) -> np.ndarray:
        """Gain per cost of each step, descending, shape (S,)."""
        return np.concatenate([np.empty(0), *(steps.slope for steps in self.pieces())])

    @cached_property
    def free_gain(self) -> np.ndarray:
        """What each cell gains at cost 0, g_i(∞) - l_i, shape (K,)."""
        gain: np.ndarray = self.losses[self.free] - self.losses
        return gain

    @cached_property
    def _ends(self) -> np.ndarray:
        """Where each run of steps ends, shape (r + 1,), from 0; runs are short enough to look inside, and few."""
        runs = max(1, int(np.sqrt(_LOOKING_INSIDE * len(self.source) / self.size)))
        return np.linspace(0, len(self.source), runs + 1).astype(np.int64)

    @cached_property
    def _before(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Before each run's end: cost and gain of a unit of each cell's mass, and where it is; each (r + 1, K)."""
        cost, gain = np.zeros((2, len(self._ends), self.size))
        place = np.empty(cost.shape, dtype=self.target.dtype)
        gain[0], place[0] = self.free_gain, self.free
        for run, (start, stop) in enumerate(pairwise(self._ends), start=1):
            place[run] = place[run - 1]
            steps = self._steps(start, stop, place[run])
            cost[run] = cost[run - 1] + np.bincount(steps.source, steps.cost, self.size)
            gain[run] = gain[run - 1] + np.bincount(steps.source, steps.gain, self.size)
        return cost, gain, place

    def value(self, masses: np.ndarray, budget: float) -> np.ndarray:
        """ψ(f) for any number of f.

        Args:
            masses: f, shape (..., K), not negative; they need not sum to 1.
            budget: ε, 0 or more, may be infinite.

        Returns:
            ψ, shape (...).
        """
        masses = np.asarray(masses, dtype=np.float64)
        flat = masses.reshape(-1, self.size)
        cost, gain, _ = self._before
        runs = ((flat @ cost[1:].T) <= budget).sum(axis=1)
        values = np.empty(len(flat))
        for run in np.unique(runs):
            draws = np.flatnonzero(runs == run)
            most = max(1, BLOCK // max(int(np.diff(self._ends).max()), self.size))
            for start in range(0, len(draws), most):
                some = flat[draws[start : start + most]]
                bought = self._bought(some, budget - some @ cost[run], run) if run + 1 < len(self._ends) else 0.0
                values[draws[start : start + most]] = some @ gain[run] + bought
        return values.reshape(masses.shape[:-1])

    def _bought(self, masses: np.ndarray, left: np.ndarray, run: int) -> np.ndarray:
        """What the budget ``left``, shape (b,), buys among the steps of a run, shape (b,)."""
        steps = self._steps(self._ends[run], self._ends[run + 1], self._before[2][run].copy())
        mass = masses[:, steps.source]
        spent = np.cumsum(mass * steps.cost, axis=1)
        left = np.maximum(left, 0.0)
        full = (spent <= left[:, None]).sum(axis=1)
        paid, bought = np.zeros((2, len(masses)))
        some = np.flatnonzero(full)
        paid[some] = spent[some, full[some] - 1]
        np.multiply(mass, steps.gain, out=mass)
        bought[some] = np.cumsum(mass, axis=1, out=spent)[some, full[some] - 1]
        partly = np.flatnonzero(full < mass.shape[1])
        bought[partly] += (left - paid)[partly] * steps.slope[full[partly]]
        return bought

    def total_cost(self, masses: np.ndarray) -> float:
        """The budget from which on ψ(f) no longer rises; ``masses`` has shape (K,)."""

        def halved(start: int, stop: int) -> float:
            """Halves as NumPy's own sum makes them, so that it is the same sum."""
            if stop - start <= PIECE:
                return float((masses[self.source[start:stop]] * self.cost[start:stop]).sum())
            middle = start + (stop - start) // 16 * 8
            return halved(start, middle) + halved(middle, stop)

        return halved(0, len(self.source))

    def curve(self, masses: np.ndarray) -> ValueCurve:
        """ψ(f) at every budget; ``masses`` has shape (K,)."""
        start, gained, found = float(masses @ self.free_gain), 0.0, [np.zeros((3, 0))]
        for steps, spent in self.spending(masses):
            ends = np.flatnonzero(np.diff(slope := steps.slope, append=-1.0))
            gains = np.cumsum(np.append(gained, masses[steps.source] * steps.gain))
            found.append(np.array([spent[ends], start + gains[1:][ends], slope[ends]]))
            gained = gains[-1]
        budgets, values, slope = np.concatenate(found, axis=1)
        ends = np.diff(slope, append=-1.0) != 0
        return ValueCurve(np.append(0.0, budgets[ends]), np.append(start, values[ends]))

    def gains(self, price: float) -> np.ndarray:
        """g_i(ν) - l_i: what a unit of each cell's mass is worth at the price ν, shape (K,)."""
        gains = np.zeros(self.size)
        for steps in self.pieces():
            worth = steps.where(slice(int(np.searchsorted(-steps.slope, -price))))
            np.add.at(gains, worth.source, worth.gain - price * worth.cost)
            if len(worth.source) < len(steps.source):
                break
        return self.free_gain + gains

    def price(self, masses: np.ndarray, budget: float) -> tuple[float, float]:
        """The interval of optimal prices ν: the slopes of ψ just above and just below the budget.

        Args:
            masses: f, shape (K,).
            budget: ε.

        Returns:
            The smallest and the largest optimal ν; (0, 0) for a budget that exceeds every use of it. The largest is
            infinite at a budget of 0.
        """

        def beyond(spending: float, side: Literal["left", "right"]) -> float:
            for steps, spent in self.spending(masses):
                if (place := int(np.searchsorted(spent, spending, side))) < len(spent):
                    return float(steps.slope[place])
            return 0.0

        room = _SPENT * budget if np.isfinite(budget) else 0.0
        return beyond(budget + room, "right"), np.inf if budget == 0 else beyond(budget - room, "left")

    def solution(self, masses: np.ndarray, budget: float) -> Solution:
        """ψ(f) with its plan, prices and certificate; ``masses`` has shape (K,)."""
        masses = np.asarray(masses, dtype=np.float64)
        plan, spent = self._plan(masses, budget)
        low, _ = self.price(masses, budget)
        value = float(self.value(masses, budget))
        gains = self.gains(low)
        bound = (low * budget if low else 0.0) + float(masses @ gains)
        planned = float(plan.mass @ (self.losses[plan.target] - self.losses[plan.source]))
        unit = scale(self.losses)
        excess = max(0.0, float((np.bincount(plan.source, plan.mass, self.size) - masses).max(initial=0.0)))
        overspent = max(0.0, spent - budget) / max(1.0, budget)
        return Solution(
            value=value,
            plan=plan,
            price=low,
            potentials=self.losses + gains,
            certificate=Certificate(
                primal=max(excess, overspent),
                dual=self.above / unit,
                complementarity=max(abs(value - bound), abs(value - planned)) / unit,
            ),
        )

    def _plan(self, masses: np.ndarray, budget: float) -> tuple[Plan, float]:
        """Full steps while the budget lasts, a part of the first that does not fit, and what that costs."""
        place, mass, paid = self.free.copy(), masses.copy(), 0.0
        source, target, moved = np.arange(self.size), place, mass
        for steps, spent in self.spending(masses):
            full = int(np.searchsorted(spent, budget, side="right"))
            paid = float(spent[full - 1]) if full else paid
            place[steps.source[:full]] = steps.target[:full]
            if full < len(spent):
                cell = steps.source[full]
                part = min((budget - paid) / steps.cost[full], mass[cell])
                mass[cell] -= part
                paid += part * float(steps.cost[full])
                source, target, moved = (
                    np.append(source, cell),
                    np.append(target, steps.target[full]),
                    np.append(mass, part),
                )
                break
        kept = (moved > 0) & (source != target)
        source, target, moved = source[kept], target[kept], moved[kept]
        order = np.lexsort((target, source))
        return Plan(source[order], target[order], moved[order]), paid


def _unsorted(
    losses: np.ndarray, cost: AbstractCost, on_progress: OnProgress | None
) -> tuple[np.ndarray, float, list[np.ndarray]]:
    """Free targets, the residual, and of the steps, cell by cell, the fields and some slopes; nothing is held twice."""
    free, above, cell = np.arange(len(losses)), 0.0, np.min_scalar_type(len(losses) - 1)
    kinds = (cell, cell, np.dtype(np.float64), np.dtype(np.float64))
    fields = tuple(bytearray() for _ in kinds)
    for corners in find_corners(losses, cost, on_progress, staying=True):
        first = np.diff(corners.source, prepend=-1) != 0
        own, best = corners.source[first], corners.target[first]
        free[own] = np.where(losses[best] > losses[own], best, own)
        above = max(above, corners.above)
        costs, gains = (np.diff(values, prepend=0.0)[~first] for values in (corners.cost, losses[corners.target]))
        slopes = gains[::_LOOKED_AT] / costs[::_LOOKED_AT]
        found = (corners.source[~first], corners.target[~first], costs, slopes)
        for field, values, kind in zip(fields, found, kinds, strict=True):
            field.extend(values.astype(kind).data)
    return free, above, [np.frombuffer(field, kind) for field, kind in zip(fields, kinds, strict=True)]


def _best_of_class(losses: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The first cell of each cell's class with the largest loss, or the cell itself if no loss is larger."""
    everyone = np.arange(len(losses))
    order = np.lexsort((everyone, -losses, codes))
    _, first, where = np.unique(codes[order], return_index=True, return_inverse=True)
    best = np.empty(len(losses), dtype=np.int64)
    best[order] = order[first][where]
    return np.where(losses[best] > losses, best, everyone)
