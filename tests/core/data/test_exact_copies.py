"""Exact copies: whole tables and parts that were copied are told from rows that coincide by chance."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.copies import Copies, find_copies
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.sources.simulated.hiring import Hiring

ROLES = Roles(outcome="hired", favourable="1", protected=("sex",), features=("score", "years"))


def people(seed: int, rows: int = 400) -> pd.DataFrame:
    """People with a continuous column."""
    rng = np.random.default_rng(seed)
    score, sex = rng.standard_normal(rows), rng.integers(0, 2, rows)
    hired = (score + rng.standard_normal(rows) > 0).astype(int)
    return pd.DataFrame({"score": score, "years": rng.poisson(4, rows), "sex": sex, "hired": hired})


def categories(seed: int, rows: int, values: int, columns: int) -> pd.DataFrame:
    """People of a few kinds (latent classes), whose columns take few values and go together."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1])
    chances = rng.dirichlet(np.full(values, 0.5), (4, columns)).cumsum(axis=2)
    drawn = (rng.random((rows, columns))[:, :, None] > chances[kind]).sum(axis=2)
    return pd.DataFrame(drawn, columns=[f"c{i}" for i in range(columns)])


def zeros(seed: int, rows: int) -> pd.DataFrame:
    """Counts that are nearly all zero."""
    drawn = np.random.default_rng(seed).random((rows, 14)) < 0.05
    return pd.DataFrame(drawn.astype(int), columns=[f"c{i}" for i in range(14)])


def goods(seed: int, rows: int) -> pd.DataFrame:
    """Few goods are bought by many; what is told of them follows from which it is, the buyer's sex does not."""
    rng = np.random.default_rng(seed)
    good = np.minimum(rng.zipf(1.6, rows), 10**6)
    sex = np.random.default_rng(seed + 9).integers(0, 2, rows)
    return pd.DataFrame({"good": good, "price": good * 7 % 1_009, "weight": good * 3 % 97, "sex": sex})


def with_copies(frame: pd.DataFrame, share: float, seed: int = 0) -> pd.DataFrame:
    chosen = np.random.default_rng(seed).choice(len(frame), round(share * len(frame)), replace=False)
    return pd.concat([frame, frame.iloc[chosen]], ignore_index=True)


def search(frame: pd.DataFrame, clusters: np.ndarray | None = None) -> Copies:
    return find_copies(frame, tuple(frame.columns), clusters)


@pytest.mark.parametrize("times", [2, 3, 10])
def test_a_table_copied_as_a_whole_is_found_even_if_it_holds_few_categories(times: int) -> None:
    for frame in (people(0), categories(0, 300, 3, 5)):
        found = search(pd.concat([frame] * times))
        assert found.too_many
        assert found.beyond_chance == found.repeated >= len(frame) * (times - 1)


def test_a_share_of_doubled_rows_is_found_where_a_column_is_continuous() -> None:
    found = search(with_copies(people(1), 0.06))
    assert (found.rows, found.repeated, found.beyond_chance) == (424, 24, 24.0)
    assert found.too_many
    assert not search(with_copies(people(1), 0.05)).too_many


def test_a_share_of_doubled_rows_is_found_where_few_columns_beside_a_continuous_one_tell_people_apart() -> None:
    frame = people(1, 1_000).drop(columns="years")
    found = search(with_copies(frame, 0.06))
    assert (found.rows, found.repeated, found.beyond_chance) == (1_060, 60, 60.0)
    assert found.too_many
    for seed in range(20):
        assert not search(people(seed, 1_000).drop(columns="years").round(2)).too_many


def test_many_doubled_rows_of_a_table_of_categories_show_in_how_often_records_occur() -> None:
    frame = pd.DataFrame(np.random.default_rng(3).integers(0, 8, (2_000, 5)))
    assert not search(frame).too_many
    found = search(with_copies(frame, 0.15))
    assert found.too_many
    assert 0.05 * 2_300 < found.beyond_chance < 350


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rows", [60, 1_500])
def test_coincidences_are_not_taken_for_copies(seed: int, rows: int) -> None:
    tables = [
        categories(seed, rows, 2, 4),
        categories(seed, rows, 4, 8),
        zeros(seed, rows),
        people(seed, rows).round(1),
    ]
    for frame in (*tables, goods(seed, rows)):
        assert not search(frame).too_many


@pytest.mark.long
def test_of_two_thousand_tables_none_is_accused() -> None:
    accused = 0
    for seed in range(400):
        rows = int(np.random.default_rng(seed).choice([60, 200, 1_000, 4_000]))
        tables = (categories(seed, rows, 2, 5), categories(seed, rows, 5, 9), zeros(seed, rows), goods(seed, rows))
        accused += sum(search(frame).too_many for frame in (*tables, people(seed, rows).round(seed % 2)))
    assert accused <= 2


def test_what_identifies_rows_hides_no_copies_unless_it_has_a_role() -> None:
    frame = with_copies(people(2), 0.3)
    for name, values in (("number", range(len(frame))), ("applicant id", np.arange(len(frame)) // 2 * 3 % 401)):
        numbered = frame.assign(**{name: values})
        assert find_copies(numbered, ROLES.columns).too_many
        assert not find_copies(numbered, (*ROLES.columns, name)).too_many


def test_copies_of_one_person_are_none_where_the_column_says_so() -> None:
    frame = people(4, 100)
    tripled, person = pd.concat([frame] * 3), np.tile(np.arange(100), 3)
    assert not search(tripled, person).too_many
    assert search(tripled, person).rows == 100
    assert search(tripled, np.arange(300)).too_many


def test_a_dataset_counts_copies_among_whole_records_of_the_file() -> None:
    tripled = pd.concat([people(5)] * 3, ignore_index=True)
    built = Dataset.build(tripled, ROLES).copies
    assert built is not None
    assert built.too_many
    told_apart = tripled.assign(answer=np.random.default_rng(0).integers(0, 500, len(tripled)))
    assert not Dataset.build(told_apart, ROLES).copies.too_many  # type: ignore[union-attr]
    person = tripled.assign(person=np.tile(np.arange(400), 3))
    roles = ROLES.model_copy(update={"belongs_to": "person"})
    assert not Dataset.build(person, roles).copies.too_many  # type: ignore[union-attr]


def test_simulated_hiring_holds_no_copies(tmp_path: Path) -> None:
    found = Dataset.build(Hiring(rows=2_000).load(FileStore(tmp_path)), Hiring().roles(pd.DataFrame())).copies
    assert found == Copies(2_000, 0, 0.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_a_score_that_follows_from_categories_makes_no_copies_of_people_of_one_kind(seed: int, chance: float) -> None:
    frame = categories(seed, 1_000, 4, 5)
    rng = np.random.default_rng(seed)
    kind = frame.to_numpy() @ 10.0 ** np.arange(5)
    frame = frame.assign(outcome=rng.random(1_000) < chance, score=np.sin(kind), decile=np.round(np.sin(kind) * 5))
    assert search(frame).repeated > 300
    assert not search(frame).too_many
