"""Inside the wall: scikit-learn's preprocessing as one affine map of a table's columns.

Scalers, one-hot encoders and the columns that pass through are affine in numbers and indicators x of the table, so
whatever stands between a table and a linear model or perceptron is z = A x + c. x, A and c leave the wall as arrays and
plain words, and become an encoder and a first layer outside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from typing_extensions import TypeIs

from core.data.cells import as_text
from core.language.told import say
from core.models.checked import NoGradientsError

Key = tuple[int, str | None]
"""A number of x: the place of the column that is read, and the category of an indicator."""


@dataclass(frozen=True)
class AffineTerm:
    """One number the estimator reads: a weighted sum of numbers of x plus a constant."""

    weights: dict[Key, float]
    constant: float = 0.0

    def scaled(self, centre: float, scale: float) -> AffineTerm:
        """(term - centre) / scale."""
        return AffineTerm(
            {key: weight / scale for key, weight in self.weights.items()}, (self.constant - centre) / scale
        )


Read = tuple[float, float] | tuple[str, ...] | None
"""What of a column is read: centre and scale of a number, the categories of indicators, or the number as it is."""

Item = int | AffineTerm
"""A column as it travels through a pipeline: still the one at this place of the table, or already a number."""


@dataclass
class Affine:
    """Follows columns through fitted transformers and collects on the way what of each column is read.

    Attributes:
        columns: What of them is read, by place, in the order in which they are met.
    """

    columns: dict[int, Read] = field(default_factory=dict)

    def follow(self, step: Any, items: list[Item]) -> list[Item]:
        """What ``step`` makes of ``items``; nothing of nothing.

        Raises:
            NoGradientsError: The step is not affine, or is not known here.
        """
        kind = type(step).__name__
        if not items:  # a ColumnTransformer does not fit a part without columns
            return []
        if step is None or (kind == "FunctionTransformer" and step.func is None):
            return items
        if isinstance(step, str):
            return items if step == "passthrough" else []
        handlers = {
            "Pipeline": self._follow_pipeline,
            "ColumnTransformer": self._follow_column_transformer,
            "OneHotEncoder": self._follow_one_hot,
            "SimpleImputer": self._follow_imputer,
            **dict.fromkeys(SCALERS, self._follow_scaler),
        }
        if kind not in handlers:
            raise NoGradientsError(say("its step {kind} has no differentiable counterpart here", kind=kind))
        return handlers[kind](step, items)

    def finish(self, items: list[Item]) -> tuple[np.ndarray, np.ndarray]:
        """The matrix A, shape (m, numbers of x), and the constants c, shape (m,)."""
        terms = [self.number(item) for item in items]
        position: dict[Key, int] = {}
        for place, column in self.columns.items():
            categories: tuple[str | None, ...] = (None,)
            if is_categories(column):
                categories = column
            for category in categories:
                position[place, category] = len(position)
        matrix = np.zeros((len(terms), len(position)))
        for row, term in enumerate(terms):
            for key, weight in term.weights.items():
                matrix[row, position[key]] += weight
        return matrix, np.array([term.constant for term in terms])

    def number(self, item: Item) -> AffineTerm:
        """The item as a number; a column that nobody prepared is read as it is."""
        if isinstance(item, AffineTerm):
            return item
        column = self.columns.setdefault(item, None)
        if column is None:
            return AffineTerm({(item, None): 1.0})
        if is_categories(column):
            raise NoGradientsError(say("it reads a column both as a number and as categories"))
        centre, scale = column
        return AffineTerm({(item, None): scale}, centre)

    def _scaled(self, item: Item, centre: float, scale: float) -> AffineTerm:
        if not scale > 0:
            raise NoGradientsError(say("it divides by a spread that is not above 0"))
        if isinstance(item, int) and item not in self.columns:
            self.columns[item] = (centre, scale)
        return self.number(item).scaled(centre, scale)

    def _indicators(self, step: Any, position: int, item: Item) -> list[Item]:
        if not isinstance(item, int):
            raise NoGradientsError(say("it turns numbers computed by an earlier step into categories"))
        if getattr(step, "_infrequent_enabled", False):
            raise NoGradientsError(say("its one-hot encoder groups rare categories"))
        written = as_text(pd.Series(step.categories_[position]))
        if written.isna().any():
            raise NoGradientsError(say("its one-hot encoder has a category for missing values"))
        categories = tuple(map(str, written))
        known = self.columns.setdefault(item, categories)
        if known != categories or len(set(categories)) != len(categories):
            raise NoGradientsError(say("it reads a column in two ways"))
        dropped = None if step.drop_idx_ is None else step.drop_idx_[position]
        return [AffineTerm({(item, category): 1.0}) for index, category in enumerate(categories) if index != dropped]

    def _follow_pipeline(self, step: Any, items: list[Item]) -> list[Item]:
        for _, inner in step.steps:
            items = self.follow(inner, items)
        return items

    def _follow_one_hot(self, step: Any, items: list[Item]) -> list[Item]:
        return [term for position, item in enumerate(items) for term in self._indicators(step, position, item)]

    def _follow_scaler(self, step: Any, items: list[Item]) -> list[Item]:
        centres, scales = SCALERS[type(step).__name__](step, len(items))
        return [self._scaled(item, float(c), float(s)) for item, c, s in zip(items, centres, scales, strict=True)]

    def _follow_column_transformer(self, step: Any, items: list[Item]) -> list[Item]:
        if step.transformer_weights:
            raise NoGradientsError(say("its ColumnTransformer weights its parts"))
        chosen = step._transformer_to_input_indices
        out: list[Item] = []
        for name, inner, _ in step.transformers_:
            out += self.follow(inner, [items[index] for index in chosen[name]])
        return out

    def _follow_imputer(self, step: Any, items: list[Item]) -> list[Item]:
        plain = (
            step.missing_values is None or step.missing_values is pd.NA or step.missing_values != step.missing_values
        )
        if not plain or step.add_indicator:
            raise NoGradientsError(say("its imputer changes values that are not missing, or marks missing ones"))
        if any(isinstance(value, float) and np.isnan(value) for value in step.statistics_):
            raise NoGradientsError(say("its imputer leaves out a column that was empty in training"))
        return items


def layers(estimator: Any) -> tuple[list[np.ndarray], list[np.ndarray], str]:
    """Weights (outputs, inputs), offsets, and the activation between them; ``one-vs-rest`` for such a linear model.

    Raises:
        NoGradientsError: It is neither a linear classifier nor a perceptron.
    """
    kind = type(estimator).__name__
    k = len(estimator.classes_)
    if kind in ("LogisticRegression", "LogisticRegressionCV"):
        weights, offsets, activation = [estimator.coef_], [estimator.intercept_], "identity"
    elif kind == "SGDClassifier" and estimator.loss == "log_loss":
        weights, offsets = [estimator.coef_], [estimator.intercept_]
        activation = "identity" if k == 2 else "one-vs-rest"
    elif kind == "MLPClassifier":
        weights, offsets = [matrix.T for matrix in estimator.coefs_], list(estimator.intercepts_)
        activation = _ACTIVATIONS[estimator.activation]
    elif not hasattr(estimator, "predict_proba"):
        raise NoGradientsError(say("{kind} gives decisions and no probabilities", kind=kind))
    elif kind == "SGDClassifier":
        raise NoGradientsError(say("SGDClassifier with the loss {loss} clips its probabilities", loss=estimator.loss))
    elif kind in _SMOOTH:
        raise NoGradientsError(say("{kind} has no differentiable counterpart here", kind=kind))
    else:
        raise NoGradientsError(
            say("{kind} answers in steps, so its answers do not change smoothly with a person's data", kind=kind)
        )
    arrays = [np.asarray(array, dtype=np.float64) for array in (*weights, *offsets)]
    weights, offsets = arrays[: len(weights)], [array.ravel() for array in arrays[len(weights) :]]
    if len(weights[-1]) != (1 if k == 2 else k) or any(
        len(offset) not in (1, len(weight)) for weight, offset in zip(weights, offsets, strict=True)
    ):
        raise NoGradientsError(say("its weights do not have the shape that scikit-learn gives them"))
    return (
        weights,
        [np.broadcast_to(offset, len(weight)).copy() for weight, offset in zip(weights, offsets, strict=True)],
        activation,
    )


def folded(estimator: Any, width: int) -> tuple[Affine, list[np.ndarray], list[np.ndarray], str]:
    """What is read of ``width`` columns, and the layers of an estimator or pipeline with A and c in the first of them.

    Raises:
        NoGradientsError: A step is not affine, or the last is no linear classifier or perceptron.
    """
    steps = [step for _, step in estimator.steps] if hasattr(estimator, "steps") else [estimator]
    weights, offsets, activation = layers(steps[-1])
    read = Affine()
    items: list[Item] = list(range(width))
    for step in steps[:-1]:
        items = read.follow(step, items)
    matrix, constants = read.finish(items)
    finite = all(map(np.all, map(np.isfinite, (matrix, constants, *weights, *offsets))))
    if not finite or weights[0].shape[1] != len(matrix):
        raise NoGradientsError(say("its weights do not have the shape that scikit-learn gives them"))
    offsets[0] = offsets[0] + weights[0] @ constants
    weights[0] = weights[0] @ matrix
    return read, weights, offsets, activation


def is_categories(column: Read) -> TypeIs[tuple[str, ...]]:
    """Whether a column is read as indicators."""
    return column is not None and all(isinstance(part, str) for part in column)


_ACTIVATIONS = {"relu": "relu", "tanh": "tanh", "logistic": "sigmoid", "identity": "identity"}
_SMOOTH = frozenset(
    {
        *("CalibratedClassifierCV", "GaussianNB", "GaussianProcessClassifier", "LinearDiscriminantAnalysis", "NuSVC"),
        *("QuadraticDiscriminantAnalysis", "SVC", "StackingClassifier", "VotingClassifier", "OneVsRestClassifier"),
    }
)
"""Classifiers whose answers may change smoothly, and which are not converted all the same."""


def _standard(step: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.zeros(width) if step.mean_ is None else step.mean_,
        np.ones(width) if step.scale_ is None else step.scale_,
    )


def _min_max(step: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    if step.clip:
        raise NoGradientsError(say("its MinMaxScaler clips values, which has no gradient outside the training range"))
    return -step.min_ / step.scale_, 1 / step.scale_


def _max_abs(step: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    if step.clip:
        raise NoGradientsError(say("its MaxAbsScaler clips values, which has no gradient outside the training range"))
    return np.zeros(width), step.scale_


def _robust(step: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    return (
        step.center_ if step.with_centering else np.zeros(width),
        step.scale_ if step.with_scaling else np.ones(width),
    )


SCALERS = {"StandardScaler": _standard, "MinMaxScaler": _min_max, "MaxAbsScaler": _max_abs, "RobustScaler": _robust}
"""Each gives (centres, scales), shape (width,) both: the step is (value - centre) / scale."""
