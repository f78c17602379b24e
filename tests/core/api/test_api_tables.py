"""DataFrames as people have them: categories, nullable numbers, dates, odd cells."""

import datetime

import numpy as np
import pandas as pd
import pytest

from core import audit
from core.api.bringing import as_frame
from core.base.errors import DataError, SettingsError
from tests.core.data.test_roles_guess_answers import applicants


def odd(rows: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], rows)
    frame = pd.DataFrame(
        {
            "sex": pd.Categorical(sex),
            "age": pd.array(rng.integers(20, 60, rows), dtype="Int64"),
            "member": pd.array(rng.choice([True, False], rows), dtype="boolean"),
            "since": pd.date_range("2020-01-01", periods=rows),
            "half": rng.normal(size=rows).astype("float16"),
            "grade": pd.Categorical(rng.integers(1, 4, rows), ordered=True),
            "when": np.array([datetime.date(2020, 1, 1 + one % 28) for one in range(rows)], dtype=object),
            "mixed": np.array(["a" if one % 2 else one % 5 for one in range(rows)], dtype=object),
            7: rng.integers(0, 3, rows),
            "paid": rng.choice(["yes", "no"], rows),
        },
        index=np.arange(rows)[::-1],
    )
    frame["said"] = pd.Categorical(np.where(rng.random(rows) < 0.8, frame.paid, "no"))
    frame.loc[frame.index[:3], "age"] = pd.NA
    frame.loc[frame.index[3:5], "sex"] = None
    return frame


def test_odd_columns_are_read_as_a_file_of_them_would_be() -> None:
    frame = odd()
    before = frame.copy(deep=True)
    a = audit(frame, predictions="said", outcome="paid", favourable="yes", protected="sex", tests="group_fairness")
    pd.testing.assert_frame_equal(frame, before)
    data = a["group_fairness"].result.data
    assert (data.rows_read, data.gaps) == (240, (("sex", 2),))
    read = as_frame(frame)
    assert read["grade"].tolist() == frame["grade"].astype(int).tolist()
    assert read["sex"].isna().sum() == 2
    assert read["mixed"].tolist()[:4] == ["0", "a", "2", "a"]
    assert "7" in read
    written = frame.rename(columns=str).astype({"sex": object, "said": object}).reset_index(drop=True)
    again = audit(
        written, predictions="said", outcome="paid", favourable="yes", protected="sex", tests="group_fairness"
    )
    assert again["group_fairness"].statistics.equals(a["group_fairness"].statistics)


def test_what_is_no_cell_or_no_name_is_refused() -> None:
    frame = pd.DataFrame({"a": [[1], [2]], "b": [1, 2]})
    with pytest.raises(DataError, match="several values in a cell") as caught:
        as_frame(frame)
    assert caught.value.where == "column 'a'"
    with pytest.raises(DataError, match="Two columns are called 'b'"):
        as_frame(pd.DataFrame([[1, 2]], columns=["b", "b"]))
    with pytest.raises(DataError, match="Two columns are called '1'"):
        as_frame(pd.DataFrame([[1, 2]], columns=[1, "1"]))


def test_other_libraries_tables_are_taken() -> None:
    import pyarrow as pa

    table = pa.table({"a": [1, 2], "b": ["x", None]})
    assert as_frame(table)["a"].tolist() == [1, 2]


def test_arrays_beside_the_features_are_columns() -> None:
    frame = odd().dropna()
    given = {"favourable": "yes", "tests": "group_fairness"}
    named = audit(frame, predictions="said", outcome="paid", protected="sex", **given)
    features, shuffled = frame.drop(columns=["paid", "said", "sex"]), frame.sample(frac=1, random_state=0)
    beside = audit(
        features, predictions=frame["said"].to_numpy(), outcome=shuffled["paid"], protected=frame[["sex"]], **given
    )
    assert beside.study.plans[0].roles.predictions == ("predictions",)
    assert beside.study.plans[0].roles.outcome == "paid"
    pd.testing.assert_frame_equal(
        beside["group_fairness"].statistics, named["group_fairness"].statistics, check_names=False
    )
    with pytest.raises(DataError, match="240 values are given beside a table of 235 rows") as caught:
        audit(features, predictions="said", outcome=odd()["paid"].to_numpy(), protected="sex", **given)
    assert caught.value.where == "outcome"


def test_numbers_may_be_written_as_numbers() -> None:
    rng = np.random.default_rng(0)
    paid = rng.integers(0, 2, 300)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), 3: rng.normal(size=300), "paid": paid})
    frame["said"] = np.where(rng.random(300) < 0.8, paid, 1 - paid)
    a = audit(
        frame, predictions="said", outcome="paid", favourable=np.int64(1), protected=["sex"], tests="group_fairness"
    )
    assert a.study.plans[0].roles.favourable == "1"
    b = audit(
        frame, predictions=1 - frame["said"], outcome="paid", favourable=1, protected=["sex"], tests="group_fairness",
        answer_means={0: 1, 1: 0}, features=[3],
    )  # fmt: skip
    assert b["group_fairness"].statistics.equals(a["group_fairness"].statistics)


def test_a_column_that_may_hold_answers_is_asked_about_and_never_read_by_a_guess() -> None:
    people = applicants()[["high", "skill", "car", "sex", "hired"]]
    people["high"] = (people["high"] == "yes").astype(int)
    with pytest.raises(SettingsError, match=r"The column 'high' may hold a model's answers: it agrees with") as asked:
        audit(people, outcome="hired", favourable="yes", protected="sex", progress=False)
    assert "predictions" in asked.value.advice
    assert "features" in asked.value.advice
