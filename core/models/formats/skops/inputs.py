"""What an estimator reads: columns of the table as they are, or prepared ones."""

from dataclasses import dataclass

import pandas as pd

from core.base.errors import Caveat
from core.data.cells import is_number_column
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Encoder
from core.models.encoded_names import indicators_among
from core.models.formats.skops.said import SklearnSaid
from core.models.named import encoder_of_names
from core.models.prepared import Numbers, Prepared, is_measured, prepared_for


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
    prepared, caveats = prepared_for(
        None, numbers, dataset, len(columns), name, starts_with=starts_with, structure=structure
    )
    return Inputs(prepared=prepared, caveats=caveats)


def _reads_prepared(said: SklearnSaid, width: int, dataset: Dataset) -> bool:
    """Whether an estimator of as many inputs as features reads them prepared, for what comes first reads no text."""
    features = dataset.roles.features
    text = any(not is_number_column(dataset.frame[name]) for name in features)
    return text and said.numbers_only and Encoder.fit(dataset.frame, features).width == width
