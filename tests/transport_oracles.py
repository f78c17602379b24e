"""Transport problems solved in ways that share nothing with the product, and random problems to solve."""

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from core.inference.transport.constraints import Constraints
from core.inference.transport.costs import DenseCost


@dataclass(frozen=True)
class Problem:
    losses: np.ndarray
    costs: np.ndarray
    masses: np.ndarray
    budget: float

    @property
    def cost(self) -> DenseCost:
        return DenseCost(self.costs)

    def permuted(self, order: np.ndarray) -> "Problem":
        costs = self.costs[np.ix_(order, order)]
        return replace(self, losses=self.losses[order], costs=costs, masses=self.masses[order])


def random_problem(seed: int, smallest: int = 2, largest: int = 8) -> Problem:
    """Losses and costs with and without ties, forbidden moves, empty cells, and budgets of every sort."""
    rng = np.random.default_rng([20, seed])
    size = int(rng.integers(smallest, largest + 1))
    losses = rng.choice([rng.random(size), rng.integers(0, 2, size), rng.integers(0, 4, size) / 4, np.zeros(size)])
    points = rng.normal(size=(size, 2))
    by_distance = ((points[:, None] - points) ** 2).sum(axis=2)
    costs = rng.choice([rng.random((size, size)), rng.integers(0, 4, (size, size)), by_distance]).astype(float)
    costs[rng.random((size, size)) < rng.choice([0.0, 0.3, 0.9])] = np.inf
    if rng.random() < 0.2:
        costs = np.where(rng.integers(0, 3, size)[:, None] == rng.integers(0, 3, size), 0.0, np.inf)
    np.fill_diagonal(costs, 0.0)
    people = int(rng.integers(1, 40))
    masses = rng.multinomial(people, rng.dirichlet(np.ones(size))) / people
    return Problem(losses.astype(float), costs, masses, float(rng.choice([0.0, 0.02, 0.1, 0.5, 2.0, np.inf])))


def best_price(problem: Problem) -> float:
    """Least value of the dual's objective over every price at which two moves of a cell are worth the same, and 0.

    The objective is convex and straight between those prices, so the least value lies at one of them, or at a price so
    high that only free moves are made, where the budget is 0.
    """
    losses, costs = problem.losses, problem.costs
    prices = [0.0]
    for row in costs:
        for one, other in permutations(np.flatnonzero(row < np.inf), 2):
            if row[one] < row[other] and losses[one] < losses[other]:
                prices.append((losses[other] - losses[one]) / (row[other] - row[one]))
    values = [np.inf]
    known = np.where(costs < np.inf, costs, 0.0)
    forbidden = np.where(costs < np.inf, 0.0, -np.inf)
    for price in prices:
        if price > 0 and problem.budget == np.inf:
            continue
        worth = (losses - price * known + forbidden).max(axis=1)
        values.append((price * problem.budget if price else 0.0) + problem.masses @ (worth - losses))
    return min(values)


def best_vertex(problem: Problem) -> float:
    """Largest value over all vertices: each cell moves as a whole, or one is split so that the budget is spent."""
    size = len(problem.losses)
    gain, paid = np.zeros((size,) * size), np.zeros((size,) * size)
    for cell in range(size):
        shape = [size if axis == cell else 1 for axis in range(size)]
        mass = problem.masses[cell]
        gain = gain + (mass * (problem.losses - problem.losses[cell])).reshape(shape)
        row = problem.costs[cell]
        paid = paid + np.where(row < np.inf, mass * np.minimum(row, 1e9), np.inf).reshape(shape)
    best = gain[(paid <= problem.budget) & (paid < np.inf)].max()
    for cell in range(size):
        for one, other in permutations(range(size), 2):
            cheap, dear = paid.take(one, cell), paid.take(other, cell)
            between = (cheap <= problem.budget) & (dear > problem.budget) & (dear < np.inf)
            if between.any():
                low, high = gain.take(one, cell)[between], gain.take(other, cell)[between]
                part = (problem.budget - cheap[between]) / (dear[between] - cheap[between])
                best = max(best, (low + part * (high - low)).max())
    return float(best)


def by_cvxpy(problem: Problem) -> float:
    """Eq. 3.1 as it stands, over every allowed pair."""
    import cvxpy

    source, target = np.nonzero(problem.costs < np.inf)
    pairs = np.arange(len(source))
    leaving = csr_array((np.ones(len(pairs)), (source, pairs)), shape=(len(problem.losses), len(pairs)))
    mass = cvxpy.Variable(len(pairs), nonneg=True)
    constraints = [leaving @ mass == problem.masses]
    if problem.budget < np.inf:
        constraints.append(problem.costs[source, target] @ mass <= problem.budget)
    objective = cvxpy.Maximize((problem.losses[target] - problem.losses[source]) @ mass)
    cvxpy.Problem(objective, constraints).solve(solver=cvxpy.HIGHS, primal_feasibility_tolerance=1e-10)
    return float(objective.value)


def with_limits(problem: Problem, limits: Constraints) -> float | None:
    """The same with limits, by scipy over every allowed pair; None where it is infeasible."""
    source, target = np.nonzero(problem.costs < np.inf)
    paid, moved = problem.costs[source, target], (source != target).astype(float)
    rows, bounds = [], []
    if problem.budget < np.inf:
        rows, bounds = [paid], [problem.budget]
    for own in limits.budgets:
        rows.append(paid * np.isin(source, own.cells))
        bounds.append(own.budget)
    for one in limits.leaving:
        inside = moved * np.isin(source, one.cells)
        rows += [-inside, inside]
        bounds += [-one.at_least, min(one.at_most, 9.0)]
    pairs = np.arange(len(source))
    leaving = csr_array((np.ones(len(pairs)), (source, pairs)), shape=(len(problem.losses), len(pairs)))
    gain = problem.losses[target] - problem.losses[source]
    found = linprog(
        -gain, np.array(rows) if rows else None, bounds or None, leaving, problem.masses, options={"presolve": False}
    )
    return None if found.status == 2 else -float(found.fun)
