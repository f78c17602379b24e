"""The check for normal draws against scipy and against its own level."""

import warnings

import numpy as np
import pytest
from scipy.stats import anderson, norm

from core.inference.transport.doubts import CHECKED, LEVEL, Normality, check_normality


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


def test_p_values_are_the_published_parabola_until_they_are_none() -> None:
    """The same, table 4.9, is meant for statistics from 0.6 to 13: below them 1 is told, above them 0."""
    normal = norm.ppf((np.arange(300) + 0.5) / 300)
    found = [check_normality(normal + bend * normal**2) for bend in np.linspace(0.0, 0.6, 60)]
    statistics, p_values = np.array([(one.statistic, one.p_value) for one in found]).T
    assert ((statistics > 13) & (statistics < 14)).any()
    low, high = statistics < 0.6, statistics > 13
    fitted = np.polyfit(statistics[~low & ~high], np.log(p_values[~low & ~high]), 2)
    assert fitted == pytest.approx([0.0186, -5.709, 1.2937], rel=1e-6)
    assert (p_values[low] == 1).all()
    assert (p_values[high] == 0).all()


def test_as_many_draws_as_are_checked_are_all_different() -> None:
    """One of 1,001 evenly spread draws is left out, which leaves them as normal as they were."""
    normal = norm.ppf((np.arange(CHECKED + 1) + 0.5) / (CHECKED + 1))
    assert check_normality(normal).statistic == pytest.approx(check_normality(normal[1:-1]).statistic, abs=0.02)


def test_draws_without_spread_are_normal_and_two_are_tested() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for draws in ([], [0.3], [0.3, 0.3], [0.1 + 0.2, 0.3]):
            assert check_normality(np.array(draws)) == Normality(0.0, 1.0)
    two = np.array([1.0, 4.0])
    assert check_normality(two).statistic == pytest.approx(of_scipy(two) * (1 + 0.75 / 2 + 2.25 / 4))


def test_only_a_p_value_below_one_in_a_hundred_is_a_doubt() -> None:
    assert not Normality(1.0, 0.01).doubtful
    assert Normality(1.0, np.nextafter(0.01, 0)).doubtful
