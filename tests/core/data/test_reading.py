"""A test loses rows only for gaps in the columns it reads, and what is left out is counted for each."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from core.base.errors import DataError
from core.data.dataset import Dataset, Missing, Roles
from core.data.table_caveats import caveats_of

ROWS = 200
GAPS = {"age": 0.2, "job": 0.1, "score": 0.05, "second": 0.3, "sex": 0.03, "hired": 0.04}
ROLES = Roles(
    outcome="hired", favourable="yes", protected=("sex",), features=("age", "job"), predictions=("score", "second")
)
READ = [(), ("age",), ("job", "score"), ("second",), ("age", "job", "score", "second"), ("sex", "unused", "nowhere")]


def people(seed: int = 0, gaps: dict[str, float] | None = None, rows: int = ROWS) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, rows).astype(float),
            "job": rng.choice(["cook", "clerk", "pilot"], rows),
            "sex": rng.choice(["F", "M"], rows),
            "score": rng.random(rows).round(2),
            "second": rng.choice(["no", "yes"], rows),
            "hired": rng.choice(["no", "yes"], rows),
            "unused": rng.random(rows),
        }
    )
    for name, share in (GAPS if gaps is None else gaps).items():
        frame[name] = frame[name].mask(rng.random(rows) < share)
    return frame


def everything(dataset: Dataset) -> dict[str, Any]:
    """What is said of a dataset, but for its rows."""
    names = ("rows_read", "rows_left_out", "gaps", "left_out", "cells_imputed")
    return {name: getattr(dataset, name) for name in names}


@pytest.mark.parametrize("columns", READ)
@pytest.mark.parametrize("missing", ["leave out", "median and most frequent", "own category"])
def test_what_is_not_read_is_as_if_it_had_no_role(columns: tuple[str, ...], missing: Missing) -> None:
    frame, roles = people(), ROLES.model_copy(update={"missing": missing})
    read = Dataset.build(frame, roles).reading(columns)
    kept = {name: tuple(one for one in getattr(roles, name) if one in columns) for name in ("features", "predictions")}
    other = Dataset.build(frame, roles.model_copy(update=kept))
    assert read.roles == other.roles
    assert_frame_equal(read.frame, other.frame)
    assert everything(read) == everything(other)


@pytest.mark.parametrize("columns", READ)
def test_exactly_the_rows_with_a_gap_in_what_is_read_are_left_out(columns: tuple[str, ...]) -> None:
    frame = people()
    read = Dataset.build(frame, ROLES).reading(columns)
    needed = [name for name in ("age", "job", "sex", "score", "second", "hired") if name in {*columns, "sex", "hired"}]
    assert read.frame.index.tolist() == frame.index[frame[needed].notna().all(axis=1)].tolist()
    gone = frame.drop(index=read.frame.index)
    assert dict(read.gaps) == {name: int(gone[name].isna().sum()) for name in needed if gone[name].isna().any()}
    assert (read.rows_left_out, len(read)) == (len(gone), ROWS - len(gone))


@given(
    gaps=st.lists(st.tuples(st.integers(0, ROWS - 1), st.sampled_from(["age", "job", "score"])), max_size=60),
    columns=st.sets(st.sampled_from(["age", "job", "score"])),
    more=st.sets(st.sampled_from(["age", "job", "score"])),
)
@settings(max_examples=15)
def test_reading_more_never_keeps_more_rows(gaps: list[tuple[int, str]], columns: set[str], more: set[str]) -> None:
    frame = people(gaps={})
    for row, name in gaps:
        frame.loc[row, name] = None
    whole = Dataset.build(frame, ROLES)
    less, all_read = whole.reading(columns), whole.reading(columns | more)
    assert set(all_read.frame.index) <= set(less.frame.index)
    assert less.reading(columns | more).frame.index.tolist() == all_read.frame.index.tolist()
    assert whole.fingerprint == less.fingerprint == all_read.fingerprint


def test_of_rows_that_were_taken_none_comes_back() -> None:
    taken = Dataset.build(people(), ROLES).take(np.arange(40))
    assert taken.reading(()) is taken


def test_the_same_columns_are_not_read_again() -> None:
    whole = Dataset.build(people(), ROLES)
    assert whole.reading(ROLES.columns) is whole


def test_a_table_without_gaps_is_read_as_if_built_anew() -> None:
    """Nothing but columns goes, so rows are neither checked nor compared again."""
    frame = people(gaps={})
    read, anew = Dataset.build(frame, ROLES).reading(("score",)), Dataset.build(frame, ROLES, reads=("score",))
    assert_frame_equal(read.frame, anew.frame)
    assert (read.roles, read.copies, everything(read)) == (anew.roles, anew.copies, everything(anew))


def test_the_fingerprint_is_that_of_every_cell_with_a_role() -> None:
    frame = people(gaps={"age": 0.2})
    lost = int(frame.index[frame["age"].isna()][0])
    other = frame.assign(score=frame["score"].mask(frame.index == lost, 0.123))
    without_role = frame.assign(unused=0.0)
    first, second, third = (Dataset.build(one, ROLES).fingerprint for one in (frame, other, without_role))
    assert first == third != second, "a row left out of one test is read by another"


def test_decisions_are_read_where_there_is_no_outcome() -> None:
    roles = Roles(favourable="yes", protected=("sex",), features=("age",), predictions=("second", "score"))
    read = Dataset.build(people(), roles).reading(())
    assert read.roles.predictions == ("second",)
    assert read.labels == ("no", "yes")


def test_copies_are_looked_for_in_every_column() -> None:
    """Without the columns that are not read, people would repeat each other."""
    rng = np.random.default_rng(5)
    frame = people(gaps={}, rows=400).assign(age=rng.permutation(400) + 0.5)
    whole = Dataset.build(frame, ROLES)
    assert whole.reading(()).copies == whole.copies
    assert whole.copies is not None
    assert whole.copies.repeated == 0


def test_too_few_rows_are_refused_only_where_their_columns_are_read() -> None:
    frame = people(gaps={"age": 0.9})
    with pytest.raises(DataError, match="usable rows"):
        Dataset.build(frame, ROLES)
    begun = Dataset.build(frame, ROLES, reads=("score",))
    assert len(begun) == ROWS
    with pytest.raises(DataError, match="usable rows"):
        begun.reading(("age",))


class TestHowItIsTold:
    def told(self, gaps: dict[str, float], **changes: Any) -> Any:
        return next(iter(caveats_of(Dataset.build(people(gaps=gaps), ROLES.model_copy(update=changes)))), None)

    def test_the_columns_that_cost_most_come_first(self) -> None:
        frame = people(gaps={})
        for name, rows in (("job", 2), ("score", 3), ("age", 1), ("second", 1)):
            frame.loc[: rows - 1, name] = None
        caveat = caveats_of(Dataset.build(frame, ROLES))[0]
        assert caveat.what == (
            "Left out 3 of 200 rows for missing cells. Empty: 'score' (3), 'job' (2), 'age' (1) and 1 more column."
        )
        assert (caveat.level, caveat.advice) == ("info", "")

    def test_more_than_a_trifle_is_a_warning(self) -> None:
        levels = {}
        for rows in (10, 11):
            frame = people(gaps={})
            frame.loc[np.random.default_rng(1).permutation(200)[:rows], "age"] = None
            levels[rows] = caveats_of(Dataset.build(frame, ROLES))[0]
        assert [levels[rows].level for rows in (10, 11)] == ["info", "warning"]
        assert "Fill in" in levels[11].advice

    def test_a_trifle_that_goes_with_a_group_is_a_warning(self) -> None:
        frame = people(gaps={})
        women = frame.index[frame["sex"] == "F"][:8]
        frame.loc[women, "age"] = None
        assert caveats_of(Dataset.build(frame, ROLES))[0].level == "warning"

    def test_nothing_left_out_is_told_of_nobody(self) -> None:
        assert self.told({}) is None
