"""An optimal way to move mass, the prices that prove it optimal, and what is left of the proof after rounding."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Plan:
    """Moved mass only: entries of Π off the diagonal, ordered by source, then target.

    Attributes:
        source: Cell the mass leaves, shape (p,), int.
        target: Cell it goes to, shape (p,), int.
        mass: How much, shape (p,), positive.
    """

    source: np.ndarray
    target: np.ndarray
    mass: np.ndarray

    def after(self, masses: np.ndarray) -> np.ndarray:
        """Where ``masses`` (K,) lie once moved: Πᵀ1 of eq. 3.1; shape (K,)."""
        size = len(masses)
        left = np.bincount(self.source, self.mass, size)
        moved: np.ndarray = masses - left + np.bincount(self.target, self.mass, size)
        return moved


@dataclass(frozen=True)
class Certificate:
    """How far a plan and its prices are from proving each other optimal; 0 but for rounding.

    Attributes:
        primal: Largest excess of moved mass over the mass that is there, or of spending over the budget (relative to
            the budget where that is above 1), or of another limit.
        dual: Largest amount by which any allowed move would gain more than its cell's potential allows, relative to
            the largest loss where that is above 1.
        complementarity: Distance between the plan's value and the prices' bound, relative like ``dual``.
    """

    primal: float
    dual: float
    complementarity: float

    def valid(self, tolerance: float = 1e-9) -> bool:
        """Whether all three are at most ``tolerance``."""
        return all(rest <= tolerance for rest in (self.primal, self.dual, self.complementarity))


@dataclass(frozen=True)
class Solution:
    """The audit value ψ(f) of eq. 3.1 with its plan and its dual.

    Attributes:
        value: ψ(f).
        plan: A maximising plan; optimal plans need not be unique, ties go to the lower cell number.
        price: Smallest optimal ν, the rise of ψ per unit of budget just above this budget.
        potentials: g_i(ν) at ``price``, shape (K,).
        certificate: What is left of the optimality conditions.
    """

    value: float
    plan: Plan
    price: float
    potentials: np.ndarray
    certificate: Certificate


def scale(losses: np.ndarray) -> float:
    """What gains are measured against: the largest loss, or 1."""
    return max(1.0, float(np.abs(losses).max(initial=0.0)))
