"""One subgroup against everybody else: enumeration, statsmodels, scipy, and the bounds as inverted p-values."""

import numpy as np
import pytest
from scipy.stats import binom, ttest_ind
from statsmodels.stats.proportion import test_proportions_2indep as score_test

from core.audits.group_fairness.subgroups.tails import Means, Shares

FEW = ((0, 30, 50, 500), (5, 30, 50, 500), (9, 30, 50, 500), (12, 30, 300, 5_000), (3, 30, 0, 30), (20, 50, 10, 49))


def shares(*counts: float) -> Shares:
    return Shares(*(np.array([float(value)]) for value in counts))


def means(excess: float, error: float, skewness: float, freedom: float) -> Means:
    return Means(*(np.array([value]) for value in (excess, error, skewness, freedom)))


def enumerated(counts: tuple[int, int, int, int], p: float, q: float) -> float:
    """Probability of X/n - Y/m at least as large as seen."""
    x, n, y, m = counts
    every = np.arange(n + 1)
    return float((binom.pmf(every, n, p) * binom.cdf(np.floor(m * (every / n - x / n + y / m) + 1e-9), m, q)).sum())


@pytest.mark.parametrize("counts", FEW, ids=str)
@pytest.mark.parametrize("delta", [0.0, 0.05, 0.2])
def test_tails_of_shares_are_never_much_below_those_enumerated(counts: tuple[int, int, int, int], delta: float) -> None:
    """At the likeliest shares; half an answer too much where the other side smooths the steps."""
    one = shares(*counts)
    p = float(one._likeliest(np.array([delta]))[0])
    found, exact = float(one.p_values(delta)[0]), enumerated(counts, p, p - delta)
    assert 0.97 * exact <= found <= max(2.1 * exact, exact + 0.15)


def test_the_likeliest_shares_are_those_of_a_fine_grid() -> None:
    x, n, y, m, delta = 7, 40, 30, 200, 0.1
    grid = np.linspace(delta, 1, 200_001)[1:-1]
    likelihood = binom.logpmf(x, n, grid) + binom.logpmf(y, m, grid - delta)
    assert shares(x, n, y, m)._likeliest(np.array([delta]))[0] == pytest.approx(grid[likelihood.argmax()], abs=1e-5)


def test_many_people_agree_with_the_score_test_of_statsmodels() -> None:
    theirs = score_test(
        4_300, 20_000, 10_100, 50_000, value=0.01, method="score", alternative="larger", correction=False
    )
    assert shares(4_300, 20_000, 10_100, 50_000).p_values(0.01)[0] == pytest.approx(theirs.pvalue, rel=0.03)


def test_no_harm_among_thirty_people_excludes_only_shares_under_which_that_is_rare() -> None:
    """(1 - p)^30 = 0.001 at p = 0.2057; nobody else is harmed. Half a person is the price of the steps below."""
    one = shares(0, 30, 0, 100_000)
    assert one.upper(0.001)[0] == pytest.approx(1 - 0.001 ** (1 / 30), rel=0.01)
    assert -0.5 / 30 - 1e-4 < one.lower(0.001)[0] < 0
    assert one.p_values(0.0)[0] == 1.0


@pytest.mark.parametrize("counts", [*FEW, (30, 30, 0, 30), (30, 30, 30, 30), (0, 30, 30, 30)], ids=str)
def test_bounds_of_shares_invert_the_p_values_and_turn_with_the_sides(counts: tuple[int, int, int, int]) -> None:
    x, n, y, m = counts
    one = shares(*counts)
    low, high = float(one.lower(0.01)[0]), float(one.upper(0.01)[0])
    assert -1 <= low < x / n - y / m + 1e-9
    assert x / n - y / m - 1e-9 < high <= 1
    assert shares(y, m, x, n).lower(0.01)[0] == pytest.approx(-high)
    if low > -0.999:
        assert one.p_values(low)[0] == pytest.approx(0.01, rel=1e-3)
    assert one.lower(0.001)[0] <= low


def test_means_without_skewness_agree_with_welch_s_test_of_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.4, 1, 40), rng.normal(0, 2, 300)
    theirs = ttest_ind(a, b, equal_var=False, alternative="greater")
    parts = a.var(ddof=1) / 40, b.var(ddof=1) / 300
    one = means(a.mean() - b.mean(), np.sqrt(sum(parts)), 0.0, theirs.df)
    assert one.p_values(0.0)[0] == pytest.approx(theirs.pvalue, rel=1e-12)
    interval = ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
    assert (one.lower(0.05)[0], one.upper(0.05)[0]) == pytest.approx((interval.low, interval.high), rel=1e-9)


@pytest.mark.parametrize("skewness", [-0.4, -1e-12, 0.0, 0.1, 0.4])
def test_bounds_of_means_invert_the_p_values_and_turn_with_the_sign(skewness: float) -> None:
    one = means(1.0, 0.3, skewness, 60.0)
    low, high = one.lower(0.02)[0], one.upper(0.02)[0]
    assert one.p_values(low)[0] == pytest.approx(0.02, rel=1e-6)
    assert low < 1 < high
    assert means(-1.0, 0.3, -skewness, 60.0).lower(0.02)[0] == pytest.approx(-high)
    assert (high - 1 > 1 - low) == (skewness > 1e-9) or abs(skewness) < 1e-9


def test_what_is_too_skewed_has_no_bound_on_the_side_of_its_tail() -> None:
    one = means(1.0, 0.3, 2.0, 60.0)
    assert np.isinf(one.upper(0.001)[0])
    assert np.isfinite(one.lower(0.001)[0])
    assert one.p_values(-100.0)[0] < 1e-9
    assert means(1.0, 0.3, -2.0, 60.0).p_values(-100.0)[0] > 0.1


def test_a_skewed_mean_misses_as_often_as_stated_where_welch_s_t_does_not() -> None:
    """80 exponential harms against very many: t misses the upper bound at 0.005 five times too often."""
    rng = np.random.default_rng(1)
    sample = rng.standard_exponential((40_000, 80))
    apart = sample - sample.mean(axis=1, keepdims=True)
    error = np.sqrt((apart**2).sum(axis=1) / 79 / 80)
    skewness = (apart**3).mean(axis=1) / 80**2 / error**3
    freedom = np.full(len(sample), 79.0)
    excess = sample.mean(axis=1) - 1
    missed = (Means(excess, error, skewness, freedom).upper(0.005) < 0).mean()
    by_t = (Means(excess, error, 0 * skewness, freedom).upper(0.005) < 0).mean()
    assert by_t > 0.013
    assert missed < 0.0075
