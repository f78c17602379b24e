"""Models known only by a column of answers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.models import PredictionColumns


def with_column(dataset: Dataset, name: str, values: Any) -> Dataset:
    return replace(dataset, frame=dataset.frame.assign(**{name: values}))


def answers(model: AbstractModel, dataset: Dataset) -> np.ndarray:
    return model.predict_proba(model.encode(dataset))


def test_labels_are_certain_answers(files: FileStore, dataset: Dataset) -> None:
    model = PredictionColumns(columns=("says",)).load(files, dataset)
    says = (dataset.frame["says"] == "yes").to_numpy(dtype=float)
    np.testing.assert_array_equal(answers(model, dataset), np.column_stack([1 - says, says]))
    assert model.gives == "labels"


def test_a_probability_is_that_of_the_favourable_outcome(files: FileStore, dataset: Dataset) -> None:
    model = PredictionColumns(columns=("chance",), holds="probability").load(files, dataset)
    np.testing.assert_array_equal(answers(model, dataset)[:, 1], dataset.frame["chance"])
    turned = PredictionColumns(columns=("chance",), holds="probability", classes=("yes", "no")).load(files, dataset)
    np.testing.assert_array_equal(answers(turned, dataset)[:, 0], dataset.frame["chance"])


def test_a_score_decides_at_its_threshold(files: FileStore, dataset: Dataset) -> None:
    scored = with_column(dataset, "chance", np.arange(240) % 10)
    settings = {"columns": ("chance",), "holds": "score", "threshold": 5}
    good = answers(PredictionColumns(**settings).load(files, scored), scored)[:, 1]
    bad = answers(PredictionColumns(**settings, high_scores="unfavourable").load(files, scored), scored)[:, 1]
    np.testing.assert_array_equal(good, np.arange(240) % 10 >= 5)
    np.testing.assert_array_equal(good + bad, 1)


def test_one_probability_per_class_may_be_rounded_but_not_wrong(files: FileStore, three_classes: Dataset) -> None:
    rounded = three_classes.frame.assign(a=0.33, b=0.33, c=0.33)
    settings = PredictionColumns(columns=("a", "b", "c"), holds="class probabilities")
    table = replace(three_classes, frame=rounded)
    np.testing.assert_allclose(answers(settings.load(files, table), table), 1 / 3)
    wrong = replace(three_classes, frame=rounded.assign(b=np.where(rounded.index == 4, 0.9, 0.33)))
    with pytest.raises(ModelError, match=r"do not add up to one in 1 row: 1\.56.*row 5"):
        settings.load(files, wrong)


def test_answers_follow_the_rows_that_are_taken(files: FileStore, dataset: Dataset) -> None:
    model = PredictionColumns(columns=("chance",), holds="probability").load(files, dataset)
    data = model.encode(dataset).take(np.array([9, 3]))
    np.testing.assert_array_equal(model.predict_proba(data)[:, 1], dataset.frame["chance"].iloc[[9, 3]])


def test_whole_numbers_stored_with_a_point_are_the_outcomes_labels(files: FileStore, dataset: Dataset) -> None:
    frame = dataset.frame.assign(hired=(dataset.frame["hired"] == "yes").astype(int))
    frame["says"] = frame["hired"].astype(float)
    table = Dataset.build(frame, dataset.roles.model_copy(update={"favourable": "1"}))
    model = PredictionColumns(columns=("says",)).load(files, table)
    np.testing.assert_array_equal(answers(model, table)[:, 1], frame["hired"])


def test_there_are_no_gradients_and_the_reason_says_what_to_bring(files: FileStore, dataset: Dataset) -> None:
    model = PredictionColumns(columns=("says",)).load(files, dataset)
    assert "safetensors, ONNX or skops" in model.no_gradients
    with pytest.raises(ModelError, match="cannot be differentiated"):
        model.module()


@pytest.mark.parametrize(
    ("values", "settings", "message"),
    [
        (lambda n: np.where(n == 7, np.nan, 0.5), {"holds": "probability"}, "no finite number in 1 row: nan.*row 8"),
        (lambda n: np.where(n == 7, np.inf, 0.5), {"holds": "score", "threshold": 1}, "no finite number.*row 8"),
        (lambda n: np.where(n >= 7, 1.2, 0.5), {"holds": "probability"}, "233 rows: 1.2 is the first.*row 8"),
        (lambda n: np.where(n == 7, -0.1, 0.5), {"holds": "probability"}, "outside 0 to 1 in 1 row: -0.1"),
        (lambda n: np.where(n == 7, "maybe", "no"), {}, "'maybe' is the first; the outcomes are no, yes.*row 8"),
        (lambda n: pd.Series(["no"] * 7 + [None] + ["no"] * 232), {}, "no outcome.*row 8"),
        (lambda n: np.where(n == 7, "high", "1"), {"holds": "probability"}, "'high' is the first"),
        (lambda n: n / 240, {"holds": "score"}, "score without a threshold"),
        (lambda n: n / 240, {"columns": ("chance", "says"), "holds": "probability"}, "2 columns are chosen"),
        (lambda n: n / 240, {"columns": ("chance",), "holds": "class probabilities"}, "has 1 class and"),
        (lambda n: n / 240, {"columns": ("other",)}, "no column 'other'"),
        (lambda n: n / 240, {"columns": ("chance", "chance"), "holds": "class probabilities"}, "chosen twice"),
    ],
)
def test_columns_that_are_no_answers_are_refused(
    values: Any, settings: dict[str, Any], message: str, files: FileStore, dataset: Dataset
) -> None:
    table = with_column(dataset, "chance", values(np.arange(240)))
    with pytest.raises(ModelError, match=message) as caught:
        PredictionColumns(**{"columns": ("chance",), **settings}).load(files, table)
    assert caught.value.advice


def test_one_probability_cannot_answer_three_outcomes(files: FileStore, three_classes: Dataset) -> None:
    table = with_column(three_classes, "chance", 0.5)
    with pytest.raises(ModelError, match="cannot answer 3 outcomes"):
        PredictionColumns(columns=("chance",), holds="probability").load(files, table)
