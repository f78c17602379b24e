"""Outcomes that are numbers, and outcomes of several classes, guessed from names, places and values."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.data.cells import is_quantity
from core.data.guess_roles import guess_roles

ROWS = 300
RNG = np.random.default_rng(4)
SEX = ["F", "M"] * (ROWS // 2)
NUMBERS = RNG.normal(10, 2, ROWS)


def table(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(
        {"hours": RNG.normal(size=ROWS), "job": RNG.choice(["cook", "clerk", "pilot"], ROWS), "sex": SEX} | columns
    )


@pytest.mark.parametrize(
    "name",
    [
        "ViolentCrimesPerPop",
        "progression",
        "disease_progression",
        "y",
        "target",
        "price",
        "charges",
        "label",
        "anything",
    ],
)
def test_a_number_in_the_last_place_is_the_outcome(name: str) -> None:
    guess = guess_roles(table(**{name: NUMBERS}))
    assert (guess.outcome, guess.outcome_type, guess.favourable) == (name, "number", None)
    assert name not in guess.features
    assert guess.sure is (name not in ("anything", "progression", "disease_progression") or "progression" in name)
    assert (guess.roles is not None) is guess.sure, "an outcome that its place alone tells is asked for"


@pytest.mark.parametrize("name", ["y", "target", "price", "medical_cost", "salary"])
def test_a_telling_name_counts_in_any_place(name: str) -> None:
    guess = guess_roles(pd.DataFrame({name: NUMBERS, **table()}))
    assert (guess.outcome, guess.outcome_type) == (name, "number")


def test_a_last_column_of_two_values_comes_before_a_number_elsewhere() -> None:
    frame = pd.DataFrame({"price": NUMBERS, **table(), "z": [0, 1] * (ROWS // 2)})
    assert (guess_roles(frame).outcome, guess_roles(frame).outcome_type) == ("z", "classes")
    assert guess_roles(frame[["z", "price", "hours", "sex"]]).outcome == "price"


def test_two_telling_names_or_none_say_nothing() -> None:
    assert guess_roles(pd.DataFrame({"price": NUMBERS, "cost": NUMBERS, **table()})).outcome is None
    assert guess_roles(pd.DataFrame({"height": NUMBERS, **table()})).outcome is None


@pytest.mark.parametrize("name", ["income", "y", "salary", "price", "target_price"])
def test_a_decision_by_its_name_comes_before_a_number(name: str) -> None:
    guess = guess_roles(table(**{name: NUMBERS, "approved": ["yes", "no"] * (ROWS // 2)}))
    assert (guess.outcome, guess.outcome_type, guess.favourable) == ("approved", "classes", "yes")


@pytest.mark.parametrize("name", ["age", "year", "prediction", "score", "applicant_id"])
def test_some_numbers_are_no_outcomes_wherever_they_stand(name: str) -> None:
    assert guess_roles(table(**{name: RNG.permutation(NUMBERS)})).outcome is None


def test_few_words_among_numbers_do_not_hide_the_outcome() -> None:
    values = NUMBERS.round(3).astype(str)
    values[[3, 8]] = "unknown"
    guess = guess_roles(table(smoker=["yes", "no"] * (ROWS // 2), charges=values))
    assert (guess.outcome, guess.outcome_type) == ("charges", "number")
    assert "charges" not in dict(guess.ignored)
    assert "smoker" in guess.features


@pytest.mark.parametrize("name", ["class", "result", "anything"])
def test_classes_in_the_last_place_are_the_outcome(name: str) -> None:
    grades = RNG.choice(["not_recom", "priority", "recommend", "spec_prior"], ROWS)
    guess = guess_roles(table(**{name: grades}))
    assert (guess.outcome, guess.outcome_type) == (name, "classes")
    assert guess.favourable is None, "no name tells which of them is good, so the reader is asked"
    told = guess_roles(table(**{name: np.where(grades == "priority", "accepted", grades)}))
    assert told.favourable == "accepted"


def test_shares_of_a_group_are_protected() -> None:
    shares = RNG.random((2, ROWS))
    guess = guess_roles(table(racepctblack=shares[0], racePctWhite=shares[1], blackPerCap=RNG.random(ROWS), y=NUMBERS))
    assert guess.protected == ("sex", "racepctblack", "racePctWhite")
    assert "blackPerCap" in guess.features


@pytest.mark.parametrize(
    ("values", "quantity"),
    [
        (np.arange(20), False),
        (np.arange(21), True),
        (np.arange(10) / 4, False),
        (np.arange(11) / 4, True),
        ([*range(30), "x"], True),
        ([*range(30), *("abcdefghijklmnopqrstuvwxyzäöüßé")], False),
        (["a", "b"], False),
        ([np.nan, np.inf, -np.inf, 1.5], False),
        ([], False),
    ],
)
def test_a_quantity_has_many_different_numbers(values: object, quantity: bool) -> None:
    assert is_quantity(pd.Series(values)) is quantity


def test_communities_and_nursery_are_guessed(real_data: Path) -> None:
    names = (real_data / "communities" / "communities.names").read_text(encoding="latin-1").splitlines()
    columns = [line.split()[1] for line in names if line.startswith("@attribute")]
    frame = pd.read_csv(real_data / "communities" / "communities.data", header=None, names=columns, na_values="?")
    guess = guess_roles(frame)
    assert (guess.outcome, guess.outcome_type) == ("ViolentCrimesPerPop", "number")
    assert "racepctblack" in guess.protected
    frame = pd.read_csv(real_data / "nursery" / "nursery_data.csv", header=None).rename(columns=str)
    guess = guess_roles(frame)
    assert (guess.outcome, guess.outcome_type) == ("8", "classes")
