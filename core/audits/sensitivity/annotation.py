"""What people said about the model's answers: a column of 0 and 1."""

import numpy as np

from core.cells import as_text, record_number
from core.dataset import Dataset
from core.errors import DataError

_MEANS = {"0": 0.0, "false": 0.0, "1": 1.0, "true": 1.0}


def read_annotation(dataset: Dataset) -> np.ndarray:
    """1 where people found the model's answer to a text biased, 0 where not, NaN where nobody said; shape (n,).

    Raises:
        DataError: A cell is neither empty, 0, 1, true nor false.
    """
    column = dataset.roles.annotation
    if not column:
        return np.full(len(dataset), np.nan)
    cells = as_text(dataset.frame[column])
    found = np.full(len(cells), np.nan)
    for row, (cell, missing) in enumerate(zip(cells, cells.isna(), strict=True)):
        if missing or not cell.strip():
            continue
        if cell.strip().lower() not in _MEANS:
            raise DataError(
                f"The judgement {cell[:40]!r} is neither 0 nor 1.",
                where=f"column {column!r}, row {record_number(dataset.frame.index, row)}",
                advice="Write 1 where people found the answer biased and 0 where not, or leave the cell empty.",
            )
        found[row] = _MEANS[cell.strip().lower()]
    return found
