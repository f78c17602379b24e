"""Numbers and limits of the estimates, each by hand or by a law."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm, t

from core.base.thresholds import DRAWS
from core.inference.bounded import p_of_bounded
from core.inference.clusters import FEW_CLUSTERS, degrees_of, spread_of_one
from core.inference.estimate import Estimate, Verdict
from core.inference.excess import FIRM
from core.inference.mean import _roots_within
from core.inference.moments import ratio_upper_by_clusters
from core.inference.pairwise import ConfidenceLimits, _mean_limits, largest_difference, mean_limits
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from core.inference.several_means import _equal_tailed, drawn_together, several_means
from core.inference.share import Share, share_of, worst_case
from core.inference.studentised import Studentised, bootstrap_t_interval, studentised
from core.inference.tails import tail_of
from tests.core.inference.transport.designs import of_people
from tests.findings import verdict_of


def test_a_bound_that_is_the_tolerance_does_not_exceed_it() -> None:
    assert verdict_of(Estimate(0.5, 0.0, 100), 0.5, 0.05) is Verdict.NO_VIOLATION


def test_what_is_known_to_be_too_low_reaches_further_up_and_no_further_down() -> None:
    one = Estimate(1.0, 0.1, 100, bias=-0.2)
    z = norm.ppf(0.95)
    assert one.upper_bound(0.05) == pytest.approx(1.2 + 0.1 * z)
    assert one.lower_bound(0.05) == pytest.approx(1.0 - 0.1 * z)


def test_repetitions_that_do_not_move_are_on_neither_side() -> None:
    moved = np.array([-3.0] * 5 + [0.0] * 5 + [4.0] * 5)
    widened = Estimate(1.0, 4.0, 100).widened(moved)
    assert widened.standard_error == pytest.approx(5.0)
    assert widened.error_above == pytest.approx(math.hypot(4.0, 4.0))


def test_errors_of_the_outermost_draw_are_those_of_its_one_neighbour() -> None:
    """1,999 draws 2 apart; the standard deviation of a rank is 1 there, and sqrt(n) is 2."""
    one = ResampledEstimate(0.0, 4, 2.0 * np.arange(1_999))
    assert one.upper_error(0.0005) == pytest.approx(1.0)
    assert one.lower_error(0.0005) == pytest.approx(1.0)


def test_draws_that_do_not_decide_have_no_error() -> None:
    plain, silent = Estimate(0.5, 0.1, 100), Estimate(math.nan, math.nan, 100, undefined="Nothing.")
    assert Checked(plain, CrossFitted((silent, silent))).lower_error(0.05) == 0.0
    checked = Checked(plain, CrossFitted((Estimate(0.9, 0.1, 100),) * 2))
    assert (checked.lower_error(0.05), checked.upper_error(0.05)) == (0.0, 0.0)


def test_two_values_have_student_s_limits_and_one_has_none() -> None:
    limits = mean_limits([np.array([0.0, 1.0]), np.array([0.3])], 0.05)
    half = 0.5 * t.isf(0.05, 1)
    assert [limits.value[0], limits.low[0], limits.high[0]] == pytest.approx([0.5, 0.5 - half, 0.5 + half])
    assert np.isnan([limits.value[1], limits.low[1], limits.high[1]]).all()


@pytest.mark.parametrize("power", [1, 3])
def test_limits_of_the_reflected_sample_are_the_reflected_limits(power: int) -> None:
    values = np.random.default_rng(2).gamma(1.0, size=40) ** power
    limits = mean_limits([values, -values], 0.02)
    assert (limits.low[0], limits.high[0]) == pytest.approx((-limits.high[1], -limits.low[1]))


def test_shares_without_rows_and_beyond_the_draws_say_nothing() -> None:
    nobody = Share(0, 0).two_sided(0.1)
    assert (nobody.low, nobody.high, nobody.confidence) == (0.0, 1.0, 0.9)
    assert Share(3, 10).two_sided(0.1).confidence == 0.9
    flags, pairs = np.arange(60) < 20, np.arange(60) // 2
    assert share_of(np.zeros(60, dtype=bool), pairs).lower_bound(0.05) == 0.0
    assert share_of(flags, pairs).lower_bound(1e-6) == 0.0
    assert share_of(flags, pairs).upper_bound(1e-6) == 1.0
    assert 0.0 < share_of(flags, pairs).lower_bound(0.05) < 1 / 3 < share_of(flags, pairs).upper_bound(0.05) < 1.0


def test_the_ends_of_an_interval_are_draws_of_whole_ranks() -> None:
    """1,999 draws: 50 of them, with the end itself, lie beyond either end of a 95% interval."""
    draws = np.arange(-999.0, 1_000.0)
    one = Studentised(0.0, 1.0, draws, np.ones(1_999))
    assert _equal_tailed(one, 0.05) == (-950.0, 950.0)


def test_resamples_in_which_both_groups_are_constant_are_not_apart() -> None:
    """One of thirty in each group: a third of the resamples of either hold nobody."""
    values = np.tile(np.arange(30) == 0, 2).astype(np.float64)
    found = several_means(values, np.repeat([0, 1], 30), 2, 0.1, draws=999, seed=0)
    assert np.isfinite(found.differences_high).all()


def test_groups_that_are_constant_apart_are_as_unlike_as_draws_can_tell() -> None:
    found = several_means(np.repeat([0.2, 0.7], 30), np.repeat([0, 1], 30), 2, 0.1, draws=999, seed=0)
    assert found.p_value == 1 / 1_000
    assert several_means(np.full(60, 0.2), np.repeat([0, 1], 30), 2, 0.1, draws=999, seed=0).p_value == 1.0


def test_groups_without_a_cluster_in_common_have_no_covariance_and_a_resample_without_them_no_mean() -> None:
    codes = np.array([0, 1] * 20 + [2] * 4)
    clusters = np.array([place // 2 for place in range(40)] + [50, 50, 51, 51])
    values = np.random.default_rng(0).random(44)
    found, shared = drawn_together(values, codes, np.arange(3), clusters, draws=200, seed=1)
    assert list(shared) == [(0, 1)]
    deviations = found[2].deviations
    assert not np.isnan(deviations).any()
    assert 10 < np.count_nonzero(np.isposinf(deviations)) < 50, "e^-2 of the resamples"


def test_few_clusters_have_students_degrees_of_freedom() -> None:
    assert degrees_of(2) == 1
    assert degrees_of(FEW_CLUSTERS - 1) == FEW_CLUSTERS - 2
    assert math.isinf(degrees_of(FEW_CLUSTERS))


def test_what_a_row_adds_to_an_error_is_that_of_its_cluster_and_a_single_cluster_is_one_row() -> None:
    """Two clusters of means 1 and 4: their mean errs by half the distance. Four values of variance 13 / 3."""
    values = np.array([0.0, 2.0, 3.0, 5.0])
    assert spread_of_one(values, np.array([7, 7, 2, 2])) == pytest.approx(1.5 * 2)
    assert spread_of_one(values, np.zeros(4, dtype=int)) == pytest.approx(math.sqrt(13 / 3) * 2)
    assert spread_of_one(values) == pytest.approx(math.sqrt(13 / 3))


def test_one_cluster_that_never_errs_may_do_so_nineteen_times_for_once() -> None:
    """A weight over another is r or less with probability r / (1 + r)."""
    assert ratio_upper_by_clusters(np.zeros(1), np.ones(1), 2.0, 0.05) == pytest.approx(2 * 19, rel=0.3)


def test_bounds_that_rounding_would_leave_outside_lie_within() -> None:
    """Of some means, mean - (mean * sqrt(n)) / sqrt(n) is above 0."""
    means, outside = np.random.default_rng(0).random(300), 0
    for n, mean in product((3, 50, 777), means.tolist()):
        low, high = _roots_within(mean, n, 1.0)
        assert mean - high / math.sqrt(n) <= 0.0
        assert mean - low / math.sqrt(n) <= 1.0
        outside += mean - mean * math.sqrt(n) / math.sqrt(n) > 0
    assert outside > 0


def test_a_mean_that_rounds_to_more_than_one_is_one() -> None:
    """Two clusters of 21 rows, all at 1: (21 - 0.23 x 21) / 21 + 0.23 is more than 1 by rounding."""
    assert p_of_bounded(np.ones(42), 0.23, np.repeat([0, 1], 21)) == pytest.approx(0.23**2, rel=1e-9)


@pytest.mark.parametrize(("value", "n"), [(0.1, 3), (1234.56, 219), (1234.56, 436)])
def test_equal_values_are_not_skewed_whatever_rounding_leaves_of_them(value: float, n: int) -> None:
    """Of the larger ones the mean is 2e-13 off."""
    assert tail_of(np.array([value]), np.array([n])).skewness == 0.0


def test_the_worst_case_is_the_largest_that_any_treatment_of_the_missing_gives() -> None:
    """Oracle: every pair of known shares and every share missing on a grid."""
    grid = np.linspace(0, 1, 21)
    for upper, missing in product((-0.2, 0.0, 0.15, 0.6, 1.0), (0.0, 0.05, 0.3, 1.0)):
        p, q, lost_p, lost_q = np.meshgrid(grid, grid, (0.0, missing), (0.0, missing))
        apart = (1 - lost_p) * p + lost_p - (1 - lost_q) * q
        largest = apart[p - q <= max(upper, 0.0) + 1e-12].max()
        assert worst_case(upper, missing) == pytest.approx(largest)


def test_what_is_known_to_be_too_high_reaches_further_down() -> None:
    one = Estimate(1.0, 0.1, 100, bias=0.2)
    assert one.lower_bound(0.05) == pytest.approx(1 - 0.1 * norm.ppf(0.95) - 0.2)


def test_two_groups_with_an_estimate_have_a_largest_difference() -> None:
    values = np.array([[0.0, 0.2, np.nan], [-0.2, 0.0, np.nan], [np.nan] * 3])
    found = largest_difference(ConfidenceLimits(values, values - 0.1, values + 0.1))
    assert found == pytest.approx((0.2, 0.1, 0.3, 0, 1))


def test_limits_of_small_numbers_are_as_wide_for_their_size_as_those_of_large_ones() -> None:
    values = np.random.default_rng(0).exponential(size=40)
    for unit in (1e-9, 1e9):
        small = _mean_limits(unit * values, 0.05, (-math.inf, math.inf))
        assert small == pytest.approx(unit * np.array(_mean_limits(values, 0.05, (-math.inf, math.inf))))


def test_a_corner_is_firmly_beyond_the_tolerance_at_one_in_a_hundred() -> None:
    assert FIRM == 0.01


@pytest.mark.parametrize("unit", [1e-6, 1.0])
def test_a_bootstrap_t_interval_is_that_of_resamples_written_out(unit: float) -> None:
    values, counts = unit * np.array([0.0, 1.0, 4.0]), np.array([5, 6, 2])
    sample = np.repeat(values, counts)
    own = Estimate(float(sample.mean()), float(sample.std(ddof=1)) / math.sqrt(13), 13)
    drawn = np.random.default_rng(4).multinomial(13, counts / 13, size=DRAWS)
    resamples = [np.repeat(values, one) for one in drawn]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.array([(one.mean() - own.value) / (one.std(ddof=1) / math.sqrt(13)) for one in resamples])
    low, high = np.quantile(t, (0.05, 0.95), method="inverted_cdf")
    found = bootstrap_t_interval(own, values, counts, 0.1, np.random.default_rng(4))
    expected = own.value - high * own.standard_error, own.value - low * own.standard_error
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_means_are_apart_exactly_where_their_interval_leaves_out_zero(alpha: float) -> None:
    """As near to the end as a hundredth of it: between two neighbouring draws."""
    rng, codes = np.random.default_rng(6), np.repeat([0, 1], 40)
    values = rng.exponential(size=80)
    values -= np.repeat([values[:40].mean(), values[40:].mean()], 40)
    half = several_means(values, codes, 2, alpha, draws=3_999, seed=0).differences_high[1, 0]
    for share, apart in ((1 - 1e-6, False), (1 + 1e-6, True)):
        found = several_means(values + share * half * codes, codes, 2, alpha, draws=3_999, seed=0)
        assert (found.differences_low[1, 0] > 0) == apart
        assert (found.p_value <= alpha) == apart


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_large_samples_are_studentised_in_any_unit(unit: float) -> None:
    values = np.random.default_rng(0).exponential(size=30_000)
    assert studentised(unit * values, draws=30, seed=1).t == pytest.approx(studentised(values, draws=30, seed=1).t)


def test_a_standard_error_of_one_is_an_error() -> None:
    found = bootstrap_t_interval(
        Estimate(0.5, 1.0, 13), np.arange(3), np.array([5, 6, 2]), 0.1, np.random.default_rng(4)
    )
    assert found.low < 0.5 < found.high


def test_two_people_are_as_free_as_one() -> None:
    assert of_people(np.array([[1, 0], [0, 1]]), np.array([0.0, 1.0])).freedom == 1
