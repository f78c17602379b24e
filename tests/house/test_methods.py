"""Formulas of core/METHODS.md, written down again as they are printed there, against the code."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm, t

from core.audits.equalized_odds.levels import AttributeLevels
from core.audits.equalized_odds.permuting import permutation_test
from core.audits.equalized_odds.question import Question
from core.audits.equalized_odds.result import Strata
from core.audits.transport.unseen import Unseen
from core.base.progress import ignore_progress
from core.inference.bounded import means_with_largest, p_of_bounded
from core.inference.clusters import ratio_error
from core.inference.comparisons import Comparisons, Means, People
from core.inference.moments import ratio_upper_by_counts
from core.inference.pairwise import share_limits
from core.inference.several import LargestOfPairs, holm
from core.inference.share import exact_limits, worst_case

COUNTS, ROWS = np.array([30.0, 18.0]), np.array([80.0, 120.0])


def compared(tail: float) -> tuple[float, float, float, float]:
    """Bounds of 30 of 80 less 18 of 120, and of the second over the first."""
    people = People(np.column_stack([ROWS, COUNTS, COUNTS, COUNTS]), 0.0, shares=True)
    sets = np.eye(2, dtype=bool)
    found = Comparisons.alone(people, sets[:1], sets[1:])
    low, high = found.ratio_limits(tail)
    return float(found.lower(tail)[0]), float(found.upper(tail)[0]), float(low[0]), float(high[0])


def mid_p(count: int, rows: int, tail: float) -> float:
    def chance(share: float) -> float:
        return (binom.sf(count - 1, rows, share) + binom.sf(count, rows, share)) / 2 - tail

    return float(brentq(chance, 1e-12, 1 - 1e-12, xtol=1e-14))


@pytest.mark.parametrize("tail", [0.05, 0.005])
def test_limits_of_shares_and_of_their_differences_and_ratios(tail: float) -> None:
    """Section 1.3."""
    low, high = (np.array([mid_p(int(k), int(n), tail) for k, n in zip(one, ROWS, strict=True)]) for one in
                 (COUNTS, ROWS - COUNTS))  # fmt: skip
    high = 1 - high
    limits = share_limits(COUNTS, ROWS, tail)
    assert limits.low == pytest.approx(low, rel=1e-6)
    assert limits.high == pytest.approx(high, rel=1e-6)
    exact = exact_limits(COUNTS, ROWS, tail)
    assert exact[0] == pytest.approx(beta.ppf(tail, COUNTS, ROWS - COUNTS + 1))
    assert exact[1] == pytest.approx(beta.ppf(1 - tail, COUNTS + 1, ROWS - COUNTS))

    (a, b), (a_low, b_low), (a_high, b_high) = COUNTS / ROWS, low, high
    lower, upper, r_low, r_high = compared(tail)
    assert lower == pytest.approx(a - b - math.hypot(a - a_low, b_high - b), rel=1e-6)
    assert upper == pytest.approx(a - b + math.hypot(a_high - a, b - b_low), rel=1e-6)
    # The ratio is that of the second to the first: a and b change places.
    (b, a), (b_low, a_low), (b_high, a_high) = (a, b), (a_low, b_low), (a_high, b_high)
    root = math.sqrt((a * b) ** 2 - a_low * (2 * a - a_low) * b_high * (2 * b - b_high))
    assert r_low == pytest.approx(a_low * (2 * a - a_low) / (a * b + root), rel=1e-6)
    root = math.sqrt((a * b) ** 2 - a_high * (2 * a - a_high) * b_low * (2 * b - b_low))
    assert r_high == pytest.approx((a * b + root) / (b_low * (2 * b - b_low)), rel=1e-6)


def test_levels_of_many_at_once() -> None:
    """Section 1.2."""
    p_values = np.array([0.01, 0.04, 0.03])
    assert holm(p_values) == pytest.approx([0.03, 0.06, 0.06])
    assert LargestOfPairs(2).level(0.05) == pytest.approx(0.025)
    people = People(np.column_stack([ROWS, COUNTS, COUNTS, COUNTS]), 0.0, shares=True)
    both = np.eye(2, dtype=bool)
    found = Comparisons.of(people, both, both[::-1], seed=1)
    q = found.largest.draws[math.ceil(0.95 * (len(found.largest.draws) + 1)) - 1]
    assert found.largest.level(0.05) == pytest.approx(max(norm.cdf(-q), 0.05 / 2))
    assert found.largest.level(0.05) == pytest.approx(0.025, rel=0.1)  # one is the other turned


def test_means() -> None:
    """Section 1.4: Student and Hall, and Gaffke's bound of ones and zeros."""
    n, g, tail = 50, 1.2 / math.sqrt(50), 0.03
    means = Means(np.array([2.0]), np.array([n]), np.array([4.0]), np.array([1.2 * 8.0]))
    error, quantile = 2 / math.sqrt(n), t.isf(tail, n - 1)

    def transformed(one: float) -> float:
        return one + g * one**2 / 3 + g**2 * one**3 / 27 + g / 6

    hall = [float(brentq(lambda one, q=q: transformed(one) - q, -20, 20)) for q in (quantile, -quantile)]
    limits = means.limits(np.array([tail]))
    assert limits.low[0] == pytest.approx(2 - error * max(quantile, hall[0]))
    assert limits.high[0] == pytest.approx(2 - error * min(-quantile, hall[1]))
    ones = np.repeat([0.0, 1.0], [45, 5])
    bound = means_with_largest(ones, 1.0, draws=19_999, seed=1)[math.ceil(0.95 * 20_000) - 1]
    assert bound == pytest.approx(exact_limits(np.array(5.0), np.array(50.0), 0.05)[1], rel=0.02)
    assert p_of_bounded(ones, 0.05) == pytest.approx(
        math.exp(-50 * (0.1 * math.log(0.1 / 0.05) + 0.9 * math.log(0.9 / 0.95)))
    )


