"""Every kind of test where the truth lies exactly at its tolerance, and at half and at twice of it: one table.

A design makes a table and a model whose true value is known: by arithmetic, or for the gradient flow by summing over
65,536 Sobol points, four times as many where tails are heavy. It is audited through the front
door (``run_audit`` and ``find``). Of one audit the verdict is read at three tolerances: at the truth, where a violation
is false and so is clearing, since the tolerance may lie a hair to either side; at half of it, where a violation is to
be found; and at twice, where "no violation" is. What the truth is measured from is no effect: 0, or 1 of a ratio.

Of a hundred rates that are all 0.05 two or three exceed 0.05 + 2 Monte-Carlo errors. So each cell of the table is held
to the binomial tail at 0.05 over the number of judged cells (Bonferroni), and so are the sums over sizes and over
shapes. What is sharp is the sum over everything of a kind: where no rate may exceed 0.05, neither may their mean, which
is held to 0.05 + 2 Monte-Carlo errors. ``-s`` prints the table.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from tests.core.boundary_designs import CLEAR, DESIGNS, SHAPES, VIOLATION
from tests.measured import measured

ALPHA = 0.05
NUMBERS = {kind for kind in DESIGNS if kind.endswith(("losses", "chance", "sensitivity", "scores", "numbers"))}
"""Those in which something can have heavy tails."""
TABLES = {200: 120, 1_000: 120, 4_000: 60, 16_000: 30}
CELLS, MARGINS = 2 * len(TABLES) * (4 * len(DESIGNS) + 2 * len(NUMBERS)), 2 * len(DESIGNS) * (len(SHAPES) + len(TABLES))


def shapes_of(kind: str) -> tuple[str, ...]:
    return tuple(name for name, shape in SHAPES.items() if not shape.heavy or kind in NUMBERS)


def simulated(kind: str, shape: str, n: int, tables: int, *, seed: int = 0, alpha: float = ALPHA) -> np.ndarray:
    """How many tables there are, are a violation and no violation at the truth, are found, and are cleared."""
    rng = np.random.default_rng([seed, n, *f"{kind}, {shape}".encode()])
    counted = np.zeros(5, dtype=np.int64)
    for _ in range(tables):
        one = DESIGNS[kind](rng, n, SHAPES[shape])
        at, below, above = (one.verdict(effect, alpha) for effect in (1.0, 0.5, 2.0))
        counted += 1, at is VIOLATION, at is CLEAR, below is VIOLATION, above is CLEAR
    return counted


def told(counted: np.ndarray) -> str:
    return " | ".join([f"{counted[0]:,}", *(f"{one:.3f}" for one in counted[1:] / counted[0])])


def too_often(counted: np.ndarray, judged: int) -> bool:
    """Whether so many errors of either kind are no chance at an error rate of 0.05, among so many judged rates."""
    return bool(binom.sf(counted[1:3].max() - 1, counted[0], ALPHA) < 0.05 / judged)


def test_few_tables_with_the_truth_at_the_tolerance_are_judged_and_those_beside_it_are() -> None:
    found = {
        kind: np.sum(
            [simulated(kind, shape, 200, 1) for shape in ("two groups", "six groups", "a group of 3%")], axis=0
        )
        for kind in DESIGNS
    }
    everything = np.sum([*found.values()], axis=0)
    assert not too_often(everything, 2), {kind: told(one) for kind, one in found.items()}
    assert everything[3:].min() >= everything[0] / 4


def test_bounds_that_miss_too_often_are_noticed() -> None:
    """The same verdicts at an error rate of 50%, held to 5%."""
    assert too_often(simulated("transport, one answer a kind", "two groups", 200, 15, alpha=0.5), 2)


@pytest.mark.long
@pytest.mark.parametrize("kind", DESIGNS)
def test_at_the_tolerance_no_claim_is_made_more_often_than_the_error_rate_says(
    kind: str, record_property: Callable[[str, object], None]
) -> None:
    cells: dict[tuple[int | str, ...], np.ndarray] = {}
    for n, shape in product(TABLES, shapes_of(kind)):
        tables = TABLES[n] // (3 if kind == "text sensitivity" and n == max(TABLES) else 1)
        cells[n, shape] = simulated(kind, shape, n, tables)
        print(f"{kind} | {shape} | {n:,} | {told(cells[n, shape])}", flush=True)
    names = (*TABLES, *shapes_of(kind))
    margins = {(one,): np.sum([found for place, found in cells.items() if one in place], axis=0) for one in names}
    for n in TABLES:
        repeats, violations, clearings, found, _ = margins[n,].tolist()
        record_property(
            *measured(
                f"{kind}, all shapes; power: truth at twice the tolerance",
                n=n,
                repeats=repeats,
                false_violations=violations / repeats,
                false_clearings=clearings / repeats,
                power=found / repeats,
            )
        )
    everything = np.sum([*cells.values()], axis=0)
    print(f"{kind} | all | all | {told(everything)}", flush=True)
    wrong = [place for place, found in cells.items() if too_often(found, CELLS)]
    wrong += [place for place, found in margins.items() if too_often(found, MARGINS)]
    assert not wrong
    assert everything[1:3].max() / everything[0] <= ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / everything[0])
