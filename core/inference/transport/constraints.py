"""What an auditor may ask of a transport plan beyond its budget, for sets of cells, whatever these stand for."""

from dataclasses import dataclass

import numpy as np

from core.language.told import localized, say


@dataclass(frozen=True)
class Leaving:
    """Bounds on the mass that leaves its own cell, over all cells of a set.

    Attributes:
        name: The set as people read it ("Black (race)").
        cells: Cell numbers, shape (c,), int.
        at_most: Largest mass; infinite for no bound.
        at_least: Smallest mass; 0 for no bound.
    """

    name: str
    cells: np.ndarray
    at_most: float = float("inf")
    at_least: float = 0.0


@dataclass(frozen=True)
class OwnBudget:
    """A budget for what it costs to move mass out of a set of cells, beside the budget for all.

    Attributes:
        name: The set as people read it ("outcome yes").
        cells: Cell numbers, shape (c,), int.
        budget: Largest sum of mass times cost; may be infinite.
    """

    name: str
    cells: np.ndarray
    budget: float


@dataclass(frozen=True)
class Constraints:
    """What a plan has to meet beside its budget.

    Attributes:
        leaving: Bounds on moved mass.
        budgets: Budgets of sets of cells.
    """

    leaving: tuple[Leaving, ...] = ()
    budgets: tuple[OwnBudget, ...] = ()


@dataclass(frozen=True)
class LinearConstraint:
    """One linear constraint on moved mass: the sum of weight times mass, or weight times cost times mass.

    Attributes:
        name: What it is, as people read it.
        weight: Weight of what leaves each cell, shape (K,).
        priced: Whether the move's cost is a factor.
        bound: What the sum may not exceed.
    """

    name: str
    weight: np.ndarray
    priced: bool
    bound: float

    def coefficients(self, source: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Factor of the mass of each move, shape (v,)."""
        weight: np.ndarray = self.weight[source] * (cost if self.priced else 1.0)
        return weight


def linear_constraints(constraints: Constraints, cells: int, budget: float) -> list[LinearConstraint]:
    """The budget, then the budgets of sets, then all upper bounds, then all lower bounds, in the order given."""

    def weighing(members: np.ndarray, weight: float) -> np.ndarray:
        weights = np.zeros(cells)
        weights[members] = weight
        return weights

    return [
        LinearConstraint(say("the budget"), np.ones(cells), True, budget),
        *(
            LinearConstraint(
                say("the budget for {people}", people=own.name), weighing(own.cells, 1.0), True, own.budget
            )
            for own in constraints.budgets
        ),
        *(
            LinearConstraint(
                say(
                    "the limit of at most {at_most} for {group}",
                    at_most=localized(f"{one.at_most:.4g}"),
                    group=one.name,
                ),
                weighing(one.cells, 1.0),
                False,
                one.at_most,
            )
            for one in constraints.leaving
        ),
        *(
            LinearConstraint(
                say(
                    "the limit of at least {at_least} for {group}",
                    at_least=localized(f"{one.at_least:.4g}"),
                    group=one.name,
                ),
                weighing(one.cells, -1.0),
                False,
                -one.at_least if one.at_least > 0 else np.inf,
            )
            for one in constraints.leaving
        ),
    ]
