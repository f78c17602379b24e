"""The check for normal draws against scipy and against its own level."""

import warnings

import numpy as np
import pytest
from scipy.stats import anderson, norm

from core.inference.transport.doubts import CHECKED, LEVEL, check_normality


def of_scipy(values: np.ndarray) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(anderson(values, dist="norm").statistic)


def test_the_statistic_is_scipys_with_the_correction_for_the_number_of_draws() -> None:
    rng = np.random.default_rng(0)
    for values in (rng.normal(3, 2, 400), rng.exponential(size=200), rng.integers(0, 9, 300) / 4.0):
        count = len(values)
        expected = of_scipy(values) * (1 + 0.75 / count + 2.25 / count**2)
        assert check_normality(values).statistic == pytest.approx(expected, rel=1e-9)


def test_p_values_are_those_of_the_published_critical_values() -> None:
    """D'Agostino and Stephens 1986, table 4.7; draws are bent until their statistic is there."""
    normal = norm.ppf((np.arange(200) + 0.5) / 200)
    found = [check_normality(normal + bend * normal**2) for bend in np.linspace(0.08, 0.25, 60)]
    statistics, p_values = np.array([(one.statistic, one.p_value) for one in found if one.statistic > 0.6]).T
    at = np.exp(np.interp([0.631, 0.752, 0.873, 1.035], statistics, np.log(p_values)))
    assert at == pytest.approx([0.1, 0.05, 0.025, 0.01], rel=0.015)


def test_normal_draws_are_doubted_as_often_as_the_level_says() -> None:
    rng = np.random.default_rng(1)
    doubted = np.mean([check_normality(rng.normal(size=300)).doubtful for _ in range(3000)])
    assert doubted == pytest.approx(LEVEL, abs=3 * np.sqrt(LEVEL * (1 - LEVEL) / 3000))


def test_the_least_of_two_normal_variables_is_doubted() -> None:
    """The limit at a kink with two opposed prices is -|Z|."""
    draws = -np.abs(np.random.default_rng(2).normal(size=2000))
    assert check_normality(draws).doubtful
    assert check_normality(1e9 * draws).p_value == 0.0


def test_more_draws_are_not_looked_at_more_closely() -> None:
    rng = np.random.default_rng(3)
    slightly = rng.normal(size=200_000) + 0.15 * rng.exponential(size=200_000)
    assert not check_normality(slightly).doubtful
    again = check_normality(slightly)
    assert again == check_normality(slightly)
    assert len(slightly) > CHECKED


def test_draws_without_spread_are_left_alone() -> None:
    rounded = np.full(200, 1e9)
    rounded[:3] = np.nextafter(1e9, 2e9)
    for draws in (np.zeros(200), np.full(5, 0.3), np.zeros(1), rounded):
        assert check_normality(draws).p_value == 1.0
