"""scikit-learn's preprocessing as an encoder and one affine map.

Scalers, one-hot encoders and the columns that pass through are affine in the encoder's columns, so whatever stands
between a table and an estimator is z = A x + c: x are the encoder's columns, built from the pipeline's own means,
spreads and categories, and z is what the estimator reads. A and c are folded into the estimator's first layer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from core.data.cells import as_text, is_number_column
from core.data.encoder import CategoricalColumn, Column, Encoder, NumericColumn
from core.language.told import say
from core.models.checked import NoGradientsError

Key = tuple[str, str | None]
"""An encoded column: the table's column, and the category of an indicator."""


@dataclass(frozen=True)
class Term:
    """One number the estimator reads: a weighted sum of encoded columns plus a constant."""

    weights: dict[Key, float]
    constant: float = 0.0

    def scaled(self, centre: float, scale: float) -> Term:
        """(term - centre) / scale."""
        return Term({key: weight / scale for key, weight in self.weights.items()}, (self.constant - centre) / scale)


Item = str | Term
"""A column as it travels through a pipeline: still the table's own, or already a number."""


@dataclass
class Preprocessing:
    """Follows columns through fitted transformers and collects the encoder on the way.

    Attributes:
        frame: The table, for columns that the pipeline passes through as they are.
        columns: Encoder columns found so far, by name.
    """

    frame: pd.DataFrame
    columns: dict[str, Column] = field(default_factory=dict)

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

    def finish(self, items: list[Item]) -> tuple[Encoder, np.ndarray, np.ndarray]:
        """The encoder, the matrix A, shape (m, d), and the constants c, shape (m,)."""
        terms = [self.number(item) for item in items]
        encoder = Encoder(columns=tuple(self.columns.values()))
        position: dict[Key, int] = {}
        for column in encoder.columns:
            for category in column.indicators:
                position[column.name, category] = len(position)
        matrix = np.zeros((len(terms), encoder.width))
        for row, term in enumerate(terms):
            for key, weight in term.weights.items():
                matrix[row, position[key]] += weight
        return encoder, matrix, np.array([term.constant for term in terms])

    def number(self, item: Item) -> Term:
        """The item as a number; a column of the table that nobody prepared is standardised, and back."""
        if isinstance(item, Term):
            return item
        column = self.columns.get(item)
        if column is None:
            if not is_number_column(self.frame[item]):
                raise NoGradientsError(say("it reads the text column {column} as a number", column=repr(item)))
            column = self.columns[item] = Encoder.fit(self.frame, (item,)).columns[0]
        if column.kind != "numeric":
            raise NoGradientsError(
                say("it reads the column {column} both as a number and as categories", column=repr(item))
            )
        return Term({(item, None): column.scale}, column.mean)

    def _scaled(self, item: Item, centre: float, scale: float) -> Term:
        if isinstance(item, str) and item not in self.columns:
            self.columns[item] = NumericColumn(name=item, mean=centre, scale=scale)
        return self.number(item).scaled(centre, scale)

    def _indicators(self, step: Any, position: int, item: Item) -> list[Item]:
        if not isinstance(item, str):
            raise NoGradientsError(say("it turns numbers computed by an earlier step into categories"))
        if getattr(step, "_infrequent_enabled", False):
            raise NoGradientsError(say("its one-hot encoder groups rare categories"))
        categories = tuple(map(str, as_text(pd.Series(step.categories_[position]))))
        known = self.columns.setdefault(item, CategoricalColumn(name=item, categories=categories))
        if known.kind != "categorical" or known.categories != categories or len(set(categories)) != len(categories):
            raise NoGradientsError(say("it reads the column {column} in two ways", column=repr(item)))
        dropped = None if step.drop_idx_ is None else step.drop_idx_[position]
        return [Term({(item, category): 1.0}) for index, category in enumerate(categories) if index != dropped]

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
    return np.zeros(width), step.scale_


def _robust(step: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    return (
        step.center_ if step.with_centering else np.zeros(width),
        step.scale_ if step.with_scaling else np.ones(width),
    )


SCALERS = {"StandardScaler": _standard, "MinMaxScaler": _min_max, "MaxAbsScaler": _max_abs, "RobustScaler": _robust}
"""Each gives (centres, scales), shape (width,) both: the step is (value - centre) / scale."""
