"""A model's answers beside known ones: what agrees, what rounding explains, and which other reading is named."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.models.formats.safetensors.source import TorchMLP
from core.models.predictions import PredictionColumns
from core.models.proof import Proof, compared_columns, prove, prove_by_rows, require

ROWS = 400


class Logistic(AbstractModel):
    """A logistic model with given coefficients of the encoded columns."""

    name, kind, fingerprint, no_gradients = "logistic", "Logistic", "logistic", ""

    def __init__(self, encoder: Encoder, weights: np.ndarray, classes: tuple[str, ...] = ("no", "yes")) -> None:
        self.encoder, self.weights, self.classes = encoder, weights, classes

    def answers(self, data: EncodedDataset) -> np.ndarray:
        given = 1 / (1 + np.exp(-(data.x @ self.weights)))
        return np.column_stack([1 - given, given])


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    age, area = rng.normal(40, 10, ROWS), rng.choice(["east", "north", "south"], ROWS)
    hired = np.where(age + 10 * (area == "east") + rng.normal(0, 8, ROWS) > 43, "yes", "no")
    return pd.DataFrame({"sex": rng.choice(["f", "m"], ROWS), "age": age, "area": area, "hired": hired})


ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "area"))
WEIGHTS = np.array([1.5, 1.0, -0.5, 0.2])


def model_of(frame: pd.DataFrame) -> Logistic:
    return Logistic(Encoder.fit(frame, ROLES.features), WEIGHTS)


def own(frame: pd.DataFrame) -> np.ndarray:
    """The probability of "yes" that the model gives every row."""
    model = model_of(frame)
    answers: np.ndarray = model.answers(model.encode(Dataset.build(frame, ROLES)))[:, 1]
    return answers


def proof_of(frame: pd.DataFrame, values: Any, model: Logistic | None = None, name: str = "said") -> Proof:
    dataset = Dataset.build(frame.assign(**{name: values}), ROLES)
    model = model or model_of(frame)
    data = model.encode(dataset)
    (found,) = prove(model, data, model.predict_proba(data), (name,))
    return found


@pytest.mark.parametrize("decimals", [2, 4])
def test_rounding_explains_a_difference_of_half_a_unit_in_the_last_place(frame: pd.DataFrame, decimals: int) -> None:
    found = proof_of(frame, own(frame).round(decimals))
    assert (found.proved, found.rows, found.decimals) == (True, ROWS, decimals)
    assert found.told == (
        f"The model's answers agree with 'said' on 400 of 400 rows, compared as the probability of 'yes' to {decimals} "
        "decimals."
    )
    assert not proof_of(frame, np.abs(own(frame).round(decimals) - 10.0**-decimals)).proved


def test_decisions_scores_percentages_and_log_odds_are_compared(frame: pd.DataFrame) -> None:
    given = own(frame)
    assert proof_of(frame, np.where(given > 0.5, "yes", "no")).proved
    assert proof_of(frame, (given > 0.5).astype(int)).compared == "as decisions, whatever they are called"
    assert proof_of(frame, (100 * given).round(1)).compared == "as the percentage of 'yes'"
    assert proof_of(frame, np.log(given / (1 - given))).compared == "as the log-odds of 'yes'"
    deciles = pd.Series(given).rank(pct=True).mul(10).apply(np.ceil)
    found = proof_of(frame, deciles)
    assert found.proved
    assert found.compared == "by the order in which they put the rows"
    assert not proof_of(frame, np.random.default_rng(0).permutation(deciles)).proved


def test_one_row_that_differs_is_named(frame: pd.DataFrame) -> None:
    values = own(frame)
    values[6] = 1 - values[6]
    found = proof_of(frame, values)
    assert (found.agree, found.first, found.cause) == (ROWS - 1, (7,), "")
    assert "Rows that differ: 7." in found.advice


def test_a_gap_in_the_known_answers_costs_nothing(frame: pd.DataFrame) -> None:
    values = own(frame)
    values[:30] = np.nan
    assert proof_of(frame, values).rows == ROWS - 30


def test_reversed_classes_are_found_by_the_outcome_and_by_the_name(frame: pd.DataFrame) -> None:
    reverse = Logistic(Encoder.fit(frame, ROLES.features), WEIGHTS, ("yes", "no"))
    by_outcome = proof_of(frame, own(frame), reverse)
    by_name = proof_of(frame, own(frame), reverse, "p_yes")
    by_label = proof_of(frame, np.where(own(frame) > 0.5, "yes", "no"), reverse)
    for found in (by_outcome, by_name, by_label):
        assert not found.proved
        assert "the order of the classes reversed" in found.cause
        assert "stand for 'no' and 'yes'" in found.cause


def test_another_threshold_is_found(frame: pd.DataFrame) -> None:
    found = proof_of(frame, np.where(own(frame) > 0.3, "yes", "no"))
    assert not found.proved
    assert "another threshold" in found.cause
    assert "'yes' is answered" in found.cause


def test_numbers_that_were_standardised_or_not_are_found(frame: pd.DataFrame) -> None:
    fitted = Encoder.fit(frame, ROLES.features)
    raw = fitted.model_copy(
        update={"columns": (fitted.columns[0].model_copy(update={"mean": 0.0, "scale": 1.0}), *fitted.columns[1:])}
    )
    small = np.array([0.05, 1.0, -0.5, -2.0])
    reads_raw = Logistic(raw, small)
    data = reads_raw.encode(Dataset.build(frame, ROLES))
    found = proof_of(frame, reads_raw.answers(data)[:, 1], Logistic(fitted, small))
    assert "With numbers as they stand in the table they agree" in found.cause
    assert "With numbers standardised by this table" in proof_of(frame, own(frame), Logistic(raw, WEIGHTS)).cause


def test_another_order_of_categories_is_found(frame: pd.DataFrame) -> None:
    other = Logistic(Encoder.fit(frame, ROLES.features), WEIGHTS[[0, 3, 1, 2]])
    found = proof_of(frame, own(frame), other)
    assert "With the categories of 'area' in the order" in found.cause


def test_what_nothing_explains_is_refused_with_the_way_to_declare_it(frame: pd.DataFrame) -> None:
    found = proof_of(frame, np.random.default_rng(0).uniform(size=ROWS))
    assert found.cause == ""
    with pytest.raises(ModelError, match="agree with 'said' on only") as refused:
        require((found,), model_of(frame), "Declare it.")
    assert refused.value.advice.endswith("Declare it.")


def test_rows_with_known_answers_are_asked_whatever_else_they_hold(frame: pd.DataFrame) -> None:
    model, dataset = model_of(frame), Dataset.build(frame, ROLES)
    known = frame.head(8).assign(answer=own(frame)[:8].round(3))
    (found,) = prove_by_rows(model, known[["area", "answer", "age"]], dataset)
    assert (found.proved, found.rows, found.from_rows) == (True, 8, True)
    (found,) = prove_by_rows(model, known.assign(answer=0.5 * known["answer"]), dataset)
    assert not found.proved
    with pytest.raises(ModelError, match="no column 'age'"):
        prove_by_rows(model, known[["area", "answer"]], dataset)
    with pytest.raises(ModelError, match="no column beside"):
        prove_by_rows(model, known[["area", "age"]], dataset)


def test_which_columns_are_compared() -> None:
    roles = ROLES.model_copy(update={"predictions": ("score", "other")})
    model = TorchMLP.model_construct(own_answers=("mine",), other_system=("other",))
    assert compared_columns(model, roles) == ("mine", "score")
    assert compared_columns(PredictionColumns(columns=("score",)), roles) == ()


def test_numbers_are_compared_as_numbers(frame: pd.DataFrame) -> None:
    class Line(Logistic):
        def answers(self, data: EncodedDataset) -> np.ndarray:
            numbers: np.ndarray = (data.x @ self.weights)[:, None]
            return numbers

    roles = Roles(outcome="age", outcome_type="number", protected=("sex",), features=("area",))
    encoder = Encoder.fit(frame, ("area",))
    model = Line(encoder, np.array([10.0, 20.0, 30.0]), ())
    answers = model.answers(model.encode(Dataset.build(frame, roles)))[:, 0]
    dataset = Dataset.build(frame.assign(said=answers, off=answers + 1), roles)
    data = model.encode(dataset)
    same, off = prove(model, data, model.predict(data)[:, None], ("said", "off"))
    assert (same.proved, off.proved, off.largest) == (True, False, 1.0)
    assert replace(same, agree=1).told.startswith("The model's answers agree with 'said' on only 1 of 400 rows")
