"""Exponentiated gradient (Agarwal et al. 2018) by fairlearn, for linear models. Imports torch: import in functions."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from core.base.errors import SettingsError
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.models.layers import LogOdds
from core.workflows.mitigation import baseline
from core.workflows.mitigation.networks import Fitted, Training
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Reductions


@dataclass(frozen=True)
class Lottery:
    """Models one of which is drawn anew for every answer; for two classes.

    Attributes:
        weights: Probability of each, shape (m,).
        coefficients: Their linear parts, shape (m, d).
        intercepts: Shape (m,).
    """

    weights: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray

    def answers(self, x: np.ndarray) -> np.ndarray:
        """Probability that each class is answered, shape (n, 2); each model of the lottery answers yes or no."""
        yes = ((x @ self.coefficients.T + self.intercepts) > 0) @ self.weights
        return np.column_stack([1 - yes, yes])


def fit_reductions(method: Reductions, training: Training) -> Fitted | Lottery:
    """Fit linear models under a constraint that λ tightens from what the baseline meets.

    Two classes: the largest difference between groups, of either rate of equalized odds, from everybody's is at most
    (1 − λ) times that of the baseline. Numbers: no group's mean squared error is above λ times everybody's plus
    (1 − λ) times the worst group's; a lottery of linear models is then answered by its mean, which is linear and errs
    less.

    Raises:
        SettingsError: There are more than two classes.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows = training.rows
    if rows.classes > 2:
        raise SettingsError(
            say("Reductions know equalized odds of two classes, and there are {classes}.", classes=rows.classes),
            where=say("method"),
            advice=say("Choose fair dummies, or another method."),
        )
    from fairlearn.reductions import BoundedGroupLoss, EqualizedOdds, ExponentiatedGradient, SquareLoss
    from sklearn.linear_model import LinearRegression, LogisticRegression

    answers = training.baseline.answers(rows.x)
    if rows.classes:
        constraint: Any = EqualizedOdds(
            difference_bound=(1 - training.strength) * violation(rows, answers.argmax(axis=1))
        )
        estimator: Any = LogisticRegression(C=np.inf, max_iter=1_000)
    else:
        losses = ((answers - rows.y) / rows.spread) ** 2
        each = np.array([losses[rows.codes == group].mean() for group in range(rows.groups)])
        bound = training.strength * losses.mean() + (1 - training.strength) * each.max()
        reach = float(np.abs(rows.targets).max()) * 10
        constraint = BoundedGroupLoss(SquareLoss(-reach, reach), upper_bound=bound)
        estimator = LinearRegression()
    oracle = _Oracle(estimator, _counted(training.on_progress, training.what, method.iterations))
    found = ExponentiatedGradient(oracle, constraint, max_iter=method.iterations)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = rows.y if rows.classes else rows.targets[:, 0]
        found.fit(rows.x, outcome, sensitive_features=rows.codes)
    training.on_progress(Progress(1.0, training.what))
    drawn = [(float(weight), found.predictors_[place]) for place, weight in found.weights_.items() if weight > 0]
    weights = np.array([weight for weight, _ in drawn])
    weights /= weights.sum()
    parameters = np.array([_parameters(one, rows.x.shape[1]) for _, one in drawn])
    if rows.classes and method.answers == "mixture":
        return _mixture(weights, parameters)
    if rows.classes:
        return Lottery(weights, parameters[:, :-1], parameters[:, -1])
    *weight, bias = weights @ parameters * rows.spread
    return baseline.linear(np.array([weight]), np.array([bias + rows.centre]), 0)


def _mixture(weights: np.ndarray, parameters: np.ndarray) -> Fitted:
    """The mean of the models' probabilities: a network with one sigmoid unit a model."""
    first, last = baseline.linear(parameters[:, :-1], parameters[:, -1], 2), nn.Linear(len(weights), 1, bias=False)
    last.weight = nn.Parameter(torch.from_numpy(weights[None, :]), requires_grad=False)
    return Fitted(nn.Sequential(first.module[0], nn.Sigmoid(), last, LogOdds()).eval(), 2)


@dataclass
class _Oracle:
    """An estimator that says when it is fitted; fairlearn copies it for every fit."""

    estimator: Any
    tell: Callable[[], None]

    def fit(self, x: np.ndarray, y: np.ndarray, sample_weight: np.ndarray) -> None:
        self.tell()
        self.estimator.fit(x, y, sample_weight=sample_weight)

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.estimator.predict(x))


def _counted(on_progress: OnProgress, what: str, most: int) -> Callable[[], None]:
    done = 0

    def tell() -> None:
        nonlocal done
        on_progress(Progress(min(0.99, done / most), what))
        done += 1

    return tell


def _parameters(one: Any, columns: int) -> np.ndarray:
    """Coefficients and intercept of a fitted oracle, shape (d + 1,); a constant answer where all had one outcome."""
    if not isinstance(one, _Oracle):
        return np.append(np.zeros(columns), 1.0 if one.predict(np.zeros((1, columns)))[0] else -1.0)
    return np.append(np.ravel(one.estimator.coef_), np.ravel(one.estimator.intercept_)[:1])


def violation(rows: PreparedRows, decided: np.ndarray) -> float:
    """Largest distance of a group's rate of positive decisions from everybody's, in either class."""
    found = [0.0]
    for label in range(2):
        everybody = decided[rows.y == label].mean() if (rows.y == label).any() else 0.0
        for group in range(rows.groups):
            inside = (rows.y == label) & (rows.codes == group)
            if inside.any():
                found.append(abs(float(decided[inside].mean() - everybody)))
    return max(found)
