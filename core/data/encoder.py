"""The way between the table people read and the numbers a model reads, in both directions."""

from collections import Counter
from typing import Annotated, ClassVar, Literal, NoReturn

import numpy as np
import pandas as pd
from pydantic import Field, field_validator

from core.base.errors import DataError
from core.base.settings import Settings
from core.data.cells import as_numbers, as_text, is_number_column, record_number
from core.language.options import where_chosen
from core.language.phrases import quoted, several
from core.language.told import say


class _OneNumber(Settings):
    """What is encoded as one number."""

    @property
    def indicators(self) -> tuple[None]:
        """One encoded column, which is no indicator."""
        return (None,)


class NumericColumn(_OneNumber):
    """One number a row, standardised: encoded = (value - mean) / scale."""

    kind: Literal["numeric"] = "numeric"
    name: str
    mean: float = 0.0
    scale: float = Field(default=1.0, gt=0)


class RawColumn(_OneNumber):
    """One number a row, as it stands in the table."""

    kind: Literal["raw"] = "raw"
    name: str
    mean: ClassVar[float] = 0.0
    scale: ClassVar[float] = 1.0


class BinaryColumn(Settings):
    """One indicator for two categories: 0 for the first, 1 for the second."""

    kind: Literal["binary"] = "binary"
    name: str
    categories: tuple[str, str]

    @property
    def indicators(self) -> tuple[str]:
        """The category that is marked by 1."""
        return (self.categories[1],)


class CategoricalColumn(Settings):
    """One indicator (0 or 1) per category, in this order."""

    kind: Literal["categorical"] = "categorical"
    name: str
    categories: tuple[str, ...] = Field(min_length=1)

    @property
    def indicators(self) -> tuple[str, ...]:
        """Every category, in this order."""
        return self.categories


class DroppedColumn(Settings):
    """One indicator for each category but the first, whose rows are 0 everywhere (``drop_first`` of pandas)."""

    kind: Literal["dropped"] = "dropped"
    name: str
    categories: tuple[str, ...] = Field(min_length=2)

    @property
    def indicators(self) -> tuple[str, ...]:
        """Every category but the first, in this order."""
        return self.categories[1:]


class CodeColumn(_OneNumber):
    """One number: the place of the category in this order, from 0."""

    kind: Literal["code"] = "code"
    name: str
    categories: tuple[str, ...] = Field(min_length=1)


class CoordinateColumn(_OneNumber):
    """One coordinate of an embedding that a model computes itself; no column of the table."""

    kind: Literal["coordinate"] = "coordinate"
    name: str
    mean: ClassVar[float] = 0.0
    scale: ClassVar[float] = 1.0


OfCategories = BinaryColumn | CategoricalColumn | DroppedColumn | CodeColumn
Column = Annotated[
    NumericColumn | RawColumn | BinaryColumn | CategoricalColumn | DroppedColumn | CodeColumn | CoordinateColumn,
    Field(discriminator="kind"),
]
"""How one original column is encoded; ``indicators`` has an entry for each encoded column."""


