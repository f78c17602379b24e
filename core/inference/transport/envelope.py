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

import numpy as np

from core.errors import AuditError
from core.inference.transport.costs import AbstractCost, ClassCost
from core.inference.transport.hull import upper_envelopes
from core.inference.transport.solution import Certificate, Plan, Solution
from core.progress import OnProgress, Progress, ignore_progress

_STEPS, _DRAWS = 4096, 256
"""Steps and draws evaluated at once (8 MB)."""

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
        gain: What it adds to the loss, shape (S,), positive.
        above: Largest amount by which a point (C_ij, l_j) lies above its cell's envelope: the residual of the dual's
            constraints, over all prices at once. 0 but for rounding.
    """

    losses: np.ndarray
    free: np.ndarray
    source: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    gain: np.ndarray
    above: float

    @classmethod
    def build(cls, losses: np.ndarray, cost: AbstractCost, on_progress: OnProgress | None = None) -> "Envelope":
        """Find every cell's envelope and sort the steps.

        Args:
            losses: Loss of each cell, shape (K,), finite.
            cost: Costs between the K cells.
            on_progress: Called between blocks of rows.

        Raises:
            AuditError: A loss is not finite, or there are not K of them.
        """
        losses = _checked(losses, cost.size)
        if isinstance(cost, ClassCost):
            return cls(losses, _best_of_class(losses, cost.codes), *_no_steps(), 0.0)
        report = on_progress or ignore_progress
        free = np.arange(len(losses))
        parts, above, done = [_no_steps()], 0.0, 0
        for block in cost.blocks():
            corners = upper_envelopes(block, losses)
            first = np.flatnonzero(np.diff(corners.row, prepend=-1))
            best = corners.target[first]
            free[block.sources] = np.where(losses[best] > losses[block.sources], best, block.sources)
            later = np.ones(len(corners.row), dtype=bool)
            later[first] = False
            at = np.flatnonzero(later)
            parts.append(
                (
                    block.sources[corners.row[at]].astype(np.int32),
                    corners.target[at].astype(np.int32),
                    corners.cost[at] - corners.cost[at - 1],
                    corners.loss[at] - corners.loss[at - 1],
                )
            )
            above = max(above, _highest_above(block.costs, losses[block.targets], first, corners.cost, corners.loss))
            done += len(block.sources)
            report(Progress(done / len(losses), "Finding where each kind of person is treated worst"))
        source, target, costs, gain = (np.concatenate(field) for field in zip(*parts, strict=True))
        order = np.lexsort((source, -(gain / costs)))
        return cls(losses, free, source[order], target[order], costs[order], gain[order], above)

    @property
    def size(self) -> int:
        """K, the number of cells."""
        return len(self.losses)

    @cached_property
    def slope(self) -> np.ndarray:
        """Gain per cost of each step, descending, shape (S,)."""
        slope: np.ndarray = self.gain / self.cost
        return slope

    @cached_property
    def free_gain(self) -> np.ndarray:
        """What each cell gains at cost 0, g_i(∞) - l_i, shape (K,)."""
        gain: np.ndarray = self.losses[self.free] - self.losses
        return gain

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
        values = np.empty(len(flat))
        for start in range(0, len(flat), _DRAWS):
            some = flat[start : start + _DRAWS]
            values[start : start + _DRAWS] = np.einsum("bk,k->b", some, self.free_gain) + self._bought(some, budget)
        return values.reshape(masses.shape[:-1])

    def _bought(self, masses: np.ndarray, budget: float) -> np.ndarray:
        """What the budget adds to the free gain, shape (b,)."""
        left = np.full(len(masses), float(budget))
        bought = np.zeros(len(masses))
        by_cell = np.ascontiguousarray(masses.T)
        for steps in self._in_parts():
            mass = by_cell[self.source[steps]]
            spent = np.cumsum(mass * self.cost[steps][:, None], axis=0)
            before = np.vstack([np.zeros((1, len(masses))), spent[:-1]])
            wanted = spent - before
            taken = np.clip(left - before, 0.0, wanted)
            bought += (taken * self.slope[steps][:, None]).sum(axis=0)
            left = np.maximum(left - spent[-1], 0.0)
            if not left.any():
                break
        return bought

    def _in_parts(self) -> Iterator[slice]:
        for start in range(0, len(self.source), _STEPS):
            yield slice(start, start + _STEPS)

    def total_cost(self, masses: np.ndarray) -> float:
        """The budget from which on ψ(f) no longer rises; ``masses`` has shape (K,)."""
        return float((masses[self.source] * self.cost).sum())

    def curve(self, masses: np.ndarray) -> ValueCurve:
        """ψ(f) at every budget; ``masses`` has shape (K,)."""
        used = np.flatnonzero(masses[self.source] > 0)
        mass = masses[self.source[used]]
        ends = np.flatnonzero(np.diff(self.slope[used], append=-1.0))
        budgets = np.cumsum(mass * self.cost[used])[ends]
        values = np.cumsum(mass * self.gain[used])[ends]
        start = float(masses @ self.free_gain)
        return ValueCurve(np.append(0.0, budgets), np.append(start, start + values))

    def gains(self, price: float) -> np.ndarray:
        """g_i(ν) - l_i: what a unit of each cell's mass is worth at the price ν, shape (K,)."""
        steps = slice(0, int(np.searchsorted(-self.slope, -price)))
        worth = self.gain[steps] - price * self.cost[steps] if steps.stop else np.empty(0)
        gains: np.ndarray = self.free_gain + np.bincount(self.source[steps], worth, self.size)
        return gains

    def price(self, masses: np.ndarray, budget: float) -> tuple[float, float]:
        """The interval of optimal prices ν: the slopes of ψ just above and just below the budget.

        Args:
            masses: f, shape (K,).
            budget: ε.

        Returns:
            The smallest and the largest optimal ν; (0, 0) for a budget that exceeds every use of it. The largest is
            infinite at a budget of 0.
        """
        used = np.flatnonzero(masses[self.source] > 0)
        slope = np.append(self.slope[used], 0.0)
        spent = np.cumsum(masses[self.source[used]] * self.cost[used])
        room = _SPENT * budget if np.isfinite(budget) else 0.0
        reached = int(np.searchsorted(spent, budget - room))
        passed = int(np.searchsorted(spent, budget + room, side="right"))
        high = np.inf if budget == 0 else float(slope[reached])
        return float(slope[passed]), high

    def solution(self, masses: np.ndarray, budget: float) -> Solution:
        """ψ(f) with its plan, prices and certificate; ``masses`` has shape (K,)."""
        masses = np.asarray(masses, dtype=np.float64)
        plan, spent = self._plan(masses, budget)
        low, high = self.price(masses, budget)
        value = float(self.value(masses, budget))
        gains = self.gains(low)
        bound = (low * budget if low else 0.0) + float(masses @ gains)
        planned = float(plan.mass @ (self.losses[plan.target] - self.losses[plan.source]))
        scale = max(1.0, float(np.abs(self.losses).max(initial=0.0)))
        excess = max(0.0, float((np.bincount(plan.source, plan.mass, self.size) - masses).max(initial=0.0)))
        overspent = max(0.0, spent - budget) / max(1.0, budget)
        return Solution(
            value=value,
            plan=plan,
            price_low=low,
            price_high=high,
            potentials=self.losses + gains,
            certificate=Certificate(
                primal=max(excess, overspent),
                dual=self.above / scale,
                complementarity=max(abs(value - bound), abs(value - planned)) / scale,
            ),
        )

    def _plan(self, masses: np.ndarray, budget: float) -> tuple[Plan, float]:
        """Full steps while the budget lasts, a part of the first that does not fit, and what that costs."""
        wanted = masses[self.source] * self.cost
        spent = np.cumsum(wanted)
        full = int(np.searchsorted(spent, budget, side="right"))
        paid = float(spent[full - 1]) if full else 0.0
        place = self.free.copy()
        place[self.source[:full]] = self.target[:full]
        mass = masses.copy()
        source, target, moved = np.arange(self.size), place, mass
        if full < len(spent):
            cell = self.source[full]
            part = min((budget - paid) / self.cost[full], mass[cell])
            mass[cell] -= part
            paid += part * float(self.cost[full])
            source, target = np.append(source, cell), np.append(target, self.target[full])
            moved = np.append(mass, part)
        kept = (moved > 0) & (source != target)
        source, target, moved = source[kept], target[kept], moved[kept]
        order = np.lexsort((target, source))
        return Plan(source[order], target[order], moved[order]), paid


