"""The SQL that makes a table of counts, run by SQLite, beside the table counted here."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

from core.base.errors import DataError
from core.data.counting_sql import DIALECTS, counting_sql
from core.data.dataset import Dataset
from core.data.roles import Roles

HARD = 'a "hard" `name`'
ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", HARD), predictions=("answer",))


def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], 500),
            "age": rng.choice([20.0, 31.5, 44.0, 60.0, np.nan], 500),
            HARD: rng.choice(np.array(["x", "it's", None], dtype=object), 500),
            "hired": rng.choice(["yes", "no"], 500),
            "answer": rng.choice(["yes", "no"], 500),
            "id": np.arange(500),
        }
    )


def counted(sql: str, table: pd.DataFrame) -> pd.DataFrame:
    with sqlite3.connect(":memory:") as base:
        table.to_sql("applicants", base, index=False)
        return pd.read_sql(sql, base)


def test_what_it_counts_are_the_people_of_each_combination() -> None:
    table = people()
    found = counted(counting_sql(ROLES, "applicants"), table)
    names = list(ROLES.columns)
    by_hand = table.groupby(names, dropna=False).size().reset_index(name="people")
    ours, theirs = (one[[*names, "people"]].astype(object).fillna("gap") for one in (found, by_hand))
    assert sorted(map(str, ours.to_numpy().tolist())) == sorted(map(str, theirs.to_numpy().tolist()))
    counts = Dataset.build(found, ROLES.model_copy(update={"counts": "people"}))
    rows = Dataset.build(table, ROLES)
    assert (counts.people, counts.rows_left_out, counts.left_out) == (rows.people, rows.rows_left_out, rows.left_out)


def test_numbers_are_put_in_ranges_where_limits_are_given() -> None:
    table = people()
    found = counted(counting_sql(ROLES, "applicants", limits={"age": (30, 44)}), table)
    ranges = found.groupby("age", dropna=False)["people"].sum().to_dict()
    ages = table["age"]
    assert {name: ranges[name] for name in ("under 30", "30 to under 44", "44 and over")} == {
        "under 30": (ages < 30).sum(),
        "30 to under 44": ((ages >= 30) & (ages < 44)).sum(),
        "44 and over": (ages >= 44).sum(),
    }
    assert found.loc[found["age"].isna(), "people"].sum() == ages.isna().sum()


@pytest.mark.parametrize("answers", [("answer",), ()])
def test_suppressed_are_all_combinations_of_few_people_and_nobody_is_lost(answers: tuple[str, ...]) -> None:
    """Marginals of group, outcome and answer are lower by those whose combination of these has few people itself."""
    table, roles = people(), ROLES.model_copy(update={"predictions": answers})
    table = pd.concat([table, table.head(3).assign(sex="x")])
    found = counted(counting_sql(roles, "applicants", fewest=12), table)
    assert list(found.columns) == [*roles.columns, "people"]
    assert found["people"].sum() == 503
    few = found["people"] < 12
    assert found.loc[few, list(roles.columns)].isna().all(axis=None)
    assert found.loc[few, "people"].tolist() == [3]
    known = ["sex", "hired", *answers]
    exact = table[table["sex"] != "x"].groupby(known).size()
    pd.testing.assert_series_equal(found[~few].groupby(known)["people"].sum(), exact, check_names=False)


def test_a_test_of_answers_alone_counts_whom_suppression_hides_and_one_of_features_says_whom_it_lacks() -> None:
    """All combinations of answer, group and outcome have enough people, many of those with features have not."""
    roles = ROLES.model_copy(update={"counts": "people"})
    found = counted(counting_sql(ROLES, "applicants", fewest=7), people())
    by_answers = Dataset.build(found, roles, reads=("answer",))
    assert (by_answers.people, by_answers.rows_left_out) == (500, 0)
    lacking = Dataset.build(found, roles)
    assert lacking.rows_left_out > 100
    assert all(one.gone[-1].sum() == 0 == one.gone[:, -1].sum() for one in lacking.left_out)


def test_names_are_quoted_as_each_database_does() -> None:
    marks = {name: counting_sql(ROLES, "bank.applicants", name).splitlines() for name in DIALECTS}
    assert next(line for line in marks["generic"] if "hard" in line) == '  "a ""hard"" `name`",'
    assert marks["PostgreSQL"] == marks["generic"]
    assert next(line for line in marks["BigQuery"] if "hard" in line) == '  `a "hard" \\`name\\``,'
    assert next(line for line in marks["Spark SQL"] if "hard" in line) == '  `a "hard" ``name```,'
    assert "FROM `bank`.`applicants`" in marks["Spark SQL"]
    own = ROLES.model_copy(update={"features": ("people",)})
    assert 'COUNT(*) AS "people_"' in counting_sql(own, "t")


@pytest.mark.parametrize(
    ("roles", "limits", "what"),
    [
        (ROLES.model_copy(update={"belongs_to": "id"}), {}, "belong together"),
        (Roles(text="words"), {}, "cannot keep texts"),
        (ROLES, {"id": (1,)}, "has no role"),
        (ROLES, {"age": (30, 30)}, "do not ascend"),
        (ROLES, {"age": ()}, "do not ascend"),
        (ROLES.model_copy(update={"features": ("a\u202eb",)}), {}, "not seen"),
    ],
)
def test_what_cannot_be_counted_is_told(roles: Roles, limits: dict[str, tuple[float, ...]], what: str) -> None:
    with pytest.raises(DataError, match=what):
        counting_sql(roles, "t", limits=limits)
