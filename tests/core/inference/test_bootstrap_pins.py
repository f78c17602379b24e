"""The bootstrap-t of very few rows, and bounds of means that cannot pass a known end: by hand, by law, by counting."""

import math
from itertools import product

import numpy as np
import pytest

from core.inference import bounded
from core.inference.bounded import means_with_largest
from core.inference.estimate import Estimate, Interval
from core.inference.studentised import bootstrap_t_by_cluster, bootstrap_t_interval

ONES = np.ones(3, dtype=np.int64)


@pytest.mark.parametrize("alpha", [0.2, 0.6])
def test_the_bootstrap_t_of_three_rows_is_that_of_all_27_resamples(alpha: float) -> None:
    """A constant resample is infinitely far away, or not at all where it holds the mean alone."""
    resamples = np.array(list(product((0.0, 1.0, 2.0), repeat=3)))
    means, spread = resamples.mean(axis=1) - 1, resamples.std(axis=1, ddof=1)
    t = [
        mean and (math.copysign(math.inf, mean) if s == 0 else mean * math.sqrt(3) / s)
        for mean, s in zip(means, spread, strict=True)
    ]
    low, high = np.quantile(t, (alpha / 2, 1 - alpha / 2), method="inverted_cdf")
    own = Estimate(1.0, 1 / math.sqrt(3), 3)
    for found in (
        bootstrap_t_interval(own, np.arange(3.0), ONES, alpha, np.random.default_rng(0)),
        bootstrap_t_by_cluster(own, np.arange(3.0), np.ones(3), alpha, 0),
    ):
        assert (found.low, found.high) == pytest.approx((1 - high / math.sqrt(3), 1 - low / math.sqrt(3)))
        assert found.confidence == 1 - alpha


def test_the_bootstrap_t_of_nothing_and_of_equal_values_is_as_sure_as_of_others() -> None:
    nothing, same = Estimate(math.nan, math.nan, 1, undefined="Nothing."), Estimate(1.5, 0.0, 3)
    for found in (
        bootstrap_t_interval(nothing, np.arange(3.0), ONES, 0.1, np.random.default_rng(0)),
        bootstrap_t_by_cluster(nothing, np.arange(3.0), np.ones(3), 0.1, 0),
    ):
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert found.confidence == 0.9
    found = bootstrap_t_interval(same, np.full(3, 1.5), ONES, 0.1, np.random.default_rng(0))
    assert found == Interval(1.5, 1.5, 0.9)


def test_values_that_do_not_occur_and_clusters_without_rows_change_nothing() -> None:
    values = np.random.default_rng(0).exponential(size=12)
    own = Estimate(float(values.mean()), 0.4, 12)
    alone, with_others = (
        (
            bootstrap_t_interval(own, one, (one > 0).astype(np.int64), 0.1, np.random.default_rng(4)),
            bootstrap_t_by_cluster(own, one, (one > 0).astype(float), 0.1, 4),
        )
        for one in (values, np.append(values, 0.0))
    )
    assert alone == with_others


def test_the_order_of_clusters_changes_nothing() -> None:
    above, below = np.random.default_rng(0).exponential(size=12), np.repeat([1.0, 2.0], 6)
    own, turned = Estimate(float(above.sum()) / 18, 0.1, 12), np.arange(12)[::-1]
    assert bootstrap_t_by_cluster(own, above[turned], below[turned], 0.1, 0) == bootstrap_t_by_cluster(
        own, above, below, 0.1, 0
    )


def test_the_mean_of_no_values_may_be_the_largest() -> None:
    assert means_with_largest(np.zeros(0), 0.7, draws=3, seed=0).tolist() == pytest.approx([0.7] * 3)


def test_a_single_value_is_as_likely_to_weigh_more_as_less_than_the_one_added() -> None:
    """Its weight is uniform, so that the mean's quantiles are those of a uniform number."""
    drawn = means_with_largest(np.zeros(1), 1.0, draws=1_999, seed=0)
    assert np.quantile(drawn, [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.04)


@pytest.mark.parametrize("clusters", [None, np.arange(30) // 2])
def test_as_many_weights_are_drawn_as_asked_for_in_any_blocks(
    clusters: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(0).random(30)
    whole = means_with_largest(values, 1.0, draws=99, seed=0, clusters=clusters)
    assert len(whole) == 99
    monkeypatch.setattr("core.inference.resampling._BLOCK_NUMBERS", 31 * 8)
    assert means_with_largest(values, 1.0, draws=99, seed=0, clusters=clusters) == pytest.approx(whole)


def test_clusters_that_share_a_bin_lie_about_as_far_from_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sizes differ far more than their means do: bins of clusters of one size would hide how these scatter."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 21, 400)
    codes = np.repeat(np.arange(400), sizes)
    values = rng.uniform(0.4, 0.6, 400)[codes]
    exact = means_with_largest(values, 1.0, draws=999, seed=0, clusters=codes)
    for name, number in (("LARGE", 399), ("_BINS", 40), ("_ENDS", 2)):
        monkeypatch.setattr(bounded, name, number)
    binned = means_with_largest(values, 1.0, draws=999, seed=1, clusters=codes)
    assert binned.std() == pytest.approx(exact.std(), rel=0.1)
