"""What an estimator reads: columns of the table as they are, or prepared ones."""

from dataclasses import dataclass

import pandas as pd

from core.data.cells import is_number_column
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Encoder
from core.errors import ModelError, Notice
from core.language.told import say
from core.models.checked import encoder_for, require_width
from core.models.formats.skops.said import SklearnSaid
from core.phrases import several


@dataclass(frozen=True)
class Inputs:
    """What an estimator reads: columns of the table, or the encoded columns of an encoder.

    Attributes:
        columns: The table's columns, in the estimator's order; empty when it reads encoded columns.
        encoder: The encoder whose columns it reads; None when it reads the table's.
        notices: What was assumed.
    """

    columns: tuple[str, ...] = ()
    encoder: Encoder | None = None
    notices: tuple[Notice, ...] = ()

    def rows(self, data: EncodedDataset) -> pd.DataFrame:
        """The rows as the estimator wants them; encoded columns are called by their places."""
        if self.encoder is not None:
            return pd.DataFrame(data.x, columns=[f"encoded {place}" for place in range(data.x.shape[1])])
        return data.dataset.frame[list(self.columns)]


def read_inputs(said: SklearnSaid, dataset: Dataset, declared: Encoder | None, name: str) -> Inputs:
    """What the estimator reads.

    One that was trained on a table knows its columns' names. One that was trained on plain numbers reads the features
    in their order or, if their number says so, standardised and one-hot columns.

    Raises:
        ModelError: The table lacks a column, or has another number of them.
    """
    if declared is None and said.columns is not None:
        missing = [column for column in said.columns if column not in dataset.frame.columns]
        if missing:
            raise ModelError(
                say("The table has no column {missing}, which the model reads.", missing=several(missing)),
                where=name,
                advice=say(
                    "Choose it as a feature in the roles step. If the columns were prepared before training, save "
                    "the whole pipeline with its ColumnTransformer instead."
                ),
            )
        return Inputs(said.columns)
    width = said.width or len(dataset.roles.features)
    if declared is None and width == len(dataset.roles.features) and not _reads_prepared(said, width, dataset):
        return Inputs(dataset.roles.features)
    encoder, notices = encoder_for(declared, dataset, width)
    require_width(width, encoder, name)
    return Inputs(encoder=encoder, notices=notices)


def _reads_prepared(said: SklearnSaid, width: int, dataset: Dataset) -> bool:
    """Whether an estimator of as many inputs as features reads them prepared, for what comes first reads no text."""
    features = dataset.roles.features
    text = any(not is_number_column(dataset.frame[name]) for name in features)
    return text and said.numbers_only and Encoder.fit(dataset.frame, features).width == width
