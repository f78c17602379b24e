"""Simultaneous intervals and power against brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from core.inference.power import detectable_excess, rows_needed
from core.inference.several_means import critical_value, over_shared_cells


def test_the_critical_value_of_one_estimate_is_the_normal_quantile() -> None:
    assert critical_value(np.array([[4.0]]), 0.05, np.random.default_rng(0)) == pytest.approx(1.96, abs=0.03)


def test_the_critical_value_of_independent_estimates_is_sidaks() -> None:
    found = critical_value(np.diag([1.0, 2.0, 3.0, 4.0]), 0.05, np.random.default_rng(1))
    assert found == pytest.approx(norm.ppf((1 + 0.95**0.25) / 2), abs=0.03)


def test_the_critical_value_of_correlated_estimates_holds_their_joint_mass() -> None:
    correlation = np.array([[1.0, 0.8], [0.8, 1.0]])
    c = critical_value(9 * correlation, 0.1, np.random.default_rng(2))
    box = multivariate_normal(np.zeros(2), correlation)
    inside = box.cdf([c, c]) - 2 * box.cdf([c, -c]) + box.cdf([-c, -c])
    assert inside == pytest.approx(0.9, abs=0.01)


def test_perfectly_opposed_estimates_count_once() -> None:
    found = critical_value(np.array([[1.0, -1.0], [-1.0, 1.0]]), 0.05, np.random.default_rng(3))
    assert found == pytest.approx(1.96, abs=0.03)


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
