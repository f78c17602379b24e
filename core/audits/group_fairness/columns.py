"""Columns in few values, within which groups are compared."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd

from core.audits.group_fairness.settings import DEFAULT_COLUMNS
from core.base.errors import SettingsError
from core.base.grouping import Grouping
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.dataset import Dataset
from core.data.missing import MISSING_GROUP
from core.inference.counted import quantiles
from core.language.phrases import quoted, whole
from core.language.told import localized, say, say_as, told

BINS = 3
"""Numbers are cut into so many bins of about equal size."""
KEPT_AS_VALUES = 6
"""A column of numbers with at most so many different ones is not cut."""
MAXIMUM_COLUMNS = 12


def choose_columns(dataset: Dataset, names: tuple[str, ...]) -> tuple[str, ...]:
    """The features named; without any the first eight, of which none is protected.

    Raises:
        SettingsError: A name is no feature, or is protected, or there are more than twelve.
    """
    known = tuple(name for name in dataset.all_roles.features if name not in dataset.roles.protected)
    where = say("setting 'Columns to look within'")
    if unknown := [name for name in names if name not in known]:
        raise SettingsError(
            say("{columns} is no feature beside the protected attributes.", columns=", ".join(map(quoted, unknown))),
            where=where,
            advice=say("Choose among {columns}.", columns=", ".join(map(quoted, known[:12])))
            if known
            else say("Leave it empty: the table has no such column."),
        )
    chosen = tuple(dict.fromkeys(names)) or known[:DEFAULT_COLUMNS]
    if len(chosen) > MAXIMUM_COLUMNS:
        raise SettingsError(
            say("{n} columns are too many to look within.", n=len(chosen)),
            where=where,
            advice=say_as("columns", "Choose at most {n}.", n=MAXIMUM_COLUMNS),
        )
    return chosen


def read_column(dataset: Dataset, name: str) -> Grouping:
    """A column in few values: numbers in three bins by quantiles, everything else as it is; missing ones are one value.

    Columns of codes that the roles read as categories, and numbers of at most six different values, are not cut.
    """
    values = dataset.all_cells[name]
    missing = values.isna().to_numpy()
    if missing.all():
        return Grouping(name, (MISSING_GROUP,), np.zeros(len(values), dtype=np.int64))
    names, known = _coded(
        values[~missing],
        None if dataset.times is None else dataset.times[~missing],
        categorical=name in dataset.roles.categorical,
    )
    codes = np.full(len(values), len(names), dtype=np.int64)
    codes[~missing] = known
    return Grouping(name, (*names, MISSING_GROUP) if missing.any() else names, codes)


def joint(columns: tuple[Grouping, ...], people: int) -> np.ndarray:
    """Which people agree in all columns: codes without gaps, shape (n,), int64; all 0 without columns."""
    cells = np.zeros(people, dtype=np.int64)
    for one in columns:
        cells = np.unique(cells * len(one.groups) + one.codes, return_inverse=True)[1]
    return cells


def _coded(values: pd.Series, times: np.ndarray | None, *, categorical: bool) -> tuple[tuple[str, ...], np.ndarray]:
    if is_number_column(values) and not categorical:
        numbers = as_numbers(values)
        distinct, codes = np.unique(numbers, return_inverse=True)
        if len(distinct) > KEPT_AS_VALUES:
            return _in_bins(numbers, times)
        texts = as_text(pd.Series(distinct).astype(values.dtype))
        return tuple(map(str, texts)), codes.astype(np.int64)
    codes, groups = pd.factorize(as_text(values), sort=True)
    return tuple(map(str, groups)), codes.astype(np.int64)


def _in_bins(numbers: np.ndarray, times: np.ndarray | None) -> tuple[tuple[str, ...], np.ndarray]:
    edges = np.unique(quantiles(numbers, np.arange(1, BINS) / BINS, times))
    codes = np.searchsorted(edges, numbers, side="left")
    if codes.min() == codes.max():
        codes = np.searchsorted(edges, numbers, side="right")
    codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    ends = [(float(part.min()), float(part.max())) for part in (numbers[codes == b] for b in range(codes.max() + 1))]
    return _bin_names(ends), codes


@told
def end_of_bin(number: str) -> str:
    """An end of a bin as Python writes it, with the reader's marks."""
    return localized(number)


def _bin_names(ends: list[tuple[float, float]]) -> tuple[str, ...]:
    """``17 to 33``, with as few decimals as keep the ends of neighbouring bins apart; one number stands alone."""
    if all(end.is_integer() and abs(end) < 1e15 for pair in ends for end in pair):
        return tuple(
            whole(int(low)) if low == high else say("{low} to {high}", low=whole(int(low)), high=whole(int(high)))
            for low, high in ends
        )
    for form in _forms(ends[0][0], ends[-1][1]):
        written = [(format(low, form), format(high, form)) for low, high in ends]
        if all(before[1] != after[0] for before, after in pairwise(written)):
            break
    return tuple(
        end_of_bin(low) if low == high else say("{low} to {high}", low=end_of_bin(low), high=end_of_bin(high))
        for low, high in written
    )


def _forms(lowest: float, highest: float) -> list[str]:
    """Ways to write numbers of this range, coarsest first; the last tells any two numbers apart."""
    scientific = [f".{digits}e" for digits in range(1, 17)]
    if max(-lowest, highest) >= 1e15:
        return scientific
    fewest = max(0, 1 - math.floor(math.log10(highest - lowest)))
    return [*(f",.{decimals}f" for decimals in range(fewest, 18)), *scientific]
