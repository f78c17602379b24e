"""How much rows that belong together say about a pair of sets: by hand, by design, and how often bounds miss."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, norm, t

from core.inference.comparisons import Comparisons, People
from core.inference.pair_effects import ClusteredRows, degrees_of_variance, threshold_effects
from core.inference.sampling import Sampling

FIRST, SECOND = np.array([[True, False]]), np.array([[False, True]])


def effect(values: np.ndarray, cells: np.ndarray, clusters: np.ndarray, factor: float = 1.0) -> float:
    return float(ClusteredRows(values, cells, clusters).effects(FIRST, SECOND, (factor,))[0])


def test_copies_say_no_more_than_one_of_them() -> None:
    rng = np.random.default_rng(0)
    values, cells = rng.random(2_000).round(), rng.integers(2, size=2_000)
    rows = np.repeat(np.arange(2_000), 3)
    assert effect(values[rows], cells[rows], rows) == pytest.approx(3.0, rel=0.05)
    assert effect(values, cells, np.arange(2_000)) == pytest.approx(1.0, rel=0.05)


def test_pairs_that_are_alike_say_more_than_people_who_stand_alone() -> None:
    """Half of the variance is the pair's: the difference within pairs has half the variance."""
    rng = np.random.default_rng(1)
    pair = np.repeat(np.arange(3_000), 2)
    values = rng.standard_normal(3_000)[pair] + rng.standard_normal(6_000)
    assert effect(values, np.arange(6_000) % 2, pair) == pytest.approx(0.5, rel=0.07)


def test_few_clusters_that_agree_do_not_say_everything() -> None:
    pair = np.repeat(np.arange(40), 2)
    values = np.repeat(np.arange(40) % 2, 2).astype(np.float64)
    assert 0.25 <= effect(values, np.arange(80) % 2, pair) < 0.3


@given(seed=st.integers(0, 2**16), homes=st.integers(2, 40), most=st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_effects_above_thresholds_are_those_of_every_threshold_by_itself(seed: int, homes: int, most: int) -> None:
    """By hand: what rows add to the difference of two shares, summed over each home and squared."""
    rng = np.random.default_rng(seed)
    home = rng.permutation(np.repeat(np.arange(homes), rng.integers(1, most + 1, homes)))
    first, inside = rng.integers(5, size=len(home)), rng.random(len(home)) < 0.4
    inside[:2] = True, False
    adds = sum((np.bincount(home, side) / side.sum()) ** 2 for side in (inside, ~inside))
    degrees = max(adds.sum() ** 2 / (adds**2).sum() - 1, 1.0)
    known = (t.ppf(0.95, max(degrees / 2, 1.0)) / norm.ppf(0.95)) ** 2
    for k, found in enumerate(threshold_effects(first, 6, inside, home)):
        has = (first <= k).astype(float)
        off = np.where(inside, has - has[inside].mean(), has[~inside].mean() - has)
        off /= np.where(inside, inside.sum(), (~inside).sum())
        together, alone = (np.bincount(home, off) ** 2).sum(), (off**2).sum()
        if alone < 1e-15:
            assert found == pytest.approx((np.bincount(home) ** 2).sum() / len(home))
            continue
        by_hand = (degrees + 1) / degrees * together / alone
        by_hand = max(by_hand, min(by_hand * degrees / chi2.ppf(0.05, degrees), 1.0), 0.25) * known
        assert found == pytest.approx(min(by_hand, np.bincount(home).max()))


def test_degrees_are_those_of_equal_clusters_and_of_the_smaller_of_two_sets() -> None:
    for clusters, degrees in (([10, 10], 19.0), ([10, 100_000], 9.0)):
        adds = np.concatenate([np.full(count, 1 / count**2) for count in clusters])
        assert degrees_of_variance(adds) == pytest.approx(degrees, rel=0.01)


def test_rows_of_a_single_home_say_as_much_as_one() -> None:
    assert (
        threshold_effects(np.array([0, 1, 2]), 4, np.array([True, False, True]), np.zeros(3, int)).tolist() == [3] * 4
    )


def test_clusters_are_counted_in_each_set() -> None:
    rows = ClusteredRows(np.zeros(6), np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 3]))
    assert rows.occur(np.concatenate([FIRST, SECOND])).tolist() == [2, 3]


@pytest.mark.parametrize("matched", [True, False])
def test_bounds_of_clustered_shares_miss_no_more_often_than_they_say(matched: bool) -> None:
    """Sixty clusters of ten rows, in both sets each or in one; a true difference of nothing and a ratio of one."""
    rng, tables, wrong = np.random.default_rng(int(matched)), 300, np.zeros(2)
    clusters = np.repeat(np.arange(60), 10)
    cells = np.arange(600) % 2 if matched else clusters % 2
    for _ in range(tables):
        values = (rng.random(600) < np.clip(0.3 + 0.15 * rng.standard_normal(60)[clusters], 0, 1)).astype(np.float64)
        people = People.of(values, cells, 2, shares=True, sampling=Sampling(clusters))
        found = Comparisons.of(people, FIRST, SECOND, ratio=0.8)
        wrong += found.lower(0.05)[0] > 0, found.upper(0.05)[0] < 0
    assert (wrong <= tables * 0.05 + 2 * np.sqrt(tables * 0.05 * 0.95)).all()
