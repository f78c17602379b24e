"""How predicted numbers are compared with the outcome, and what a person is told about them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score, root_mean_squared_error

from core.base.errors import Caveat
from core.base.files import FileStore
from core.caveats.cautions import cautions
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models import PredictionColumns
from core.models.inspection import ModelReport, inspect
from core.models.number_fit import NumberFit, compare_numbers
from core.records.codec import decode, encode
from core.records.codec_frames import Arrays
from core.result import ModelSummary

RNG = np.random.default_rng(11)
TRUE = RNG.normal(50, 8, 300)
GUESSED = 0.7 * TRUE + RNG.normal(14, 4, 300)


def test_error_and_explained_share_are_scikit_learns() -> None:
    fit = compare_numbers(TRUE, GUESSED)
    assert fit.error == pytest.approx(root_mean_squared_error(TRUE, GUESSED), rel=1e-12)
    assert fit.spread == pytest.approx(np.std(TRUE), rel=1e-12)
    assert fit.explained == pytest.approx(r2_score(TRUE, GUESSED), rel=1e-12)
    assert fit.correlation == pytest.approx(pearsonr(TRUE, GUESSED).statistic, rel=1e-12)


def test_the_rescaled_error_is_that_of_the_best_line() -> None:
    line = LinearRegression().fit(GUESSED[:, None], TRUE).predict(GUESSED[:, None])
    assert compare_numbers(TRUE, GUESSED).rescaled_error == pytest.approx(root_mean_squared_error(TRUE, line))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_very_small_and_very_large_numbers_are_compared_alike(scale: float) -> None:
    plain, scaled = compare_numbers(TRUE, GUESSED), compare_numbers(scale * TRUE, scale * GUESSED)
    assert scaled.explained == pytest.approx(plain.explained)
    assert scaled.correlation == pytest.approx(plain.correlation)


def test_without_rows_or_differences_nothing_is_defined() -> None:
    assert np.isnan(compare_numbers(np.array([]), np.array([])).error)
    constant = compare_numbers(TRUE, np.full(300, 50.0))
    assert np.isnan(constant.correlation)
    assert constant.error == pytest.approx(np.sqrt(np.mean((TRUE - 50) ** 2)))
    assert np.isnan(compare_numbers(np.full(300, 3.0), TRUE).explained)


def told(true: np.ndarray, predicted: np.ndarray) -> list[Caveat]:
    return list(compare_numbers(true, predicted).caveats("these rows"))


def test_good_predictions_raise_no_alarm() -> None:
    assert told(TRUE, GUESSED) == []
    assert list(NumberFit().caveats("these rows")) == []


def test_predictions_in_other_units_are_serious() -> None:
    (caveat,) = told(TRUE, 1000 * GUESSED)
    assert caveat.level == "serious"
    best = compare_numbers(TRUE, GUESSED).rescaled_error
    assert f"shifted and rescaled by {best:.2f}" in caveat.what
    assert f"mean would be off by {np.std(TRUE):.2f}" in caveat.what


def test_predictions_of_something_else_are_a_warning() -> None:
    (caveat,) = told(TRUE, RNG.normal(50, 8, 300))
    assert caveat.level == "warning"
    assert "shifted" not in caveat.what


def test_the_same_number_for_everybody_is_told() -> None:
    same, worse = told(TRUE, np.full(300, 40.0))
    assert "the same number for everybody in these rows" in same.what
    assert worse.level == "warning"


@pytest.fixture(scope="module")
def table() -> Dataset:
    frame = pd.DataFrame({"a": RNG.normal(size=300), "sex": RNG.choice(["f", "m"], 300), "y": TRUE, "yhat": GUESSED})
    roles = Roles(outcome="y", outcome_type="number", protected=("sex",), features=("a",), predictions=("yhat",))
    return Dataset.build(frame, roles)


@pytest.fixture
def report(files: FileStore, table: Dataset) -> ModelReport:
    return inspect(PredictionColumns(columns=("yhat",), holds="number").load(files, table), table)


def test_the_report_shows_outcomes_beside_predictions(report: ModelReport) -> None:
    assert report.fit == compare_numbers(TRUE, GUESSED)
    assert (report.classes, report.gives, report.confusion.shape) == ((), "numbers", (0, 0))
    assert list(report.examples.columns) == ["a", "y (true)", "y (predicted)"]
    np.testing.assert_array_equal(report.examples["y (predicted)"], GUESSED[:5])
    assert np.isnan([report.accuracy, report.balanced_accuracy, report.majority_share]).all()


def test_the_report_survives_saving(report: ModelReport) -> None:
    arrays = Arrays()
    assert decode(encode(report, ModelReport, arrays), ModelReport, arrays).fit == report.fit


def test_rows_without_a_finite_answer_are_counted_and_left_out_of_the_error(table: Dataset) -> None:
    class Fails(AbstractModel):
        name, kind, fingerprint, classes = "m", "made for this test", "f", ()

        def __init__(self) -> None:
            self.encoder = Encoder.fit(table.frame, ("a",))

        def answers(self, data: Any) -> np.ndarray:
            return np.where(np.arange(len(data)) < 2, np.inf, GUESSED)[:, None]

    found = inspect(Fails(), table)
    assert (found.not_finite, found.first_not_finite) == (2, (1, 2))
    assert found.fit == compare_numbers(TRUE[2:], GUESSED[2:])
    assert found.caveats[0].level == "serious"


def test_predictions_the_wrong_way_round_go_against_the_outcome(files: FileStore, table: Dataset) -> None:
    turned = Dataset.build(table.frame.assign(yhat=-GUESSED), table.roles)
    model = PredictionColumns(columns=("yhat",), holds="number").load(files, turned)
    report = inspect(model, turned)
    direction = report.direction
    assert direction is not None
    assert direction.measure == "numbers"
    assert direction.value == pytest.approx(spearmanr(TRUE, -GUESSED).statistic)
    assert direction.value < direction.upper < 0
    assert report.caveats == ()
    fit, none = report.fit, np.zeros((0, 0), dtype=int)
    summary = ModelSummary("m", "k", "f", model.encoder, (), none, fit.error, fit.spread, fit.correlation)
    assert not list(cautions(replace(summary, direction=direction), model.encode(turned), None))


def test_cautions_of_a_result_tell_what_the_inspection_tells(files: FileStore, table: Dataset) -> None:
    other = replace(table, frame=table.frame.assign(yhat=1000 * GUESSED))
    model = PredictionColumns(columns=("yhat",), holds="number").load(files, other)
    data, fit = model.encode(other), compare_numbers(TRUE, 1000 * GUESSED)
    summary = ModelSummary(
        "m", "k", "f", model.encoder, (), np.zeros((0, 0), dtype=int), fit.error, fit.spread, fit.correlation
    )
    (caveat,) = cautions(summary, data, None)
    assert caveat.level == "serious"
    assert caveat.what.startswith("On the audited rows the predictions are off by")
    good = compare_numbers(TRUE, GUESSED)
    assert not list(cautions(replace(summary, error=good.error, correlation=good.correlation), data, None))
