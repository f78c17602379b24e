"""What a metric calls similar, against searches written out."""

import numpy as np
import pytest

from core.metrics import Expert, SensitiveSubspace
from core.metrics.portrait import column_freedom, similar_pairs


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


def test_the_closest_pair_of_different_groups_comes_first(mixed) -> None:
    metric = SensitiveSubspace().fit(mixed, rng())
    found = similar_pairs(metric, mixed, rng(), k=4)
    group = mixed.dataset.frame["sex"].astype(str) + mixed.dataset.frame["race"]
    best = min(
        float((mixed.x[i] - mixed.x[j]) @ metric.matrix @ (mixed.x[i] - mixed.x[j]))
        for i in range(len(mixed))
        for j in range(i)
        if group[i] != group[j] and np.abs(mixed.x[i] - mixed.x[j]).max() > 1e-4
    )
    assert found.distance[0] == pytest.approx(best, abs=1e-9)
    assert (np.diff(found.distance) >= -1e-12).all()
    assert found.distance.max() < found.typical / 20
    assert len(set(found.rows.ravel().tolist())) == 8
    assert (found.first_groups.to_numpy() != found.second_groups.to_numpy()).any(axis=1).all()


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
