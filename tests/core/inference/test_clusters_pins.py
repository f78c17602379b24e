"""Rows that belong together, written out: one of each, how many, what they say of a share, and resamples of them."""

import numpy as np
import pytest

from core.inference.clusters import cluster_sizes, cluster_totals, degrees_of, enough, one_of_each
from core.inference.several_means import drawn_together


def test_one_row_of_each_cluster_is_chosen_and_any_may_be() -> None:
    clusters = np.array([5, 2, 5, 9, 2, 5])
    chosen = [one_of_each(clusters, np.random.default_rng(seed)) for seed in range(40)]
    assert all(sorted(clusters[rows]) == [2, 5, 9] and (np.diff(rows) > 0).all() for rows in chosen)
    assert set(np.concatenate(chosen)) == set(range(6))


def test_every_row_is_told_how_many_rows_its_cluster_has() -> None:
    assert cluster_sizes(np.array([7, 2, 7, 9, 7])).tolist() == [3, 1, 3, 1, 3]


def test_from_fifty_clusters_on_the_bootstrap_stands_alone() -> None:
    assert [degrees_of(clusters) for clusters in (49, 50)] == [48, np.inf]


def test_a_set_says_something_with_30_rows_and_where_they_belong_together_10_clusters() -> None:
    rows, clusters = np.array([29, 30, 30, 29]), np.array([10, 10, 9, 9])
    assert enough(rows, None).tolist() == [False, True, True, False]
    assert enough(rows, clusters).tolist() == [False, True, False, False]
    assert enough(rows, clusters, 29).tolist() == [True, True, False, False]


def test_means_of_groups_in_resamples_of_their_clusters_are_those_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """12 clusters; the first two groups share four of them, and the last lies in two of the second's.

    In blocks of 7, 7 and 6 resamples.
    """
    monkeypatch.setattr("core.inference.resampling._BLOCK_NUMBERS", 12 * 7 + 5)
    rng = np.random.default_rng(0)
    places = [(0, range(8)), (1, range(4, 12)), (2, (10, 11))]
    codes = np.array([group for group, inside in places for one in inside for _ in range(1 + one % 3)])
    clusters = np.array([one for _, inside in places for one in inside for _ in range(1 + one % 3)])
    values = rng.random(len(codes))
    found, shared = drawn_together(values, codes, np.arange(3), clusters, draws=20, seed=5)

    kinds = [codes == group for group in range(3)]
    totals = cluster_totals(clusters, *(kind * values for kind in kinds), *kinds)
    occur = (totals[3:] > 0).sum(axis=1)
    few = np.sqrt(occur / (occur - 1))
    drawn = np.random.default_rng((5, 12)).multinomial(12, np.full(12, 1 / 12), size=20)
    dead = 0
    for number, times in enumerate([np.ones(12, dtype=np.int64), *drawn]):
        sums, sizes = np.split(np.repeat(totals, times, axis=1), 2)
        whole = sizes.sum(axis=1)
        means = sums.sum(axis=1) / np.where(whole > 0, whole, np.nan)
        left = few[:, None] * (sums - means[:, None] * sizes) / whole.clip(1)[:, None]
        for group in range(3):
            one, error = found[group], float(np.sqrt(left[group] @ left[group]))
            if number == 0:
                assert one.mean == pytest.approx(values[kinds[group]].mean())
                assert (one.error, one.degrees) == (pytest.approx(error), degrees_of(int(occur[group])))
            elif whole[group]:
                assert one.deviations[number - 1] == pytest.approx(means[group] - one.mean, abs=1e-9)
                assert one.errors[number - 1] == pytest.approx(error, abs=1e-6)
            else:
                dead += 1
                assert np.isposinf(one.t[number - 1])
        for (first, second), (observed, covariance) in shared.items():
            expected = float(left[first] @ left[second])
            if number == 0:
                assert observed == pytest.approx(expected)
            elif whole[first] and whole[second]:
                assert covariance[number - 1] == pytest.approx(expected, abs=1e-9)
    assert list(shared) == [(0, 1), (1, 2)]
    assert dead > 0
    assert all(len(one.deviations) == len(one.errors) == 20 for one in found.values())
