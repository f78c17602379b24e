"""Well-known surveys: their codes are known where several of their columns tell the survey, and nowhere else."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.data.cells import as_text
from core.data.guess_roles import guess_roles
from core.data.known_codes import known_attributes, known_labels
from core.data.roles import Roles

ROWS = 400


def acs(**more: Any) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    people = pd.DataFrame(
        {
            "AGEP": rng.integers(18, 90, ROWS).astype(float),
            "SCHL": rng.integers(1, 25, ROWS).astype(float),
            "SEX": rng.integers(1, 3, ROWS).astype(float),
            "RAC1P": rng.choice([1.0, 2.0, 6.0], ROWS),
            "PWGTP": rng.integers(1, 200, ROWS),
            "income": rng.choice([True, False], ROWS),
        }
    )
    return people.assign(**more)


def test_codes_of_the_american_community_survey_are_known() -> None:
    guess = guess_roles(acs())
    assert guess.protected == ("SEX", "RAC1P")
    assert guess.counts is None
    told = {(one.column, one.value): one.label for one in guess.labels}
    assert told["SEX", "2"] == "Female"
    assert told["RAC1P", "2"] == "Black or African American"
    assert guess.roles is not None
    assert guess.roles.labels == guess.labels


@pytest.mark.parametrize("codes", [[0.0, 1.0], [1.0, 2.0, 9.0], ["m", "f"]])
def test_a_column_with_another_value_is_not_labelled(codes: list[object]) -> None:
    labels = known_labels(acs(SEX=np.random.default_rng(2).choice(np.array(codes), ROWS)))
    assert {one.column for one in labels} == {"RAC1P"}


def test_one_column_alone_tells_no_survey() -> None:
    credit = acs().rename(columns={"AGEP": "AGE", "SCHL": "EDUCATION", "PWGTP": "LIMIT_BAL", "RAC1P": "MARRIAGE"})
    assert known_labels(credit) == ()
    assert known_attributes(credit.columns) == {}
    assert guess_roles(credit).protected == ("SEX",)


@pytest.mark.parametrize(
    ("columns", "protected"),
    [({"SEQN": 1, "RIAGENDR": 2, "RIDRETH3": 6}, {"RIAGENDR", "RIDRETH3"}),
     ({"action_taken": 1, "applicant_sex": 2, "applicant_race_1": 5}, {"applicant_sex", "applicant_race_1"})],
)  # fmt: skip
def test_other_surveys(columns: dict[str, int], protected: set[str]) -> None:
    assert set(known_attributes(columns)) == protected
    assert {one.column for one in known_labels(pd.DataFrame(columns, index=[0]))} == protected


def test_labels_stand_together_and_change_no_value() -> None:
    table = acs(MAR=np.random.default_rng(3).integers(1, 6, ROWS), CIT=1, DIS=2, NATIVITY=1)
    labels = known_labels(table)
    Roles(protected=("SEX",), outcome="income", favourable="True", labels=labels)
    assert all(one.value in set(as_text(table[one.column])) for one in labels)


def test_a_numbered_column_that_repeats_another_is_left_out_with_the_reason() -> None:
    table = acs(**{"SCHL.1": lambda frame: frame["SCHL"], "AGEP.1": lambda frame: frame["AGEP"] + 1})
    guess = guess_roles(table)
    assert dict(guess.ignored)["SCHL.1"] == "says the same as 'SCHL' in every row"
    assert "AGEP.1" not in dict(guess.ignored)
