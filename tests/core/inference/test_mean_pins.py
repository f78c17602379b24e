"""Means, ratios of means and of sums, and the rows a test needs, each by hand, by a law or written out in loops."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from core.base.thresholds import DRAWS
from core.inference.mean import mean_difference, mean_of, ratio_of_means
from core.inference.moments import ratio_by_cluster, ratio_upper_by_clusters
from core.inference.power import rows_needed
from core.inference.resampling import resampled_rows

FIRST, SECOND = np.array([0.0, 0.0, 2.0, 5.0]), np.array([0.0, 3.0, 1.0, 0.0])
"""Rows of which some resamples hold nothing of the first, of the second, of both, or a constant ratio."""


def log_ratio(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """The log ratio of two positive means and its standard error by the delta method."""
    apart = first / first.mean() - second / second.mean()
    error = 0.0 if np.allclose(apart, 0.0) else float(apart.std(ddof=1)) / math.sqrt(len(apart))
    return math.log(first.mean() / second.mean()), error


def studentised_log_ratio(first: np.ndarray, second: np.ndarray, own: float) -> float:
    if not first.any() or not second.any():
        return math.inf * (first.any() - float(second.any())) if first.any() or second.any() else 0.0
    log, error = log_ratio(first, second)
    if math.isclose(log, own):
        return 0.0
    return (log - own) / error if error else math.copysign(math.inf, log - own)


def test_resampled_log_ratios_are_those_written_out() -> None:
    own, error = log_ratio(FIRST, SECOND)
    t = np.sort(
        [studentised_log_ratio(FIRST[rows], SECOND[rows], own) for block in resampled_rows(4, 499, 3) for rows in block]
    )
    assert {-math.inf, 0.0, math.inf} < set(t)
    alone = ratio_of_means(FIRST, SECOND, draws=499, seed=3).log
    assert alone.value == pytest.approx(own)
    assert alone.roots == pytest.approx(2 * error * t)
    assert alone.upper_roots == pytest.approx(2 * error * t)
    clustered = ratio_of_means(FIRST, SECOND, draws=499, seed=3, clusters=np.arange(4)).log
    quantiles = student.ppf(np.arange(1, 500) / 500, 3)
    assert clustered.roots == pytest.approx(2 * error * np.minimum(t, quantiles))
    assert clustered.upper_roots == pytest.approx(2 * error * np.maximum(t, quantiles))


def test_a_log_ratio_with_a_standard_error_of_one_is_not_certain() -> None:
    """0 and 2 over 1 and 1: a quarter of the resamples holds no 0, half of them one, a quarter two."""
    first, second = np.array([0.0, 2.0]), np.ones(2)
    interval = ratio_of_means(first, second, draws=199, seed=0).two_sided(0.1)
    assert (interval.low, interval.high) == (0.0, math.inf)
    within = ratio_of_means(first, second, draws=199, seed=0, clusters=np.arange(2)).two_sided(0.8)
    far = student.isf(0.4, 1)
    assert (within.low, within.high) == pytest.approx((math.exp(-far), math.exp(far)))


@pytest.mark.parametrize("clusters", [None, np.arange(30)])
def test_a_ratio_that_no_row_departs_from_is_certain(clusters: np.ndarray | None) -> None:
    values = np.random.default_rng(0).random(30)
    found = ratio_of_means(0.3 * values, values, draws=199, seed=0, clusters=clusters).two_sided(0.1)
    assert (found.low, found.high) == pytest.approx((0.3, 0.3), rel=1e-12)


def test_twice_the_values_have_twice_the_bounds_also_where_the_standard_error_is_one() -> None:
    """Five values of variance 5, about 3."""
    values = np.array([0.0, 2.0, 3.0, 4.0, 6.0])
    for estimate in (mean_of, mean_difference):
        one, two = estimate(values, draws=199, seed=0), estimate(2 * values, draws=199, seed=0)
        assert 2 * one.roots == pytest.approx(two.roots)
        assert one.upper_roots is not None
        assert 2 * one.upper_roots == pytest.approx(two.upper_roots)


def test_the_bounds_of_two_values_at_the_ends_are_exactly_the_ends() -> None:
    found = mean_of(np.array([0.0, 2.0]), draws=199, seed=0, largest=2.0)
    assert (found.lower_bound(0.01), found.upper_bound(0.01)) == (0.0, 2.0)


def test_two_clusters_have_a_ratio_with_one_degree_of_freedom() -> None:
    """(1 + 3) / (2 + 2), from which they lie 1 below and 1 above: sqrt(2 x 2) / 4."""
    found = ratio_by_cluster(np.array([1.0, 0.0, 3.0]), np.array([2.0, 0.0, 2.0]), 10)
    assert (found.value, found.standard_error, found.n, found.degrees) == (1.0, 0.5, 10, 1)


@pytest.mark.parametrize(("alpha", "rank"), [(0.05, 1_900), (0.1, 1_800), (0.0504, 1_900), (0.0502, 1_900)])
def test_the_bound_of_a_ratio_of_sums_is_the_draw_that_so_many_do_not_exceed(alpha: float, rank: int) -> None:
    """1,999 draws and the truth are 2,000: of 1,899.2 and 1,899.6 of them the next whole number."""
    above, below = np.array([0.0, 1.0, 2.0]), np.array([3.0, 4.0, 5.0])
    weights = np.random.default_rng((0, 4)).standard_exponential((DRAWS, 4))
    ratios = sorted((b + 2 * c + 6 * d) / (3 * a + 4 * b + 5 * c) for a, b, c, d in weights)
    assert ratio_upper_by_clusters(above, below, 6.0, alpha) == pytest.approx(ratios[rank - 1], rel=1e-12)
    assert ratio_upper_by_clusters(above, below, 6.0, 0.4 / 2_000) == np.inf, "no draw is so large"


def test_the_order_of_clusters_changes_no_bound_also_where_some_are_of_one_size() -> None:
    above, below = np.array([1.0, 2.0, 0.0, 5.0, 5.0]), np.array([4.0, 4.0, 4.0, 1.0, 2.0])
    found = {
        ratio_upper_by_clusters(above[order], below[order], 6.0, 0.05) for order in (np.arange(5), np.arange(5)[::-1])
    }
    assert len(found) == 1


def test_the_rows_needed_are_the_fewest_that_are_enough_and_never_fewer_than_two() -> None:
    exact = ((norm.ppf(0.95) + norm.ppf(0.8)) * 8) ** 2
    assert exact == pytest.approx(395.7, abs=0.1)
    assert rows_needed(0.1, 0.8, 0.05, 0.8) == 396
    assert rows_needed(100.0, 0.8, 0.05, 0.8) == 2
