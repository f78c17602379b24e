"""What an estimator reads: columns of the table as they are, or prepared ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd

from core.base.errors import Caveat, ModelError
from core.data.cells import as_text, ascending, is_number_column
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import CategoricalColumn, Column, DroppedColumn, Encoder
from core.language.options import option
from core.language.phrases import quoted
from core.language.told import say
from core.models.checked import require_width
from core.models.declared import what_differs
from core.models.encoded_names import Indicator, indicators_among
from core.models.formats.skops.said import SklearnSaid
from core.models.prepared import Numbers, Prepared, is_measured, numbers_read, prepared_for


@dataclass(frozen=True)
class Inputs:
    """What an estimator reads: columns of the table, or the encoded columns of an encoder.

    Attributes:
        columns: The table's columns, in the estimator's order; empty when it reads encoded columns.
        prepared: How the table becomes the encoded columns that it reads; None when it reads the table's.
        caveats: What was assumed.
    """

    columns: tuple[str, ...] = ()
    prepared: Prepared | None = None
    caveats: tuple[Caveat, ...] = ()

    def rows(self, data: EncodedDataset) -> pd.DataFrame:
        """The rows as the estimator wants them; encoded columns are called by their places."""
        if self.prepared is not None:
            x = self.prepared.rows(data)
            return pd.DataFrame(x, columns=[f"encoded_{place}" for place in range(x.shape[1])])
        return data.dataset.frame[list(self.columns)]


def read_inputs(
    said: SklearnSaid, dataset: Dataset, declared: Encoder | None, numbers: Numbers | None, name: str
) -> Inputs:
    """What the estimator reads.

    One that was trained on a table knows its columns' names: columns of this table, or indicators that are named after
    a column and a value. One that was trained on plain numbers reads the features in their order or, if their number
    says so, encoded columns; whether numbers among them were standardised is asked, unless what comes first scales
    them itself or splits them.

    Raises:
        ModelError: The table lacks a column, or has another number of them, or nobody says how numbers are read.
    """
    if declared is None and said.columns is not None:
        return _by_name(said, dataset, numbers, name)
    features = dataset.roles.features
    width = said.width or len(features)
    starts_with = said.first if said.takes_raw_numbers else ""
    as_it_is = width == len(features) and not _reads_prepared(said, width, dataset)
    told = numbers or ("raw" if starts_with or not said.numbers_only else None)
    asked = any(is_measured(dataset.frame[feature]) for feature in features)
    if declared is None and as_it_is and (told == "raw" or not asked):
        return Inputs(features)
    prepared, caveats = prepared_for(declared, numbers, dataset, width, name, starts_with=starts_with)
    return Inputs(prepared=prepared, caveats=caveats)


def _by_name(said: SklearnSaid, dataset: Dataset, numbers: Numbers | None, name: str) -> Inputs:
    """What an estimator reads that knows its columns' names: those of the table, or indicators of their values."""
    columns, frame = said.columns or (), dataset.frame
    marked = indicators_among(columns, frame, name)
    if not marked and numbers != "standardised":  # verbatim
        return Inputs(columns)
    starts_with = said.first if said.takes_raw_numbers else ""
    structure = encoder_of_names(columns, marked, frame, name)
    require_width(len(columns), structure, name)
    prepared, caveats = numbers_read(structure, numbers, dataset, name, starts_with=starts_with, named=True)
    return Inputs(prepared=prepared, caveats=caveats)


def _reads_prepared(said: SklearnSaid, width: int, dataset: Dataset) -> bool:
    """Whether an estimator of as many inputs as features reads them prepared, for what comes first reads no text."""
    features = dataset.roles.features
    text = any(not is_number_column(dataset.frame[name]) for name in features)
    return text and said.numbers_only and Encoder.fit(dataset.frame, features).width == width


def encoder_of_names(names: Sequence[str], marked: Mapping[str, Indicator], frame: pd.DataFrame, name: str) -> Encoder:
    """How the table becomes numbers of these names; a single value of a column that none marks is 0 in all.

    Args:
        names: Names of the numbers that the model reads, in its order: columns of the table, or indicators.
        marked: What the indicators among them mark.
        frame: The table.
        name: What people call the model.

    Raises:
        ModelError: A column has several values that no name marks, its indicators do not stand together, or two of them
            mark the same value.
        DataError: A column cannot be encoded.
    """
    columns: list[Column] = []
    for column, group in groupby(names, key=lambda one: marked[one].column if one in marked else one):
        own = [marked[one].value for one in group if one in marked]
        if column in {one.name for one in columns}:
            raise ModelError(
                say("The model reads the values of {column} in places that are apart.", column=quoted(column)),
                where=name,
                advice=say("Save the whole pipeline, or train it with the indicators of a column side by side."),
            )
        if len(set(own)) < len(own):
            raise ModelError(
                say("Two numbers that the model reads mark the same value of {column}.", column=quoted(column)),
                where=name,
                advice=say("Save the whole pipeline, or train it with one indicator for each value."),
            )
        columns.append(_of_values(column, own, frame) if own else Encoder.fit(frame, (column,)).columns[0])
    encoder = Encoder(columns=tuple(columns))
    if encoder.width != len(names):
        read = [f"{marked[one].column} = {marked[one].value}" if one in marked else one for one in names]
        raise ModelError(
            what_differs(read, encoder),
            where=name,
            advice=say(
                "Check how the table writes these values, or declare the preprocessing ({encoding}).",
                encoding=option("encoder", "FILE"),
            ),
        )
    return encoder


def _of_values(column: str, values: list[str], frame: pd.DataFrame) -> Column:
    """A column with an indicator for each of these values, and for others of the table where there are several."""
    others = [one for one in ascending(as_text(frame[column]).dropna().unique()) if one not in values]
    if len(others) == 1:
        return DroppedColumn(name=column, categories=(others[0], *values))
    return CategoricalColumn(name=column, categories=(*values, *others))
