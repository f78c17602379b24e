"""Estimates, groups and corners beyond the tolerance, and joined p-values: by hand, at the limits of each."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from core.base.grouping import Grouping
from core.inference.estimate import Estimate, Verdict
from core.inference.excess import GroupExcess, GroupSample, corners_beyond, excesses
from core.inference.p_values import mean_normal_score
from core.inference.share import Share
from tests.findings import verdict_of


def test_a_second_source_of_error_adds_to_each_end_and_to_the_degrees_of_freedom() -> None:
    """Errors .3 and .4 make .5, and Satterthwaite's degrees are .5^4 over .3^4 / 5 + .4^4 / 9.

    Five on a side are read off alone, though all ten are spread by .26.
    """
    found = Estimate(2.0, 0.3, 100, degrees=5).widened(np.repeat([-0.4, 0.1], 5))
    assert found.standard_error == pytest.approx(0.5)
    assert found.error_above == pytest.approx(math.hypot(0.3, 0.1))
    assert found.degrees == pytest.approx(0.5**4 / (0.3**4 / 5 + 0.4**4 / 9))


def test_few_repetitions_on_a_side_are_as_far_as_all_are_spread_or_further() -> None:
    """All of .1, .2 and .3 lie above, .22 away in the root mean square, and are spread by .1."""
    found = Estimate(2.0, 0.0, 100).widened(np.array([0.1, 0.2, 0.3]))
    assert found.standard_error == pytest.approx(0.1)
    assert found.error_above == pytest.approx(math.sqrt(0.14 / 3))
    assert found.degrees == pytest.approx(2)


def test_an_interval_of_an_estimate_is_the_normal_one_and_states_its_confidence() -> None:
    found, half = Estimate(1.0, 0.2, 100).two_sided(0.1), 0.2 * norm.isf(0.05)
    assert (found.low, found.high) == pytest.approx((1 - half, 1 + half))
    assert found.confidence == 0.9


@pytest.mark.parametrize(("bias", "delta"), [(0.2, 0.7), (0.0, 0.9), (-0.2, 0.9)])
def test_a_p_value_counts_only_a_bias_that_makes_the_value_too_high(bias: float, delta: float) -> None:
    assert Estimate(1.0, 0.1, 100, bias=bias).p_value(delta) == pytest.approx(norm.sf(1))


def test_a_value_without_an_error_exceeds_what_it_exceeds_less_its_bias() -> None:
    assert [Estimate(0.5, 0.0, 100).p_value(delta) for delta in (0.4, 0.5, 0.6)] == [0.0, 1.0, 1.0]
    biased = Estimate(0.5, 0.0, 100, bias=0.25)
    assert [biased.p_value(delta) for delta in (0.2, 0.25, 0.4)] == [0.0, 1.0, 1.0]


def test_errors_that_are_not_of_a_direction_leave_p_values_and_power_to_the_quantiles() -> None:
    """Six below and above, .4 away, of which the median is 0; 1 - 1.5 is one error of .5 below."""
    found = Estimate(1.5, 0.3, 100).widened(np.repeat([-0.4, 0.4], 6))
    assert found.degrees == pytest.approx(0.5**4 / (0.4**4 / 11))
    assert found.p_value(1.5) == pytest.approx(0.5)
    reach = 1.5 - found.lower_bound(0.05)
    assert found.detectable(0.2, 0.05, 0.8) == pytest.approx(0.2 + reach + 0.5 * norm.ppf(0.8))


def test_a_value_that_is_infinite_or_unknown_decides_nothing() -> None:
    assert verdict_of(Estimate(math.inf, 0.1, 100), 0.5, 0.05) is Verdict.INSUFFICIENT
    assert verdict_of(Estimate(0.0, math.inf, 100), 0.5, 0.05) is Verdict.INSUFFICIENT
    assert verdict_of(Estimate(0.9, 0.1, 100, undefined="Nothing."), 0.5, 0.05) is Verdict.INSUFFICIENT


def test_a_group_of_one_row_is_judged_and_one_at_the_tolerance_shows_nothing() -> None:
    """Of six tests the only one that says something, of 99 draws without a mean that low, has 6 times 1 in 100."""
    values = [np.array([0.4]), np.array([0.25]), np.array([0.1, 0.3]), np.empty(0)]
    samples = [GroupSample("race", str(place), one, Share(0, len(one))) for place, one in enumerate(values)]
    asked = []

    def means(place: int) -> np.ndarray:
        asked.append(place)
        return np.ones(99)

    found = excesses(samples, 0.25, means)
    assert asked == [0]
    assert [one.p_mean for one in found] == pytest.approx([0.06, 1.0, 1.0, math.nan], nan_ok=True)
    assert [one.mean for one in found] == pytest.approx([0.4, 0.25, 0.2, math.nan], nan_ok=True)


def cut_once(moved: float, rows: int) -> tuple[GroupExcess, ...]:
    """Grouping found where all rows but a last one move as far and are decided otherwise; the tolerance is 1/4."""
    corners = Grouping("length", ("long", "short"), np.array([0] * rows + [1]))
    sample = "sex", np.array([moved] * rows + [0.0]), np.array([True] * rows + [False])
    return corners_beyond([corners], [sample], 0.25)


def test_rows_that_move_by_the_tolerance_are_not_decided_otherwise_beyond_it() -> None:
    assert cut_once(0.25, 20) == ()
    assert [one.group for one in cut_once(0.3, 20)] == ["long"]


def test_a_corner_that_is_as_unlikely_as_it_may_be_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter to the power of 4, four times: 1 in 64."""
    monkeypatch.setattr("core.inference.excess.FIRM", 1.0)
    p_value = min(one.p_value for one in cut_once(1.0, 4))
    assert p_value == pytest.approx(1 / 64)
    monkeypatch.setattr("core.inference.excess.FIRM", p_value)
    assert [one.group for one in cut_once(1.0, 4)] == ["long"]
    monkeypatch.setattr("core.inference.excess.FIRM", math.nextafter(p_value, 0))
    assert cut_once(1.0, 4) == ()


def test_two_splits_err_by_half_their_distance_at_the_density_of_their_mean() -> None:
    """Normal scores -2 and -1: a standard deviation of 1 / sqrt(2), over sqrt(2)."""
    joined, error = mean_normal_score(norm.cdf([-2.0, -1.0]), finest=1e-6)
    assert (joined, error) == pytest.approx((norm.cdf(-1.5), norm.pdf(1.5) / 2))
