"""Point-biserial correlation and binned mutual information: by oracle, by law, by simulation."""

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency, ncx2, pointbiserialr
from sklearn.metrics import mutual_info_score

from core.inference.association import (
    FEWEST,
    _equal_tailed,
    _percentile,
    association,
    equal_frequency_bins,
    increase,
    mutual_information,
)
from core.inference.resampling import resampled_rows


def judged_sample(n: int, slope: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    measure = rng.lognormal(0, 0.6, n)
    return measure, (rng.random(n) < 1 / (1 + np.exp(-slope * np.log(measure)))).astype(float)


@pytest.mark.parametrize("slope", [0.0, 1.0, 5.0])
def test_both_numbers_are_those_of_scipy_and_scikit_learn(slope: float) -> None:
    measure, judged = judged_sample(400, slope)
    found = association(measure, judged, 0.05, draws=199, seed=0)
    assert found.correlation == pytest.approx(pointbiserialr(judged, measure).statistic, rel=1e-9)
    bins = equal_frequency_bins(measure)
    assert found.information == pytest.approx(mutual_info_score(bins, judged), rel=1e-9)
    table = np.array([[np.sum((bins == b) & (judged == y)) for y in (0, 1)] for b in range(found.bins)])
    assert found.p_value == pytest.approx(chi2_contingency(table, lambda_="log-likelihood", correction=False).pvalue)


def test_the_interval_of_the_correlation_is_that_of_the_studentised_bootstrap_written_out() -> None:
    """The error of Fisher's z is that of the infinitesimal jackknife: how z moves as a row weighs a little more."""
    rng = np.random.default_rng(5)
    n, nudge = 120, 1e-6
    judged = (np.arange(n) < 35).astype(float)
    measure = rng.normal(0, 1, n) * (1 + judged) + judged
    order = np.lexsort((judged, measure))
    measure, judged = measure[order], judged[order]

    def z_and_error(rows: np.ndarray) -> tuple[float, float]:
        x, y = measure[rows], judged[rows]
        weights = np.vstack([np.ones(n), np.ones((n, n)) + nudge * np.eye(n)])
        weights /= weights.sum(axis=1, keepdims=True)
        dx, dy = x - (weights @ x)[:, None], y - (weights @ y)[:, None]
        covariance, vx, vy = ((weights * one).sum(axis=1) for one in (dx * dy, dx**2, dy**2))
        z = np.arctanh(covariance / np.sqrt(vx * vy))
        influence = (z[1:] - z[0]) / nudge * n
        return float(z[0]), math.sqrt(influence @ influence / (n - 1) / n)

    z, error = z_and_error(np.arange(n))
    others = [z_and_error(rows) for block in resampled_rows(n, 99, 0) for rows in block]
    t = sorted((other - z) / one for other, one in others)
    found = association(measure, judged, 0.1, draws=99, seed=0)
    assert math.atanh(found.correlation_low) == pytest.approx(z - t[99 - 5] * error, rel=1e-3)
    assert math.atanh(found.correlation_high) == pytest.approx(z - t[5 - 1] * error, rel=1e-3)


def test_bins_are_of_like_size_and_keep_ties_together() -> None:
    values = np.random.default_rng(0).random(1000)
    assert np.bincount(equal_frequency_bins(values)).tolist() == [100] * 10
    tied = np.repeat([0.0, 1.0, 2.0], (700, 200, 100))
    assert len({(value, code) for value, code in zip(tied, equal_frequency_bins(tied), strict=True)}) == 3
    assert equal_frequency_bins(np.full(50, 3.0)).max() == 0
    for zeros in (5, 60, 99):
        mostly = np.r_[np.zeros(zeros), np.arange(1, 101 - zeros)]
        assert equal_frequency_bins(mostly).max() >= 1
        assert (np.diff(equal_frequency_bins(mostly)) >= 0).all()


def test_the_mutual_information_knows_ranks_only_and_the_correlation_no_unit() -> None:
    measure, judged = judged_sample(300, 2.0)
    found = association(measure, judged, 0.05, draws=199, seed=0)
    cubed = association(measure**3, judged, 0.05, draws=199, seed=0)
    assert (cubed.information, cubed.information_low) == (found.information, found.information_low)
    scaled = association(5 * measure + 1, judged, 0.05, draws=199, seed=0)
    assert scaled.correlation_low == pytest.approx(found.correlation_low)
    turned = association(measure, 1 - judged, 0.05, draws=199, seed=0)
    assert turned.correlation == pytest.approx(-found.correlation)
    assert turned.information == pytest.approx(found.information)


def test_the_order_of_the_texts_changes_nothing() -> None:
    measure, judged = judged_sample(200, 1.0)
    base = measure * np.random.default_rng(3).lognormal(0, 0.5, 200)
    rows = np.random.default_rng(4).permutation(200)
    assert association(measure, judged, 0.05, draws=99, seed=0) == association(
        measure[rows], judged[rows], 0.05, draws=99, seed=0
    )
    assert increase(measure, base, judged, 0.05, draws=99, seed=0) == increase(
        measure[rows], base[rows], judged[rows], 0.05, draws=99, seed=0
    )


def test_zero_lies_in_the_interval_exactly_where_independence_is_not_rejected() -> None:
    for seed in range(20):
        measure, judged = judged_sample(150, 0.6, seed)
        found = association(measure, judged, 0.1, draws=99, seed=0)
        assert (found.information_low > 0) == (found.p_value < 0.05)
        assert found.information_low <= found.information_high <= math.log(2)


def test_information_reaches_its_largest_value_where_the_measure_decides() -> None:
    measure = np.arange(200.0)
    judged = (measure >= 100).astype(float)
    found = association(measure, judged, 0.05, draws=99, seed=0)
    assert found.information == pytest.approx(math.log(2), rel=0.05)
    assert found.information_high == math.log(2)
    assert float(mutual_information(np.zeros((1, 50), dtype=int), np.arange(50)[None] % 2, 1)[0]) == 0.0


def test_too_few_judgements_and_constant_measures_say_so() -> None:
    measure = np.random.default_rng(0).random(60)
    few = association(measure, (np.arange(60) < FEWEST - 1).astype(float), 0.05, draws=99, seed=0)
    assert few.undefined == "Only 9 of 60 judgements say yes and 51 no; at least 10 of each are needed."
    assert math.isnan(few.correlation)
    assert association(np.ones(60), (np.arange(60) % 2).astype(float), 0.05, draws=99, seed=0).undefined
    assert math.isnan(
        increase(measure, np.ones(60), (np.arange(60) % 2).astype(float), 0.05, draws=9, seed=0).correlation
    )


@pytest.mark.parametrize(("yes", "told"), [(9, False), (10, True), (50, True), (51, False)])
def test_ten_judgements_of_either_kind_are_enough(yes: int, told: bool) -> None:
    measure, judged = np.random.default_rng(0).random(60), (np.arange(60) < yes).astype(float)
    assert math.isfinite(association(measure, judged, 0.05, draws=99, seed=0).correlation) is told
    assert math.isfinite(increase(measure, measure**2, judged, 0.05, draws=99, seed=0).correlation) is told


def test_a_better_measure_beats_its_noisy_copy_and_not_itself() -> None:
    measure, judged = judged_sample(500, 3.0)
    noisy = measure * np.random.default_rng(1).lognormal(0, 1.5, 500)
    found = increase(measure, noisy, judged, 0.05, draws=499, seed=0)
    assert found.correlation_p <= 0.01
    assert found.information_p <= 0.01
    assert found.correlation == pytest.approx(
        pointbiserialr(judged, measure).statistic - pointbiserialr(judged, noisy).statistic
    )
    itself = increase(measure, measure, judged, 0.05, draws=99, seed=0)
    assert (itself.correlation, itself.correlation_p, itself.information_p) == (0.0, 1.0, 1.0)


def test_ends_of_an_information_are_those_that_its_noncentral_chi_square_reaches_as_rarely() -> None:
    found = association(*judged_sample(400, 1.5), 0.1, draws=19, seed=0)
    reached = [
        ncx2.cdf(800 * found.information, found.bins - 1, 800 * end)
        for end in (found.information_low, found.information_high)
    ]
    assert reached == pytest.approx([0.95, 0.05], abs=1e-6)


def test_an_increase_is_less_what_more_bins_alone_make_of_it_and_its_draws_twice_that() -> None:
    """Of independent columns b bins find (b - 1) / 2n, and resamples as much again (Miller 1955)."""
    measure, judged = judged_sample(200, 1.0)
    order = np.lexsort((judged, measure))
    measure, judged = measure[order], judged[order]
    pair = [equal_frequency_bins(one) for one in (measure, np.arange(200) % 2.0)]
    more = (len(np.unique(pair[0])) - 2) / 400
    assert more > 0

    def apart(rows: np.ndarray) -> float:
        return float(np.subtract(*(mutual_info_score(one[rows], judged[rows]) for one in pair)))

    found = increase(measure, np.arange(200) % 2.0, judged, 0.1, draws=19, seed=0)
    drawn = [apart(rows) - 2 * more for block in resampled_rows(200, 19, 0) for rows in block]
    told = [found.information, found.information_low, found.information_high]
    assert told == pytest.approx([apart(np.arange(200)) - more, min(drawn), max(drawn)])


def rejections(n: int, repetitions: int, draws: int) -> np.ndarray:
    """Under independence: shares of a correlation, an information and two increases that look significant."""
    counts = np.zeros(4)
    for seed in range(repetitions):
        rng = np.random.default_rng((n, seed))
        measure, base = rng.lognormal(0, 0.6, n), (rng.random(n) < 0.7) * rng.lognormal(0, 0.6, n)
        judged = (rng.random(n) < 0.5).astype(float)
        found = association(measure, judged, 0.05, draws=draws, seed=seed)
        better = increase(measure, base, judged, 0.05, draws=draws, seed=seed)
        counts += (
            not found.correlation_low <= 0 <= found.correlation_high,
            found.p_value <= 0.05,
            better.correlation_p <= 0.05,
            better.information_p <= 0.05,
        )
    return counts / repetitions


def test_nothing_looks_significant_where_people_judge_at_random() -> None:
    repetitions = 120
    found = rejections(120, repetitions, 199)
    assert (found <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repetitions)).all()


