"""The path of ℓ1-regularised logistic regressions against independent fits, and the laws it has to obey."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import log_expit, log_softmax
from sklearn.linear_model import LogisticRegression

from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.models.formats.safetensors.source import TorchMLP
from core.workflows.selection.optimum import violation
from core.workflows.selection.path import FittedPath, fit_path, write_model
from core.workflows.selection.settings import LogisticPath
from tests.core.workflows.selection.cases import ROLES, people

THREE = ("no", "maybe", "yes")


def dataset(frame: pd.DataFrame) -> Dataset:
    return Dataset.build(frame, ROLES)


def fitted(frame: pd.DataFrame, **settings: object) -> FittedPath:
    rows = dataset(frame)
    return fit_path(rows, rows, LogisticPath.model_validate({"points": 8} | settings), 0, ignore_progress)


def encoded(path: FittedPath, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    rows = dataset(frame)
    return path.encoder.transform(rows.frame), rows.label_codes(path.classes)


@pytest.mark.parametrize("outcomes", [("no", "yes"), THREE])
def test_each_model_is_the_one_that_scikit_learn_finds_from_a_cold_start(outcomes: tuple[str, ...]) -> None:
    frame = people(300, outcomes=outcomes)
    path = fitted(frame)
    x, y = encoded(path, frame)
    for strength, coefficients in zip(path.strengths, path.coefficients, strict=True):
        cold = LogisticRegression(solver="saga", l1_ratio=1.0, C=strength, tol=1e-9, max_iter=20_000, random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cold.fit(x, y)
        assert np.allclose(coefficients, cold.coef_, atol=2e-4)


def test_each_model_is_the_minimum_that_a_bounded_quasi_newton_method_finds() -> None:
    """β is written as a difference of two non-negative parts, which makes the penalty smooth."""
    frame = people(300)
    path = fitted(frame)
    x, y = encoded(path, frame)
    sign, d = 2 * y - 1.0, x.shape[1]
    for i, strength in enumerate(path.strengths):

        def loss(point: np.ndarray, strength: float = strength) -> float:
            margin = sign * (x @ (point[:d] - point[d : 2 * d]) + point[-1])
            return float(-log_expit(margin).sum() + point[: 2 * d].sum() / strength)

        own = path.coefficients[i, 0]
        here = loss(np.concatenate([np.maximum(own, 0), np.maximum(-own, 0), path.intercepts[i]]))
        found = minimize(
            loss,
            np.zeros(2 * d + 1),
            method="L-BFGS-B",
            bounds=[(0, None)] * 2 * d + [(None, None)],
            options={"maxiter": 5000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-10},
        )
        assert here <= found.fun + 1e-7
        assert here == pytest.approx(found.fun, abs=2e-3)


@pytest.mark.parametrize("columns", ["as encoded", "standardised"])
@pytest.mark.parametrize("outcomes", [("no", "yes"), THREE])
def test_the_grid_begins_where_every_coefficient_is_zero_and_not_earlier(
    columns: str, outcomes: tuple[str, ...]
) -> None:
    path = fitted(people(400, outcomes=outcomes), columns=columns, points=50)
    assert path.used[0].sum() == 0
    assert path.used[1].sum() >= 1
    assert path.strengths[-1] / path.strengths[0] == pytest.approx(100)
    assert path.converged.all()
    assert path.violations.max() < 1e-12


@pytest.mark.parametrize("outcomes", [("no", "yes"), THREE])
def test_a_weaker_penalty_never_makes_coefficients_smaller_in_sum_or_the_fit_worse(outcomes: tuple[str, ...]) -> None:
    """Exact laws of the penalised minimum, whatever the data."""
    frame = people(400, outcomes=outcomes)
    path = fitted(frame, points=20)
    x, y = encoded(path, frame)
    size = np.abs(path.coefficients).sum(axis=(1, 2))
    assert (np.diff(size) >= -1e-9).all()
    scores = [x @ w.T + b for w, b in zip(path.coefficients, path.intercepts, strict=True)]
    full = [np.column_stack([np.zeros(len(x)), score]) if score.shape[1] == 1 else score for score in scores]
    loss = [-log_softmax(score, axis=1)[np.arange(len(y)), y].sum() for score in full]
    assert (np.diff(loss) <= 1e-7).all()
    used = path.used.sum(axis=1)
    assert (np.diff(used) >= 0).mean() > 0.8


def test_the_order_of_rows_changes_nothing() -> None:
    frame = people(400)
    shuffled = frame.sample(frac=1, random_state=3)
    assert np.allclose(fitted(frame).coefficients, fitted(shuffled).coefficients, atol=1e-9)


def test_the_unit_of_a_number_changes_nothing_but_its_spread() -> None:
    frame = people(400)
    path, scaled = fitted(frame), fitted(frame.assign(skill=1000 * frame["skill"] + 7))
    assert np.allclose(path.coefficients, scaled.coefficients, atol=1e-9)
    column = path.encoder.names.index("skill")
    assert scaled.spreads[column] == pytest.approx(1000 * path.spreads[column])


def test_standardised_columns_are_penalised_alike_and_read_as_encoded() -> None:
    frame = people(500)
    path = fitted(frame, columns="standardised")
    x, y = encoded(path, frame)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    for strength, coefficients, intercept in zip(path.strengths, path.coefficients, path.intercepts, strict=True):
        own = coefficients * x.std(axis=0)
        moved = intercept + coefficients @ x.mean(axis=0)
        assert violation(z, y[:, None].astype(float), own, moved, strength) < 1e-9


def test_the_check_for_an_optimum_can_fail() -> None:
    frame = people(400)
    path = fitted(frame)
    x, y = encoded(path, frame)
    right = violation(x, y[:, None].astype(float), path.coefficients[-1], path.intercepts[-1], path.strengths[-1])
    wrong = violation(
        x, y[:, None].astype(float), path.coefficients[-1] * 1.01, path.intercepts[-1], path.strengths[-1]
    )
    assert right < 1e-10
    assert wrong > 1e-4


def test_a_fit_that_stops_too_early_is_told() -> None:
    rng = np.random.default_rng(0)
    wide = people(200).assign(**{f"x{i}": rng.normal(size=200) for i in range(60)})
    roles = ROLES.model_copy(update={"features": tuple(name for name in wide if name != "hired")})
    rows = Dataset.build(wide, roles)
    path = fit_path(rows, rows, LogisticPath(points=10, passes=1), 0, ignore_progress)
    assert not path.converged.all()
    assert "did not converge" in path.caveats()[0].what
    assert fit_path(rows, rows, LogisticPath(points=10), 0, ignore_progress).converged.all()


def test_a_constant_column_gets_no_coefficient_and_is_named() -> None:
    path = fitted(people(300).assign(town="north", skill=2.5))
    assert path.constant == ("skill", "town = north")
    assert not path.used[:, [path.encoder.names.index(name) for name in path.constant]].any()
    assert "2 columns had one value" in path.caveats()[0].what


def test_a_category_that_no_training_row_holds_can_still_be_answered() -> None:
    frame = people(400)
    whole = dataset(frame)
    training = whole.take(np.flatnonzero((frame["town"] != "west").to_numpy()))
    path = fit_path(training, whole, LogisticPath(points=5), 0, ignore_progress)
    assert "town = west" in path.constant
    assert np.isfinite(path.encoder.transform(whole.frame)).all()


@pytest.mark.parametrize("outcomes", [("no", "yes"), THREE])
def test_the_exported_model_answers_as_the_coefficients_do(outcomes: tuple[str, ...], tmp_path: object) -> None:
    frame = people(300, outcomes=outcomes)
    path, rows, files = fitted(frame), dataset(frame), FileStore(tmp_path)  # type: ignore[arg-type]
    x, _ = encoded(path, frame)
    content = write_model(path, 5)
    assert content == write_model(path, 5)
    model = TorchMLP(file=files.put(content, "chosen.safetensors")).load(files, rows)
    score = x @ path.coefficients[5].T + path.intercepts[5]
    full = np.column_stack([np.zeros(len(x)), score]) if score.shape[1] == 1 else score
    assert model.classes == path.classes
    assert np.allclose(model.predict_proba(model.encode(rows)), np.exp(log_softmax(full, axis=1)), atol=1e-14)
