"""Resamples and their errors written out, and the diagnostics of a tail by hand."""

import math

import numpy as np
import pytest
from scipy.stats import norm, skew

from core.inference import tails
from core.inference.clusters import ratio_error
from core.inference.resampling import resampled_rows
from core.inference.sampling import Sampling
from core.inference.several_means import drawn_together
from core.inference.studentised import Studentised, studentised, studentised_ratio
from core.inference.tails import doubtful_tail, tail_of


def test_a_resample_at_the_mean_has_no_t_and_a_constant_one_elsewhere_an_infinite_one() -> None:
    one = Studentised(0.0, 1.0, np.array([0.0, 1.0, -3.0, -1.0]), np.array([0.0, 2.0, 2.0, 0.0]))
    assert one.t.tolist() == [0.0, 0.5, -1.5, -math.inf]


@pytest.mark.parametrize("least", [0.0, 0.1])
def test_a_sample_of_which_only_the_least_value_differs_has_an_error(least: float) -> None:
    """Of one value a and three b the standard deviation is half of b - a, and so is twice the error."""
    found = studentised(np.array([0.5, least, 0.5, 0.5]), draws=9, seed=0)
    assert (found.mean, found.error) == pytest.approx(((1.5 + least) / 4, (0.5 - least) / 4))


def test_resamples_of_clusters_are_those_written_out() -> None:
    """The last cluster has most of the rows: a resample without it is smaller than one cluster on average."""
    above, below = np.array([0.0, 1.0, 3.0, 50.0]), np.array([1.0, 2.0, 2.0, 95.0])
    found = studentised_ratio(above, below, draws=200, seed=3)
    rows = np.concatenate(list(resampled_rows(4, 200, 3)))
    errors = [ratio_error(above[one], below[one])[1] for one in rows]
    assert found.deviations == pytest.approx(above[rows].sum(axis=1) / below[rows].sum(axis=1) - 54 / 100, abs=1e-12)
    assert found.errors == pytest.approx(errors, abs=1e-14)
    assert found.error == pytest.approx(ratio_error(above, below)[1])


def test_a_resample_without_anything_below_the_line_lies_infinitely_far_away() -> None:
    found = studentised_ratio(np.array([0.0, 0.0, 1.0, 3.0]), np.array([0.0, 0.0, 1.0, 2.0]), draws=200, seed=0)
    nothing = (np.concatenate(list(resampled_rows(4, 200, 0))) < 2).all(axis=1)
    assert nothing.any()
    assert np.array_equal(found.deviations == math.inf, nothing)
    assert (found.t[nothing] == math.inf).all()


def test_clusters_are_not_alike_because_one_of_them_is_like_the_whole() -> None:
    found = studentised_ratio(np.array([0.0, 1.0, 2.0]), np.ones(3), draws=9, seed=0)
    assert found.error == pytest.approx(math.sqrt(2 / 2 / 3))


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_studentised_deviations_have_no_unit(unit: float) -> None:
    values, sizes = np.random.default_rng(0).random((2, 12))
    for one, same in (
        (studentised(unit * values, draws=99, seed=0), studentised(values, draws=99, seed=0)),
        (studentised_ratio(unit * values, sizes, draws=99, seed=0), studentised_ratio(values, sizes, draws=99, seed=0)),
    ):
        assert one.t == pytest.approx(same.t)
        assert one.error == pytest.approx(unit * same.error)


@pytest.mark.parametrize("little", [0.0, 1e-6, 1.1e-6, 3e-6, 7e-6])
def test_resamples_of_one_value_have_no_error_whatever_rounding_leaves_of_it(little: float) -> None:
    """Ten values of which eight are alike and next to the mean: one resample in nine holds only these."""
    values = np.array([-1.0, 1.0 + 10 * little, *[0.0] * 8])
    found = studentised(values, draws=200, seed=1)
    drawn = np.sort(values)[np.concatenate(list(resampled_rows(10, 200, 1)))]
    constant = np.ptp(drawn, axis=1) == 0
    assert np.count_nonzero(constant) > 10
    assert np.array_equal(found.errors == 0.0, constant)


