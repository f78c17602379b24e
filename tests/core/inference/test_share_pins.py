"""Limits of shares against other implementations, written-out ranks and corners."""

import math

import numpy as np
import pytest
from scipy.stats import beta
from statsmodels.stats.proportion import proportion_confint

from core.inference.bounded import means_with_largest, means_with_zero
from core.inference.share import DRAWS, exact_limits, share_of, worst_case

FLAGS, PAIRS = np.arange(40) < 13, np.arange(40) // 2


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (4, 10), (9, 10), (10, 10), (1, 1)])
def test_wilsons_interval_is_that_of_statsmodels(count: int, n: int) -> None:
    found = share_of(np.arange(n) < count).two_sided(0.1)
    assert (found.low, found.high) == pytest.approx(proportion_confint(count, n, 0.1, "wilson"), abs=1e-12)


def test_an_interval_of_clusters_is_both_limits_at_half_of_alpha() -> None:
    share = share_of(FLAGS, PAIRS)
    found = share.two_sided(0.1)
    assert (found.low, found.high) == (share.lower_bound(0.05), share.upper_bound(0.05))
    assert found.confidence == 0.9


@pytest.mark.parametrize(("alpha", "rank"), [(0.0001, 1), (0.05, 500), (0.050099, 500), (0.0501, 501)])
def test_limits_of_clusters_are_draws_of_whole_ranks(alpha: float, rank: int) -> None:
    """Of 9,999 draws alpha x 10,000 lie at either limit or beyond; 500.99 are 500."""
    share = share_of(FLAGS, PAIRS)
    assert share.lower_bound(alpha) == means_with_zero(FLAGS, draws=DRAWS, seed=0, clusters=PAIRS)[rank - 1]
    assert share.upper_bound(alpha) == means_with_largest(FLAGS, 1.0, draws=DRAWS, seed=0, clusters=PAIRS)[-rank]


def test_exact_limits_are_quantiles_of_the_beta_distribution_also_of_numbers_that_are_not_whole() -> None:
    counted, of = np.array([0.4, 1.0, 2.5, 6.0, 9.0, 9.7]), 10.0
    low, high = exact_limits(counted, np.full(6, of), 0.05)
    assert low == pytest.approx(beta.ppf(0.05, counted, of - counted + 1))
    assert high == pytest.approx(beta.ppf(0.95, counted + 1, of - counted))


def test_exact_limits_of_nobody_and_of_everybody_are_powers_of_alpha() -> None:
    low, high = exact_limits(np.array([0.0, 5.0]), np.full(2, 5.0), 0.05)
    assert low == pytest.approx([0.0, 0.05**0.2], abs=0)
    assert high == pytest.approx([1 - 0.05**0.2, 1.0])


@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
def test_a_bound_beyond_one_is_no_lower_for_those_that_are_unknown(missing: float) -> None:
    assert worst_case(1.3, missing) == 1.3
    assert math.isclose(worst_case(1.0, missing), 1.0)
