"""How much rows that belong together say about a pair of sets: by hand, by design, and how often bounds miss."""

import numpy as np
import pytest

from core.inference.comparisons import Comparisons, People
from core.inference.pair_effects import ClusteredRows

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
        belonging = ClusteredRows(values, cells, clusters)
        found = Comparisons.of(People.of(values, cells, 2, shares=True), FIRST, SECOND, ratio=0.8, belonging=belonging)
        wrong += found.lower(0.05)[0] > 0, found.upper(0.05)[0] < 0
    assert (wrong <= tables * 0.05 + 2 * np.sqrt(tables * 0.05 * 0.95)).all()
