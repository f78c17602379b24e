"""Which subgroups there are: people with the same values in one, two or three columns, each set of people once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, pairwise

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_number_column
from core.data.dataset import Dataset
from core.errors import SettingsError
from core.language.told import localized, say, say_as, told
from core.phrases import whole
from core.thresholds import FEWEST_ROWS

BINS = 3
"""Numbers are cut into so many bins of about equal size."""
KEPT_AS_VALUES = 6
"""A column of numbers with at most so many different ones is not cut."""
DEFAULT_COLUMNS = 8
MAXIMUM_COLUMNS = 12
MAXIMUM_SUBGROUPS = 2_000


@dataclass(frozen=True)
class Column:
    """A column in few values.

    Attributes:
        name: Its name.
        values: Its values or bins as people read them, in order; length v.
        codes: Value of each person, shape (n,), int64.
    """

    name: str
    values: tuple[str, ...]
    codes: np.ndarray


@dataclass(frozen=True)
class Candidates:
    """Subgroups of n people who make C cells: people of a cell have the same value in every column.

    Attributes:
        columns: The columns combined, length m.
        cells: Cell of each person, shape (n,), int64.
        members: Value of each subgroup in each column, shape (s, m), int64; -1 where the column is not used. The
            largest subgroup comes first.
        inside: Cells of each subgroup, s arrays of int32, ascending.
        rows: People in each subgroup, shape (s,), int64.
        too_small: Combinations that occur, but with fewer than 30 people inside or outside.
        alike: Combinations of exactly the people of a simpler or earlier one.
        beyond: Combinations left out because there are more than can be judged, the smallest ones.
    """

    columns: tuple[Column, ...]
    cells: np.ndarray
    members: np.ndarray
    inside: tuple[np.ndarray, ...]
    rows: np.ndarray
    too_small: int
    alike: int
    beyond: int


def choose_columns(dataset: Dataset, names: tuple[str, ...]) -> tuple[str, ...]:
    """The columns named; without any the protected attributes and the first features, eight in all.

    Without outcomes a subgroup fares worse where fewer of its people are chosen, which a feature such as a test score
    may well bring about, so features have to be named there.

    Raises:
        SettingsError: A name is neither a protected attribute nor a feature, or there are more than twelve.
    """
    known = tuple(dict.fromkeys((*dataset.roles.protected, *dataset.roles.features)))
    where = say("setting 'Columns that make subgroups'")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SettingsError(
            say("{columns} is neither a protected attribute nor a feature.", columns=", ".join(map(repr, unknown))),
            where=where,
            advice=say("Choose among {columns}.", columns=", ".join(map(repr, known[:12]))),
        )
    proposed = known if dataset.roles.outcome else dataset.roles.protected
    chosen = tuple(dict.fromkeys(names)) or proposed[:DEFAULT_COLUMNS]
    if len(chosen) > MAXIMUM_COLUMNS:
        raise SettingsError(
            say("{n} columns make too many combinations.", n=len(chosen)),
            where=where,
            advice=say_as("columns", "Choose at most {n}.", n=MAXIMUM_COLUMNS),
        )
    return chosen


def read_column(dataset: Dataset, name: str) -> Column:
    """A column in few values: numbers in three bins by quantiles, everything else as it is.

    Columns of codes that the roles read as categories, and numbers of at most six different values, are not cut.
    """
    values = dataset.frame[name]
    if is_number_column(values) and name not in dataset.roles.categorical:
        numbers = as_numbers(values)
        distinct, codes = np.unique(numbers, return_inverse=True)
        if len(distinct) > KEPT_AS_VALUES:
            return _in_bins(name, numbers)
        texts = as_text(pd.Series(distinct).astype(values.dtype))
        return Column(name, tuple(map(str, texts)), codes.astype(np.int64))
    codes, groups = pd.factorize(as_text(values), sort=True)
    return Column(name, tuple(map(str, groups)), codes.astype(np.int64))


def find_candidates(columns: tuple[Column, ...], depth: int, *, most: int = MAXIMUM_SUBGROUPS) -> Candidates:
    """Every combination of values of up to ``depth`` columns that occurs and has enough people inside and outside.

    Args:
        columns: The columns, each of n people.
        depth: Columns combined at once.
        most: Subgroups that are kept, the largest ones.
    """
    cells, codes, sizes = _cells(columns)
    n = len(cells)
    seen: set[bytes] = set()
    kept: list[tuple[int, np.ndarray, np.ndarray]] = []
    too_small = alike = beyond = 0
    for used, values, inside, rows in _combinations(columns, codes, sizes, depth):
        if min(rows, n - rows) < FEWEST_ROWS:
            too_small += 1
            continue
        digest = blake2b(inside.tobytes(), digest_size=16).digest()
        if digest in seen:
            alike += 1
            continue
        seen.add(digest)
        member = np.full(len(columns), -1, dtype=np.int64)
        member[list(used)] = values
        kept.append((rows, member, inside))
        if len(kept) > 4 * most:
            kept.sort(key=lambda one: -one[0])
            beyond += len(kept) - most
            del kept[most:]
    kept.sort(key=lambda one: -one[0])
    beyond += max(0, len(kept) - most)
    del kept[most:]
    return Candidates(
        columns,
        cells,
        np.array([member for _, member, _ in kept], dtype=np.int64).reshape(len(kept), len(columns)),
        tuple(inside for _, _, inside in kept),
        np.array([rows for rows, _, _ in kept], dtype=np.int64),
        too_small,
        alike,
        beyond,
    )


def _cells(columns: tuple[Column, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cell of each person, shape (n,); values of each cell, shape (C, m); people in each, shape (C,)."""
    cells = np.zeros(len(columns[0].codes), dtype=np.int64)
    for one in columns:
        cells = np.unique(cells * len(one.values) + one.codes, return_inverse=True)[1]
    first = np.unique(cells, return_index=True)[1]
    return cells, np.column_stack([one.codes[first] for one in columns]), np.bincount(cells)


def _combinations(
    columns: tuple[Column, ...], codes: np.ndarray, sizes: np.ndarray, depth: int
) -> Iterator[tuple[tuple[int, ...], np.ndarray, np.ndarray, int]]:
    """Columns used, their values, cells (ascending, int32) and people of every combination; simple ones first."""
    for width in range(1, depth + 1):
        for used in combinations(range(len(columns)), width):
            key = np.ravel_multi_index(tuple(codes[:, j] for j in used), [len(columns[j].values) for j in used])
            order = np.argsort(key, kind="stable").astype(np.int32)
            starts = np.flatnonzero(np.diff(key[order], prepend=-1))
            rows = np.add.reduceat(sizes[order], starts)
            for start, end, people in zip(starts, [*starts[1:], len(order)], rows, strict=True):
                inside = order[start:end]
                yield used, codes[inside[0], list(used)], inside, int(people)


def _in_bins(name: str, numbers: np.ndarray) -> Column:
    edges = np.unique(np.quantile(numbers, np.arange(1, BINS) / BINS, method="inverted_cdf"))
    codes = np.searchsorted(edges, numbers, side="left")
    if codes.min() == codes.max():
        codes = np.searchsorted(edges, numbers, side="right")
    codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    ends = [(float(part.min()), float(part.max())) for part in (numbers[codes == b] for b in range(codes.max() + 1))]
    return Column(name, _bin_names(ends), codes)


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
