"""Intervals of all pairs, and of ratios to the highest rate, hold as often as they say (simulated).

Every design keeps its level. Where events are rare, counts are few and their intervals hold more often than they say.
"""

import numpy as np
import pytest

from core.inference.pairwise import (
    ConfidenceLimits,
    differences,
    largest_difference,
    mean_limits,
    ratio_to_largest,
    share_limits,
)
from core.inference.several import LargestOfPairs

ALPHA = 0.05
DESIGNS = {
    "two groups of 30, rare": ([30, 30], [0.02, 0.02]),
    "two groups of 30": ([30, 30], [0.1, 0.1]),
    "two groups of 30, apart": ([30, 30], [0.5, 0.2]),
    "30 and 1,000, rare": ([30, 1000], [0.02, 0.02]),
    "30 and 1,000, apart": ([30, 1000], [0.5, 0.1]),
    "six of 30": ([30] * 6, [0.3] * 6),
    "five of 30 and one of 1,000, rare": ([30] * 5 + [1000], [0.02] * 6),
    "five of 30 and one of 1,000": ([30] * 5 + [1000], [0.5] * 6),
    "six of 100": ([100] * 6, [0.1] * 6),
    "six of 100, apart": ([100] * 6, [0.02, 0.05, 0.1, 0.2, 0.3, 0.5]),
    "all sizes, apart": ([30, 30, 100, 100, 1000, 1000], [0.5, 0.1, 0.02, 0.3, 0.2, 0.05]),
    "six of 1,000, rare": ([1000] * 6, [0.02] * 6),
    "six of 1,000": ([1000] * 6, [0.3] * 6),
}
MANY_EVENTS = ("two groups of 30, apart", "30 and 1,000, apart", "six of 30", "six of 1,000, rare", "six of 1,000")


def coverage(rows: list[int], rates: list[float], repetitions: int, seed: int) -> tuple[float, float, float]:
    """How often intervals hold: of all differences, of all ratios to the highest rate, of the largest difference."""
    rng, n, p = np.random.default_rng(seed), np.array(rows), np.array(rates)
    counts = rng.binomial(n, p, (repetitions, len(n)))
    tail = LargestOfPairs(len(n)).level(ALPHA)
    every = share_limits(counts, np.broadcast_to(n, counts.shape), tail)
    apart, over, held = p[:, None] - p[None, :], p / p.max(), np.zeros(3)
    for row in range(repetitions):
        one = ConfidenceLimits(every.value[row], every.low[row], every.high[row])
        pairs, (ratio, _) = differences(one), ratio_to_largest(one, np.ones(len(n), dtype=bool))
        _, low, high, _, _ = largest_difference(pairs)
        nobody = np.isnan(ratio.value).all()
        held += (
            ((pairs.low <= apart + 1e-12) & (apart <= pairs.high + 1e-12)).all(),
            nobody or ((ratio.low <= over + 1e-12) & (over <= ratio.high + 1e-12)).all(),
            low <= apart.max() <= high,
        )
    return tuple(held / repetitions)


def test_intervals_hold_in_a_small_simulation() -> None:
    """Of 400 samples, 380 at nominal 0.95 with a standard error of 4.4."""
    for design in ("five of 30 and one of 1,000", "six of 100, apart"):
        assert min(coverage(*DESIGNS[design], 400, 0)) >= 0.95 - 3 * 0.011


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_whatever_sizes_and_rates(design: str) -> None:
    found = coverage(*DESIGNS[design], 4000, 1)
    print(design, found)
    assert min(found) >= 0.95 - 2 * 0.0035
    if design in MANY_EVENTS:
        assert found[0] <= 0.97


@pytest.mark.parametrize("repetitions", [150, pytest.param(3000, marks=pytest.mark.long)])
def test_intervals_of_differences_of_skewed_means_hold(repetitions: int) -> None:
    """Squared normal errors, which is what an RMSE is made of; long: groups of 30, 100 and 1,000."""
    rng, held, sizes = np.random.default_rng(2), 0, (30, 100, 1000)
    tail = LargestOfPairs(len(sizes)).level(ALPHA)
    for _ in range(repetitions):
        pairs = differences(mean_limits([rng.standard_normal(n) ** 2 for n in sizes], tail, within=(0.0, np.inf)))
        held += bool((pairs.low <= 0).all())
    print(held / repetitions)
    assert held / repetitions >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / repetitions)
