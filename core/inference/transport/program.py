"""Eq. 3.1 of papers/faith.md with further limits an auditor may set, as a linear program.

Whatever the limits, they depend only on the cell that mass leaves, on what it pays, and on whether it stays. So mass
that leaves a cell goes to corners of the upper concave envelope of the other cells' points (C_ij, l_j), and these moves
are the program's variables. With ν_i and τ_i the sums of the duals of the limits on cost and on mass that cell i falls
under, a unit of its mass is worth λ_i = max(0, max_j (l_j - l_i - ν_i C_ij - τ_i)), and Σ_i f_i λ_i + (bounds times
their duals) is an upper bound for every plan, which the certificate compares with the plan's value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import AuditError
from core.base.progress import OnProgress
from core.inference.transport.constraints import Constraints, LinearConstraint, linear_constraints
from core.inference.transport.costs import AbstractCost
from core.inference.transport.linear import MISSED, maximise
from core.inference.transport.solution import Certificate, Plan, scale
from core.inference.transport.steps import checked_losses, find_corners
from core.language.phrases import share_text
from core.language.told import say

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class ConstrainedSolution:
    """The largest rise of the mean loss that the limits leave, with its plan and its dual.

    Attributes:
        value: The rise; negative where limits force moves that lower the loss.
        plan: A maximising plan; optimal plans need not be unique.
        duals: Dual variables of the budget, the budgets of sets, the upper and the lower bounds on moved mass, in the
            order of :func:`~core.inference.transport.constraints.linear_constraints`: what a unit more of each would
            add, for a lower bound take away; shape (1 + b + 2m,).
        worth: What a unit more of each cell's mass would add, shape (K,): the derivative of the value by the masses
            where the dual is unique.
        certificate: What is left of the optimality conditions.
    """

    value: float
    plan: Plan
    duals: np.ndarray
    worth: np.ndarray
    certificate: Certificate

    @property
    def price(self) -> float:
        """ν, what a unit more of the budget would add."""
        return float(self.duals[0])


@dataclass(frozen=True)
class Program:
    """All moves the linear program has to look at, for any masses, budget and limits.

    Attributes:
        losses: l, shape (K,).
        source: Cell each move leaves, shape (v,), int, ascending.
        target: Another cell, to which it goes, shape (v,), int.
        cost: What it costs, shape (v,).
        above: Largest amount by which any other allowed move lies above these moves' envelope; 0 but for rounding.
    """

    losses: np.ndarray
    source: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    above: float

    @classmethod
    def build(cls, losses: np.ndarray, cost: AbstractCost, on_progress: OnProgress | None = None) -> Program:
        """Find the moves.

        Args:
            losses: Loss of each cell, shape (K,), finite.
            cost: Costs between the K cells.
            on_progress: Called between blocks of rows.

        Raises:
            AuditError: A loss is not finite, there are not K of them, or the program would not fit into memory.
        """
        losses = checked_losses(losses, cost.size)
        blocks = tuple(find_corners(losses, cost, on_progress, staying=False))
        source, target = (
            np.concatenate([getattr(one, field) for one in blocks]).astype(np.int32) for field in ("source", "target")
        )
        order = np.argsort(source, kind="stable")
        costs = np.concatenate([one.cost for one in blocks])[order]
        return cls(losses, source[order], target[order], costs, max(one.above for one in blocks))

    def solve(self, masses: np.ndarray, budget: float, constraints: Constraints) -> ConstrainedSolution:
        """The best plan within the limits.

        Args:
            masses: f, shape (K,), not negative.
            budget: ε, 0 or more, may be infinite.
            constraints: What else the plan has to meet.

        Raises:
            AuditError: No plan meets all limits; the message names the one at fault and what stands in its way.
        """
        masses = np.asarray(masses, dtype=np.float64)
        rows = linear_constraints(constraints, len(masses), budget)
        some = masses[self.source] > 0
        moves = replace(self, source=self.source[some], target=self.target[some], cost=self.cost[some])
        answer = maximise(moves.gain, moves.matrix(rows), _bounds(masses, rows))
        if answer is None:
            raise _fault(moves, masses, rows, constraints)
        mass, duals = answer[0], answer[1][len(masses) :]
        worth = self._worth(rows, duals)
        value = float(moves.gain @ mass)
        paid = [dual * row.bound for dual, row in zip(duals, rows, strict=True) if dual > 0]
        unit = scale(self.losses)
        moved = mass > 0
        return ConstrainedSolution(
            value=value,
            plan=Plan(moves.source[moved], moves.target[moved], mass[moved]),
            duals=duals,
            worth=worth,
            certificate=Certificate(
                primal=_missed(moves.matrix(rows) @ mass, _bounds(masses, rows)),
                dual=self.above / unit,
                complementarity=abs(float(masses @ worth) + float(sum(paid)) - value) / unit,
            ),
        )

    @property
    def gain(self) -> np.ndarray:
        """What a unit of mass gains by each move, shape (v,)."""
        gain: np.ndarray = self.losses[self.target] - self.losses[self.source]
        return gain

    def matrix(self, rows: list[LinearConstraint]) -> csr_array:
        """Constraints on each cell's mass, then ``rows``; shape (K + len(rows), v)."""
        from scipy.sparse import csr_array, vstack

        moves = np.arange(len(self.source))
        leaving = csr_array((np.ones(len(moves)), (self.source, moves)), shape=(len(self.losses), len(moves)))
        others = [csr_array(row.coefficients(self.source, self.cost)[None]) for row in rows]
        return csr_array(vstack([leaving, *others]))

    def _worth(self, rows: list[LinearConstraint], duals: np.ndarray) -> np.ndarray:
        by_cost, by_mass = np.zeros((2, len(self.losses)))
        for row, dual in zip(rows, duals, strict=True):
            (by_cost if row.priced else by_mass)[:] += dual * row.weight
        worth = np.zeros(len(self.losses))
        np.maximum.at(worth, self.source, self.gain - by_cost[self.source] * self.cost - by_mass[self.source])
        return worth


