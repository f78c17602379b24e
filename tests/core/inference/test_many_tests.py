"""Simultaneous intervals and power against brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from core.inference.power import detectable_excess, rows_needed
from core.inference.several import Largest, LargestOfPairs
from core.inference.several_means import over_shared_cells


def test_one_estimate_alone_has_half_of_the_error_rate_on_each_side() -> None:
    assert Largest.of_covariance(np.array([[4.0]])).level(0.05) == 0.025
    assert Largest.of_normal(np.array([[4.0, 3.0]])).level(0.05) == 0.05
    assert Largest.of_covariance(np.array([[4.0]]), degrees=5).together(np.array(0.01)) == 0.02


def test_the_critical_value_of_independent_estimates_is_sidaks() -> None:
    found = Largest.of_covariance(np.diag([1.0, 2.0, 3.0, 4.0]), 1).critical(0.05)
    assert found == pytest.approx(norm.ppf((1 + 0.95**0.25) / 2), abs=0.03)


def test_the_critical_value_of_correlated_estimates_holds_their_joint_mass() -> None:
    correlation = np.array([[1.0, 0.8], [0.8, 1.0]])
    c = Largest.of_covariance(9 * correlation, 2).critical(0.1)
    box = multivariate_normal(np.zeros(2), correlation)
    inside = box.cdf([c, c]) - 2 * box.cdf([c, -c]) + box.cdf([-c, -c])
    assert inside == pytest.approx(0.9, abs=0.01)


def test_perfectly_opposed_estimates_count_once() -> None:
    found = Largest.of_covariance(np.array([[1.0, -1.0], [-1.0, 1.0]]), 3).critical(0.05)
    assert found == pytest.approx(1.96, abs=0.03)


@pytest.mark.parametrize("degrees", [np.inf, 7.0])
def test_a_level_and_the_p_value_of_all_undo_each_other(degrees: float) -> None:
    found = Largest.of_covariance(0.5 + 0.5 * np.eye(5), degrees=degrees)
    for alpha in (1e-5, 0.003, 0.05, 0.4):
        level = found.level(alpha)
        assert found.together(np.array([level * (1 - 1e-9), level * (1 + 1e-6)])) == pytest.approx(alpha, abs=2e-4)
        assert found.together(np.array(level * (1 - 1e-9))) <= alpha * (1 + 1e-9)
        assert found.together(np.array(level * (1 + 1e-6))) > alpha
        assert level >= alpha / 10, "of five estimates with two sides each"
    assert np.isnan(found.together(np.array(np.nan)))
    assert found.level(0.05) > 0.05 / 10 * 1.2, "they go together, and miss together"


def test_without_draws_levels_are_bonferronis() -> None:
    found = Largest(np.zeros(0), 4)
    assert found.level(0.05) == 0.05 / 4
    assert found.together(np.array([0.01, 0.3])) == pytest.approx([0.04, 1.0])
    assert found.critical(0.05) == np.inf
    assert Largest(np.zeros(0), 0).level(0.05) == 0.05


def test_the_observed_statistic_is_one_of_the_draws() -> None:
    found = Largest(np.arange(1.0, 20.0), 1)
    assert [found.p_value(one) for one in (0.0, 15.0, 19.0, 20.0)] == [1.0, 6 / 20, 2 / 20, 1 / 20]
    assert [found.critical(alpha) for alpha in (0.05, 0.0999, 0.1, 0.04)] == [19.0, 19.0, 18.0, np.inf]


@pytest.mark.parametrize("groups", [3, 6])
def test_of_all_pairs_of_equal_groups_draws_agree_with_the_studentised_range(groups: int) -> None:
    first, second = np.triu_indices(groups, 1)
    pairs = np.eye(groups)[first] - np.eye(groups)[second]
    drawn, exact = Largest.of_normal(pairs, 5, both_sides=True), LargestOfPairs(groups)
    for alpha in (0.02, 0.05, 0.2):
        assert drawn.level(alpha) == pytest.approx(exact.level(alpha), rel=0.12)
        assert exact.together(np.array([exact.level(alpha)])) == pytest.approx(alpha, rel=1e-6)


def test_statistics_that_nothing_adds_to_are_counted_and_never_the_largest() -> None:
    two = np.array([[2.0, 1.0], [0.0, 3.0]])
    few, more = Largest.of_normal(two), Largest.of_normal(np.vstack([two, np.zeros((1, 2))]))
    np.testing.assert_array_equal(few.draws, more.draws)
    assert (few.several, more.several) == (2, 3)
    assert not len(Largest.of_normal(np.zeros((3, 2))).draws)
    assert Largest.of_normal(np.zeros((3, 2)), both_sides=True).several == 6


def test_sums_over_shared_cells_are_sums_over_rows() -> None:
    rng = np.random.default_rng(4)
    members, values = rng.random((4, 6)) < 0.5, rng.random(6)
    brute = [[values[a & b].sum() for b in members] for a in members]
    np.testing.assert_allclose(over_shared_cells(members, values), brute)


def test_the_rows_needed_give_the_power_asked_for() -> None:
    n = rows_needed(excess=0.1, spread=0.8, alpha=0.05, power=0.8)
    found = np.random.default_rng(5).normal(1.35, 0.8 / n**0.5, 100_000) - norm.ppf(0.95) * 0.8 / n**0.5
    assert (found > 1.25).mean() == pytest.approx(0.8, abs=0.01)
    assert detectable_excess(0.8 / n**0.5, 0.05, 0.8) == pytest.approx(0.1, rel=0.01)
