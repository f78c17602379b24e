"""Rows that belong together: the role, the codes, and what is said of them."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.base.errors import DataError
from core.caveats.assumptions import independent_rows
from core.data.clusters import cluster_codes, count_clusters, in_parts, some_of
from core.data.dataset import Dataset
from core.data.guess_roles import guess_roles
from core.data.quality.health import examine
from core.data.roles import Roles
from core.data.table_caveats import caveats_of
from core.result import DataSummary

GIVEN = {"outcome": "hired", "favourable": "1", "protected": ("sex",), "features": ("score",), "belongs_to": "person"}
ROLES = Roles(**GIVEN)


def table(rows: int = 60, persons: int = 20) -> pd.DataFrame:
    place = np.arange(rows)
    return pd.DataFrame(
        {"person": place % persons, "sex": place % 2, "score": place / 7, "hired": (place // 3) % 2, "note": "-"}
    )


def test_rows_of_one_person_share_a_code_and_every_row_without_one_stands_alone() -> None:
    values = pd.Series(["b", None, "a", "b", None, "c"], index=[3, 5, 8, 9, 11, 12])
    assert cluster_codes(values).tolist() == [0, 3, 1, 0, 4, 2]
    drawn = values.iloc[[1, 1, 4, 0]]
    assert cluster_codes(drawn).tolist() == [1, 1, 2, 0]


@given(st.lists(st.sampled_from(["a", "b", "c", "d", None]), min_size=1, max_size=30))
def test_codes_are_0_to_g_and_equal_exactly_where_the_cells_are(cells: list[str | None]) -> None:
    codes = cluster_codes(pd.Series(cells, dtype="object"))
    assert sorted(set(codes)) == list(range(count_clusters(codes)))
    for (one, first), (other, second) in pairwise(zip(cells, codes.tolist(), strict=True)):
        assert (first == second) == (one is not None and one == other)


def test_numbers_and_text_name_the_same_person() -> None:
    assert cluster_codes(pd.Series([1.0, 2.0, 1.0])).tolist() == cluster_codes(pd.Series(["1", "2", "1"])).tolist()


@pytest.mark.parametrize("other", ["hired", "sex", "score", "answer"])
def test_what_a_row_belongs_to_has_no_other_role(other: str) -> None:
    with pytest.raises(ValidationError, match="which rows belong together"):
        Roles(**{**GIVEN, "predictions": ("answer",), "belongs_to": other})


def test_a_text_cannot_be_what_it_belongs_to() -> None:
    with pytest.raises(ValidationError, match="which rows belong together"):
        Roles(text="bio", belongs_to="bio")


def test_clusters_follow_the_rows_wherever_they_are_taken() -> None:
    dataset = Dataset.build(table(), ROLES)
    assert dataset.clusters is not None
    assert count_clusters(dataset.clusters) == 20
    assert dataset.take(np.array([0, 20, 1])).clusters.tolist() == [0, 0, 1]  # type: ignore[union-attr]
    assert Dataset.build(table(), ROLES.model_copy(update={"belongs_to": ""})).clusters is None


def test_a_row_whose_person_is_missing_stays_and_is_told() -> None:
    frame = table()
    frame["person"] = frame["person"].astype("object").where(np.arange(60) % 20 != 7)
    dataset = Dataset.build(frame, ROLES)
    assert len(dataset) == 60
    assert dataset.rows_left_out == 0
    assert count_clusters(dataset.clusters) == 19 + 3
    said = " ".join(caveat.what for caveat in caveats_of(dataset))
    assert "60 rows belong to 22 different 'person'" in said
    assert "3 rows without 'person': each counts on its own" in said


def test_rows_of_too_few_persons_are_refused_in_words() -> None:
    Dataset.build(table(persons=10), ROLES)
    with pytest.raises(DataError, match="belong to only 9 different 'person'"):
        Dataset.build(table(persons=9), ROLES)


def test_the_role_changes_the_fingerprint() -> None:
    plain = ROLES.model_copy(update={"belongs_to": ""})
    assert plain.fingerprint != ROLES.fingerprint
    assert Dataset.build(table(), plain).fingerprint != Dataset.build(table(), ROLES).fingerprint


def test_the_summary_counts_the_persons_of_the_audited_rows() -> None:
    dataset = Dataset.build(table(), ROLES)
    part = dataset.take(np.arange(25))
    assert DataSummary.of(dataset, 25, part.clusters).rows == "25 rows of 20 different 'person'"
    plain = Dataset.build(table(), ROLES.model_copy(update={"belongs_to": ""}))
    assert DataSummary.of(plain, 60, plain.clusters).rows == "60 rows"


def test_the_health_shows_the_role_and_misses_nothing_in_it() -> None:
    frame = table()
    frame["person"] = frame["person"].astype("object").where(np.arange(60) != 7)
    health = examine(frame, ROLES)
    assert dict(zip(health.columns["column"], health.columns["role"], strict=True))["person"] == "belongs to"
    assert health.rows_with_missing == 0


@pytest.mark.parametrize(("name", "proposed"), [("person", True), ("template_id", True), ("score", False)])
def test_a_name_whose_values_repeat_is_proposed_but_not_chosen(name: str, proposed: bool) -> None:
    guess = guess_roles(table().rename(columns={"person": name, "score": "other"}))
    assert (guess.belongs_to is not None) == proposed
    if guess.belongs_to:
        assert guess.belongs_to[0] == name
        assert guess.belongs_to[1].startswith("its 60 cells hold 20 different values")


def test_an_identifier_that_never_repeats_is_not_proposed() -> None:
    assert guess_roles(table(persons=60)).belongs_to is None


@given(st.integers(0, 10**6), st.integers(5, 40), st.sampled_from([(0.3, 0.7), (0.5, 0.25, 0.25)]))
def test_rows_of_one_cluster_never_come_into_two_parts(seed: int, persons: int, shares: tuple[float, ...]) -> None:
    rng = np.random.default_rng(seed)
    clusters = rng.permutation(np.repeat(np.arange(persons), rng.integers(1, 5, persons)))
    parts = in_parts(len(clusters), shares, rng, clusters)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(len(clusters)))
    held = [set(clusters[part].tolist()) for part in parts]
    assert sum(map(len, held)) == persons
    for part, share in zip(parts, shares, strict=True):
        assert abs(len(part) - share * len(clusters)) <= 4


def test_rows_that_stand_for_themselves_are_dealt_out_one_by_one() -> None:
    parts = in_parts(10, (0.3, 0.7), np.random.default_rng(4))
    order = np.random.default_rng(4).permutation(10)
    assert [part.tolist() for part in parts] == [order[:3].tolist(), order[3:].tolist()]


def test_limits_say_what_is_taken_for_independent() -> None:
    dataset = Dataset.build(table(), ROLES)
    together, alone = DataSummary.of(dataset, 60, dataset.clusters), DataSummary.of(dataset, 60)
    assert independent_rows(together.independent).startswith("The 20 different 'person' are taken to be an independent")
    assert independent_rows(alone.independent).startswith("The audited rows are taken to be an independent sample")


def test_some_rows_are_whole_clusters_but_for_the_last() -> None:
    clusters = np.repeat(np.arange(40), 5)[np.random.default_rng(0).permutation(200)]
    some = some_of(200, 52, np.random.default_rng(1), clusters)
    assert len(set(some)) == 52
    assert (np.diff(clusters[some]) != 0).sum() == 10
    assert set(np.bincount(clusters[some])) == {0, 2, 5}
    alone = some_of(200, 52, np.random.default_rng(1))
    assert alone.tolist() == np.random.default_rng(1).permutation(200)[:52].tolist()
