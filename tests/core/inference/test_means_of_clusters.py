"""Means, ratios and shares of rows that belong together: by hand, by law, and by how often they err."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from core.inference.bounded import means_with_largest, means_with_zero
from core.inference.clusters import cluster_totals, joined_at_random, ratio_error, values_and_rows
from core.inference.estimate import Estimate
from core.inference.mean import mean_difference, mean_of, ratio_of_means
from core.inference.moments import mean_from_sums, ratio_by_cluster, ratio_of_error_rates
from core.inference.sampling import Sampling
from core.inference.several_means import several_means
from core.inference.share import Share, share_of
from core.inference.studentised import studentised, studentised_ratio

DRAWS = {"draws": 399, "seed": 3}


def of_clusters(seed: int, clusters: int, sizes: np.ndarray, together: float) -> tuple[np.ndarray, np.ndarray]:
    """Skewed values in 0 to 1 with mean .05 (but for what is cut off at 1), and their clusters.

    ``together`` is the share of the logarithm's variance that rows of a cluster share.
    """
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(clusters), sizes)
    shared = math.sqrt(together) * rng.standard_normal(clusters)[codes]
    logs = shared + math.sqrt(1 - together) * rng.standard_normal(len(codes))
    return np.minimum(0.05 * np.exp(logs - 0.5), 1.0), codes


def test_sums_are_of_clusters_whatever_their_codes() -> None:
    totals = cluster_totals(np.array([7, 2, 7, 9]), np.array([1.0, 5.0, 2.0, 0.5]), np.ones(4))
    assert totals.tolist() == [[0.5, 3.0, 5.0], [1.0, 2.0, 1.0]]


def test_the_error_of_a_ratio_is_cochrans_and_for_clusters_of_one_size_that_of_their_means() -> None:
    sums, sizes = np.array([3.0, 8.0, 1.0, 6.0]), np.array([2.0, 5.0, 1.0, 4.0])
    ratio, error = ratio_error(sums, sizes)
    left = [one - 1.5 * rows for one, rows in zip(sums, sizes, strict=True)]
    assert ratio == 18 / 12
    assert error == pytest.approx(math.sqrt(4 / 3 * sum(one**2 for one in left)) / 12)
    means = np.array([0.2, 0.9, 0.4, 0.1, 0.7])
    assert ratio_error(6 * means, np.full(5, 6.0)) == pytest.approx((means.mean(), means.std(ddof=1) / math.sqrt(5)))


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 10))
def test_rows_that_are_copied_and_belong_together_say_what_each_said_once(seed: int, rows: int, times: int) -> None:
    values = np.random.default_rng(seed).random(rows) ** 3
    copied, codes = np.repeat(values, times), np.repeat(np.arange(rows), times)
    one = mean_of(values, largest=1.0, clusters=np.arange(rows), **DRAWS)
    many = mean_of(copied, largest=1.0, clusters=codes, **DRAWS)
    for alpha in (0.05, 0.2):
        assert many.lower_bound(alpha) == pytest.approx(one.lower_bound(alpha), rel=1e-9, abs=1e-12)
        assert many.upper_bound(alpha) == pytest.approx(one.upper_bound(alpha), rel=1e-9)
    assert many.p_value(0.2) == one.p_value(0.2)
    ratios = [
        ratio_of_means(copied, copied**2 + 1, clusters=codes, **DRAWS).two_sided(0.1),
        ratio_of_means(values, values**2 + 1, clusters=np.arange(rows), **DRAWS).two_sided(0.1),
    ]
    assert ratios[0].low == pytest.approx(ratios[1].low)
    assert ratios[0].high == pytest.approx(ratios[1].high)


def test_every_row_a_cluster_is_the_bootstrap_of_rows_no_sharper_than_students_t() -> None:
    values, _ = of_clusters(1, 60, np.ones(60, dtype=int), 0.0)
    rows, clusters = studentised(values, **DRAWS), studentised(values, sampling=Sampling(np.arange(60)), **DRAWS)
    assert clusters.mean == pytest.approx(rows.mean)
    assert clusters.error == pytest.approx(rows.error)
    assert np.sort(clusters.t) == pytest.approx(np.sort(rows.t))
    few = mean_difference(values[:20] - 0.1, clusters=np.arange(20), **DRAWS)
    assert few.roots.tolist() == pytest.approx(mean_difference(values[:20] - 0.1, **DRAWS).roots.tolist())


@pytest.mark.parametrize("place", [0, 1])
def test_of_few_clusters_bounds_are_no_sharper_than_students_t_of_their_sums(place: int) -> None:
    values, codes = of_clusters(5 + place, 12, np.full(12, 7), 0.5)
    found, (ratio, error) = mean_of(values, clusters=codes, **DRAWS), ratio_error(*values_and_rows(values, codes))
    assert found.lower_bound(0.05) <= ratio - student.ppf(0.95, 11) * error + 1e-12
    assert found.upper_bound(0.05) >= ratio + student.ppf(0.95, 11) * error - 1e-12


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_neither_the_order_of_the_rows_nor_the_codes_change_a_digit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, codes = of_clusters(seed, 25, rng.integers(2, 6, 25), 0.4)
    order, names = rng.permutation(len(values)), rng.permutation(25)
    one = mean_of(values, largest=1.0, clusters=codes, **DRAWS)
    other = mean_of(values[order], largest=1.0, clusters=names[codes][order], **DRAWS)
    assert (one.roots == other.roots).all()
    assert one.value == other.value
    groups = (codes + np.arange(len(codes))) % 2
    first = several_means(values, groups, 2, 0.1, sampling=Sampling(codes), **DRAWS)
    second = several_means(values[order], groups[order], 2, 0.1, sampling=Sampling(names[codes][order]), **DRAWS)
    assert first.p_value == second.p_value
    assert first.low.tolist() == pytest.approx(second.low.tolist(), nan_ok=True)


def test_gaffkes_bound_of_clusters_without_any_is_the_exact_one() -> None:
    zeros, codes = np.zeros(60), np.repeat(np.arange(12), 5)
    upper = np.sort(means_with_largest(zeros, 1.0, draws=19_999, seed=0, clusters=codes))
    assert upper[round(0.95 * 20_000) - 1] == pytest.approx(1 - 0.05 ** (1 / 12), abs=0.004)
    ones = means_with_zero(np.ones(60), draws=19_999, seed=0, clusters=codes)
    assert ones[round(0.05 * 20_000) - 1] == pytest.approx(0.05 ** (1 / 12), abs=0.004)


def test_a_cluster_of_the_largest_size_was_added() -> None:
    """Two clusters of 1 and 3 zeros: the added weighs 3, so that the bound is that of 3 w / (w1 + 3 w2 + 3 w)."""
    drawn = means_with_largest(np.zeros(4), 1.0, draws=4_999, seed=2, clusters=np.array([0, 1, 1, 1]))
    weights = np.random.default_rng(8).standard_exponential((200_000, 3))
    expected = 3 * weights[:, 2] / (weights @ np.array([1.0, 3.0, 3.0]))
    for share in (0.1, 0.5, 0.9, 0.95):
        assert np.quantile(drawn, share) == pytest.approx(np.quantile(expected, share), abs=0.02)


def test_many_clusters_are_binned_without_changing_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.inference import bounded

    values, codes = of_clusters(4, 700, np.random.default_rng(4).integers(1, 6, 700), 0.5)
    exact = means_with_largest(values, 1.0, draws=2_999, seed=1, clusters=codes)
    monkeypatch.setattr(bounded, "LARGE", 600)
    monkeypatch.setattr(bounded, "_BINS", 450)
    monkeypatch.setattr(bounded, "_ENDS", 100)
    binned = means_with_largest(values, 1.0, draws=2_999, seed=1, clusters=codes)
    for share in (0.05, 0.5, 0.95):
        assert np.quantile(binned, share) == pytest.approx(np.quantile(exact, share), rel=0.015)


def test_clusters_joined_at_random_keep_their_sums() -> None:
    totals = np.random.default_rng(0).random((2, 1_000))
    joined = joined_at_random(totals, 90, 5)
    assert joined.shape == (2, 90)
    assert joined.sum(axis=1) == pytest.approx(totals.sum(axis=1))
    errors = [ratio_error(*joined_at_random(totals, 90, seed))[1] for seed in range(200)]
    assert np.mean(errors) == pytest.approx(ratio_error(*totals)[1], rel=0.03)
    assert joined_at_random(totals, 1_000, 5) is totals


def test_a_share_of_clusters_is_that_of_rows_where_each_is_one_and_wider_where_not() -> None:
    flags = np.arange(40) < 6
    rows, alone, together = Share(6, 40), share_of(flags, np.arange(40)), share_of(flags, np.arange(40) // 4)
    assert share_of(flags) == rows
    assert (alone.count, alone.n, alone.value) == (6, 40, 0.15)
    assert alone.upper_bound(0.05) == pytest.approx(rows.upper_bound(0.05), abs=0.01)
    assert alone.lower_bound(0.05) == pytest.approx(rows.lower_bound(0.05), abs=0.01)
    assert together.upper_bound(0.05) > alone.upper_bound(0.05) + 0.05
    assert together.two_sided(0.1).low == together.lower_bound(0.05)
    assert share_of(flags[:0], np.arange(0)).upper_bound(0.05) == 1.0


@pytest.mark.parametrize(("alpha", "delta"), [*product((0.01, 0.05, 0.2), (0.02, 0.06, 0.1, 0.3))])
def test_the_p_value_of_a_share_is_at_most_alpha_exactly_where_the_bound_exceeds(alpha: float, delta: float) -> None:
    found = share_of(np.arange(60) % 5 == 0, np.arange(60) // 3)
    assert (found.p_at_most(delta) <= alpha) == (found.lower_bound(alpha) > delta)


def test_without_two_clusters_there_is_no_spread() -> None:
    assert mean_of(np.ones(9), clusters=np.zeros(9, dtype=int), **DRAWS).undefined.startswith("All rows belong")
    assert ratio_by_cluster(np.array([3.0]), np.array([4.0]), 4).undefined.startswith("All rows belong")


def test_clusters_of_many_rows_that_hardly_differ_are_not_constant() -> None:
    """Ten thousand rows each, whose means differ in the fifth digit: the resamples are those of clusters of one row."""
    means = np.sort(1 + 1e-5 * np.random.default_rng(0).random(60))
    one, many = (studentised_ratio(means * rows, np.full(60, rows), draws=9, seed=0) for rows in (1.0, 1e4))
    assert one.error == pytest.approx(means.std(ddof=1) / math.sqrt(60), rel=1e-6)
    assert many.error == pytest.approx(one.error, rel=1e-6)
    np.testing.assert_allclose(many.t, one.t, rtol=1e-6)


def test_a_ratio_by_rows_is_that_of_the_sums_with_students_quantiles() -> None:
    rng = np.random.default_rng(2)
    ratios = 1 + rng.random(50)
    rows = mean_from_sums(float((ratios - 1).sum()), float(((ratios - 1) ** 2).sum()), 50)
    clusters = ratio_by_cluster(ratios, np.ones(50), 50)
    assert (clusters.value, clusters.standard_error) == pytest.approx((rows.value, rows.standard_error))
    assert clusters.degrees == 49
    assert clusters.upper_bound(0.05) == pytest.approx(rows.value + student.ppf(0.95, 49) * rows.standard_error)
    assert clusters.p_value(1.4) == pytest.approx(student.sf((rows.value - 1.4) / rows.standard_error, 49))
    end, start = rng.random(50) < 0.5, rng.random(50) < 0.4
    delta = ratio_of_error_rates(int(end.sum()), int(start.sum()), int((end & start).sum()), 50)
    told = end | start
    found = ratio_by_cluster(end.astype(float), start.astype(float), 50)
    assert found.value == pytest.approx(delta.value)
    tell = int(told.sum())
    assert found.standard_error == pytest.approx(delta.standard_error * math.sqrt(tell / (tell - 1)))
    assert Estimate(1.0, 0.1, 9).degrees == math.inf


def test_groups_that_share_clusters_differ_by_less_than_their_own_errors_say() -> None:
    """Each template once with either group, moved by .01: the difference is certain, the means are not."""
    rng = np.random.default_rng(6)
    base = rng.random(40)
    values = np.concatenate([base, base + 0.01 + 0.001 * rng.standard_normal(40)])
    codes, clusters = np.repeat([0, 1], 40), np.tile(np.arange(40), 2)
    apart = several_means(values, codes, 2, 0.05, **DRAWS)
    together = several_means(values, codes, 2, 0.05, sampling=Sampling(clusters), **DRAWS)
    assert apart.differences_low[1, 0] < 0 < apart.differences_high[1, 0]
    assert 0.009 < together.differences_low[1, 0] < 0.01 < together.differences_high[1, 0] < 0.011
    assert together.p_value == 1 / (1 + 999) or together.p_value <= 0.01
    means = [several_means(values, codes, 2, 0.05, sampling=Sampling(np.arange(80)), **DRAWS), apart]
    assert means[0].low == pytest.approx(means[1].low, abs=0.03)


def test_a_group_of_few_clusters_has_no_interval() -> None:
    values, codes = of_clusters(3, 19, np.full(19, 8), 0.5)
    found = several_means(values, (codes >= 9).astype(int), 2, 0.05, sampling=Sampling(codes), **DRAWS)
    assert np.isnan(found.low[0])
    assert np.isfinite(found.low[1])
    assert math.isnan(found.p_value)


@pytest.mark.parametrize(("clusters", "rows", "together"), [(10, 30, 0.2), (20, 70, 0.8), (200, 5, 0.5)])
def test_bounds_of_templates_err_no_more_often_than_they_may(clusters: int, rows: int, together: float) -> None:
    """Mean .05 = the tolerance; by rows the lower bound exceeds it in 12 to 38%, the upper one does not in 8 to 52%."""
    repeats = 40
    above = below = 0
    for seed in range(repeats):
        values, codes = of_clusters(seed, clusters, np.full(clusters, rows), together)
        found = mean_of(values, draws=199, seed=1, largest=1.0, clusters=codes)
        above += found.lower_bound(0.05) > 0.05
        below += found.upper_bound(0.05) <= 0.05
    limit = repeats * 0.05 + 2 * math.sqrt(repeats * 0.05 * 0.95)
    assert above <= limit
    assert below <= limit


@pytest.mark.long
@pytest.mark.parametrize(
    ("clusters", "rows", "together"),
    [(10, (30, 30), 0.2), (20, (70, 70), 0.8), (200, (5, 5), 0.5), (15, (1, 30), 0.5), (60, (1, 12), 0.8)],
)
def test_means_and_shares_of_clusters_keep_their_error_rates(
    clusters: int, rows: tuple[int, int], together: float
) -> None:
    repeats, wrong = 400, np.zeros(6)
    for seed in range(repeats):
        sizes = np.random.default_rng(seed).integers(rows[0], rows[1] + 1, clusters)
        values, codes = of_clusters(seed, clusters, sizes, together)
        found, share = mean_of(values, draws=799, seed=1, clusters=codes), share_of(values > 0.12, codes)
        truth = 1 - 0.5 * (1 + math.erf((math.log(0.12 / 0.05) + 0.5) / math.sqrt(2)))
        wrong += [
            found.lower_bound(0.05) > 0.05,
            mean_of(values, draws=799, seed=1, largest=1.0, clusters=codes).upper_bound(0.05) <= 0.05,
            share.lower_bound(0.05) > truth,
            share.upper_bound(0.05) < truth,
            not found.lower_bound(0.025) <= 0.05,
            mean_difference(values - 0.05, draws=799, seed=1, clusters=codes).lower_bound(0.05) > 0,
        ]
    assert (wrong / repeats <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / repeats)).all(), wrong / repeats
