"""Limits of shares and means, and the intervals of differences and ratios recovered from them."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from scipy.stats import t as student

from core.inference.pairwise import (
    ConfidenceLimits,
    differences,
    largest_difference,
    mean_limits,
    ratio_to_largest,
    ratios,
    share_limits,
)
from core.inference.several import LargestOfPairs
from core.inference.share import Share

PARTS = ("value", "low", "high")


def wilson(counts: list[int], rows: list[int]) -> ConfidenceLimits:
    shares = [Share(count, n) for count, n in zip(counts, rows, strict=True)]
    ends = [share.two_sided(0.05) for share in shares]
    return ConfidenceLimits(
        *(
            np.array(one)
            for one in zip(*((s.value, e.low, e.high) for s, e in zip(shares, ends, strict=True)), strict=True)
        )
    )


def test_a_difference_recovered_from_wilson_limits_is_the_published_one() -> None:
    """Newcombe 1998, Table II, method 10, 56/70 - 48/80: 0.0524 to 0.3339 (statsmodels 0.15.0 says the same)."""
    found = differences(wilson([56, 48], [70, 80]))
    assert found.value[0, 1] == pytest.approx(0.2)
    assert found.low[0, 1] == pytest.approx(0.05243147240236498)
    assert found.high[0, 1] == pytest.approx(0.33387265403690614)


@pytest.mark.parametrize(("groups", "quantile"), [(2, 2.771808), (3, 3.314493), (10, 4.474124)])
def test_limits_lie_as_far_out_as_the_studentised_range_asks(groups: int, quantile: float) -> None:
    """qtukey(0.95, groups, Inf) of R 4.3."""
    assert norm.isf(LargestOfPairs(groups).level(0.05)) * np.sqrt(2) == pytest.approx(quantile, abs=1e-5)


@pytest.mark.parametrize(("count", "rows"), [(1, 30), (7, 30), (29, 30), (400, 1000)])
@pytest.mark.parametrize("tail", [0.025, 0.0005])
def test_limits_of_shares_are_where_the_mid_p_value_is_the_tail(count: int, rows: int, tail: float) -> None:
    found = share_limits(np.array([count]), np.array([rows]), tail)
    above = binom.sf(count, rows, found.low[0]) + binom.pmf(count, rows, found.low[0]) / 2
    below = binom.cdf(count, rows, found.high[0]) - binom.pmf(count, rows, found.high[0]) / 2
    assert above == pytest.approx(tail, rel=1e-6)
    assert below == pytest.approx(tail, rel=1e-6)


def test_limits_of_none_and_of_all_reach_the_end_and_those_of_nothing_are_missing() -> None:
    found = share_limits(np.array([0, 30, 0]), np.array([30, 30, 0]), 0.025)
    assert found.low[0] == 0
    assert found.high[1] == 1
    assert 0 < found.high[0] < 0.2
    assert np.isnan([found.value[2], found.low[2], found.high[2]]).all()


def test_means_have_the_outer_limits_of_student_and_of_the_cubic_without_skewness() -> None:
    values = np.random.default_rng(0).standard_exponential(40)
    found = mean_limits([values], 0.01)
    error, skewness = values.std(ddof=1) / np.sqrt(40), np.mean((values - values.mean()) ** 3) / values.std() ** 3
    a, quantile = skewness / np.sqrt(40), student.isf(0.01, 39)
    t = (values.mean() - np.array([found.low[0], found.high[0]])) / error
    cubic = t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6
    assert t[0] == pytest.approx(quantile)
    assert cubic[1] == pytest.approx(-quantile)
    assert t[1] < -quantile


def test_symmetric_values_have_students_limits() -> None:
    values = np.concatenate([np.arange(1.0, 21.0), -np.arange(1.0, 21.0)])
    found = mean_limits([values], 0.025)
    half = student.isf(0.025, 39) * values.std(ddof=1) / np.sqrt(40)
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx([0, -half, half], abs=1e-9)


def test_a_constant_sample_within_known_ends_is_not_certain() -> None:
    free, within = mean_limits([np.full(30, 0.2)], 0.025), mean_limits([np.full(30, 0.2)], 0.025, within=(0.0, 1.0))
    assert free.low[0] == free.high[0] == pytest.approx(0.2)
    others = share_limits(np.array([0]), np.array([30]), 0.025).high[0]
    assert within.low[0] == pytest.approx(0.2 - 0.2 * others)
    assert within.high[0] == pytest.approx(0.2 + 0.8 * others)
    assert np.isnan(mean_limits([np.array([1.0])], 0.025).value[0])


def test_the_limits_of_a_ratio_are_the_ones_at_which_the_difference_touches_nought() -> None:
    one = share_limits(np.array([3, 40, 55]), np.array([50, 90, 400]), 0.004)
    found = ratios(one)
    for i, j in [(0, 1), (1, 0), (1, 2), (2, 1)]:
        for limit, end in ((found.low[i, j], "low"), (found.high[i, j], "high")):
            scaled = ConfidenceLimits(*(np.array([getattr(one, p)[i], limit * getattr(one, p)[j]]) for p in PARTS))
            assert getattr(differences(scaled), end)[0, 1] == pytest.approx(0, abs=1e-9)


def test_a_ratio_to_nobody_is_unbounded_and_one_of_nobody_starts_at_nought() -> None:
    found = ratios(share_limits(np.array([0, 10]), np.array([40, 40]), 0.01))
    assert found.low[0, 1] == 0
    assert 0 < found.high[0, 1] < 1
    assert found.high[1, 0] == np.inf
    assert found.low[1, 0] > 1
    assert (np.diag(found.low) == 1).all()


def test_turning_a_pair_round_turns_its_intervals_round() -> None:
    one = share_limits(np.array([3, 40, 55]), np.array([50, 90, 400]), 0.004)
    apart, over = differences(one), ratios(one)
    assert np.allclose(apart.low, -apart.high.T)
    assert np.allclose(over.low * over.high.T, 1)


def test_the_largest_is_known_only_as_well_as_all_pairs_are() -> None:
    one = share_limits(np.array([30, 28, 5]), np.array([60, 60, 60]), LargestOfPairs(3).level(0.05))
    ratio, largest = ratio_to_largest(one, np.array([True, True, True]))
    pairs = ratios(one)
    assert largest == 0
    assert ratio.value[2] == pytest.approx(5 / 30)
    assert ratio.low[2] == min(pairs.low[2, :2])
    assert ratio.low[0] == pairs.low[0, 1] < 1
    assert ratio.high[0] == 1
    value, low, high, highest, lowest = largest_difference(differences(one))
    assert (highest, lowest, value) == (0, 2, pytest.approx(25 / 60))
    assert 0 < low < value < high


def test_groups_that_may_not_be_the_largest_can_lie_above_it() -> None:
    one = share_limits(np.array([30, 28, 5]), np.array([60, 60, 60]), 0.01)
    ratio, largest = ratio_to_largest(one, np.array([False, True, True]))
    assert largest == 1
    assert ratio.value[0] == pytest.approx(30 / 28)
    assert ratio.high[0] > 1


def test_nothing_is_compared_with_nothing() -> None:
    nobody = share_limits(np.array([0, 0]), np.array([60, 60]), 0.01)
    alone = share_limits(np.array([10, 0]), np.array([60, 0]), 0.01)
    for one in (nobody, alone):
        ratio, largest = ratio_to_largest(one, np.array([True, True]))
        assert largest == -1
        assert np.isnan(ratio.value).all()
    assert largest_difference(differences(alone))[3:] == (-1, -1)
