"""What a column is for, guessed from its name and values."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.column_look import words_of
from core.data.guess_roles import guess_roles
from core.sources.public.adult import Adult
from core.sources.public.compas import Compas

ROWS = 300


def table(**columns: object) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    plain: dict[str, object] = {"hours": rng.normal(size=ROWS), "job": rng.choice(["cook", "clerk"], ROWS)}
    return pd.DataFrame(plain | columns)


def two(first: object, second: object) -> list[object]:
    return [first, second] * (ROWS // 2)


@pytest.mark.parametrize("name", ["ageGroup", "age_group", "Age group", "age-group", "AGE.GROUP"])
def test_words_are_found_however_a_name_is_written(name: str) -> None:
    assert words_of(name) == ("age", "group")


@pytest.mark.parametrize(
    ("name", "values", "favourable"),
    [
        ("hired", ("yes", "no"), "yes"),
        ("income", ("<=50K", ">50K"), ">50K"),
        ("approved", (True, False), "True"),
        ("two_year_recid", (0, 1), "0"),
        ("default", ("yes", "no"), "no"),
        ("isChurned", (True, False), "False"),
        ("outcome", ("hired", "not hired"), "hired"),
        ("outcome", ("recidivism", "no recidivism"), "no recidivism"),
        ("decision", ("Rejected", "Accepted"), "Accepted"),
        ("loan_status", ("charged off", "fully paid"), "fully paid"),
        ("target", ("no hire", "hire"), "hire"),
        ("class", ("bad", "good"), "good"),
        ("deny", ("no", "yes"), "no"),
        ("result", ("abgelehnt", "genehmigt"), "genehmigt"),
    ],
)
def test_the_outcome_and_its_favourable_value_are_recognised(
    name: str, values: tuple[object, object], favourable: str
) -> None:
    guess = guess_roles(table(sex=two("F", "M"), **{name: two(*values)}))
    assert (guess.outcome, guess.favourable) == (name, favourable)
    assert guess.roles is not None
    assert name not in guess.features


@pytest.mark.parametrize(("name", "good"), [("approve", "1"), ("accept", "1"), ("refused", "0")])
def test_plain_values_of_what_people_decide_are_read_by_the_name_of_the_column(name: str, good: str) -> None:
    assert guess_roles(table(sex=two("F", "M"), **{name: two(0, 1)})).favourable == good


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("label", (0, 1)),
        ("y", ("no", "yes")),
        ("target", (True, False)),
        ("class", (1, 2)),
        ("loan_status", ("N", "Y")),
        ("no_default", (0, 1)),
        ("not_approved", ("yes", "no")),
        ("selected_for_audit", (0, 1)),
        ("y", ("<30", ">30")),
    ],
)
def test_a_favourable_value_that_no_name_tells_is_asked_for(name: str, values: tuple[object, object]) -> None:
    guess = guess_roles(table(sex=two("F", "M"), **{name: two(*values)}))
    assert (guess.outcome, guess.favourable, guess.roles) == (name, None, None)


@pytest.mark.parametrize(
    ("name", "favourable"),
    [
        ("received_callback", "1"),
        ("called_back", "1"),
        ("InvitedToInterview", "1"),
        ("parole granted", "1"),
        ("hired_2019", "1"),
        ("Zusage", "1"),
        ("absage", "0"),
        ("no_callback", None),
    ],
)
def test_a_decision_is_the_outcome_wherever_it_stands(name: str, favourable: str | None) -> None:
    rng = np.random.default_rng(3)
    frame = table(sex=two("F", "M"), **{name: two(0, 1)}, honours=rng.choice([0, 1], ROWS))
    guess = guess_roles(frame)
    assert (guess.outcome, guess.favourable) == (name, favourable)
    assert guess.sure


def test_what_somebody_received_may_be_the_outcome_is_asked_about_and_gives_way_to_what_is_named_or_stands_last() -> (
    None
):
    rng = np.random.default_rng(3)
    received, place = two(0, 1), rng.choice(["north", "south", "west"], ROWS)
    guess = guess_roles(table(sex=two("F", "M"), received=received, place=place))
    assert (guess.outcome, guess.sure, guess.favourable) == ("received", False, None)
    for outcome in ("hired", "z"):
        frame = table(sex=two("F", "M"), received_aid=received, **{outcome: rng.choice([0, 1], ROWS)})
        assert guess_roles(frame).outcome == outcome
    assert guess_roles(
        table(sex=two("F", "M"), received_aid=received, received_loan=received, place=place)
    ).outcome != ("received_aid")


@pytest.mark.parametrize("values", [(0, 1), ("yes", "no"), ("urban", "rural")])
@pytest.mark.parametrize("name", ["has_email_address", "phone", "address"])
def test_a_column_of_two_values_identifies_nobody(name: str, values: tuple[object, object]) -> None:
    frame = table(sex=two("F", "M"), **{name: two(*values)}, hired=np.random.default_rng(3).choice([0, 1], ROWS))
    assert name in guess_roles(frame).features


@pytest.mark.parametrize("name", ["sex", "Gender", "race", "ethnicity"])
def test_the_surest_protected_attributes_are_taken_by_name(name: str) -> None:
    guess = guess_roles(table(hired=two(0, 1), **{name: [f"group {place % 5}" for place in range(ROWS)]}))
    assert guess.protected == (name,)
    assert name not in guess.features


@pytest.mark.parametrize("name", ["age_group", "ageCat", "religion", "disability", "native-country", "marital"])
def test_other_protected_attributes_are_offered_by_name(name: str) -> None:
    guess = guess_roles(table(hired=two(0, 1), **{name: [f"group {place % 5}" for place in range(ROWS)]}))
    assert guess.protected == ()
    assert [offered for offered, _ in guess.offered] == [name]
    assert name in guess.features


def test_age_in_years_is_offered_and_a_feature_also_beside_predictions() -> None:
    for more in ({}, {"prediction": two(1, 0)}):
        guess = guess_roles(table(sex=two("F", "M"), age=np.arange(ROWS) % 60, hired=two(0, 1), **more))
        assert guess.protected == ("sex",)
        assert guess.offered == (("age", "is named like an age"),)
        assert "age" in guess.features


@pytest.mark.parametrize("name", ["pred", "predicted_label", "prob", "y_hat", "risk_score", "score", "decile_score"])
def test_predictions_are_recognised(name: str) -> None:
    guess = guess_roles(table(sex=two("F", "M"), hired=two(0, 1), **{name: np.linspace(0, 1, ROWS)}))
    assert guess.predictions == (name,)


@pytest.mark.parametrize("name", ["credit_score", "test score", "prediabetes", "problem"])
def test_measured_quantities_are_no_predictions(name: str) -> None:
    guess = guess_roles(table(sex=two("F", "M"), hired=two(0, 1), **{name: np.linspace(0, 1, ROWS)}))
    assert name in guess.features


def test_predicted_outcomes_are_predictions_and_other_text_is_not() -> None:
    frame = table(sex=two("F", "M"), hired=two("no", "yes"), prediction=two("yes", "no"), score_text=two("Low", "High"))
    guess = guess_roles(frame)
    assert guess.outcome == "hired"
    assert guess.predictions == ("prediction",)


@pytest.mark.parametrize(
    ("values", "name", "reason"),
    [
        (np.arange(ROWS), "applicant_id", "identifies"),
        (np.arange(5, ROWS + 5), "row", "counts"),
        ([f"person {place}" for place in range(ROWS)], "remark", "free text"),
        (["Ann", "Bob", "Cem"] * (ROWS // 3), "first_name", "identifies"),
        (["2020-01-02", "2021-03-04"] * (ROWS // 2), "joined", "dates"),
        (pd.date_range("2020-01-01", periods=ROWS), "when", "dates"),
        ([1] * ROWS, "version", "one value"),
        ([None] * ROWS, "nothing", "empty"),
    ],
)
def test_columns_nobody_should_read_are_ignored_with_the_reason(values: object, name: str, reason: str) -> None:
    guess = guess_roles(table(sex=two("F", "M"), hired=two(0, 1), **{name: values}))
    assert [ignored for ignored, why in guess.ignored if reason in why] == [name]


def test_every_column_gets_one_role_or_a_reason() -> None:
    frame = table(sex=two("F", "M"), hired=two(0, 1), id=np.arange(ROWS), prob=np.linspace(0, 1, ROWS))
    guess = guess_roles(frame)
    given = [guess.outcome, *guess.protected, *guess.features, *guess.predictions, *(name for name, _ in guess.ignored)]
    assert sorted(map(str, given)) == sorted(frame.columns)


def test_a_last_column_of_two_values_is_the_outcome_when_no_name_tells() -> None:
    assert guess_roles(table(sex=two("F", "M"), z=two(0, 1))).outcome == "z"
    assert guess_roles(pd.DataFrame({"hours": np.linspace(0, 1, ROWS), "sex": two("F", "M")})).outcome is None


def test_no_roles_without_an_outcome_or_a_protected_attribute() -> None:
    assert guess_roles(table(hired=two(0, 1))).roles is None
    assert guess_roles(pd.DataFrame({"hours": np.linspace(0, 1, ROWS), "sex": two("F", "M")})).roles is None
    assert guess_roles(pd.DataFrame({"a": []})).roles is None


@pytest.mark.parametrize(
    ("source", "offered"), [(Adult(), ["age", "marital-status"]), (Compas(), ["age_cat"])], ids=["adult", "compas"]
)
def test_the_built_in_tables_are_guessed_as_they_are_declared(
    source: Adult | Compas, offered: list[str], real_data: Path
) -> None:
    frame = source.load(FileStore())
    declared, guessed = source.roles(frame), guess_roles(frame).roles
    assert guessed is not None
    assert (guessed.outcome, guessed.favourable) == (declared.outcome, declared.favourable)
    assert set(guessed.protected) == set(declared.protected)
    assert [name for name, _ in guess_roles(frame).offered] == offered
