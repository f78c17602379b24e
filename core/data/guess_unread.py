"""Which columns a test had better not read: those with many empty cells, each of which leaves its row out, and those
that hold another one in bins (``age_cat`` says less than ``age``, and nothing else).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, find_non_numeric, is_number_column
from core.data.column_look import Column
from core.language.phrases import percent, quoted
from core.language.told import say

MOST_LEFT_OUT = 0.2
"""Features may leave out so large a share of the rows together."""
_ENOUGH_ROWS = 20_000
_MOST_BINS = 20

_SLIPS = 0.01
"""Share of the rows that may lie in another bin than their number says."""


def why_not_read(frame: pd.DataFrame, features: Sequence[str]) -> dict[str, str]:
    """Features that are better not used, each with the reason as what follows its name in a sentence.

    Those with the most empty cells are not used until the others leave out at most a fifth of the rows, nor are
    numbers with other cells among them, of which nobody has said how they are to be read.
    """
    some = frame.iloc[:: -(-len(frame) // _ENOUGH_ROWS) or 1]
    empty = {name: some[name].isna().to_numpy() for name in features}
    left_out, found = np.zeros(len(some), dtype=bool), {}
    for name in sorted(features, key=lambda name: int(empty[name].sum())):
        together = left_out | empty[name]
        if together.mean() <= MOST_LEFT_OUT:
            left_out = together
        else:
            found[name] = say(
                "is empty in {share} of the rows, which would go", share=percent(round(float(empty[name].mean()), 3))
            )
    for name in features:
        mixed = None if name in found or is_number_column(frame[name]) else find_non_numeric(frame[name])
        if mixed is not None and mixed.count:
            found[name] = say("holds numbers, and cells such as {cell} that are none", cell=quoted(mixed.value))
    return found


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
