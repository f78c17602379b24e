"""How cells are read and gaps are treated when a table becomes a dataset: by choice, counted, never in silence."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from core.cells import as_numbers, as_text, find_slips, is_number_column, record_number
from core.errors import DataError

Missing = Literal["leave out", "median and most frequent", "own category"]

MISSING_GROUP = "(missing)"
"""The category, or protected group, of a missing cell under "own category"."""

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Gaps:
    """Who may be filled, and how.

    Attributes:
        outcome: Never filled: a row without it goes.
        protected: Filled only by the group "(missing)", and only under "own category"; otherwise the row goes.
        features: Filled as ``how`` says. Columns that are none of these three (predictions) are never filled.
        how: The user's choice.
    """

    outcome: str
    protected: tuple[str, ...]
    features: tuple[str, ...]
    how: Missing


def read_cells(
    frame: pd.DataFrame, features: tuple[str, ...], numeric: tuple[str, ...], categorical: tuple[str, ...]
) -> tuple[pd.DataFrame, Counts]:
    """Give every column a plain type: float64, int64, bool or str.

    Args:
        frame: Any table.
        features: Columns a model reads; a text column among them that is mostly numbers needs a decision.
        numeric: Columns to read as numbers; cells that are no number become missing and are counted.
        categorical: Columns to read as categories.

    Raises:
        DataError: A feature is mostly numbers with slips, and neither ``numeric`` nor ``categorical`` names it.
    """
    plain: dict[str, pd.Series] = {}
    counts = []
    for name in frame.columns:
        values = frame[name]
        if name in categorical:
            plain[name] = as_text(values)
        elif name in numeric:
            plain[name] = pd.Series(as_numbers(values), index=values.index)
            if lost := int((plain[name].isna() & values.notna()).sum()):
                counts.append((str(name), lost))
        elif is_number_column(values):
            plain[name] = _plain_numbers(values)
        else:
            if name in features:
                _refuse_slips(values, str(name))
            plain[name] = as_text(values)
    return pd.DataFrame(plain, index=frame.index), tuple(counts)


def fill_gaps(frame: pd.DataFrame, gaps: Gaps) -> tuple[pd.DataFrame, Counts]:
    """Fill what may be filled, leave out the rows with any other gap, and count the filled cells by column.

    Raises:
        DataError: A column is entirely empty, so nothing can be filled and every row would go.
    """
    _refuse_empty(frame)
    never = [name for name in frame.columns if name not in gaps.features and name not in gaps.protected]
    kept = frame.dropna(subset=never)
    _refuse_empty(kept)
    if gaps.how == "leave out":
        return kept.dropna(), ()
    fillable = [
        name
        for name in kept.columns
        if name in gaps.features or (name in gaps.protected and gaps.how == "own category")
    ]
    filled = {name: _fill(kept[name], name, gaps) for name in fillable if kept[name].isna().any()}
    complete = kept.assign(**{str(name): values for name, values in filled.items()}).dropna()
    counts = ((str(name), int(kept.loc[complete.index, name].isna().sum())) for name in filled)
    return complete, tuple((name, count) for name, count in counts if count)


def _refuse_empty(frame: pd.DataFrame) -> None:
    empty = [str(name) for name in frame.columns if len(frame) and frame[name].isna().all()]
    if empty:
        raise DataError(
            "A column is entirely empty in the rows that can be used.",
            where=f"column {', '.join(map(repr, empty))}",
            advice="Ignore it in the roles step, or bring a table that fills it.",
        )


def _fill(values: pd.Series, name: str, gaps: Gaps) -> pd.Series:
    if name in gaps.protected:
        if gaps.how != "own category" or (name in gaps.features and is_number_column(values)):
            return values
        return as_text(values).fillna(MISSING_GROUP)
    if is_number_column(values):
        return values.fillna(values.median())
    return values.fillna(MISSING_GROUP if gaps.how == "own category" else values.mode().iloc[0])


def _plain_numbers(values: pd.Series) -> pd.Series:
    if values.dtype.kind == "b" and not values.isna().any():
        return values.astype("bool")
    if values.dtype.kind in "iu" and not values.isna().any() and (values <= np.iinfo(np.int64).max).all():
        return values.astype("int64")
    return pd.Series(as_numbers(values), index=values.index)


def _refuse_slips(values: pd.Series, name: str) -> None:
    slips = find_slips(values)
    if slips is None or slips.count == 0:
        return
    raise DataError(
        f"{slips.count:,} of {slips.filled:,} cells are no numbers, though the others are: "
        f"{slips.value!r} is the first.",
        where=f"column {name!r}, row {record_number(values.index, slips.row)}",
        advice="Correct the cells, read the column as numbers (these cells become missing) or as categories.",
    )
