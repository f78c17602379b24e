"""Protected attributes are told by names in several languages, by groups named in them, and by what they hold."""

import numpy as np
import pandas as pd
import pytest

from core.data.column_look import look
from core.data.guess_protected import protected
from core.data.guess_roles import guess_roles


def told(name: str, *values: object) -> str:
    found = protected(look(name, pd.Series(list(values or ("a", "b")) * 30)))
    return found.attribute if found else ""


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("Geschlecht", "sex"),
        ("género", "sex"),
        ("Sexe", "sex"),
        ("пол", "sex"),
        ("raceEth", "race or ethnicity"),
        ("ethn", "race or ethnicity"),
        ("raça", "race or ethnicity"),
        ("Nat.Am", "race or ethnicity"),
        ("religiös", ""),
        ("konfession", "religion"),
        ("Behinderung", "disability"),
        ("nationalité", "nationality"),
        ("foreign", "nationality"),
        ("native-country", "nationality"),
        ("maritl", "family status"),
        ("marr", "family status"),
        ("Familienstand", "family status"),
        ("estado_civil", "family status"),
        ("agegroup", "age"),
        ("income_group", ""),
        ("mortgage", ""),
        ("race_risk", ""),
    ],
)
def test_names(name: str, attribute: str) -> None:
    assert told(name) == attribute


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("female", "sex"),
        ("male", "sex"),
        ("afam", "race or ethnicity"),
        ("nwhite", "race or ethnicity"),
        ("whitemom", "race or ethnicity"),
        ("hisp", "race or ethnicity"),
        ("catholic", "religion"),
        ("blackboard", "race or ethnicity"),
        ("email_known", ""),
    ],
)
def test_columns_of_two_values_named_after_a_group(name: str, attribute: str) -> None:
    assert told(name, 0, 1) == attribute
    assert told(name, *range(30)) == ""


def test_groups_that_a_column_holds() -> None:
    assert told("V9", "Male", "Female") == "sex"
    assert told("q3", "hombre", "mujer") == "sex"
    assert told("x", "White", "Black", "Other") == "race or ethnicity"
    assert told("x", "White", "Red") == ""
    assert told("size", "m", "f") == ""


@pytest.mark.parametrize("name", ["age", "Age", "xage", "age76", "mage", "ageOfOcc", "Alter", "edad"])
def test_ages_of_people_in_years(name: str) -> None:
    assert told(name, *range(18, 70)) == "age"
    assert told(name, *range(1_900, 1_990)) == ""


@pytest.mark.parametrize("name", ["wage", "mileage", "account_age", "age_of_car", "agePct12", "stage"])
def test_other_ages(name: str) -> None:
    assert told(name, *range(18, 70)) == ""


def test_the_surest_come_first() -> None:
    rows = 200
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "married": rng.integers(0, 2, rows),
            "age": rng.integers(18, 70, rows),
            "afam": rng.integers(0, 2, rows),
            "sex": rng.choice(["f", "m"], rows),
            "hired": rng.choice(["yes", "no"], rows),
        }
    )
    guess = guess_roles(frame)
    assert guess.protected == ("sex", "afam", "age", "married")
    assert dict(guess.reasons)["afam"] == "is named after a group (race or ethnicity)"
