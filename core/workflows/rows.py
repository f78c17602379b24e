"""Rows of workflows: their parts and seed, how models fitted to a part read all, and a part as a table to audit."""

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from core.base.errors import DataError
from core.base.files import FileStore
from core.base.settings import setting
from core.base.thresholds import FEWEST_ROWS
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.phrases import whole
from core.language.told import say
from core.sources.upload.uploaded import UploadedTable

SEED: int = setting(
    0, label=say("Seed"), help=say("The same seed gives the same result, to the last digit."), ge=0, le=2**32 - 1
)


def share_of_rows(default: float, label: str, help: str) -> Any:
    """The setting of how many rows go to a part, in proportion to the others."""
    return setting(default, label=label, help=help, ge=0.01, le=1000.0)


def learned_encoder(training: Dataset, whole: Dataset) -> Encoder:
    """Means and spreads of the training rows, categories of all rows."""
    features = whole.roles.features
    learned, everywhere = (Encoder.fit(rows.frame, features).columns for rows in (training, whole))
    columns = zip(learned, everywhere, strict=True)
    return Encoder(columns=tuple(own if own.kind == "numeric" else other for own, other in columns))


def as_table(
    rows: Dataset, files: FileStore, name: str, more: Mapping[str, np.ndarray] = MappingProxyType({})
) -> UploadedTable:
    """Rows, and ``more`` columns, as a Parquet file; where a column counts people, those each row stands for."""
    stream = io.BytesIO()
    counts = {rows.roles.counts: 1 if rows.times is None else rows.times} if rows.roles.counts else {}
    rows.frame.reset_index(drop=True).assign(**counts, **more).to_parquet(stream, index=False)
    return UploadedTable(file=files.put(stream.getvalue(), name))


def check_part(name: str, rows: np.ndarray, dataset: Dataset) -> None:
    """Refuse the ``rows`` for ``name``, places in the table, where they are too few or an outcome is not among them.

    Raises:
        DataError: They are fewer than 30, or an outcome is missing.
    """
    where = say(
        "{rows} of {all} rows are for the {name}",
        rows=whole(len(rows)),
        all=whole(len(dataset)),
        name=name,
    )
    present = set(dataset.label_codes(dataset.labels)[rows].tolist()) if dataset.labels else set()
    missing = next((label for code, label in enumerate(dataset.labels) if code not in present), "")
    if len(rows) < FEWEST_ROWS:
        raise DataError(
            say(
                "Too few rows are left for the {name}; each part needs at least {fewest}.",
                name=name,
                fewest=FEWEST_ROWS,
            ),
            where=where,
            advice=say("Bring more rows, or give this part a larger share of them."),
        )
    if missing:
        raise DataError(
            say(
                "The outcome {missing} is so rare that it does not occur in the rows for the {name}.",
                missing=repr(missing),
                name=name,
            ),
            where=where,
            advice=say("Bring more rows with this outcome, give this part a larger share, or choose another seed."),
        )
