"""How far the columns of a table follow from each other: a linear regression of each on all others, all at once."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text
from core.data.column_look import Column

_MOST_CLASSES = 10
_MOST_WIDE = 400
_RIDGE = 1e-4
_EDGE = 1e-6
"""Shares nearer to 0 or 1 than this are taken for as far; of shares the logarithm of the odds is explained."""


@dataclass(frozen=True)
class Explained:
    """Regressions of each column on all others.

    Attributes:
        share: Share of a column's variance that the others explain (R²), by its name; of classes the largest of any.
        places: Where each column stands in ``partial``.
        partial: Correlation of two columns that is left when all others are held fixed, shape (k, k).
    """

    share: dict[str, float]
    places: dict[str, slice]
    partial: np.ndarray

    def direct(self, first: str, second: str) -> float:
        """The squared correlation of two columns that the others do not account for; 0 where one was not looked at."""
        if first not in self.places or second not in self.places:
            return 0.0
        return float((self.partial[self.places[first], self.places[second]] ** 2).max())


def explain(frame: pd.DataFrame, columns: list[Column]) -> Explained:
    """Regress each of the columns on the others; numbers as they are, a class as one column less than it has values.

    Columns of more classes than 10, and what goes beyond 400 columns, are passed over. A missing cell is the mean.
    """
    parts: dict[str, np.ndarray] = {}
    width = 0
    for column in columns:
        part = _part(frame[column.name], column)
        if part is not None and width + part.shape[1] <= _MOST_WIDE:
            parts[column.name] = part
            width += part.shape[1]
    if not parts:
        return Explained({}, {}, np.zeros((0, 0)))
    matrix = np.column_stack(list(parts.values()))
    precision = np.linalg.inv(matrix.T @ matrix / len(matrix) + _RIDGE * np.eye(width))
    scale = np.sqrt(np.diag(precision))
    ends = np.cumsum([part.shape[1] for part in parts.values()])
    places = {
        name: slice(int(end) - part.shape[1], int(end)) for (name, part), end in zip(parts.items(), ends, strict=True)
    }
    share = {name: float((1 - 1 / scale[place] ** 2).max()) for name, place in places.items()}
    return Explained(share, places, -precision / np.outer(scale, scale))


def _part(values: pd.Series, column: Column) -> np.ndarray | None:
    """A column in standard units, shape (n, k); None where it has one value or too many."""
    if column.quantity or (column.number and len(column.distinct) > 2):
        part: np.ndarray = as_numbers(values)[:, None].copy()
    elif 2 <= len(column.distinct) <= _MOST_CLASSES:
        text = as_text(values)
        known = sorted(text.dropna().unique())
        part = np.column_stack([(text == value).to_numpy(dtype=float) for value in known[1:] or known])
    else:
        return None
    part[~np.isfinite(part)] = np.nan
    if column.quantity and np.nanmin(part, initial=1) >= 0 and np.nanmax(part, initial=0) <= 1:
        part = np.log(np.clip(part, _EDGE, 1) / np.clip(1 - part, _EDGE, 1))
    with np.errstate(all="ignore"):
        part = part - np.nanmean(part, axis=0)
        spread = np.nanstd(part, axis=0)
    if not np.all(spread > 0):
        return None
    standard: np.ndarray = np.nan_to_num(part / spread)
    return standard