def test_errors_of_clusters_and_rows_left_out() -> None:
    """Sections 1.5 and 1.6."""
    above, below = np.array([3.0, 1.0, 4.0, 2.0]), np.array([5.0, 6.0, 7.0, 4.0])
    ratio, error = ratio_error(above, below)
    assert ratio == above.sum() / below.sum()
    assert error**2 == pytest.approx(4 / 3 * ((above - ratio * below) ** 2).sum() / below.sum() ** 2)
    assert worst_case(0.04, 0.1) == pytest.approx(0.04 + 0.96 * 0.1)


def test_error_rates_that_hardly_change_and_people_who_are_not_seen() -> None:
    """Sections 2 and 4."""
    p = beta.ppf(0.95, 3 + 1, 20)
    assert ratio_upper_by_counts(21, 20, 18, 0.05) == pytest.approx(18 / 20 + p / (1 - p))
    unseen = Unseen(people=400, alone=0.1, hidden=0.02, room=0.5, most=1.0)
    assert unseen.upper_bound(0.03, 0.05) == pytest.approx(0.03 / 0.9 + 0.02 - math.log(0.05) / 400 * 0.5)


def test_the_loss_of_permuted_groups() -> None:
    """Section 5."""
    rng = np.random.default_rng(2)
    score, strata, codes = rng.normal(size=300), rng.integers(2, size=300), rng.integers(3, size=300)
    levels = AttributeLevels(codes, np.eye(3), ordered=False, groups=np.arange(3), together=0)
    question = Question(score, False, Strata((), strata, exact=True), score)
    found = permutation_test(question, levels, 99, rng=rng, on_progress=ignore_progress)
    sums, variances, weights = np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3))
    for y in range(2):
        inside = strata == y
        held = (score[inside] - score[inside].mean()) / score[inside].std()
        sums[y] = np.bincount(codes[inside], held, 3)
        share = np.bincount(codes[inside], minlength=3) / inside.sum()
        variances[y], weights[y] = inside.sum() * share * (1 - share), 1 - share
    n = np.array([(strata == y).sum() for y in range(2)])
    within = (weights * sums**2 / (variances + 0.01 * n[:, None])).sum()
    whole = (weights.mean(axis=0) * sums.sum(axis=0) ** 2 / (variances.sum(axis=0) + 0.01 * 300)).sum()
    omega = 1 / math.sqrt(2)
    assert found.statistic == pytest.approx(1 - (omega * within + whole) / (omega + 1) / 300, rel=1e-9)
