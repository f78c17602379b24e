"""Transport problems to time, and the linear program that is solved again for every replicate."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from core.inference.transport.costs import AbstractCost, ClassCost, QuadraticCost
from core.inference.transport.envelope import Envelope

REPLICATES = 1000
SHARE = 0.2
"""The budget, as a share of what can be spent at all."""


def classes(size: int, rng: np.random.Generator) -> tuple[np.ndarray, AbstractCost]:
    """0-1 losses; people who differ only in race and sex are alike: classes of 12."""
    return rng.integers(0, 2, size).astype(float), ClassCost(np.arange(size) // 12)


def labels(size: int, rng: np.random.Generator) -> tuple[np.ndarray, AbstractCost]:
    """0-1 losses of a linear rule; d² over eight columns within a label."""
    x, y = rng.normal(size=(size, 8)), rng.integers(0, 2, size)
    return ((x @ rng.normal(size=8) > 0) != y).astype(float), QuadraticCost(x, y)


def scores(size: int, rng: np.random.Generator) -> tuple[np.ndarray, AbstractCost]:
    """Logarithmic losses of a linear rule; d² over eight columns within a label."""
    x, y = rng.normal(size=(size, 8)), rng.integers(0, 2, size)
    return np.logaddexp(0, np.where(y == 1, -1, 1) * (x @ rng.normal(size=8))), QuadraticCost(x, y)


def line(size: int, rng: np.random.Generator) -> tuple[np.ndarray, AbstractCost]:
    """The worst case: the loss rises along the only column, so that nearly every worse cell is a corner."""
    x, y = rng.normal(size=(size, 1)), rng.integers(0, 2, size)
    return np.logaddexp(0, np.where(y == 1, -2, 2) * x[:, 0]), QuadraticCost(x, y)


WORKLOADS: dict[str, Callable[[int, np.random.Generator], tuple[np.ndarray, AbstractCost]]] = {
    "classes": classes,
    "labels": labels,
    "scores": scores,
    "line": line,
}


def replicates(size: int, rng: np.random.Generator) -> np.ndarray:
    """Resampled shares of 5 people per cell, shape (REPLICATES + 1, K); the first row are the shares themselves."""
    people = rng.multinomial(5 * size, np.full(size, 1 / size))
    return np.vstack([people, rng.multinomial(5 * size, people / people.sum(), REPLICATES)]) / (5 * size)


def once(name: str, size: int) -> tuple[float, float, int]:
    """Seconds to build, seconds for all replicates, and steps in all."""
    rng = np.random.default_rng(0)
    losses, cost = WORKLOADS[name](size, rng)
    masses = replicates(size, rng)
    start = time.perf_counter()
    envelope = Envelope.build(losses, cost)
    built = time.perf_counter()
    envelope.value(masses, SHARE * envelope.total_cost(masses[0]))
    return built - start, time.perf_counter() - built, len(envelope.source)


def solver(losses: np.ndarray, cost: AbstractCost, budget: float) -> Callable[[np.ndarray], float]:
    """Solve eq. 3.1 over the allowed pairs for other masses; cvxpy compiles it once, HiGHS solves it every time."""
    import cvxpy

    costs = cost.rows(0, cost.size)
    source, target = np.nonzero(costs < np.inf)
    pairs = np.arange(len(source))
    leaving = csr_array((np.ones(len(pairs)), (source, pairs)), shape=costs.shape[:1] + pairs.shape)
    mass, shares = cvxpy.Variable(len(pairs), nonneg=True), cvxpy.Parameter(len(losses), nonneg=True)
    met = [leaving @ mass == shares, costs[source, target] @ mass <= budget]
    problem = cvxpy.Problem(cvxpy.Maximize((losses[target] - losses[source]) @ mass), met)

    def solve(masses: np.ndarray) -> float:
        shares.value = masses
        return float(problem.solve(solver=cvxpy.HIGHS))

    return solve


def peak() -> float:
    """Largest memory this process held so far, in MB; of this program alone, unlike ``ru_maxrss`` after a fork."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    print(*once(sys.argv[1], int(sys.argv[2])), peak())
