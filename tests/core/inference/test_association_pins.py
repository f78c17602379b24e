"""Associations in small cases: ties, constant resamples, perfect correlations and ranks at their boundary."""

import math

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, pointbiserialr
from sklearn.metrics import mutual_info_score

from core.inference.association import (
    _equal_tailed,
    _information_interval,
    _percentile,
    association,
    equal_frequency_bins,
    increase,
)
from core.inference.resampling import resampled_rows

JUDGED = (np.arange(60) % 3 == 0).astype(float)


@pytest.mark.parametrize(("rows", "bins"), [(8, 2), (27, 3), (64, 4), (343, 7), (2_000, 10)])
def test_there_are_as_many_bins_as_the_cube_root_of_the_rows_and_ten_at_most(rows: int, bins: int) -> None:
    assert np.bincount(equal_frequency_bins(np.arange(rows))).tolist() == [rows // bins] * bins


def test_equal_values_are_in_the_bin_of_their_middle() -> None:
    """Of 27 rows the eight that are alike lie around the eighth, so in the first third."""
    values = np.r_[np.arange(4), np.full(8, 4), np.arange(5, 20)]
    assert np.bincount(equal_frequency_bins(values)).tolist() == [12, 6, 9]
    assert np.bincount(equal_frequency_bins(-values)).tolist() == [9, 6, 12]


@pytest.mark.parametrize("low", [1, 2, 58, 59])
def test_one_row_that_differs_makes_two_bins(low: int) -> None:
    measure = (np.arange(60) >= low).astype(float)
    found = association(measure, JUDGED, 0.1, draws=19, seed=0)
    assert (found.bins, found.undefined) == (2, "")
    assert found.correlation == pytest.approx(pointbiserialr(JUDGED, measure).statistic)
    assert found.information == pytest.approx(mutual_info_score(measure, JUDGED))
    table = np.array([[np.sum((measure == m) & (y == JUDGED)) for y in (0, 1)] for m in (0, 1)])
    assert found.p_value == pytest.approx(chi2_contingency(table, lambda_="log-likelihood", correction=False).pvalue)


def test_a_constant_measure_has_one_bin_and_one_that_too_few_judged_has_none() -> None:
    assert association(np.ones(60), JUDGED, 0.1, draws=9, seed=0).bins == 1
    assert association(np.arange(60.0), (np.arange(60) < 9).astype(float), 0.1, draws=9, seed=0).bins == 0


@pytest.mark.parametrize(("common", "rare"), [(0.0, 1.0), (0.1, 0.0)])
def test_a_resample_that_is_constant_says_nothing_in_either_direction(common: float, rare: float) -> None:
    """More than a third of them miss the one row that differs."""
    measure = np.full(60, common)
    measure[3] = rare
    order = np.lexsort((JUDGED, measure))

    def z_and_error(rows: np.ndarray) -> tuple[float, float]:
        x, y = ((one[order][rows] - one[order][rows].mean()) / one[order][rows].std() for one in (measure, JUDGED))
        r = float(np.mean(x * y))
        influence = x * y - r * (x**2 + y**2) / 2
        return math.atanh(r), math.sqrt(np.sum(influence**2) / 59 / 60) / (1 - r**2)

    z, error = z_and_error(np.arange(60))
    drawn = [rows for block in resampled_rows(60, 99, 0) for rows in block]
    constant = [len(set(measure[order][rows])) == 1 for rows in drawn]
    assert sum(constant) > 33
    others = [z_and_error(rows) for rows, same in zip(drawn, constant, strict=True) if not same]
    t = sorted([(other - z) / one for other, one in others] + [0.0] * sum(constant))
    found = association(measure, JUDGED, 0.5, draws=99, seed=0)
    assert math.atanh(found.correlation_low) == pytest.approx(z - t[99 - 25] * error)
    assert math.atanh(found.correlation_high) == pytest.approx(z - t[25 - 1] * error)


def test_a_resample_that_is_all_zero_leaves_a_correlation_and_has_none_itself() -> None:
    seed = next(seed for seed in range(99) if 59 not in next(resampled_rows(60, 1, seed)))
    last, rows = np.r_[np.zeros(59), 1.0], next(resampled_rows(60, 1, seed))[0]
    found = association(last, JUDGED, 0.1, draws=1, seed=seed)
    assert (found.correlation_low, found.correlation_high) == (found.correlation, found.correlation)
    alone = pointbiserialr(JUDGED[rows], rows).statistic
    assert increase(np.arange(60.0), last, JUDGED, 0.1, draws=1, seed=seed).correlation_low == pytest.approx(alone)


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_correlations_are_the_same_in_any_unit(unit: float) -> None:
    measure, other = np.random.default_rng(0).exponential(size=(2, 60))
    one, scaled = (association(by * measure, JUDGED, 0.1, draws=19, seed=0) for by in (1.0, unit))
    assert (scaled.correlation_low, scaled.correlation_high) == pytest.approx(
        (one.correlation_low, one.correlation_high)
    )
    apart, moved = (increase(by * measure, by * other, JUDGED, 0.1, draws=19, seed=0) for by in (1.0, unit))
    assert (moved.correlation, moved.correlation_low) == pytest.approx((apart.correlation, apart.correlation_low))


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_measure_that_is_the_judgement_has_a_correlation_of_one_and_an_interval(sign: int) -> None:
    """By rounding some of these correlations are 1, some more and some less."""
    for yes in range(10, 50, 4):
        judged = (np.arange(60) < yes).astype(float)
        found = association(sign * judged, judged, 0.1, draws=19, seed=0)
        ends = [found.correlation_low, found.correlation, found.correlation_high]
        assert ends == pytest.approx([sign] * 3, abs=1e-9)
        assert max(map(abs, ends)) < 1


@pytest.mark.parametrize("information", [0.03, 0.04, 0.06])
def test_independence_that_is_rejected_at_exactly_the_level_is_in_the_interval(information: float) -> None:
    level = 1 - float(chi2.cdf(2 * 100 * information, 4))
    low, high, p_value = _information_interval(information, 100, 5, 2 * level)
    assert 1 - 2 * level / 2 == 1 - level
    assert low == 0.0 < high
    assert p_value == pytest.approx(level)


@pytest.mark.parametrize(("alpha", "place"), [(20 / 200, 10), (20 / 201, 9), (22 / 201, 10), (0.009, 1)])
def test_so_many_draws_of_all_and_the_sample_lie_beyond_an_end_as_its_level_allows(alpha: float, place: int) -> None:
    """The largest k with k / (B + 1) <= alpha / 2, at least 1; of 199 draws here."""
    draws = np.arange(1.0, 200.0)
    assert _percentile(draws, alpha)[:2] == (place, 200 - place)
    ends = _equal_tailed(0.0, 1.0, draws, alpha)
    assert (ends.low, ends.high, ends.confidence) == (place - 200, -place, 1 - alpha)


def test_resamples_in_several_blocks_are_those_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    measure, other = np.random.default_rng(0).exponential(size=(2, 60))
    one = association(measure, JUDGED, 0.1, draws=19, seed=0), increase(measure, other, JUDGED, 0.1, draws=19, seed=0)
    monkeypatch.setattr("core.inference.resampling._BLOCK_NUMBERS", 60 * 8)
    assert association(measure, JUDGED, 0.1, draws=19, seed=0).correlation_low == pytest.approx(one[0].correlation_low)
    assert increase(measure, other, JUDGED, 0.1, draws=19, seed=0) == one[1]