def test_resamples_of_clusters_that_are_alike_have_no_error_whatever_rounding_leaves_of_it() -> None:
    rng, drawn = np.random.default_rng(0), np.concatenate(list(resampled_rows(3, 60, 1)))
    constant = (drawn == drawn[:, :1]).all(axis=1)
    assert 0 < np.count_nonzero(constant) < 30
    for _ in range(20):
        sizes, sums = rng.integers(1, 9, 3).astype(float), rng.random(3)
        sums[0] = sizes[0] * sums[1:].sum() / sizes[1:].sum()
        found = studentised_ratio(sums, sizes, draws=60, seed=1)
        assert np.array_equal(found.errors == 0.0, constant)


@pytest.mark.parametrize(("apart", "alike"), [(5e-13, True), (5e-12, False)])
def test_what_is_a_million_millionth_of_the_largest_deviation_is_rounding(apart: float, alike: bool) -> None:
    """Ten values of which eight are next to the mean; resamples that hold both kinds of these alone spread so far."""
    values = np.sort(np.array([-1.0, 1.0, *[apart] * 4, *[-apart] * 4]))
    drawn = values[np.concatenate(list(resampled_rows(10, 200, 1)))]
    near = (np.abs(drawn).max(axis=1) < 1) & (np.abs(drawn.sum(axis=1)) < 5 * apart)
    assert np.count_nonzero(near) > 10
    for found in (
        studentised(values, draws=200, seed=1),
        studentised_ratio(values, np.ones(10), draws=200, seed=1),
    ):
        assert ((found.errors[near] == 0.0) == alike).all()


def test_values_that_are_all_alike_have_no_error_however_unlike_their_clusters() -> None:
    """Of a thousand tenths the sum is 1.4e-12 too small, which is much beside the one tenth of the first cluster."""
    found = studentised(
        np.full(4_001, 0.1), draws=9, seed=0, sampling=Sampling(np.repeat([0, 1, 2], [1, 1_000, 3_000]))
    )
    assert (found.mean, found.error, found.degrees) == (pytest.approx(0.1), 0.0, 2)
    assert (found.t == 0).all()


def test_the_error_of_a_resample_in_bins_is_that_of_its_rows() -> None:
    """A hundred ones stand in bins of their own, so that a resample in bins is one of rows."""
    n = 25_000
    found = studentised((np.arange(n) < 100).astype(float), draws=60, seed=0)
    ones = n * (found.mean + found.deviations)
    assert ones == pytest.approx(np.round(ones), abs=1e-6)
    assert found.errors == pytest.approx(np.sqrt(ones / n * (1 - ones / n) / (n - 1)), rel=1e-9)


@pytest.mark.parametrize(("n", "rows"), [(50, 20), (200, 20), (2_500, 25)])
def test_hills_estimate_rests_on_twenty_rows_or_one_in_a_hundred(n: int, rows: int) -> None:
    values = np.random.default_rng(n).permutation(np.exp(np.arange(n) / n))
    found = tail_of(values, np.ones(n, dtype=int))
    assert found.index_rows == rows
    ascending = np.log(np.sort(values))
    assert found.index == pytest.approx(1 / np.mean(ascending[-rows:] - ascending[-rows - 1]))


def test_below_fifty_rows_there_is_no_index() -> None:
    assert math.isnan(tail_of(np.arange(1.0, 50.0), np.ones(49, dtype=int)).index)


def test_the_largest_percent_of_fifty_rows_is_one_and_bins_without_any_hold_none() -> None:
    found = tail_of(np.array([9.0, 4.0, 1.0]), np.array([0, 2, 48]))
    assert (found.rows, found.share, found.largest_share) == pytest.approx((1, 4 / 56, 4 / 56))


@pytest.mark.parametrize("unit", [1.0, 1e40])
def test_skewness_is_that_of_scipy_in_any_unit(unit: float) -> None:
    values = np.random.default_rng(0).exponential(size=60)
    assert tail_of(unit * values, np.ones(60, dtype=int)).skewness == pytest.approx(skew(values))
    left = tail_of(unit * (9 - values), np.ones(60, dtype=int))
    assert left.skewness == pytest.approx(-skew(values))


def test_rows_of_one_bin_are_not_skewed_whatever_bins_there_are() -> None:
    assert tail_of(np.array([0.5, 1234.56]), np.array([0, 219])).skewness == 0.0


