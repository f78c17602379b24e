"""What a metric calls similar, against searches written out."""

import numpy as np
import pandas as pd
import pytest

from core.contracts.metric import FittedMetric
from core.data.encoder import BinaryColumn, Encoder, NumericColumn
from core.metrics import Expert, SensitiveSubspace
from core.metrics.portrait import NEARLY, column_freedom, similar_pairs
from core.metrics.subspace import changes, projector


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_free_columns_are_wholly_free_and_held_ones_not_at_all(mixed) -> None:
    metric = Expert(free=("job", "hours")).fit(mixed, rng())
    table = {row.column: row for row in column_freedom(metric, mixed.encoder)}
    assert {name: row.share for name, row in table.items()} == pytest.approx(
        {"age": 0, "hours": 1, "job": 1, "nothing": 0, "sex": 0}
    )
    assert table["job"].change == ("clerk", "cook")
    assert list(table)[:2] == ["hours", "job"]


def test_the_freest_change_of_a_category_is_found_by_trying_each(mixed) -> None:
    metric = SensitiveSubspace(protected=("race",)).fit(mixed, rng())
    names, projector = mixed.encoder.names, metric.free.T @ metric.free
    tried = {}
    for one, other in (("clerk", "cook"), ("clerk", "nurse"), ("cook", "nurse")):
        change = np.zeros(len(names))
        change[names.index(f"job = {one}")], change[names.index(f"job = {other}")] = -1, 1
        tried[one, other] = change @ projector @ change / 2
    row = next(row for row in column_freedom(metric, mixed.encoder) if row.column == "job")
    assert row.change == max(tried, key=tried.__getitem__)
    assert row.largest == pytest.approx(max(tried.values()))
    assert row.share == pytest.approx(np.mean(list(tried.values())))


def test_a_single_indicator_is_its_own_direction_and_names_its_change() -> None:
    sex, degree = BinaryColumn(name="sex", categories=("f", "m")), BinaryColumn(name="degree", categories=("F", "M"))
    encoder = Encoder(columns=(NumericColumn(name="age"), sex, degree))
    free = changes(encoder, ("sex",))
    assert free.tolist() == [[0.0, 1.0, 0.0]]
    metric = FittedMetric("declared", encoder.names, projector(free), free, np.empty(0))
    table = {row.column: row for row in column_freedom(metric, encoder)}
    assert (table["sex"].share, table["sex"].largest, table["sex"].change) == (1.0, 1.0, ("f", "m"))
    assert (table["degree"].share, table["degree"].change) == (0.0, ("F", "M"))
    assert (table["age"].share, table["age"].change) == (0.0, ())


def every_pair(data, metric) -> list[tuple[float, float]]:
    """Fair and plain distance of every pair of rows of different groups, written out."""
    group = (data.dataset.frame["sex"].astype(str) + data.dataset.frame["race"]).to_numpy()
    pairs = [(i, j) for i in range(len(data)) for j in range(i) if group[i] != group[j]]
    moves = [data.x[i] - data.x[j] for i, j in pairs]
    return [(float(move @ metric.matrix @ move), float(move @ move)) for move in moves]


def test_of_the_pairs_held_for_nearly_the_same_the_most_forgiven_come_first(mixed) -> None:
    metric = SensitiveSubspace().fit(mixed, rng())
    found = similar_pairs(metric, mixed, rng(), k=4)
    forgiven = max(1 - fair / plain for fair, plain in every_pair(mixed, metric) if 0 <= fair <= NEARLY * found.typical)
    assert 1 - found.distance[0] / found.plain[0] == pytest.approx(forgiven)
    assert (found.distance <= NEARLY * found.typical).all()
    assert len(set(found.rows.ravel().tolist())) == 8
    assert (found.first_groups.to_numpy() != found.second_groups.to_numpy()).any(axis=1).all()


def test_where_nobody_is_nearly_the_same_the_closest_pair_comes_first(encode) -> None:
    frame = pd.DataFrame({"a": [0.0, 10.0, 25.0, *range(100, 130)], "sex": ["f", "m", "f"] + ["m"] * 30})
    data = encode(frame, ("a",), ("sex",)).take(np.arange(3))
    found = similar_pairs(Expert().fit(data, rng()), data, rng())
    assert found.rows.tolist() == [[0, 1]]
    assert found.distance.tolist() == [100.0]


def test_people_are_shown_in_original_units(mixed) -> None:
    found = similar_pairs(SensitiveSubspace().fit(mixed, rng()), mixed, rng(), k=2)
    assert list(found.first.columns) == list(mixed.encoder.features)
    original = mixed.dataset.frame.loc[found.rows[0, 0], list(mixed.encoder.features)]
    assert found.first.iloc[0].tolist() == original.tolist()


def test_people_alike_in_every_column_are_passed_over(mixed) -> None:
    metric = Expert(free=("sex",)).fit(mixed, rng())
    assert (similar_pairs(metric, mixed, rng(), k=10).plain > 0).all()


def test_no_pair_is_found_among_people_of_one_group(mixed) -> None:
    same = mixed.dataset.frame[["sex", "race"]].eq([0, "a"]).all(axis=1).to_numpy()
    found = similar_pairs(Expert(free=("sex",)).fit(mixed, rng()), mixed.take(np.flatnonzero(same)), rng())
    assert found.rows.shape == (0, 2)
    assert len(found.first) == 0


def test_pairs_that_differ_in_other_columns_come_before_more_of_the_same(encode) -> None:
    draw = np.random.default_rng(0)
    frame = pd.DataFrame(draw.integers(0, 2, size=(200, 3)), columns=list("abc")).assign(
        sex=draw.choice(["f", "m"], 200)
    )
    data = encode(frame, tuple("abc"), ("sex",))
    found = similar_pairs(Expert(free=("a", "b", "c")).fit(data, rng()), data, rng(), k=7)
    changed = [tuple(row) for row in (found.first.to_numpy() != found.second.to_numpy())]
    assert len(set(changed[: len(set(changed))])) == len(set(changed)) > 1
