"""Pairs of sets compared at once: against plain formulas, laws, and how often bounds miss."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from core.inference.comparisons import Comparisons, Means, People, Shares
from core.inference.several import Largest

TWO = (np.array([[True, False], [False, True]]), np.array([[False, True], [True, False]]))


def two_groups(k: int, n: int, j: int, m: int, ratio: float | None = 0.8) -> Comparisons:
    """Both directions of two groups with k of n and j of m counted."""
    powers = np.array([[n, k, k, k], [m, j, j, j]], dtype=np.float64)
    return Comparisons.of(People(powers, 0.0, True), *TWO, ratio=ratio)


def mid_p(k: int, n: int, tail: float, *, upper: bool) -> float:
    """Limit of a share by its definition."""
    if k == (n if upper else 0):
        return float(upper)

    def miss(p: float) -> float:
        beyond = binom.cdf(k - 1, n, p) if upper else binom.sf(k, n, p)
        return float(beyond + binom.pmf(k, n, p) / 2 - tail)

    return float(brentq(miss, 1e-12, 1 - 1e-12))


@pytest.mark.parametrize(("k", "n", "j", "m"), [(40, 100, 20, 90), (0, 40, 3, 300), (59, 60, 290, 300), (7, 31, 7, 31)])
@pytest.mark.parametrize("tail", [0.05, 0.0125])
def test_bounds_are_those_of_zou_and_donner(k: int, n: int, j: int, m: int, tail: float) -> None:
    """Differences: the roots of 2008, eq. 4; ratios: 0 lies in the interval of second - r first (2012)."""
    found = two_groups(k, n, j, m)
    p, q = k / n, j / m
    (pl, pu), (ql, qu) = ([mid_p(x, size, tail, upper=end) for end in (False, True)] for x, size in ((k, n), (j, m)))
    assert found.lower(tail)[0] == pytest.approx(p - q - math.hypot(p - pl, qu - q), abs=1e-9)
    assert found.upper(tail)[0] == pytest.approx(p - q + math.hypot(pu - p, q - ql), abs=1e-9)
    low, high = (end[0] for end in found.ratio_limits(tail))

    def least(r: float) -> float:
        return q - r * p - math.hypot(q - ql, r * (pu - p))

    def most(r: float) -> float:
        return q - r * p + math.hypot(qu - q, r * (p - pl))

    assert low == pytest.approx(brentq(least, 0, 1e4) if q > 0 and ql > 0 else 0.0, abs=1e-8)
    assert (math.isinf(high) and pl == 0) or high == pytest.approx(brentq(most, 0, 1e6), rel=1e-8)


def test_a_mean_has_the_limits_of_student_and_hall() -> None:
    """Against the scalar code of pairwise intervals; four people like everybody fill a set up (Agresti and Coull)."""
    from core.inference.pairwise import mean_limits

    rng = np.random.default_rng(0)
    values, cells = rng.exponential(size=4_000), rng.integers(2, size=4_000)
    found = Comparisons.of(People.of(values, cells, 2, shares=False), *TWO)
    plain = mean_limits([values[cells == g] for g in range(2)], 0.01)
    below = np.hypot(plain.value[0] - plain.low[0], plain.high[1] - plain.value[1])
    assert found.difference[0] == pytest.approx(plain.value[0] - plain.value[1], abs=1e-12)
    assert found.lower(0.01)[0] == pytest.approx(found.difference[0] - below, abs=2e-4)


def test_nobody_has_no_number() -> None:
    none = Shares(np.array([0]), np.array([0])).limits(np.array([0.05]))
    assert np.isnan([none.value, none.low, none.high]).all()
    alone = Means(np.array([1.0]), np.array([1]), np.array([0.0]), np.array([0.0])).limits(np.array([0.05]))
    assert (alone.low[0], alone.high[0]) == (-np.inf, np.inf)


@pytest.mark.parametrize("delta", [0.0, 0.05, 0.1, 0.2])
def test_a_p_value_is_the_smallest_alpha_whose_bound_exceeds_the_tolerance(delta: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(8):
        n, m = rng.integers(30, 400, size=2)
        found = two_groups(int(rng.binomial(n, 0.5)), int(n), int(rng.binomial(m, 0.35)), int(m))
        together = found.largest.together
        p_difference, p_ratio = together(found.p_values(delta)), together(found.ratio_p_values(0.8))
        for alpha in (0.001, 0.01, 0.05, 0.2):
            level = found.largest.level(alpha)
            assert ((found.lower(level) > delta) == (p_difference <= alpha)).all()
            assert ((found.ratio_limits(level)[1] < 0.8) == (p_ratio <= alpha)).all()


def test_levels_lie_between_bonferroni_and_a_single_one_and_grow_with_alpha() -> None:
    found = two_groups(40, 100, 30, 100, ratio=None)
    alphas = np.linspace(0.001, 0.5, 50)
    levels = np.array([found.largest.level(alpha) for alpha in alphas])
    assert (np.diff(levels) >= 0).all()
    assert (levels >= alphas / 2 - 1e-12).all()
    assert (levels <= alphas).all()
    assert levels == pytest.approx(alphas / 2, abs=0.012)  # two directions of one difference exclude each other


def test_the_largest_of_independent_contrasts_has_the_law_of_sidak() -> None:
    """Five disjoint pairs of equal sets: the largest of five independent normals."""
    powers = np.tile([100.0, 50.0, 50.0, 50.0], (10, 1))
    first = np.eye(10, dtype=bool)[::2]
    found = Comparisons.of(People(powers, 0.0, True), first, np.roll(first, 1, axis=1))
    assert found.largest.level(0.05) == pytest.approx(1 - 0.95**0.2, rel=0.08)


def test_a_ratio_beside_a_difference_costs_little() -> None:
    """They miss together, so that their level is far above that of four independent ones."""
    both, alone = (two_groups(200, 400, 200, 400, **asked).largest for asked in ({}, {"ratio": None}))
    assert both.level(0.05) > 0.8 * alone.level(0.05)


def test_units_change_nothing() -> None:
    rng = np.random.default_rng(2)
    values, cells = rng.exponential(size=500), rng.integers(2, size=500)
    one, other = (Comparisons.of(People.of(scale * values, cells, 2, shares=False), *TWO) for scale in (1.0, 1000.0))
    assert other.lower(0.05) == pytest.approx(1000 * one.lower(0.05), rel=1e-9)
    assert other.p_values(100.0) == pytest.approx(one.p_values(0.1), rel=1e-6)


def missed(p: float, q: float, n: int, m: int, *, tail: float, delta: float) -> float:
    """How often the lower bound of a difference exceeds delta, over all counts."""
    rows = np.indices((n + 1, m + 1)).reshape(2, -1)
    sides = Shares(rows[0], np.full(rows.shape[1], n)), Shares(rows[1], np.full(rows.shape[1], m))
    lower = Comparisons(*sides, Largest(np.zeros(0), 1)).lower(tail)
    chance = binom.pmf(rows[0], n, p) * binom.pmf(rows[1], m, q)
    return float(chance[lower > delta + 1e-12].sum())


@pytest.mark.parametrize(("n", "m"), [(30, 30), (30, 120), (50, 50)])
def test_how_often_a_lower_bound_of_shares_is_too_high(n: int, m: int) -> None:
    """Exactly, by enumeration: on average less than promised, and at worst a fifth more."""
    found = [
        missed(q + delta, q, n, m, tail=0.025, delta=delta) / 0.025
        for delta in (0.0, 0.1)
        for q in (0.01, 0.05, 0.2, 0.5, 0.8)
        if q + delta < 1
    ]
    assert max(found) <= 1.2
    assert np.mean(found) <= 1.0


@pytest.mark.parametrize("groups", [2, 5])
def test_all_lower_bounds_hold_together(groups: int) -> None:
    """Each group against everybody else, rates of 10% to 90%; 400 tables, at most alpha + 2 Monte-Carlo errors."""
    rng, alpha, tables = np.random.default_rng(groups), 0.1, 400
    sizes = np.array([60, 400, 200, 120, 80])[:groups]
    rates = np.array([0.5, 0.5, 0.1, 0.9, 0.3])[:groups]
    first = np.eye(groups, dtype=bool)
    others = np.array([(sizes * rates)[~one].sum() / sizes[~one].sum() for one in first])
    wrong = 0
    for _ in range(tables):
        counts = rng.binomial(sizes, rates)
        powers = np.stack([sizes, counts, counts, counts], axis=1).astype(np.float64)
        found = Comparisons.of(People(powers, 0.0, True), first, ~first)
        wrong += bool((found.lower(found.largest.level(alpha)) > rates - others + 1e-12).any())
    assert wrong <= tables * alpha + 2 * math.sqrt(tables * alpha * (1 - alpha))


def test_the_tail_of_the_normal_is_what_a_level_is() -> None:
    found = two_groups(40, 100, 30, 100, ratio=None)
    place = math.ceil(0.95 * (len(found.largest.draws) + 1) - 1e-9) - 1
    assert found.largest.level(0.05) == pytest.approx(max(float(norm.sf(found.largest.draws[place])), 0.025))