@pytest.mark.parametrize(("n", "index", "doubtful"), [(4_000, 3.0, False), (4_000, 1.5, True), (2_000, 3.0, True)])
def test_a_tail_is_doubtful_by_its_index_or_by_its_skewness(n: int, index: float, doubtful: bool) -> None:
    """One row in a hundred lies above all others; skewness / sqrt(n) is 0.156 of 4,000 rows and 0.220 of 2,000."""
    found = tail_of(np.array([1.0, math.exp(1 / index)]), np.array([99 * n // 100, n // 100]))
    assert found.index == pytest.approx(index)
    assert found.skewness == pytest.approx(0.98 / math.sqrt(0.01 * 0.99))
    assert found.doubtful == doubtful


def test_a_tail_at_a_limit_is_not_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = np.array([1.0, math.exp(1 / 3)]), np.array([3_960, 40])
    found = tail_of(*sample)
    monkeypatch.setattr(tails, "SKEWNESS_LIMIT", abs(found.skewness) / math.sqrt(4_000))
    monkeypatch.setattr(tails, "SMALLEST_INDEX", found.index)
    assert not tail_of(*sample).doubtful
    monkeypatch.setattr(tails, "SMALLEST_INDEX", math.nextafter(found.index, math.inf))
    assert tail_of(*sample).doubtful


def test_the_doubtful_tail_is_that_of_the_finite_positive_values() -> None:
    positive = np.array([0.1, 0.2, 0.3, 40.0])
    others = np.array([-5.0, 0.0, 0.0, math.nan, math.inf, -math.inf])
    found = doubtful_tail(np.concatenate([others, positive]))
    assert found is not None
    assert found.skewness == pytest.approx(skew(positive))
    assert found.largest_share == pytest.approx(40 / 40.6)
    assert doubtful_tail(np.array([0.0, -1.0, 40.0])) is None
    assert doubtful_tail(np.array([0.1, 0.2, 0.3, 0.4])) is None


@pytest.mark.parametrize("unit", [0.1, 0.3, 0.7, 1e6 / 3, 1e-9])
@pytest.mark.parametrize("shift", [0.0, 1.0 / 3])
def test_a_resample_that_holds_nothing_but_the_mean_is_at_it_in_every_unit(unit: float, shift: float) -> None:
    """All but two of 300 values are the mean: one resample in eight holds none of the two."""
    values = np.array([0.0, *[1.0] * 298, 2.0])
    homes = np.repeat(np.arange(300), 2)
    rows = studentised(values, draws=99, seed=0), studentised(unit * (values + shift), draws=99, seed=0)
    together = (
        studentised(values[homes], draws=99, seed=0, sampling=Sampling(homes)),
        studentised(unit * (values[homes] + shift), draws=99, seed=0, sampling=Sampling(homes)),
    )
    groups = tuple(in_one_group(one, homes) for one in (values[homes], unit * (values[homes] + shift)))
    for plain, scaled in (rows, together, groups):
        at_rest = plain.deviations == 0
        assert 5 < np.count_nonzero(plain.errors == 0) <= np.count_nonzero(at_rest)
        assert np.array_equal(scaled.deviations == 0, at_rest)
        assert scaled.t == pytest.approx(plain.t)
        assert np.isfinite(scaled.t).all()


def test_a_deviation_of_a_thousand_millionth_is_none_of_rounding() -> None:
    values, homes = 1.0 + 1e-9 * (np.arange(300) % 2), np.repeat(np.arange(300), 2)
    for one in (studentised(values, draws=99, seed=0), in_one_group(values[homes], homes)):
        assert np.count_nonzero(one.deviations) >= 80, "some are nought by chance"
        assert (one.errors > 0).all()


def in_one_group(values: np.ndarray, homes: np.ndarray) -> Studentised:
    codes = np.zeros(len(values), dtype=np.int64)
    return drawn_together(values, codes, np.arange(1), homes, draws=99, seed=0)[0][0]


def test_skewness_has_no_unit() -> None:
    values, once = np.random.default_rng(0).lognormal(size=100), np.ones(100, dtype=np.int64)
    assert tail_of(1e-20 * values, once).skewness == pytest.approx(tail_of(values, once).skewness)
    assert tail_of(values, once).skewness > 1


def test_the_lower_limit_of_a_tail_index_is_that_of_a_normal_estimate_whose_error_is_its_share() -> None:
    """An index as low as a is estimated above the limit with 5%: a (1 + z / sqrt(k)) is what was estimated."""
    tail = tail_of(np.random.default_rng(0).pareto(3.0, size=400) + 1, np.ones(400, dtype=np.int64))
    assert tail.index_rows == 20
    assert tail.index_low + norm.isf(0.05) * tail.index_low / math.sqrt(20) == pytest.approx(tail.index, rel=1e-4)