@pytest.mark.long
@pytest.mark.parametrize("n", [100, 400, 900])
def test_false_significance_at_length(n: int) -> None:
    repetitions = 1500
    found = rejections(n, repetitions, 999)
    assert (found <= (0.06 if n >= 400 else 0.07) + 2 * math.sqrt(0.05 * 0.95 / repetitions)).all()


@pytest.mark.long
@pytest.mark.parametrize("slope", [0.5, 1.5, 4.0])
def test_coverage_of_correlation_and_information(slope: float) -> None:
    large, answers = judged_sample(1_000_000, slope, seed=1)
    truth = np.corrcoef(large, answers)[0, 1]
    n, repetitions, inside = 400, 800, np.zeros(2)
    bins = int(equal_frequency_bins(large[:n]).max()) + 1
    edges = np.quantile(large, np.arange(1, bins) / bins)
    information = mutual_info_score(np.searchsorted(edges, large), answers)
    for seed in range(repetitions):
        found = association(*judged_sample(n, slope, seed + 2), 0.05, draws=999, seed=seed)
        inside += (
            found.correlation_low <= truth <= found.correlation_high,
            found.information_low <= information <= found.information_high,
        )
    error = 2 * math.sqrt(0.05 * 0.95 / repetitions)
    assert inside[1] / repetitions >= 0.93 - error
    assert inside[0] / repetitions >= (0.93 if slope < 2 else 0.88) - error


