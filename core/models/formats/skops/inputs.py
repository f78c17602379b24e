"""What an estimator reads: columns of the table as they are, or prepared ones."""

from dataclasses import dataclass
from typing import Any

from core.data.cells import is_number_column
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Column, Encoder
from core.errors import ModelError, Notice
from core.language.told import say
from core.models.checked import encoder_for, require_width
from core.models.formats.skops.preprocessing import SCALERS, Item, Term


@dataclass(frozen=True)
class Inputs:
    """What an estimator reads: columns of the table, or the encoded columns of an encoder.

    Attributes:
        columns: The table's columns, in the estimator's order; empty when it reads encoded columns.
        named: Whether it was trained on a table and wants one again.
        encoder: The encoder whose columns it reads; None when it reads the table's.
        notices: What was assumed.
    """

    columns: tuple[str, ...] = ()
    named: bool = False
    encoder: Encoder | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def declared(self) -> tuple[Column, ...]:
        """Columns of the encoder whose output it reads; none when it reads the table's."""
        return () if self.encoder is None else self.encoder.columns

    @property
    def items(self) -> list[Item]:
        """What stands in each of its input columns, in order."""
        keys = [(column.name, category) for column in self.declared for category in column.indicators]
        return [*self.columns, *(Term({key: 1.0}) for key in keys)]

    def rows(self, data: EncodedDataset, block: slice) -> Any:
        """A block of rows as the estimator wants them: a table, or an array."""
        if self.encoder is not None:
            return data.x[block]
        rows = data.dataset.frame[list(self.columns)].iloc[block]
        return rows if self.named else rows.to_numpy()


def read_inputs(estimator: Any, dataset: Dataset, declared: Encoder | None, name: str) -> Inputs:
    """What the estimator reads.

    One that was trained on a table knows its columns' names. One that was trained on plain numbers reads the features
    in their order or, if their number says so, standardised and one-hot columns.
    """
    names = getattr(estimator, "feature_names_in_", None)
    width = int(getattr(estimator, "n_features_in_", 0)) or len(dataset.roles.features)
    if declared is None and names is not None:
        missing = [str(column) for column in names if column not in dataset.frame.columns]
        if missing:
            raise ModelError(
                say(
                    "The table has no column {missing}, which the model reads.",
                    missing=", ".join(map(repr, missing[:8])),
                ),
                where=name,
                advice=say(
                    "Choose it as a feature in the roles step. If the columns were prepared before training, save "
                    "the whole pipeline with its ColumnTransformer instead."
                ),
            )
        return Inputs(tuple(map(str, names)), named=True)
    if declared is None and width == len(dataset.roles.features) and not _reads_prepared(estimator, width, dataset):
        return Inputs(dataset.roles.features)
    encoder, notices = encoder_for(declared, dataset, width)
    require_width(width, encoder, name)
    return Inputs(encoder=encoder, notices=notices)


def _reads_prepared(estimator: Any, width: int, dataset: Dataset) -> bool:
    """Whether an estimator of as many inputs as features reads them prepared, for what comes first reads no text."""
    features = dataset.roles.features
    text = any(not is_number_column(dataset.frame[name]) for name in features)
    first = getattr(estimator, "regressor_", estimator)
    first = first.steps[0][1] if hasattr(first, "steps") else first
    numbers_only = hasattr(first, "predict") or type(first).__name__ in SCALERS
    return text and numbers_only and Encoder.fit(dataset.frame, features).width == width
