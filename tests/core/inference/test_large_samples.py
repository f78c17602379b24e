"""Large samples are resampled in bins: the exact mean and error, and the same bounds as row by row."""

import math

import numpy as np
import pytest
from scipy.stats import beta, norm

from core.inference import bounded
from core.inference import studentised as rows
from core.inference.mean import mean_of
from core.inference.resampling import quantile_edges, resampled_rows
from core.inference.several_means import several_means
from core.inference.studentised import studentised
from tests.core.inference.test_means_of_skewed import upper_bound_within_one


def skewed(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).gamma(0.3, 0.1, n)


@pytest.mark.parametrize(("rows", "bins", "ends"), [(5_000, 1_000, 200), (1_001, 1_000, 0), (20_001, 1_000, 499)])
def test_edges_cut_every_row_into_one_bin_and_leave_the_ends_alone(rows: int, bins: int, ends: int) -> None:
    edges = quantile_edges(rows, bins, ends=ends)
    sizes = np.diff(edges)
    assert (len(sizes), edges[0], edges[-1]) == (bins, 0, rows)
    assert sizes.min() >= 1
    assert (sizes[:ends] == 1).all()
    assert (sizes[bins - ends :] == 1).all()
    inner = sizes[ends : bins - ends]
    assert inner.max() - inner.min() <= 1


def test_up_to_the_limit_rows_are_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.sort(skewed(rows.LARGE))
    found = studentised(values, draws=5, seed=3)
    drawn = np.concatenate([(values - values.mean())[rows] for rows in resampled_rows(len(values), 5, 3)])
    np.testing.assert_array_equal(found.deviations, drawn.mean(axis=1))
    monkeypatch.setattr(rows, "LARGE", len(values) - 1)
    assert not np.array_equal(studentised(values, draws=5, seed=3).deviations, found.deviations)


def test_mean_and_error_are_exact_and_the_order_of_the_rows_does_not_matter() -> None:
    values = skewed(30_000)
    found = studentised(values, draws=99, seed=0)
    assert found.mean == pytest.approx(values.mean(), rel=1e-12)
    assert found.error == pytest.approx(values.std(ddof=1) / math.sqrt(len(values)), rel=1e-12)
    again = studentised(values[::-1], draws=99, seed=0)
    np.testing.assert_array_equal(found.t, again.t)
    scaled = studentised(4 * values, draws=99, seed=0)
    np.testing.assert_allclose(scaled.t, found.t, rtol=1e-9)
    np.testing.assert_allclose(scaled.errors, 4 * found.errors, rtol=1e-9)


def test_what_rounding_leaves_of_a_mean_moves_no_resample() -> None:
    """Whole numbers far from 0, whose mean is no number of the machine: the resamples are those of the numbers."""
    values = np.random.default_rng(5).integers(0, 10, 20_001).astype(np.float64)
    found, far = studentised(values, draws=19, seed=0), studentised(values + 2**45, draws=19, seed=0)
    np.testing.assert_allclose(far.deviations, found.deviations, atol=1e-9)


def test_quantiles_agree_with_those_of_rows_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within three Monte-Carlo errors of the difference; the sample is small enough for its skewness to show."""
    values, draws = np.random.default_rng(1).lognormal(0, 1.5, 2_000), 3_999
    direct = studentised(values, draws=draws, seed=0)
    monkeypatch.setattr(rows, "LARGE", 1_999)
    binned = studentised(values, draws=draws, seed=0)
    for p in (0.025, 0.05, 0.5, 0.95, 0.975):
        low, high = np.quantile(direct.t, np.clip([p - 0.01, p + 0.01], 0, 1))
        error = math.sqrt(2 * p * (1 - p) / draws) * (high - low) / 0.02
        assert abs(np.quantile(binned.t, p) - np.quantile(direct.t, p)) < 3 * error
    assert np.quantile(direct.t, 0.05) < -1.8
    assert binned.errors.mean() == pytest.approx(direct.errors.mean(), rel=0.02)
    assert binned.deviations.std() == pytest.approx(direct.deviations.std(), rel=0.05)


def test_of_a_million_rows_the_bounds_are_normal() -> None:
    values = skewed(1_000_000)
    found, error = mean_of(values, draws=1_999, seed=0, largest=math.inf), values.std(ddof=1) / 1_000
    for alpha in (0.05, 0.025):
        assert found.lower_bound(alpha) == pytest.approx(values.mean() - norm.ppf(1 - alpha) * error, abs=0.15 * error)
        assert found.upper_bound(alpha) == pytest.approx(values.mean() + norm.ppf(1 - alpha) * error, abs=0.15 * error)


def test_groups_may_be_large_and_small() -> None:
    values, codes = skewed(25_000), (np.arange(25_000) >= 24_000).astype(int)
    found = several_means(values, codes, 2, 0.05, draws=499, seed=0)
    assert (found.low < found.means).all()
    assert (found.means < found.high).all()
    assert found.high[0] - found.low[0] < found.high[1] - found.low[1]
    assert found.p_value > 0.01


def test_one_row_that_differs_and_a_constant_sample() -> None:
    values = np.zeros(30_000)
    assert mean_of(values, draws=99, seed=0).two_sided(0.1).low == 0.0
    values[7] = 1.0
    found = studentised(values, draws=999, seed=0)
    missed = np.mean(found.errors == 0)
    assert missed == pytest.approx(math.exp(-1), abs=0.06)
    assert np.isneginf(found.t[found.errors == 0]).all()


def test_errors_of_the_first_kind_stay_at_their_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 lognormal samples of 1,200 in 1,000 bins, delta at the truth: at most 5% and two errors more."""
    monkeypatch.setattr(rows, "LARGE", 1_000)
    truth, rng = math.exp(0.5), np.random.default_rng(6)
    rejected = sum(
        mean_of(rng.lognormal(0, 1, 1_200), draws=199, seed=seed).lower_bound(0.05) > truth for seed in range(100)
    )
    assert rejected / 100 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 100)


@pytest.mark.parametrize("ones", [0, 3, 400])
def test_the_bound_within_one_is_clopper_and_pearsons_for_many_zeros_and_ones(ones: int) -> None:
    n = 8_192
    values = np.r_[np.ones(ones), np.zeros(n - ones)]
    found = upper_bound_within_one(values, 0.05, draws=9_999, seed=0)
    exact = beta.ppf(0.95, ones + 1, n - ones)
    spread = beta.std(ones + 1, n - ones)
    assert abs(found - exact) < 0.1 * spread


def test_bins_move_the_bound_within_one_by_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.minimum(skewed(6_000), 1.0)
    binned = upper_bound_within_one(values, 0.05, draws=1_999, seed=0)
    monkeypatch.setattr(bounded, "LARGE", 6_000)
    direct = upper_bound_within_one(values, 0.05, draws=1_999, seed=0)
    noise = 0.1 * values.std() / math.sqrt(len(values))
    assert abs(binned - direct) < noise
