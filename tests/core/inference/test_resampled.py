"""Bounds and p-values from draws against values worked out by hand, and the laws between them."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.estimate import Estimate, Verdict
from core.inference.evidence import Estimated
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from tests.findings import verdict_of


def of(roots: list[float] | np.ndarray, value: float = 0.5, n: int = 100) -> ResampledEstimate:
    return ResampledEstimate(value, n, np.sort(np.asarray(roots, dtype=np.float64)))


def crossed(value: float, error: float) -> CrossFitted:
    """Three splits with this mean and mean error."""
    return CrossFitted(tuple(Estimate(value + step, error * (1 + step), 100) for step in (-0.02, 0.005, 0.015)))


NINETEEN = of(np.arange(1.0, 20.0))
"""Roots 1 to 19, so that 1 in 20 is one draw."""


def test_the_interval_subtracts_the_quantiles() -> None:
    """Eq. 4.1 with its sign put right: high draws make the lower end, low draws the upper end."""
    assert NINETEEN.lower_bound(0.05) == pytest.approx(0.5 - 19 / 10)
    assert NINETEEN.upper_bound(0.05) == pytest.approx(0.5 - 1 / 10)
    interval = NINETEEN.two_sided(0.1)
    assert (interval.low, interval.high) == (NINETEEN.lower_bound(0.05), NINETEEN.upper_bound(0.05))
    assert interval.confidence == pytest.approx(0.9)


def test_the_p_value_counts_the_sample_itself() -> None:
    """Three of 19 roots reach sqrt(100) (0.5 + 1.2) = 17."""
    assert NINETEEN.p_value(-1.2) == pytest.approx(4 / 20)
    assert NINETEEN.p_value(-5.0) == pytest.approx(1 / 20)
    assert NINETEEN.p_value(5.0) == 1.0


def test_too_few_draws_give_no_bound() -> None:
    assert NINETEEN.lower_bound(0.01) == -np.inf
    assert NINETEEN.upper_bound(0.01) == np.inf
    assert verdict_of(NINETEEN, -100.0, 0.01) is Verdict.INSUFFICIENT
    assert np.isnan(NINETEEN.lower_error(0.01))


def test_no_bound_has_no_error_and_warns_of_nothing() -> None:
    nothing = ResampledEstimate(np.nan, 10, np.arange(19.0), undefined="No value.")
    with np.errstate(all="raise"):
        for error in (NINETEEN.lower_error, NINETEEN.upper_error, of([]).lower_error, of([]).upper_error):
            assert np.isnan(error(0.01))
        assert np.isnan([nothing.lower_error(0.05), nothing.upper_error(0.05)]).all()


def test_the_error_of_a_bound_is_half_the_distance_of_the_draws_beside_it() -> None:
    """The squares of 1 to 25, of which 5 of 26 lie beyond a bound, two ranks to either side, over sqrt(100)."""
    squares = of(np.arange(1.0, 26.0) ** 2)
    assert squares.upper_error(0.2) == pytest.approx((7**2 - 3**2) / 2 / 10)
    assert squares.lower_error(0.2) == pytest.approx((23**2 - 19**2) / 2 / 10)


@settings(max_examples=100, deadline=None)
@given(
    roots=st.lists(st.integers(-30, 30), min_size=1, max_size=60),
    value=st.integers(-5, 5),
    delta=st.integers(-40, 40),
    alpha=st.sampled_from([0.01, 0.025, 0.05, 0.1, 1 / 3, 0.5]),
)
def test_the_p_value_is_at_most_alpha_exactly_where_the_lower_bound_exceeds_delta(
    roots: list[int], value: int, delta: int, alpha: float
) -> None:
    found = of([root / 3 for root in roots], value / 7, 17)
    tolerance = delta / 11
    assert (found.p_value(tolerance) <= alpha + 1e-12) == (found.lower_bound(alpha) > tolerance)
    at_bound = found.lower_bound(0.1)
    if np.isfinite(at_bound):
        assert found.p_value(at_bound) > 0.1


def test_lower_bounds_come_from_the_upper_roots() -> None:
    low, high = np.arange(1.0, 20.0), np.arange(11.0, 30.0)
    found = ResampledEstimate(0.5, 100, low, high)
    assert found.lower_bound(0.05) == of(high).lower_bound(0.05)
    assert found.p_value(-1.2) == of(high).p_value(-1.2)
    assert found.upper_bound(0.05) == of(low).upper_bound(0.05)


def test_the_monte_carlo_error_is_what_other_draws_change() -> None:
    rng = np.random.default_rng(0)
    many = [of(rng.normal(size=2000)) for _ in range(400)]
    for bound, error in (("lower_bound", "lower_error"), ("upper_bound", "upper_error")):
        spread = np.std([getattr(one, bound)(0.05) for one in many])
        assert np.mean([getattr(one, error)(0.05) for one in many]) == pytest.approx(spread, rel=0.15)
    quantile_error = sqrt(0.05 * 0.95 / 2000) / 0.10314 / 10  # density of N(0, 1) at 1.645, n = 100
    assert np.mean([one.lower_error(0.05) for one in many]) == pytest.approx(quantile_error, rel=0.1)


def test_a_value_without_error_is_tested_exactly() -> None:
    still = of(np.zeros(199), value=0.0)
    assert still.p_value(0.0) == 1.0
    assert (still.lower_bound(0.05), still.upper_bound(0.05)) == (0.0, 0.0)
    assert verdict_of(still, 0.0, 0.05) is Verdict.NO_VIOLATION
    assert verdict_of(of(np.zeros(199), value=0.1), 0.05, 0.05) is Verdict.VIOLATION


def test_an_undefined_value_answers_nothing() -> None:
    nothing = ResampledEstimate(np.nan, 10, np.zeros(0), undefined="No value.")
    for answer in (nothing.lower_bound(0.05), nothing.upper_bound(0.05), nothing.p_value(0.1)):
        assert np.isnan(answer)
    assert verdict_of(nothing, 0.1, 0.05) is Verdict.INSUFFICIENT


def test_a_checked_estimate_is_as_careful_as_the_more_careful_of_two() -> None:
    shown, honest = of(np.arange(-99.0, 100.0) / 100), crossed(0.3, 0.05)
    both = Checked(shown, honest)
    assert both.value == honest.value
    assert both.decided_by_second(0.05)
    assert both.lower_bound(0.05) == honest.lower_bound(0.05) < shown.lower_bound(0.05)
    assert both.upper_bound(0.05) == shown.upper_bound(0.05)
    assert both.p_value(0.25) == max(shown.p_value(0.25), honest.p_value(0.25))
    interval = both.two_sided(0.05)
    assert (interval.low, interval.high) == (honest.lower_bound(0.025), shown.upper_bound(0.025))
    assert interval.confidence == 0.95
    assert (both.lower_error(0.05), both.upper_error(0.05)) == (honest.lower_error(0.05), shown.upper_error(0.05))
    assert verdict_of(shown, 0.25, 0.05) is Verdict.VIOLATION
    assert verdict_of(both, 0.25, 0.05) is Verdict.INSUFFICIENT
    sure = Checked(shown, crossed(0.49, 0.001))
    assert not sure.decided_by_second(0.05)
    assert sure.lower_bound(0.05) == shown.lower_bound(0.05)
    assert sure.lower_error(0.05) == shown.lower_error(0.05)
    assert verdict_of(sure, 0.25, 0.05) is Verdict.VIOLATION


def test_splits_are_averaged_with_their_mean_error_and_their_scatter_is_the_monte_carlo_error() -> None:
    found = CrossFitted((Estimate(0.1, 0.02, 50), Estimate(0.3, 0.04, 50), Estimate(0.5, 0.03, 50)))
    assert (found.value, found.standard_error) == (pytest.approx(0.3), pytest.approx(0.03))
    z = 1.6448536269514722
    assert found.lower_bound(0.05) == pytest.approx(0.3 - z * 0.03)
    assert found.upper_bound(0.05) == pytest.approx(0.3 + z * 0.03)
    ends = np.array([0.1 - z * 0.02, 0.3 - z * 0.04, 0.5 - z * 0.03])
    assert found.lower_error(0.05) == pytest.approx(ends.std(ddof=1) / sqrt(3))
    assert CrossFitted(found.splits[:2]).lower_error(0.05) == pytest.approx((ends[1] - ends[0]) / 2)
    assert np.isnan(CrossFitted(found.splits[:1]).lower_error(0.05))
    broken = CrossFitted((*found.splits, Estimate(np.nan, np.nan, 50, "One half of the people is empty.")))
    assert broken.undefined == "One half of the people is empty."
    assert np.isnan(broken.p_value(0.0))


@settings(max_examples=100, deadline=None)
@given(
    roots=st.lists(st.integers(-30, 30), min_size=1, max_size=60),
    splits=st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), min_size=1, max_size=5),
    delta=st.integers(-40, 40),
    alpha=st.sampled_from([0.01, 0.025, 0.05, 0.1, 1 / 3, 0.5]),
)
def test_a_checked_p_value_is_at_most_alpha_exactly_where_its_lower_bound_exceeds_delta(
    roots: list[int], splits: list[tuple[int, int]], delta: int, alpha: float
) -> None:
    both = Checked(
        of([root / 3 for root in roots], 1 / 7, 17),
        CrossFitted(tuple(Estimate(value / 13, error / 31, 17) for value, error in splits)),
    )
    tolerance = delta / 11 + 0.001
    assert (both.p_value(tolerance) <= alpha + 1e-12) == (both.lower_bound(alpha) > tolerance)


def test_of_two_equal_lower_bounds_the_second_decides() -> None:
    alike = Estimate(0.5, 0.1, 100)
    both = Checked(alike, CrossFitted((alike, alike)))
    assert both.decided_by_second(0.05)


def test_what_nothing_confirms_is_no_violation() -> None:
    unconfirmed = Checked(
        of(np.zeros(199)), CrossFitted((Estimate(np.nan, np.nan, 100, "One half of the people is empty."),))
    )
    assert unconfirmed.value == 0.5
    assert unconfirmed.lower_bound(0.05) == -np.inf
    assert unconfirmed.p_value(0.0) == 1.0
    assert verdict_of(unconfirmed, 0.0, 0.05) is Verdict.INSUFFICIENT
    assert verdict_of(unconfirmed, 0.6, 0.05) is Verdict.NO_VIOLATION


def test_every_kind_of_estimate_answers_the_same_questions() -> None:
    kinds: list[Estimated] = [
        Estimate(0.5, 0.1, 100),
        NINETEEN,
        crossed(0.5, 0.1),
        Checked(NINETEEN, crossed(0.5, 0.1)),
    ]
    for one in kinds:
        assert one.two_sided(0.1).low <= one.two_sided(0.1).high
        assert 0 <= one.p_value(0.4) <= 1
        assert one.n == 100
        assert isinstance(verdict_of(one, 0.4, 0.05), Verdict)