def _checked(losses: np.ndarray, size: int) -> np.ndarray:
    losses = np.asarray(losses, dtype=np.float64)
    if losses.shape != (size,):
        raise AuditError(
            f"There are {len(losses)} cells, but the costs are between {size}.",
            advice="Give costs with one row and one column per cell, in the order of the list of cells.",
        )
    if not np.isfinite(losses).all():
        cell = int((~np.isfinite(losses)).argmax()) + 1
        raise AuditError("A loss is not a finite number.", where=f"cell {cell}", advice="Choose another loss.")
    return losses


def _best_of_class(losses: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The first cell of each cell's class with the largest loss, or the cell itself if no loss is larger."""
    everyone = np.arange(len(losses))
    order = np.lexsort((everyone, -losses, codes))
    _, first, where = np.unique(codes[order], return_index=True, return_inverse=True)
    best = np.empty(len(losses), dtype=np.int64)
    best[order] = order[first][where]
    return np.where(losses[best] > losses, best, everyone)


def _no_steps() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0), np.empty(0)


def _highest_above(
    costs: np.ndarray, losses: np.ndarray, first: np.ndarray, corner_cost: np.ndarray, corner_loss: np.ndarray
) -> float:
    """How far the highest point of a block lies above its row's envelope."""
    highest = 0.0
    for row, (start, stop) in enumerate(zip(first, np.append(first[1:], len(corner_cost)), strict=True)):
        allowed = costs[row] < np.inf
        reach = np.interp(costs[row][allowed], corner_cost[start:stop], corner_loss[start:stop])
        highest = max(highest, float((losses[allowed] - reach).max()))
    return highest
