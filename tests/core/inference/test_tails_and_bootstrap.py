"""The tail diagnostics and the bootstrap-t interval against samples whose behaviour is known."""

import numpy as np
import pytest

from core.base.thresholds import DRAWS
from core.inference.moments import mean_from_sums
from core.inference.studentised import bootstrap_t_by_cluster, bootstrap_t_interval
from core.inference.tails import tail_of


def of(values: np.ndarray):
    return tail_of(values, np.ones(len(values), dtype=np.int64))


@pytest.mark.parametrize("index", [1.5, 2.5, 4.0])
def test_hills_estimate_finds_a_paretos_index(index: float) -> None:
    values = 1 + np.random.default_rng(0).pareto(index, 100_000)
    found = of(values)
    assert found.index == pytest.approx(index, rel=3 / found.index_rows**0.5)


def test_an_infinite_variance_is_doubtful_and_a_normal_sample_is_not() -> None:
    rng = np.random.default_rng(1)
    assert of(1 + rng.pareto(1.5, 5000)).doubtful
    assert not of(rng.normal(2, 0.2, 5000)).doubtful


def test_one_row_that_carries_the_mean_is_doubtful() -> None:
    values = np.r_[np.ones(200), 500.0]
    found = of(values)
    assert found.doubtful
    assert found.largest_share == pytest.approx(500 / 700)


def test_equal_values_have_no_tail() -> None:
    found = of(np.full(1000, 1.3))
    assert not found.doubtful
    assert found.share == pytest.approx(0.01)
    assert found.index == np.inf


def test_the_share_of_the_largest_percent_is_a_sorted_sum() -> None:
    values = np.random.default_rng(2).exponential(size=950)
    found = of(values)
    assert found.rows == 10
    assert found.share == pytest.approx(np.sort(values)[-10:].sum() / values.sum())


def test_counts_stand_for_repeated_values() -> None:
    rng = np.random.default_rng(3)
    values, counts = rng.exponential(size=60), rng.integers(1, 30, 60)
    once, repeated = tail_of(values, counts), of(np.repeat(values, counts))
    for name in ("rows", "share", "largest_share", "index", "skewness", "doubtful"):
        assert getattr(once, name) == pytest.approx(getattr(repeated, name))


def estimate_of(values: np.ndarray):
    return mean_from_sums(float((values - 1).sum()), float(((values - 1) ** 2).sum()), len(values))


def test_the_interval_agrees_with_resampling_rows() -> None:
    values = np.random.default_rng(4).exponential(size=80)
    ours = bootstrap_t_interval(estimate_of(values), values, np.ones(80, dtype=np.int64), 0.1, np.random.default_rng(5))
    rows = values[np.random.default_rng(6).integers(80, size=(20_000, 80))]
    t = (rows.mean(1) - values.mean()) / (rows.std(1, ddof=1) / 80**0.5)
    low, high = np.quantile(t, (0.05, 0.95))
    scale = values.std(ddof=1) / 80**0.5
    assert (ours.low, ours.high) == pytest.approx((values.mean() - high * scale, values.mean() - low * scale), abs=0.06)
    assert ours.confidence == pytest.approx(0.9)


def test_it_covers_a_skewed_mean_better_than_the_normal_interval() -> None:
    rng = np.random.default_rng(7)
    truth, hits = np.exp(1.0**2 / 2), np.zeros(2)
    for _ in range(120):
        values = rng.lognormal(0, 1, 40)
        found = estimate_of(values)
        for place, interval in enumerate(
            (found.two_sided(0.05), bootstrap_t_interval(found, values, np.ones(40, dtype=np.int64), 0.05, rng))
        ):
            hits[place] += interval.low <= truth <= interval.high
    assert hits[1] > hits[0]
    assert DRAWS >= 999


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.random.default_rng(8).exponential(size=50)
    counts = np.ones(50, dtype=np.int64)
    one, two = (bootstrap_t_interval(estimate_of(values), values, counts, 0.05, np.random.default_rng(9)) for _ in "ab")
    assert one == two


def test_the_bootstrap_t_of_clusters_of_one_row_is_about_that_of_the_rows() -> None:
    """Of skewed values, so that the upper end lies farther away; a cluster without rows is none."""
    values = np.random.default_rng(4).gamma(0.5, 1.0, 80)
    mean = estimate_of(values)
    rows = bootstrap_t_interval(mean, values, np.ones(80, dtype=np.int64), 0.1, np.random.default_rng(5))
    clusters = bootstrap_t_by_cluster(mean, np.append(values, 0.0), np.append(np.ones(80), 0.0), 0.1, 6)
    assert rows.high - mean.value > 1.1 * (mean.value - rows.low)
    width = rows.high - rows.low
    assert (clusters.low, clusters.high) == (
        pytest.approx(rows.low, abs=0.05 * width),
        pytest.approx(rows.high, abs=0.05 * width),
    )
