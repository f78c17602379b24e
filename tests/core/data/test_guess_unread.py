"""Columns with many empty cells are not proposed as features, nor are numbers with other cells among them."""

import numpy as np
import pandas as pd

from core.data.guess_roles import guess_roles
from core.data.guess_unread import MOST_LEFT_OUT, why_not_read


def table(rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.standard_normal(rows) for name in "abcd"})
    for name, share in {"a": 0.05, "b": 0.1, "c": 0.15, "d": 0.9}.items():
        frame.loc[rng.random(rows) < share, name] = np.nan
    return frame


def test_features_leave_out_at_most_a_fifth_of_the_rows_together() -> None:
    frame = table()
    found = why_not_read(frame, list("abcd"))
    assert list(found) == ["c", "d"]
    assert found["d"] == "is empty in 92% of the rows, which would go"
    kept = frame[["a", "b"]].isna().any(axis=1).mean()
    assert kept <= MOST_LEFT_OUT < frame[["a", "b", "c"]].isna().any(axis=1).mean()
    assert why_not_read(frame, list("ab")) == {}


def test_of_a_large_table_some_rows_tell_as_much() -> None:
    assert list(why_not_read(pd.concat([table()] * 200, ignore_index=True), list("abcd"))) == ["c", "d"]


def test_numbers_with_other_cells_among_them_wait_until_it_is_said_how_they_are_read() -> None:
    frame = pd.DataFrame({"incomes": ["1", "2", "1", ">3"] * 20, "words": ["x", "y", "1", "z"] * 20, "n": [1, 2] * 40})
    assert why_not_read(frame, list(frame)) == {"incomes": "holds numbers, and cells such as '>3' that are none"}


def test_a_guess_says_why_a_column_is_not_used() -> None:
    frame = table().assign(sex=["f", "m"] * 200, hired=["yes", "no", "no", "yes"] * 100)
    guess = guess_roles(frame)
    assert guess.features == ("a", "b")
    assert dict(guess.ignored)["d"].startswith("is empty in 92%")


def test_the_favourable_decision_is_proposed_beside_an_outcome_that_is_not_sure() -> None:
    rng = np.random.default_rng(1)
    score = rng.random(300)
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], 300),
            "income": rng.choice(["low", "mid", "high", "top"], 300),
            "recommended": np.where(score > 0.5, "Yes", "No"),
            "recommended_score": score,
        }
    )
    guess = guess_roles(frame)
    assert guess.predictions == ("recommended", "recommended_score")
    assert (guess.sure, guess.favourable_decision) == (False, "Yes")


def test_of_decisions_alone_people_whose_group_is_not_known_are_kept() -> None:
    rng = np.random.default_rng(2)
    score = rng.random(300)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "score": score, "years": rng.integers(1, 9, 300)})
    frame["selected"] = np.where(score > 0.5, "yes", "no")
    assert guess_roles(frame).missing == "leave out"
    frame.loc[:9, "sex"] = None
    assert (guess_roles(frame).outcome, guess_roles(frame).missing) == (None, "own category")
