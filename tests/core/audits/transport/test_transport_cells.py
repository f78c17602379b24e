"""Who is the same kind of person as whom: bins, cells, classes and groups."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audits.transport.binning import bin_column, is_scale, limits_of_pairs, written
from core.audits.transport.preview import preview, propose
from core.audits.transport.settings import CellColumn
from core.audits.transport.strata import combinations, sort_into_strata
from core.base.errors import AuditError, SettingsError
from tests.core.audits.transport.cases import COLUMNS, dataset_of, people


def test_a_value_equal_to_a_limit_belongs_to_the_bin_above() -> None:
    binned = bin_column(CellColumn(name="age", edges=(25, 45)), pd.Series([24, 25, 44, 45, 90]))
    assert binned.names == ("under 25", "25 to 44", "45 and over")
    assert binned.codes.tolist() == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("values", "edges", "names"),
    [
        ([0, 1, 3, 4, 9], (1, 4), ("0", "1 to 3", "4 and over")),
        ([-2, 0, 1, 2, 5], (1, 2), ("under 1", "1", "2 and over")),
        ([0.5, 2.5, 3.9, 4.0], (2.5, 4), ("under 2.5", "2.5 to under 4", "4 and over")),
        ([1, 20_000, 99_999], (10_000, 50_000), ("under 10,000", "10,000 to 49,999", "50,000 and over")),
        ([0.1, 0.2, 0.3], (0.2,), ("under 0.2", "0.2 and over")),
        ([50, 60], (25, 45, 55), ("45 to 54", "55 and over")),
    ],
)
def test_bins_are_named_as_people_read_them(values: list[float], edges: tuple[float, ...], names: tuple[str]) -> None:
    assert bin_column(CellColumn(name="x", edges=edges), pd.Series(values)).names == names


@pytest.mark.parametrize(
    ("people", "limits"),
    [
        ({1: 9, 2: 5, 3: 2, 4: 1, 5: 2, 6: 3}, (3, 5)),
        ({1: 1, 2: 1, 3: 9, 4: 1, 5: 1}, (3, 4)),
        ({0: 9, 1: 1, 2: 1, 3: 1, 4: 1}, (1, 3)),
        ({1: 1, 2: 9, 3: 1, 4: 1, 5: 2}, (3, 5)),
        ({0: 1, 10: 1, 20: 1, 30: 1}, (20,)),
        ({1: 1, 2: 1, 3: 1, 50: 9}, (2, 50)),
    ],
)
def test_of_a_scale_only_neighbours_share_a_kind_two_at_most(people: dict[int, int], limits: tuple[int, ...]) -> None:
    assert limits_of_pairs(np.repeat([*people], [*people.values()])) == limits


def test_a_scale_is_a_column_of_few_whole_numbers() -> None:
    assert is_scale(pd.Series([1, 2, 3, 6]))
    assert not is_scale(pd.Series([1, 2, 3, 4.5]))
    assert not is_scale(pd.Series(range(11)))
    assert not is_scale(pd.Series(["1", "2"]).map({"1": "a", "2": "b"}))


def test_numbers_without_limits_keep_their_order_and_text_is_sorted() -> None:
    assert bin_column(CellColumn(name="x"), pd.Series([10.0, 9.0, 10.0])).names == ("9", "10")
    assert bin_column(CellColumn(name="x"), pd.Series(["b", "a", "b"])).codes.tolist() == [1, 0, 1]


def test_merged_values_share_a_kind_and_join_one_of_the_same_name() -> None:
    column = CellColumn(name="race", merged=(("Asian", "Other"), ("Native", "Other"), ("Martian", "Other")))
    binned = bin_column(column, pd.Series(["White", "Asian", "Other", "Native"]))
    assert binned.names == ("Other", "White")
    assert binned.codes.tolist() == [1, 0, 0, 0]
    assert binned.absent == ("Martian",)
    assert binned.column.merged == (*column.merged, ("Other", "Other")), "so that whoever names it says so"


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        (CellColumn(name="x", edges=(3, 2)), [1, 2], "do not ascend"),
        (CellColumn(name="x", edges=(2, 2)), [1, 2], "do not ascend"),
        (CellColumn(name="x", edges=(2,)), ["a", "b"], "column of text"),
        (CellColumn(name="x", edges=(2,), merged=(("1", "z"),)), [1, 2], "Both limits and merged"),
        (CellColumn(name="x", merged=(("a", "y"), ("a", "z"))), ["a", "b"], "merged twice"),
    ],
)
def test_a_column_that_cannot_be_binned_as_asked_is_refused(
    column: CellColumn, values: list[object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        bin_column(column, pd.Series(values))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=60))
def test_combinations_are_those_of_numpy(rows: list[tuple[int, int, int]]) -> None:
    codes = np.array(rows)
    where, strata = combinations(codes)
    expected, inverse = np.unique(codes, axis=0, return_inverse=True)
    np.testing.assert_array_equal(strata, expected)
    np.testing.assert_array_equal(where, inverse.ravel())


def test_cells_are_the_groups_of_a_table_sorted_by_outcome_features_and_protected_values() -> None:
    frame = people()
    dataset = dataset_of(frame)
    cells = preview(dataset, COLUMNS).cells
    binned = frame.assign(age=pd.cut(frame["age"], [0, 25, 45, 99], right=False))
    counts = binned.groupby(["good", "age", "job", "sex", "race"], observed=True).size()
    np.testing.assert_array_equal(cells.people, counts.to_numpy())
    assert list(cells.frame.columns) == ["age", "job", "sex", "race"]
    assert cells.frame["sex"].tolist() == [key[3] for key in counts.index]
    assert [cells.labels[code] for code in cells.label] == [key[0] for key in counts.index]
    assert [cells.groups[code] for code in cells.group] == [f"{key[3]}, {key[4]}" for key in counts.index]
    assert set(cells.frame["age"]) == {"under 25", "25 to 44", "45 and over"}


def test_the_order_of_the_columns_and_of_the_outcomes_changes_no_cell() -> None:
    frame = people()
    plain = preview(dataset_of(frame), COLUMNS).cells
    turned = preview(dataset_of(frame, favourable="no"), COLUMNS[::-1]).cells
    assert plain.labels == turned.labels[::-1]
    assert list(turned.frame.columns) == ["job", "age", "sex", "race"]
    key = ["sex", "race", "age", "job"]
    one, other = (cells.frame[key].assign(people=cells.people) for cells in (plain, turned))
    pd.testing.assert_frame_equal(
        one.sort_values([*key, "people"], ignore_index=True), other.sort_values([*key, "people"], ignore_index=True)
    )


def test_protected_attributes_are_added_and_may_be_binned_numbers() -> None:
    frame = people()
    dataset = dataset_of(frame, protected=("age",), features=("job",))
    seen = preview(dataset, (CellColumn(name="age", edges=(40,)), CellColumn(name="job")))
    assert [one.column.name for one in seen.columns] == ["age", "job"]
    assert seen.cells.groups == ("under 40", "40 and over")
    assert preview(dataset, (CellColumn(name="job"),)).columns[1].column.name == "age"


def test_without_features_people_are_told_apart_by_protected_attributes_alone() -> None:
    seen = preview(dataset_of(people(), features=()), ())
    assert seen.size == 8
    told = next(caveat for caveat in seen.caveats if "everybody counts as similar to everybody" in caveat.what)
    assert told.level == "serious"


def test_every_group_is_added_to_every_class() -> None:
    frame = people(60)
    dataset = dataset_of(frame)
    strata = sort_into_strata(dataset, COLUMNS, dataset.label_codes(dataset.labels), dataset.labels)
    every = strata.in_every_group()
    classes = strata.classes(("sex", "race"))
    assert len(every) == 4 * (classes.max() + 1) > len(strata)
    np.testing.assert_array_equal(every.codes[every.cell], strata.codes[strata.cell])
    np.testing.assert_array_equal(every.people[every.people > 0], strata.people)
    np.testing.assert_array_equal(combinations(every.codes)[0], np.arange(len(every)))
    assert (np.bincount(every.classes(every.protected)) == 4).all()
    seen = preview(dataset, COLUMNS, "all groups")
    assert seen.size == len(every)


def test_the_share_alone_is_counted_by_hand() -> None:
    frame = pd.DataFrame(
        {
            "x": ["a"] * 20 + ["b"] * 9 + ["c"],
            "sex": ["f"] * 10 + ["m"] * 10 + ["f"] * 9 + ["m"],
            "good": ["yes"] * 10 + ["no"] + ["yes"] * 9 + ["yes"] * 8 + ["no"] + ["yes"],
        }
    )
    seen = preview(dataset_of(frame, protected=("sex",), features=("x",)), (CellColumn(name="x"),))
    assert seen.cells.alone == pytest.approx(3 / 30)
    sizes, cells = seen.histogram
    assert dict(zip(sizes.tolist(), cells.tolist(), strict=True)) == {1: 3, 8: 1, 9: 1, 10: 1}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((CellColumn(name="nobody"),), "cannot tell people apart"),
        ((CellColumn(name="says"),), "cannot tell people apart"),
        ((CellColumn(name="good"),), "cannot tell people apart"),
        ((CellColumn(name="job"), CellColumn(name="job")), "named twice"),
        ((CellColumn(name="age", edges=(30, 20)),), "do not ascend"),
    ],
)
def test_a_choice_of_columns_that_makes_no_sense_is_refused(columns: tuple[CellColumn, ...], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        preview(dataset_of(people()), columns)


def test_merging_all_groups_leaves_nobody_to_compare() -> None:
    column = CellColumn(name="sex", merged=(("Female", "person"), ("Male", "person")))
    with pytest.raises(AuditError, match="same protected group"):
        preview(dataset_of(people(), protected=("sex",)), (column,))


def test_values_put_together_with_one_of_the_table_are_told_by_the_name_that_charts_show() -> None:
    jobs = people().job
    kept, moved = sorted(jobs.unique())[:2]
    found = preview(dataset_of(people()), (CellColumn(name="job", merged=((moved, kept),)),))
    (told,) = [caveat.what for caveat in found.caveats if "put together" in caveat.what]
    assert told.endswith(f"count as one value: {kept} (with {moved}).")


def test_cells_in_which_almost_everybody_is_alone_are_told_with_a_coarser_choice() -> None:
    frame = people().assign(code=np.arange(400) * 17)
    dataset = dataset_of(frame, features=("code", "age", "job"))
    fine = preview(dataset, (CellColumn(name="code"), CellColumn(name="age")))
    assert fine.cells.alone == 1.0
    assert [caveat.level for caveat in fine.caveats] == ["serious"]
    assert "400 of 400 people (100%)" in fine.caveats[0].what
    assert "age at" in fine.caveats[0].advice
    assert not preview(dataset, propose(dataset)).caveats


@pytest.mark.parametrize(
    ("limit", "told"),
    [(4.30000019073486, "4.3"), (4.3, "4.3"), (1234567.5, "1234567.5"), (1e300, "1e+300"), (0.1, "0.1")],
)
def test_a_limit_of_single_precision_is_as_short_as_in_that(limit: float, told: str) -> None:
    assert written(limit) == told
