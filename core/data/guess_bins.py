"""Which columns hold another one in bins: ``age_cat`` says less than ``age``, and nothing else."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text
from core.data.column_look import Column

_MOST_BINS = 20
_SLIPS = 0.01
"""Share of the rows that may lie in another bin than their number says."""


def in_bins(frame: pd.DataFrame, column: Column, others: Sequence[Column]) -> str:
    """The column of numbers that ``column`` holds in bins; empty if there is none.

    Each bin is a range of the numbers, apart from the others.
    """
    if not 2 <= len(column.distinct) <= _MOST_BINS:
        return ""
    return next((one.name for one in others if one.number and _are_ranges(frame, column, one)), "")


def _are_ranges(frame: pd.DataFrame, column: Column, number: Column) -> bool:
    """Whether each number lies in one bin, and sorting people by it sorts them by bin."""
    if number.name == column.name or len(number.distinct) <= len(column.distinct):
        return False
    both = frame[[column.name, number.name]].dropna()
    if both.empty:
        return False
    values, bins = as_numbers(both[number.name]), pd.factorize(as_text(both[column.name]))[0]
    medians = pd.Series(values).groupby(bins).median()
    place = medians.rank(method="first").to_numpy()[bins]
    out_of_order = place[np.lexsort((place, values))] != np.sort(place)
    inside = pd.crosstab(values, bins).to_numpy()
    elsewhere = len(values) - int(inside.max(axis=1).sum())
    return len(medians) > 1 and max(int(out_of_order.sum()), elsewhere) <= _SLIPS * len(values)