def _bounds(masses: np.ndarray, rows: list[LinearConstraint]) -> np.ndarray:
    return np.append(masses, [row.bound for row in rows])


def _missed(sums: np.ndarray, bounds: np.ndarray) -> float:
    """Largest excess over a finite bound, relative to bounds above 1."""
    some = bounds < np.inf
    return float(((sums - bounds)[some] / np.maximum(1.0, np.abs(bounds[some]))).max(initial=0.0))


def _fault(moves: Program, masses: np.ndarray, rows: list[LinearConstraint], constraints: Constraints) -> AuditError:
    """Which lower bound cannot be met, how far it can, and which single other limit keeps it from being met.

    Moving nothing meets every other kind of limit, so only lower bounds can be at fault. The least total shortfall
    says by how much.
    """
    short = _shortfalls(moves, masses, rows, constraints)
    worst = int(short.argmax())
    asked = constraints.leaving[worst]
    can = np.floor(1e4 * max(asked.at_least - short[worst], 0.0) + 1e-4) / 1e4
    blocking = [
        row.name
        for at, row in enumerate(rows)
        if row.bound < np.inf
        and at != len(rows) - len(constraints.leaving) + worst
        and _shortfalls(moves, masses, _without(rows, at), constraints)[worst] <= MISSED
    ]
    alone = Constraints((replace(asked, at_most=np.inf),))
    share = share_text(can, 2)
    if masses[asked.cells].sum() < asked.at_least - MISSED:
        advice = say("Ask for at most {share}, as there are no more people in it.", share=share)
    elif _shortfalls(moves, masses, linear_constraints(alone, len(masses), np.inf), alone)[0] > MISSED:
        advice = say("Ask for at most {share}, as the others have nobody to be compared with.", share=share)
    elif blocking:
        limits = reduce(lambda first, last: say("{first} or {last}", first=first, last=last), blocking)
        advice = say("Ask for at most {share}, or relax {limits}.", share=share, limits=limits)
    else:
        advice = say("Ask for at most {share}, or relax several of the other limits.", share=share)
    return AuditError(
        say(
            "The limits cannot all be met: {at_least} of all people are to be moved out of {group}, and at "
            "most {share} can be.",
            at_least=share_text(asked.at_least, 2),
            group=asked.name,
            share=share,
        ),
        advice=advice,
    )


def _without(rows: list[LinearConstraint], at: int) -> list[LinearConstraint]:
    return [replace(row, bound=np.inf) if other == at else row for other, row in enumerate(rows)]


def _shortfalls(
    moves: Program, masses: np.ndarray, rows: list[LinearConstraint], constraints: Constraints
) -> np.ndarray:
    """By how much each lower bound is missed where they are missed by the least in all, shape (m,)."""
    from scipy.sparse import csr_array, hstack, vstack

    bounds, kinds = _bounds(masses, rows), len(constraints.leaving)
    spare = csr_array(vstack([csr_array((len(bounds) - kinds, kinds)), -csr_array(np.eye(kinds))]))
    gain = np.append(np.zeros(len(moves.source)), -np.ones(kinds))
    answer = maximise(gain, csr_array(hstack([moves.matrix(rows), spare])), bounds)
    if answer is None:
        raise AssertionError("Shortfalls make every program feasible.")
    return answer[0][-kinds:]
