"""A protected attribute that is a number, in quantile bins, for tables and figures; tests take the number itself."""

import numpy as np
import pandas as pd

from core.base.thresholds import FEWEST_ROWS
from core.data.cells import FEW_NUMBERS, as_numbers, as_text, is_number_column
from core.inference.counted import quantiles
from core.language.phrases import number
from core.language.told import say

QUANTILE_BINS = 4
_MOST_DECIMALS = 12


def is_continuous(values: pd.Series) -> bool:
    """Whether a column, read as its roles say, is tested as a number: one of more than 20 different values."""
    return is_number_column(values) and values.nunique() > FEW_NUMBERS


def quantile_bins(
    values: pd.Series, bins: int = QUANTILE_BINS, times: np.ndarray | None = None, of: pd.Series | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """A column of numbers in up to four bins, or so many, of about equal size, cut at its quartiles.

    Equal values are in the same bin, so bins may be of unequal size, and fewer where one value is frequent.

    Args:
        values: The numbers, n.
        bins: How many.
        times: How many people each row stands for whose quartiles they are, int64; one each if None.
        of: A column of which these are some rows, cut at its quartiles, and whose values name the bins.

    Returns:
        The bin of each row, shape (n,), int64, -1 where the cell is missing; and what the bins hold, ascending:
        ``0.02 to 0.13``.
    """
    numbers = as_numbers(values)
    whole = numbers if of is None else as_numbers(of)
    known, occurs = ~np.isnan(numbers), ~np.isnan(whole)
    people = None if times is None else times[occurs]
    whole = whole[occurs]
    cuts = np.unique(quantiles(whole, np.arange(1, bins) / bins, people)) if len(whole) else np.empty(0)
    codes = np.full(len(numbers), -1, dtype=np.int64)
    present, codes[known] = np.unique(np.searchsorted(cuts, numbers[known]), return_inverse=True)
    place = np.searchsorted(cuts, whole)
    held = [whole[place == one] for one in present]
    return codes, _names([(float(one.min()), float(one.max())) for one in held])


def equal_bins(values: np.ndarray, most: int) -> list[np.ndarray]:
    """Positions of the numbers in each of up to ``most`` bins of about equal size and at least 30; ascending.

    Equal numbers stay together; few are in a single bin.
    """
    edges = np.unique(np.quantile(values, np.linspace(0, 1, max(1, min(most, len(values) // FEWEST_ROWS)) + 1)))
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, max(0, len(edges) - 2))
    return [np.flatnonzero(place == one) for one in np.unique(place)]


def cells_of(values: pd.Series, bins: int) -> np.ndarray:
    """Cell of each row, 0 and larger, shape (n,): the value, or of many numbers a bin; missing ones have their own."""
    if values.nunique() > bins and is_continuous(values):
        numbers = as_numbers(values).astype(np.float64)
        known = np.isfinite(numbers)
        cuts = np.unique(np.quantile(numbers[known], np.arange(1, bins) / bins, method="inverted_cdf"))
        return np.where(known, np.searchsorted(cuts, numbers, side="left"), len(cuts) + 1)
    codes = pd.factorize(as_text(values))[0]
    return np.where(codes < 0, codes.max(initial=-1) + 1, codes)


def _names(ends: list[tuple[float, float]]) -> tuple[str, ...]:
    """What the bins are called, with as few decimals as tell all different ends apart."""
    different = len({end for one in ends for end in one})
    for decimals in range(_MOST_DECIMALS):
        written = [(number(low, decimals), number(high, decimals)) for low, high in ends]
        if len({end for one in written for end in one}) == different:
            break
    else:
        written = [(repr(low), repr(high)) for low, high in ends]
    return tuple(low if low == high else say("{low} to {high}", low=low, high=high) for low, high in written)