class Encoder(Settings):
    """Standardise numbers, one-hot categories; invertible and free of code, so that it can travel in JSON.

    Encoded columns keep the order of ``columns``; a categorical column becomes one encoded column per category, a
    binary column a single one. A numeric column that holds only 0 and 1 is left as it is, as an indicator.

    As JSON it declares the preprocessing that a model was trained with; columns of the kinds ``raw``,
    ``dropped`` and ``code`` occur there only (:class:`core.models.prepared.Prepared`).
    """

    columns: tuple[Column, ...] = Field(min_length=1)

    @field_validator("columns")
    @classmethod
    def _each_once(cls, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        times = Counter(column.name for column in columns)
        if twice := next((name for name, often in times.items() if often > 1), ""):
            raise ValueError(say("the column {twice} is prepared twice", twice=quoted(twice)))
        for column in columns:
            if len(set(listed := categories_of(column))) < len(listed):
                raise ValueError(say("a category of {column} is listed twice", column=quoted(column.name)))
        return columns

    @classmethod
    def fit(cls, frame: pd.DataFrame, features: tuple[str, ...], times: np.ndarray | None = None) -> "Encoder":
        """Learn means, spreads and categories from ``frame``'s columns named in ``features``, in that order.

        Numeric columns first is not assumed: order is the caller's. Constant columns get scale 1. Truth values and
        columns of 0 and 1 stay as they are; every other column that holds no numbers becomes categories, sorted, and
        two categories share one indicator (scikit-learn's ``OneHotEncoder(drop="if_binary")``).

        Args:
            frame: The rows.
            features: The columns.
            times: People that each row stands for, shape (n,), int64; one each if None.

        Raises:
            DataError: ``features`` is empty or names a column that is not in the table, a cell is missing or
                infinite, or numbers are too large to be standardised.
        """
        if not features:
            raise DataError(
                say("No column is a feature, so there is nothing for a model to read."),
                advice=say("Choose at least one feature {where}.", where=where_chosen("features")),
            )
        _require(frame, features)
        return cls(columns=tuple(_fit_column(frame[name], name, times) for name in features))

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the table's columns, one per original column."""
        return tuple(column.name for column in self.columns)

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """The categories of each column that has any, in the order of their codes, by the column's name."""
        return {column.name: categories for column in self.columns if (categories := categories_of(column))}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the encoded columns: ``age``, ``sex = Male``, ``occupation = Sales``; length ``width``."""
        return tuple(
            column.name if category is None else f"{column.name} = {category}"
            for column in self.columns
            for category in column.indicators
        )

    @property
    def width(self) -> int:
        """Number of encoded columns d."""
        return len(self.sources)

    @property
    def sources(self) -> np.ndarray:
        """For each encoded column the index of its original column in ``columns``; shape (d,), int."""
        return np.repeat(np.arange(len(self.columns)), [len(column.indicators) for column in self.columns])

    @property
    def is_embedding(self) -> bool:
        """Whether the encoded columns are coordinates of an embedding, which mean nothing to people one by one."""
        return all(column.kind == "coordinate" for column in self.columns)

    @property
    def one_hot(self) -> "Encoder":
        """The same encoder with an indicator for each of a binary column's categories."""
        return Encoder(
            columns=tuple(
                CategoricalColumn(name=column.name, categories=column.categories) if column.kind == "binary" else column
                for column in self.columns
            )
        )

    def transform(self, frame: pd.DataFrame) -> np.ndarray:
        """Encode rows; returns shape (n, d), float64.

        Raises:
            DataError: A column is missing, a value is not a finite number, or a category is unknown.
        """
        _require(frame, self.features)
        x = np.zeros((len(frame), self.width))
        for column, start in zip(self.columns, self._starts, strict=True):
            values = frame[column.name]
            if isinstance(column, NumericColumn | RawColumn | CoordinateColumn):
                x[:, start] = (_finite(values, column.name) - column.mean) / column.scale
            elif column.kind in ("binary", "code"):
                x[:, start] = _codes(column, values)
            elif column.kind == "dropped":
                codes = _codes(column, values)
                x[codes > 0, start + codes[codes > 0] - 1] = 1.0
            else:
                x[np.arange(len(frame)), start + _codes(column, values)] = 1.0
        return x

    def inverse(self, x: np.ndarray) -> pd.DataFrame:
        """Encoded rows, shape (n, d), back in original units; a category is the nearest one."""
        x = np.asarray(x, dtype=np.float64)
        decoded: dict[str, object] = {}
        for column, start in zip(self.columns, self._starts, strict=True):
            if isinstance(column, NumericColumn | RawColumn | CoordinateColumn):
                decoded[column.name] = x[:, start] * column.scale + column.mean
                continue
            if column.kind == "binary":
                codes = (x[:, start] > 0.5).astype(np.int64)
            elif column.kind == "code":
                codes = x[:, start].round().clip(0, len(column.categories) - 1).astype(np.int64)
            elif column.kind == "dropped":
                block = x[:, start : start + len(column.indicators)]
                codes = np.where(block.max(axis=1) > 0.5, block.argmax(axis=1) + 1, 0)
            else:
                codes = x[:, start : start + len(column.categories)].argmax(axis=1)
            decoded[column.name] = pd.array(column.categories, dtype="str").take(codes)
        return pd.DataFrame(decoded)

    def moved(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """How far each column lies apart in encoded rows, shape (n, d) each; shape (n, c).

        A number's distance is in its standard deviations; a category's is the share of the way to others, 0 to 1.
        """
        apart = np.abs(np.asarray(after, dtype=np.float64) - before)
        summed = np.add.reduceat(apart, self._starts, axis=1)
        return np.asarray(summed * [0.5 if column.kind == "categorical" else 1.0 for column in self.columns])

    @property
    def _starts(self) -> np.ndarray:
        return np.searchsorted(self.sources, np.arange(len(self.columns)))


def categories_of(column: Column) -> tuple[str, ...]:
    """A column's categories in their order, which is that of their codes; none of a number."""
    return column.categories if isinstance(column, OfCategories) else ()


def _require(frame: pd.DataFrame, features: tuple[str, ...]) -> None:
    missing = [name for name in features if name not in frame.columns]
    if missing:
        raise DataError(
            say("The model reads columns that are no features here: {missing}.", missing=several(missing)),
            advice=say("Add the column, or choose it as a feature {where}.", where=where_chosen("features")),
        )


def _fit_column(values: pd.Series, name: str, times: np.ndarray | None) -> Column:
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    if not is_number_column(values):
        written = as_text(values)
        if written.isna().any():
            _refuse(values, written.isna().to_numpy(), name, "empty")
        fitted = OneHotEncoder().fit(written.to_numpy(dtype=object).reshape(-1, 1))
        categories = tuple(map(str, fitted.categories_[0]))
        if len(categories) == 2:
            return BinaryColumn(name=name, categories=categories)
        return CategoricalColumn(name=name, categories=categories)
    numbers = _finite(values, name)
    if np.isin(numbers, (0.0, 1.0)).all():
        return NumericColumn(name=name)
    with np.errstate(over="ignore", invalid="ignore"):
        scaler = StandardScaler().fit(numbers.reshape(-1, 1), sample_weight=times)
    mean, scale = float(scaler.mean_[0]), float(scaler.scale_[0])
    if not np.isfinite((mean, scale, float(scaler.var_[0]))).all():
        raise DataError(
            say("The numbers are too large to be standardised."),
            where=say("column {name}", name=quoted(name)),
            advice=say("Divide the column by a power of ten, or ignore it."),
        )
    return NumericColumn(name=name, mean=mean, scale=scale)


def _codes(column: OfCategories, values: pd.Series) -> np.ndarray:
    """Each row's category as an index, shape (n,)."""
    codes, uniques = pd.factorize(as_text(values))
    positions = pd.Index(column.categories).get_indexer(pd.Index(uniques))
    known = np.append(positions, -1)[codes]
    if (known < 0).any():
        _refuse(values, known < 0, column.name, "unknown")
    return known


def _finite(values: pd.Series, name: str) -> np.ndarray:
    """The column as finite float64 numbers, shape (n,)."""
    numbers = as_numbers(values)
    if not np.isfinite(numbers).all():
        _refuse(values, ~np.isfinite(numbers), name, "not finite")  # verbatim
    return numbers


def _refuse(
    values: pd.Series,
    wrong: np.ndarray,
    name: str,
    fault: Literal["empty", "unknown", "not finite"],  # verbatim
) -> NoReturn:
    row, n = int(wrong.argmax()), int(wrong.sum())
    first = say("an empty cell") if pd.isna(values.iloc[row]) else repr(as_text(values.iloc[[row]]).iloc[0])
    if fault == "empty":
        what = say("{n} cells are empty: {first} is the first.", n=n, first=first)
    elif fault == "unknown":
        what = say("{n} rows hold a category that the model does not know: {first} is the first.", n=n, first=first)
    else:
        what = say("{n} values are not finite numbers: {first} is the first.", n=n, first=first)
    raise DataError(
        what,
        where=say("column {name}, row {row}", name=quoted(name), row=record_number(values.index, row)),
        advice=say("Correct the value, leave these rows out, or choose how missing values are treated."),
    )