def test_a_paired_p_value_counts_the_observed_value_among_the_draws() -> None:
    """Where every resample goes better with the judgement than the baseline does, p is 1 / (B + 1), never 0."""
    judged = np.arange(200) % 2.0
    rng = np.random.default_rng(0)
    found = increase(judged + 0.01 * rng.random(200), rng.random(200), judged, 0.05, draws=99, seed=0)
    assert (found.correlation_p, found.information_p) == (1 / 100, 1 / 100)
    turned = increase(rng.random(200), judged + 0.01 * rng.random(200), judged, 0.05, draws=99, seed=0)
    assert (turned.correlation_p, turned.information_p) == (1.0, 1.0)


def test_the_ends_of_a_paired_interval_are_draws_of_their_rank() -> None:
    draws = np.random.default_rng(1).permutation(np.arange(1.0, 200.0))
    assert _percentile(draws - 30.0, 0.1) == (10.0 - 30.0, 190.0 - 30.0, 31 / 200)
    assert _percentile(draws, 0.001) == (1.0, 199.0, 1 / 200)
    ends = _equal_tailed(5.0, 2.0, np.arange(1.0, 200.0), 0.1)
    assert (ends.low, ends.high) == (5.0 - 2 * 190.0, 5.0 - 2 * 10.0)
