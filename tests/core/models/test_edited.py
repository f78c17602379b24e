"""A person of the table with some values changed: beside the model asked directly, the metric's formula, and -log p."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.base.errors import DataError, EvenhandError, ModelError
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models.edited import Edited, edit, values_of
from core.models.module import ModuleModel
from tests.builders_text import make_text_dataset, make_text_model
from tests.core.audits.gradient_flow.cases import perceptron

FEATURES = ("languages", "salary", "rating", "sector", "remote")


def people(n: int = 120) -> Dataset:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "languages": rng.integers(1, 60, n),
            "salary": rng.integers(20_000, 90_000, n).astype(np.int32),
            "rating": rng.integers(10, 51, n) / 10,
            "sector": rng.choice(["care", "technology", "trade"], n),
            "remote": rng.integers(0, 2, n),
            "sex": rng.choice(["woman", "man"], n),
            "hired": rng.choice(["no", "yes"], n),
        }
    )
    frame.loc[4, "rating"] = np.nan
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=FEATURES))


DATA = people()
ENCODER = Encoder.fit(DATA.frame, FEATURES)
MODEL = ModuleModel(perceptron(ENCODER.width, 8, 2, seed=2), ENCODER, ("no", "yes"), "test")
_HALF = np.random.default_rng(0).normal(size=(ENCODER.width, ENCODER.width))
METRIC = FittedMetric("test", ENCODER.names, _HALF @ _HALF.T, np.empty((0, ENCODER.width)), np.empty(0))


def directly(row: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """A row encoded by hand, and the network's probabilities."""
    x = []
    for column in ENCODER.columns:
        if column.kind == "numeric":
            x.append((float(row[column.name]) - column.mean) / column.scale)
        else:
            x += [float(row[column.name] == one) for one in column.categories]
    with torch.no_grad():
        return np.array(x), MODEL.module()(torch.tensor([x], dtype=torch.float64)).softmax(1).numpy()[0]


@pytest.mark.parametrize(
    "changes",
    [{}, {"languages": 3}, {"sector": "trade", "rating": "2.7"}, {"salary": 1_000_000, "remote": 1, "languages": 4.0}],
)
def test_answers_distance_and_ratio_are_those_of_the_model_and_the_metric(changes: dict[str, Any]) -> None:
    found = edit(MODEL, DATA, 12, changes, metric=METRIC)
    row = DATA.frame.loc[11]
    (x, before), (y, after) = directly(row), directly(pd.Series({**row, **changes}))
    np.testing.assert_allclose(found.answers, [before, after], rtol=1e-12)
    np.testing.assert_allclose(found.x, [x, y], rtol=1e-12)
    moved = y - x
    assert found.distance == pytest.approx(math.sqrt(moved @ METRIC.matrix @ moved))
    true = ("no", "yes").index(row["hired"])
    assert found.outcome == row["hired"]
    assert found.ratio == pytest.approx(math.log(after[true]) / math.log(before[true]), rel=1e-9)
    assert found.beyond == (("salary",) if "salary" in changes else ())
    assert found.people.iloc[0].to_dict() == row[list(FEATURES)].to_dict()


def test_nothing_of_the_table_is_changed() -> None:
    before = DATA.frame.copy()
    edit(MODEL, DATA, 12, {"languages": 3, "sector": "trade"})
    pd.testing.assert_frame_equal(DATA.frame, before)


def test_without_metric_and_outcome_only_the_answer_is_told() -> None:
    unknown = Dataset.build(
        DATA.frame.drop(columns="hired").reset_index(drop=True), Roles(protected=("sex",), features=FEATURES)
    )
    found = edit(MODEL, unknown, 12, {"languages": 3})
    assert math.isnan(found.distance)
    assert math.isnan(found.ratio)
    assert np.isfinite(found.answers).all()


def test_a_tiny_loss_keeps_its_digits_and_a_floor_holds_it() -> None:
    sure = Edited(1, pd.DataFrame(), "yes", ("no", "yes"), np.array([[1e-30, 1.0], [1e-20, 1.0]]), np.zeros((2, 1)), ())
    assert sure.ratio == pytest.approx(1e10)
    assert sure.under(None, floor=1e-6).ratio == 1.0
    certain = replace(sure, answers=np.array([[0.0, 1.0], [0.5, 0.5]]))
    assert math.isnan(certain.ratio)
    assert replace(sure, answers=np.array([[0.5, 0.5], [1.0, 0.0]])).ratio == math.inf


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"unheard of": 1}, "reads no column 'unheard of'"),
    ({"hired": "yes"}, "reads no column 'hired'"),
    ({"languages": 2.86}, "whole numbers, and '2.86' is none"),
    ({"languages": "many"}, "'many' is no number"),
    ({"languages": math.nan}, "is no number"),
    ({"languages": math.inf}, "is no number"),
    ({"languages": None}, "is no number"),
    ({"languages": 10**30}, "too large"),
    ({"languages": [3]}, "is no number"),
    ({"languages": 10**400}, "is no number"),
    ({"rating": 10**400}, "is no number"),
    ({"remote": 0.5}, "0 and 1 only"),
    ({"remote": 3}, "0 and 1 only"),
    ({"sector": "<script>alert(1)</script>"}, "knows no"),
    ({"sector": ""}, "knows no"),
    ({"sector": None}, "knows no"),
    ({"sector": "c" * 100_000}, "knows no"),
]


@pytest.mark.parametrize(("changes", "said"), HOSTILE)
def test_what_a_column_cannot_hold_gives_a_sentence(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError) as caught:
        edit(MODEL, DATA, 12, changes)
    told = f"{caught.value.what} {caught.value.advice}"
    assert said in told
    assert caught.value.advice
    assert len(told) < 1_000


@pytest.mark.parametrize("record", [0, -3, 5, 121, 10**12])
def test_a_record_that_is_not_audited_gives_a_sentence(record: int) -> None:
    with pytest.raises(DataError, match="none of the audited rows"):
        edit(MODEL, DATA, record, {})


def test_a_number_beyond_what_a_model_reads_is_no_answer() -> None:
    with pytest.raises(EvenhandError):
        edit(MODEL, DATA, 12, {"rating": 1e308 * 9})
    assert edit(MODEL, DATA, 12, {"rating": 1e6}).beyond == ("rating",)


def test_a_model_that_knows_its_rows_only_cannot_be_asked() -> None:
    class Columns(ModuleModel):
        answers_only_here = "It is a column of answers."

    with pytest.raises(ModelError, match="column of answers"):
        edit(Columns(MODEL.module(), ENCODER, ("no", "yes"), "test"), DATA, 12, {})


def test_what_a_column_may_hold_is_told() -> None:
    assert values_of(MODEL, DATA, "sector").categories == ("care", "technology", "trade")
    assert values_of(MODEL, DATA, "languages").whole
    assert values_of(MODEL, DATA, "rating").decimals == 1


def test_words_of_a_text_are_changed_and_the_model_asked_again() -> None:
    dataset = make_text_dataset(200)
    model = make_text_model(dataset)
    text = dataset.frame["text"].iloc[7]
    new = f"{text} indeed"
    found = edit(model, dataset, 8, {"text": new})
    with torch.no_grad():
        ours = model.module()(torch.from_numpy(model.embed([text, new])).to(torch.float32)).double().softmax(1).numpy()
    np.testing.assert_allclose(found.answers, ours, rtol=1e-5)
    assert found.people["text"].tolist() == [text, new]
    for wrong in ("", "   ", 5, "word " * 10_000):
        with pytest.raises(DataError):
            edit(model, dataset, 8, {"text": wrong})
