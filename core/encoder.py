"""The way between the table people read and the numbers a model reads, in both directions."""

from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from core.errors import DataError
from core.settings import Settings


class NumericColumn(Settings):
    """One number a row, standardised: encoded = (value - mean) / scale."""

    kind: Literal["numeric"] = "numeric"
    name: str
    mean: float = 0.0
    scale: float = Field(default=1.0, gt=0)


class CategoricalColumn(Settings):
    """One indicator (0 or 1) per category, in this order."""

    kind: Literal["categorical"] = "categorical"
    name: str
    categories: tuple[str, ...] = Field(min_length=1)


Column = Annotated[NumericColumn | CategoricalColumn, Field(discriminator="kind")]


class Encoder(Settings):
    """Standardise numbers, one-hot categories; invertible and free of code, so that it can travel in JSON.

    Encoded columns keep the order of ``columns``; a categorical column becomes one encoded column per category.
    A numeric column that holds only 0 and 1 is left as it is, as an indicator.
    """

    columns: tuple[Column, ...] = Field(min_length=1)

    @classmethod
    def fit(cls, frame: pd.DataFrame, features: tuple[str, ...]) -> "Encoder":
        """Learn means, spreads and categories from ``frame``'s columns named in ``features``, in that order.

        Numeric columns first is not assumed: order is the caller's. Constant columns get scale 1.
        """
        return cls(columns=tuple(_fit_column(frame[name], name) for name in features))

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the table's columns, one per original column."""
        return tuple(column.name for column in self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the encoded columns: ``age``, ``occupation = Sales``; length ``width``."""
        return tuple(
            label
            for column in self.columns
            for label in (
                [column.name]
                if column.kind == "numeric"
                else [f"{column.name} = {category}" for category in column.categories]
            )
        )

    @property
    def width(self) -> int:
        """Number of encoded columns d."""
        return len(self.sources)

    @property
    def sources(self) -> np.ndarray:
        """For each encoded column the index of its original column in ``columns``; shape (d,), int."""
        widths = [1 if column.kind == "numeric" else len(column.categories) for column in self.columns]
        return np.repeat(np.arange(len(self.columns)), widths)

    def transform(self, frame: pd.DataFrame) -> np.ndarray:
        """Encode rows; returns shape (n, d), float64.

        Raises:
            DataError: A column is missing, a value is not a finite number, or a category is unknown.
        """
        missing = [name for name in self.features if name not in frame.columns]
        if missing:
            raise DataError(
                f"The table has no column {', '.join(map(repr, missing))}, which the model reads.",
                advice="Add the column or choose it as a feature in the roles step.",
            )
        return np.concatenate([_encode(column, frame[column.name]) for column in self.columns], axis=1)

    def inverse(self, x: np.ndarray) -> pd.DataFrame:
        """Encoded rows, shape (n, d), back in original units; a category is the one with the largest indicator."""
        x = np.asarray(x, dtype=np.float64)
        starts = np.searchsorted(self.sources, np.arange(len(self.columns)))
        decoded: dict[str, object] = {}
        for column, start in zip(self.columns, starts, strict=True):
            if column.kind == "numeric":
                decoded[column.name] = x[:, start] * column.scale + column.mean
            else:
                block = x[:, start : start + len(column.categories)]
                decoded[column.name] = np.array(column.categories, dtype=object)[block.argmax(axis=1)]
        return pd.DataFrame(decoded)


def _fit_column(values: pd.Series, name: str) -> NumericColumn | CategoricalColumn:
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    if not pd.api.types.is_numeric_dtype(values):
        fitted = OneHotEncoder().fit(values.astype(str).to_numpy().reshape(-1, 1))
        return CategoricalColumn(name=name, categories=tuple(map(str, fitted.categories_[0])))
    numbers = values.to_numpy(dtype=np.float64)
    if np.isin(numbers, (0.0, 1.0)).all():
        return NumericColumn(name=name)
    scaler = StandardScaler().fit(numbers.reshape(-1, 1))
    return NumericColumn(name=name, mean=float(scaler.mean_[0]), scale=float(scaler.scale_[0]))


def _encode(column: NumericColumn | CategoricalColumn, values: pd.Series) -> np.ndarray:
    if column.kind == "categorical":
        codes = pd.Categorical(values.astype(str), categories=list(column.categories)).codes
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise DataError(
                f"{int((codes < 0).sum())} rows hold a category that the model does not know: "
                f"{values.iloc[row]!r} is the first.",
                where=f"column {column.name!r}, row {values.index[row] + 1}",
                advice="Correct the value, or leave these rows out of the table.",
            )
        return np.eye(len(column.categories))[codes]
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(
            f"{int((~np.isfinite(numbers)).sum())} values are not finite numbers: {values.iloc[row]!r} is the first.",
            where=f"column {column.name!r}, row {values.index[row] + 1}",
            advice="Correct the value, or choose how missing values are treated.",
        )
    return ((numbers - column.mean) / column.scale)[:, None]
