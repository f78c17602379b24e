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
        ("Zuwanderung", "nationality"),
        ("Migrationshintergrund", "nationality"),
        ("Staatsangehörigkeit", "nationality"),
        ("Staatsangehoerigkeit", "nationality"),
        ("Geburtsland", "nationality"),
        ("Bevoelkerungsgruppe", "race or ethnicity"),
        ("Herkunft", "race or ethnicity"),
        ("Religionszugehoerigkeit", "religion"),
        ("Schwerbehinderung", "disability"),
        ("Altersgruppe", "age"),
        ("Bevölkerung", ""),
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
        ("hispan", "race or ethnicity"),
        ("Hispanics", "race or ethnicity"),
        ("non_hisp", "race or ethnicity"),
        ("afram", "race or ethnicity"),
        ("blk", "race or ethnicity"),
        ("D_WHT", "race or ethnicity"),
        ("catholic", "religion"),
        ("blackboard", "race or ethnicity"),
        ("email_known", ""),
        ("hispeed", ""),
        ("his_pay", ""),
        ("blkt", ""),
        ("after", ""),
        ("latin", ""),
    ],
)
def test_columns_of_two_values_named_after_a_group(name: str, attribute: str) -> None:
    assert told(name, 0, 1) == attribute
    assert told(name, *range(30)) == ""


def test_an_abbreviation_that_may_count_blocks_tells_a_group_of_two_values_only() -> None:
    assert told("blk", 1, 2, 3) == ""


def test_groups_that_a_column_holds() -> None:
    assert told("V9", "Male", "Female") == "sex"
    assert told("q3", "hombre", "mujer") == "sex"
    assert told("x", "White", "Black", "Other") == "race or ethnicity"
    assert told("Bevoelkerung", "mehr Schwarze", "weniger Schwarze") == "race or ethnicity"
    assert told("x", "White", "Red") == ""
    assert told("Farbe", "schwarz", "weiß") == ""
    assert told("size", "m", "f") == ""


@pytest.mark.parametrize("name", ["age", "Age", "xage", "age76", "mage", "ageOfOcc", "Alter", "edad"])
def test_ages_of_people_in_years(name: str) -> None:
    assert told(name, *range(18, 70)) == "age"
    assert told(name, *range(1_900, 1_990)) == ""


@pytest.mark.parametrize(
    "name", ["wage", "mileage", "account_age", "age_of_car", "Alter_Gebaeude", "agePct12", "stage"]
)
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
    assert guess.protected == ("sex", "afam")
    assert dict(guess.reasons)["afam"] == "is named after a group (race or ethnicity)"


def test_what_may_be_protected_is_offered_with_its_reason_and_read_by_the_model() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "married": rng.integers(0, 2, 200),
            "Nationalität": rng.choice(["at", "de", "ch"], 200),
            "Alter": rng.integers(18, 70, 200),
            "Geschlecht": rng.choice(["f", "m"], 200),
            "hired": rng.choice(["yes", "no"], 200),
        }
    )
    guess = guess_roles(frame)
    assert guess.protected == ("Geschlecht",)
    assert guess.offered == (
        ("Nationalität", "is named like nationality"),
        ("Alter", "is named like an age"),
        ("married", "is named like family status"),
    )
    assert guess.features == ("married", "Nationalität", "Alter")
    assert guess_roles(frame.drop(columns="Geschlecht")).roles is None


def binned(cut: str = "age_cat", number: str = "age", slips: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 70, 600)
    bins = np.select([age < 25, age <= 45], ["Less than 25", "25 - 45"], "Greater than 45")
    bins[:slips] = "25 - 45"
    sex, outcome = rng.choice(["f", "m"], 600), rng.choice(["yes", "no"], 600)
    return pd.DataFrame({cut: bins, number: age, "sex": sex, "hired": outcome})


def test_bins_of_another_column_are_offered_and_not_read() -> None:
    guess = guess_roles(binned())
    assert guess.protected == ("sex",)
    assert guess.offered == (("age", "is named like an age"), ("age_cat", "holds 'age' in bins"))
    assert dict(guess.ignored)["age_cat"] == "holds 'age' in bins"
    assert guess.features == ("age",)


def test_bins_are_told_by_values_whatever_the_number_is_called_and_a_slip_does_not_hide_them() -> None:
    assert dict(guess_roles(binned("agegroup", "years since birth")).offered)["agegroup"] == (
        "holds 'years since birth' in bins"
    )
    assert dict(guess_roles(binned(slips=5)).offered)["age_cat"] == "holds 'age' in bins"
    assert dict(guess_roles(binned(slips=100)).offered)["age_cat"] == "is named like an age"


def test_groups_that_are_no_ranges_of_a_number_are_no_bins() -> None:
    frame = binned()
    frame["pay"] = np.where(frame["sex"] == "f", 10, 20) + np.arange(600) % 15
    frame["age_cat"] = np.where(frame["age"] % 2 == 0, "even", "odd")
    guess = guess_roles(frame)
    assert guess.protected == ("sex",)
    assert dict(guess.offered)["age_cat"] == "is named like an age"
    assert "age_cat" in guess.features
