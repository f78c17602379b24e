"""Pairs for people to judge: real rows, alike in everything but what may differ, and good enough to learn from."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.contracts.metric import principal_angles
from core.data.encoded import EncodedDataset
from core.metrics import ComparablePairs
from core.metrics.files import judged_csv, read_pairs
from core.metrics.judging import pairs_to_judge
from core.metrics.subspace import standardised


@pytest.fixture
def people(encode) -> EncodedDataset:
    draw = np.random.default_rng(0)
    x = draw.standard_normal((600, 5)) * [1, 1, 20, 1, 0.1]
    frame = pd.DataFrame(x, columns=list("abcde")).assign(sex=np.resize(["f", "m", "m"], 600))
    return encode(frame, tuple("abcde"), ("sex",))


def test_the_two_differ_where_they_may_and_are_alike_elsewhere(people: EncodedDataset) -> None:
    pairs = pairs_to_judge(people, ("c",), np.random.default_rng(0)).pairs
    assert len(pairs.rows) == 60
    assert len(np.unique(pairs.rows)) == 120
    at = {int(row): position for position, row in enumerate(people.dataset.frame.index)}
    first, second = (np.array([at[int(row)] for row in side]) for side in pairs.rows.T)
    apart = np.abs(standardised(people.x)[0][first] - standardised(people.x)[0][second])
    assert apart[:, 2].mean() > 2 * apart[:, [0, 1, 3, 4]].mean()
    assert np.median(pairs.distance) < 0.2 * pairs.typical
    np.testing.assert_array_equal(pairs.first.to_numpy(), people.people(first).to_numpy())


def test_the_nearest_partner_is_found_among_all(people: EncodedDataset) -> None:
    """Against all pairs, one by one."""
    pairs = pairs_to_judge(people, ("c",), np.random.default_rng(0), most=1).pairs
    x = people.x[:, [0, 1, 3, 4]] / people.x[:, [0, 1, 3, 4]].std(axis=0)
    every = ((x[:, None] - x[None]) ** 2).sum(axis=2) + np.diag(np.full(len(x), np.inf))
    assert pairs.distance[0] == pytest.approx(every.min())


def test_without_columns_they_are_of_different_groups(people: EncodedDataset) -> None:
    pairs = pairs_to_judge(people, (), np.random.default_rng(1)).pairs
    assert (pairs.first_groups["sex"] != pairs.second_groups["sex"]).all()


def test_where_nothing_is_chosen_they_may_differ_in_what_tells_the_groups_most(encode) -> None:
    draw = np.random.default_rng(2)
    woman = np.arange(600) % 2 == 0
    frame = pd.DataFrame(draw.standard_normal((600, 6)), columns=list("abcdef"))
    frame["b"] += 1.5 * woman
    frame["place"] = np.where(woman ^ (draw.random(600) < 0.2), "north", "south")
    data = encode(frame.assign(sex=np.where(woman, "f", "m")), (*"abcdef", "place"), ("sex",))
    drawn = pairs_to_judge(data, (), np.random.default_rng(0))
    assert len(drawn.differing) == 3
    assert {"b", "place"} <= set(drawn.differing)
    metric = ComparablePairs(pairs=tuple(map(tuple, drawn.pairs.rows.tolist()))).fit(data, np.random.default_rng(0))
    assert metric.found >= 1


def test_the_same_seed_draws_the_same_pairs_in_the_same_order(people: EncodedDataset) -> None:
    one, other = (pairs_to_judge(people, ("c",), np.random.default_rng(3)).pairs.rows for _ in range(2))
    np.testing.assert_array_equal(one, other)
    assert not np.array_equal(one, pairs_to_judge(people, ("c",), np.random.default_rng(4)).pairs.rows)


def test_pairs_judged_similar_teach_the_direction_in_which_they_may_differ(people: EncodedDataset) -> None:
    """Two free columns, judged by somebody to whom neither matters."""
    pairs = pairs_to_judge(people, ("b", "c"), np.random.default_rng(0)).pairs
    metric = ComparablePairs(pairs=tuple(map(tuple, pairs.rows.tolist()))).fit(people, np.random.default_rng(0))
    assert metric.found == 2
    scale = people.x.std(axis=0)
    free = np.linalg.qr((metric.free / scale).T)[0].T
    assert principal_angles(free, np.eye(5)[1:3]).max() < 15


def test_what_cannot_be_drawn_is_refused_in_words(people: EncodedDataset, encode) -> None:
    with pytest.raises(MetricError, match="could be alike"):
        pairs_to_judge(people, tuple("abcde"), np.random.default_rng(0))
    same = people.dataset.frame.assign(c=1.0).drop(columns="c").assign(c=2.0)
    with pytest.raises(MetricError, match="No two rows differ in 'c'"):
        pairs_to_judge(encode(same, tuple("abcde"), ("sex",)), ("c",), np.random.default_rng(0))


def test_judgements_are_written_and_read_again() -> None:
    judged = ((0, 4, "similar"), (7, 2, "not similar"), (1, 3, "skipped"), (5, 6, "similar"))
    assert read_pairs(judged_csv(judged)) == ((0, 4), (5, 6))
    assert judged_csv(judged).decode("utf-8-sig").splitlines()[:2] == ["record,other record,judgement", "1,5,similar"]
    with pytest.raises(MetricError, match="perhaps"):
        read_pairs(b"1,2,perhaps\n")
    with pytest.raises(MetricError, match="No pair of the list is judged similar"):
        read_pairs(b"1,2,not similar\n")
