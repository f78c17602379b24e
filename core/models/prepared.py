"""How a table becomes the numbers that a model reads, where its file holds no preprocessing of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from core.base.errors import Caveat, ModelError
from core.base.settings import setting
from core.contracts.model import AbstractModelSource
from core.data.cells import as_numbers, is_number_column
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import BinaryColumn, CategoricalColumn, Column, Encoder, RawColumn, categories_of
from core.language.options import option, where_chosen
from core.language.phrases import quoted, several
from core.language.told import say
from core.models.checked import require_width

if TYPE_CHECKING:
    import torch

Numbers = Literal["raw", "standardised"]  # verbatim


class PreparedSource(AbstractModelSource):
    """A model that reads prepared numbers, and whose file may not say how they were prepared."""

    numbers: Numbers | None = setting(
        None,
        label=say("Numbers that the model reads"),
        help=say(
            "As they stand in the table, or standardised: less the mean of this table, divided by its standard "
            "deviation. Left empty: as the file or the declared preprocessing says."
        ),
        names={"raw": say("as they stand in the table"), "standardised": say("standardised")},  # verbatim
        empty=say("as the file says"),
    )


@dataclass(frozen=True)
class Prepared:
    """What a model reads, and the space in which people are compared.

    Distances between people are measured where a number that the model reads as it is counts in standard deviations,
    and where every category has an indicator. What the model reads is affine in it: ``matrix`` x + ``constants``.

    Attributes:
        reads: How the table becomes what the model reads, m numbers a row.
        encoder: How it becomes the space in which people are compared, d numbers a row.
    """

    reads: Encoder
    encoder: Encoder

    @classmethod
    def of(cls, reads: Encoder, frame: pd.DataFrame) -> Prepared:
        """The space that belongs to what a model reads; numbers that it reads as they are get the table's spread.

        Raises:
            DataError: A column is missing, or a value cannot be encoded.
        """
        encoder = Encoder(columns=tuple(_compared(column, frame) for column in reads.columns))
        return cls(reads, encoder)

    @property
    def as_compared(self) -> bool:
        """Whether the model reads exactly what people are compared by."""
        return self.reads == self.encoder

    def rows(self, data: EncodedDataset) -> np.ndarray:
        """What the model reads of these rows, shape (n, m), float64.

        It comes from the table, so that nothing is rounded on the way; of rows that were moved from where the table has
        them, from where they are.
        """
        if self.as_compared:
            return data.x
        frame = data.dataset.frame
        if np.array_equal(self.encoder.transform(frame), data.x):
            return self.reads.transform(frame)
        moved: np.ndarray = data.x @ self.matrix.T + self.constants
        return moved

    @property
    def matrix(self) -> np.ndarray:
        """Shape (m, d)."""
        return self._affine()[0]

    @property
    def constants(self) -> np.ndarray:
        """Shape (m,)."""
        return self._affine()[1]

    def in_front_of(self, module: torch.nn.Module) -> torch.nn.Module:
        """A module that maps (n, m) as one that maps (n, d), in float64; folded into a first linear layer."""
        from torch import nn

        from core.models.layers import linear

        if self.as_compared:
            return module
        matrix, constants = self._affine()
        module = module.double()
        if isinstance(module, nn.Sequential) and len(module) and isinstance(module[0], nn.Linear):
            weight = module[0].weight.detach().numpy()
            bias = 0.0 if module[0].bias is None else module[0].bias.detach().numpy()
            return nn.Sequential(linear(weight @ matrix, weight @ constants + bias), *list(module)[1:])
        return nn.Sequential(linear(matrix, constants), module)

    def _affine(self) -> tuple[np.ndarray, np.ndarray]:
        matrix, constants = np.zeros((self.reads.width, self.encoder.width)), np.zeros(self.reads.width)
        row = place = 0
        for read, compared in zip(self.reads.columns, self.encoder.columns, strict=True):
            high, wide = len(read.indicators), len(compared.indicators)
            block, constant = _affine_of(read, compared)
            matrix[row : row + high, place : place + wide], constants[row : row + high] = block, constant
            row, place = row + high, place + wide
        return matrix, constants


def _compared(column: Column, frame: pd.DataFrame) -> Column:
    if column.kind == "raw":
        numbers = Encoder(columns=(column,)).transform(frame)[:, 0]
        return Encoder.fit(pd.DataFrame({column.name: numbers}), (column.name,)).columns[0]
    if column.kind not in ("dropped", "code"):
        return column
    categories = categories_of(column)
    if len(categories) == 2:
        return BinaryColumn(name=column.name, categories=(categories[0], categories[1]))
    return CategoricalColumn(name=column.name, categories=categories)


def _affine_of(read: Column, compared: Column) -> tuple[np.ndarray, np.ndarray]:
    """What is read as block, shape (m, d), and constants, shape (m,), of one column."""
    if read == compared:
        return np.eye(len(read.indicators)), np.zeros(len(read.indicators))
    if read.kind == "raw" and compared.kind == "numeric":
        return np.array([[compared.scale]]), np.array([compared.mean])
    each = len(categories_of(read))
    one_a_category = np.arange(each)[None, :] if read.kind == "code" else np.eye(each)[1:]
    if compared.kind == "binary":
        return one_a_category[:, 1:] - one_a_category[:, :1], one_a_category[:, 0].astype(np.float64)
    return one_a_category.astype(np.float64), np.zeros(len(one_a_category))


def is_measured(values: pd.Series) -> bool:
    """Whether a column holds numbers other than 0 and 1, which it makes a difference to standardise."""
    return is_number_column(values) and not set(as_numbers(values)) <= {0.0, 1.0}


def prepared_for(
    declared: Encoder | None,
    numbers: Numbers | None,
    dataset: Dataset,
    width: int | None,
    name: str,
    *,
    starts_with: str = "",
) -> tuple[Prepared, tuple[Caveat, ...]]:
    """The declared preprocessing, or the features with their categories in ascending order and numbers as is said.

    A model of ``width`` inputs says by their number whether it reads one or two indicators for two categories;
    None stands for a model that does not say.

    Args:
        declared: The preprocessing, by a person or by the file.
        numbers: What a person says of numbers; None if nobody does.
        dataset: The table.
        width: How many numbers the model reads.
        name: What people call the model.
        starts_with: What in the file prepares raw numbers, as people read it; empty if nothing does.

    Raises:
        ModelError: No column is a feature, the prepared columns are not as many as the model reads, or nobody says
            whether numbers are standardised where it matters.
        DataError: A column cannot be encoded.
    """
    if declared is not None:
        if width is not None:
            require_width(width, declared, name)
        return Prepared.of(declared, dataset.frame), ()
    _require_features(dataset)
    fitted = Encoder.fit(dataset.frame, dataset.roles.features)
    if width == fitted.one_hot.width:
        fitted = fitted.one_hot
    if width is not None:
        require_width(width, fitted, name)
    return numbers_read(fitted, numbers, dataset, name, starts_with=starts_with)


def numbers_read(
    fitted: Encoder,
    numbers: Numbers | None,
    dataset: Dataset,
    name: str,
    *,
    starts_with: str = "",
    named: bool = False,
) -> tuple[Prepared, tuple[Caveat, ...]]:
    """Columns with their categories, and numbers as is said.

    Args:
        fitted: The columns, and what is learned of them from the table.
        numbers: As for :func:`prepared_for`, like the next three.
        dataset: The table.
        name: What people call the model.
        starts_with: What in the file prepares raw numbers.
        named: Whether the model's inputs are named after the categories, so that these are not learned.

    Raises:
        ModelError: As :func:`prepared_for`.
    """
    _require_features(dataset)
    measured = [column for column in fitted.features if is_measured(dataset.frame[column])]
    known = numbers or ("raw" if starts_with else None)
    if measured and known is None:
        raise ModelError(
            say(
                "The file does not say whether the model reads numbers such as {column} as they stand in the table, or "
                "standardised.",
                column=quoted(measured[0]),
            ),
            where=name,
            advice=say(
                "Say how the model reads numbers ({raw} or {standardised}), or declare the whole "
                "preprocessing ({encoding}).",
                raw=option("numbers", "raw"),
                standardised=option("numbers", "standardised"),  # verbatim
                encoding=option("encoder", "FILE"),
            ),
        )
    reads = _as_in_table(fitted, measured) if known == "raw" else fitted
    categories = bool(reads.categories) and not named
    return Prepared.of(reads, dataset.frame), tuple(_assumed(measured, numbers, starts_with, categories=categories))


def _require_features(dataset: Dataset) -> None:
    if not dataset.roles.features:
        raise ModelError(
            say("No column is chosen as a feature, so the model has nothing to read."),
            advice=say(
                "Choose the features {where}, in the order in which the model was trained.",
                where=where_chosen("features"),
            ),
        )


def filled_from(frame: pd.DataFrame, features: tuple[str, ...], *, raw: bool) -> Encoder:
    """The preprocessing as a table proposes it, of the cells that are filled: categories in ascending order, numbers as
    they are or standardised.

    Raises:
        DataError: As :meth:`Encoder.fit`.
    """
    fitted = Encoder(
        columns=tuple(Encoder.fit(frame[[name]].dropna(), (name,)).columns[0] for name in features if name in frame)
    )
    return _as_in_table(fitted, [name for name in features if is_measured(frame[name])]) if raw else fitted


def _as_in_table(encoder: Encoder, measured: Sequence[str]) -> Encoder:
    """The same preprocessing with the numbers of these columns as they stand in the table."""
    return Encoder(
        columns=tuple(RawColumn(name=column.name) if column.name in measured else column for column in encoder.columns)
    )


def _assumed(measured: list[str], numbers: Numbers | None, starts_with: str, *, categories: bool) -> list[Caveat]:
    """What was taken from the table, since the file does not say it: categories too, or not."""
    found = []
    if measured and starts_with and numbers is None:
        found.append(
            Caveat(
                "info",
                say(
                    "The model begins with {starts_with}, so it was given numbers as they stand in the table.",
                    starts_with=starts_with,
                ),
                say("Say that it reads standardised numbers if they were prepared before."),
            )
        )
    learned = [say("means and spreads")] if measured and numbers == "standardised" else []  # verbatim
    learned += [say("categories and their order")] if categories else []
    if learned:
        found.append(
            Caveat(
                "warning",
                say(
                    "The model file does not say how its inputs were prepared, so these were learned from this table: "
                    "{learned}.",
                    learned=several(learned),
                ),
                say(
                    "If the model was trained with other values, its answers here are not those it gives in use: "
                    "declare the preprocessing."
                ),
            )
        )
    return found
