"""Tables of counts: each row stands for so many people, and says the same as the people themselves."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import DataError
from core.base.files import FileStore
from core.data.counted import MOST_PEOPLE, Counted, count_alike, is_weight
from core.data.dataset import Dataset
from core.data.guess_roles import guess_roles
from core.data.quality.health import examine
from core.data.roles import Roles
from core.data.table_caveats import caveats_of
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.run import run_audit
from core.workflows.rows import as_table
from tests.core.data.counts import TITANIC, people_of

ROLES = Roles(protected=("Sex", "Class"), predictions=("Survived",), favourable="Yes", counts="Freq")


def titanic(**changed: Any) -> pd.DataFrame:
    return TITANIC.assign(**changed)


def test_a_table_of_counts_is_the_table_of_its_people() -> None:
    counted = Dataset.build(TITANIC, ROLES)
    people = Dataset.build(people_of(TITANIC), ROLES.model_copy(update={"counts": ""}))
    pd.testing.assert_frame_equal(counted.written_out().frame, people.frame)
    assert (len(counted), counted.people) == (24, 2201)
    assert people.written_out() is people
    assert counted.rows_read == 2201
    assert counted.copies is None
    assert people.copies is not None
    assert [caveat.what for caveat in caveats_of(counted)] == [
        "32 rows stand for 2,201 people, whom 'Freq' counts.",
        "1 row stands for a single person, whom its cells may tell.",
        "Left out 8 rows of which 'Freq' counts nobody.",
    ]


@pytest.mark.parametrize("seed", [0, 1])
def test_an_audit_gives_the_same_digits(seed: int) -> None:
    model = PredictionColumns(columns=("Survived",))
    details = []
    for frame, roles in ((TITANIC, ROLES), (people_of(TITANIC), ROLES.model_copy(update={"counts": ""}))):
        dataset = model.dataset(frame, roles)
        result = run_audit(model.load(FileStore(), dataset), dataset, GroupFairness(), seed=seed)
        details.append(replace(result, data=None, seconds=0.0, caveats=()))  # type: ignore[arg-type]
        assert ("repeat an earlier one" in " ".join(one.what for one in result.caveats)) == (not roles.counts)
        assert result.data.read == ("32 rows, which stand for 2,201 people" if roles.counts else "2,201 rows")
    assert repr(details[0]) == repr(details[1])


def test_health_is_that_of_the_people() -> None:
    counted, people = examine(TITANIC, ROLES), examine(people_of(TITANIC), ROLES.model_copy(update={"counts": ""}))
    pd.testing.assert_frame_equal(counted.groups, people.groups)
    assert (counted.rows, counted.duplicates) == (2201, 0)
    assert people.duplicates > 2000


@pytest.mark.parametrize(
    ("cell", "what"),
    [(-1, "negative"), (1.5, "not whole"), (np.nan, "not known"), ("many", "no number"), (np.inf, "no number")],
)
def test_a_cell_that_is_no_count_is_named_with_its_row(cell: object, what: str) -> None:
    counts = pd.Series([3, 2, cell, 4], name="n", dtype=object if isinstance(cell, str) else float)
    with pytest.raises(DataError, match=what) as caught:
        Counted.of(counts)
    assert "column 'n', row 3" in caught.value.where
    assert caught.value.advice


def test_nobody_and_too_many_are_refused() -> None:
    with pytest.raises(DataError, match="nobody"):
        Counted.of(pd.Series([0, 0], name="n"))
    with pytest.raises(DataError, match=r"stand for 1,000,000,000 people; at most 999,999,999"):
        Counted.of(pd.Series([MOST_PEOPLE, 1], name="n"))
    with pytest.raises(DataError, match="at most"):
        Counted.of(pd.Series([1e300, 1], name="n"))


def test_of_more_people_than_have_rows_some_are_looked_at_and_tests_that_need_rows_are_refused() -> None:
    many = titanic(Freq=TITANIC["Freq"] * 50_000)
    dataset = Dataset.build(many, ROLES)
    assert dataset.people == 2201 * 50_000
    with pytest.raises(DataError, match=r"needs a row for each person: 110,050,000 people are counted"):
        dataset.written_out()
    some = dataset.written_out(some=True)
    assert len(some) == 100_000
    share = (some.frame["Survived"] == "Yes").mean()
    assert share == pytest.approx(711 / 2201, abs=4 * 0.0015)
    assert GroupFairness().needs_rows(dataset) == ""
    assert "needs a row for each person" in ColumnSensitivity().needs_rows(dataset)


def test_a_table_of_counts_that_tells_persons_is_warned_of() -> None:
    counts = titanic(Freq=1, name=[f"p{row}" for row in range(32)])
    told = {one.what: one for one in caveats_of(Dataset.build(counts, ROLES))}
    persons = next(one for what, one in told.items() if "'name' has a value of its own in nearly every row" in what)
    assert persons.level == "warning"
    alone = next(one for what, one in told.items() if what.startswith("32 rows each stand for a single person"))
    assert "suppress rows of fewer than 5 people" in alone.advice
    assert "These are 32 of 32 people." in alone.advice
    kept = titanic(name=[f"p{row}" for row in range(32)])
    assert not any("a value of its own" in one.what for one in caveats_of(Dataset.build(kept, ROLES)))


def test_gaps_and_fills_are_those_of_the_people() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": [np.nan, 20.0, 30.0, 40.0, 50.0, np.nan] * 8,
            "job": ["a", "b", None, "c", "b", "a"] * 8,
            "sex": rng.choice(["f", "m"], 48),
            "hired": rng.choice(["yes", "no"], 48),
            "n": rng.integers(0, 9, 48),
        }
    )
    for missing in ("leave out", "median and most frequent", "own category"):
        roles = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "job"), missing=missing)
        counted = Dataset.build(table, roles.model_copy(update={"counts": "n"}))
        people = Dataset.build(people_of(table, "n"), roles)
        pd.testing.assert_frame_equal(counted.written_out().frame, people.frame)
        assert counted.times is not None
        repeated = counted.frame.loc[counted.frame.index.repeat(counted.times)]
        pd.testing.assert_frame_equal(repeated.reset_index(drop=True), people.frame.reset_index(drop=True))
        for part in ("rows_read", "rows_left_out", "cells_imputed", "gaps", "left_out"):
            assert getattr(counted, part) == getattr(people, part), part


@pytest.mark.parametrize("seed", range(5))
def test_kinds_are_counted_in_an_order_of_their_own(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = (rng.integers(5, size=300), rng.choice([0.25, np.inf, -1.0], 300), rng.choice(["a", "b"], 300))
    times = rng.integers(1, 9, 300)
    places, people = count_alike(columns, times)
    shuffled = rng.permutation(300)
    again, more = count_alike([one[shuffled] for one in columns], times[shuffled])
    counted = pd.Series(times).groupby(list(columns)).sum()
    assert people.tolist() == more.tolist() == counted.tolist()
    for one in columns:
        assert one[places].tolist() == one[shuffled][again].tolist()
    wide = count_alike([rng.random(40) for _ in range(30)])[1]
    assert wide.tolist() == [1] * 40


def test_people_who_would_fill_too_many_cells_are_refused_before_they_are_written_out() -> None:
    counted = Counted.of(pd.Series([400_000, 600_000], name="n"))
    wide = pd.DataFrame({f"c{place}": [0, 1] for place in range(101)})
    with pytest.raises(DataError, match=r"101,000,000 cells; at most 100,000,000"):
        counted.written_out(wide)


@pytest.mark.parametrize(
    "name", ["fnlwgt", "PWGTP", "PWGTP12", "weight", "sample_weight", "SampleWeight", "wt", "WTMEC2YR", "perwt", "WGTP"]
)
def test_weights_are_no_counts(name: str) -> None:
    assert is_weight(name)
    with pytest.raises(DataError, match="sampling weight"):
        Counted.of(pd.Series([3, 2], name=name))
    table = TITANIC.rename(columns={"Freq": name})
    assert guess_roles(table).counts is None


@pytest.mark.parametrize("name", ["Freq", "n", "N", "count", "COUNT(*)", "Häufigkeit", "cnt"])
def test_a_column_that_counts_is_asked_about(name: str) -> None:
    table = TITANIC.rename(columns={"Freq": name})
    guess = guess_roles(table)
    assert guess.counts is not None
    assert guess.counts[0] == name
    assert "come to 2,201" in guess.counts[1]
    assert name not in (*guess.features, *guess.predictions, *guess.protected, guess.outcome)
    assert guess.roles is None
    people = guess_roles(people_of(TITANIC))
    assert (guess.protected, guess.outcome, guess.features) == (people.protected, people.outcome, people.features)


def test_a_count_of_something_else_is_none() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], 300),
            "region": rng.choice(list("abc"), 300),
            "count": rng.integers(0, 9, 300),
            "hired": rng.choice(["yes", "no"], 300),
        }
    )
    assert guess_roles(people).counts is None
    measured = people.head(12).assign(income=rng.standard_normal(12), count=range(1, 13))
    assert guess_roles(measured).counts is None


def test_a_column_that_counts_has_no_other_role() -> None:
    with pytest.raises(ValueError, match="counts people, so it can have no other role"):
        Roles(protected=("Sex",), predictions=("Survived",), favourable="Yes", counts="Sex")
    with pytest.raises(DataError, match="no column 'n'"):
        Dataset.build(TITANIC, ROLES.model_copy(update={"counts": "n"}))


def test_a_cell_of_the_table_that_is_wrong_is_named_by_its_row_of_the_table() -> None:
    roles = Roles(protected=("Sex",), features=("age",), outcome="Survived", favourable="Yes", counts="Freq")
    age = [str(20 + row) for row in range(31)] + ["old"]
    with pytest.raises(DataError) as caught:
        Dataset.build(titanic(age=age), roles)
    assert "32" in caught.value.where


def test_rows_that_a_workflow_writes_are_read_with_the_same_roles(tmp_path: Path) -> None:
    dataset = Dataset.build(TITANIC, ROLES)
    files = FileStore(tmp_path)
    people = dataset.written_out().take(np.arange(0, 2201, 3))
    for rows, expected in ((people, 734), (dataset, 2201)):
        again = Dataset.build(as_table(rows, files, "rows.parquet").load(files), ROLES)
        assert again.people == expected
        assert again.copies is None


def test_plans_of_before_have_no_counts() -> None:
    assert "counts" not in AuditPlan.model_json_schema()["$defs"]["Roles"].get("required", [])
