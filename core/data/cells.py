"""Single cells: how a value is written, and whether a column of text is a column of numbers with other cells among
them.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

LARGEST_EXACT = 2.0**53
"""Whole numbers up to here are exact in float64; larger ones keep their exponent when written."""

FEW_NUMBERS = 20
"""A column of more different numbers than this is a quantity, one of fewer may hold codes."""

FEW_FRACTIONS = 10
"""The same for numbers of which some are not whole."""

_ENOUGH_TO_TELL = 10_000
"""Different values among so many rows are enough; only where they are too few all rows are looked at."""
_RUN = re.compile(r"[^\w\s\x00-\x7f]{64}")
"""More accents than a letter has: putting them in order takes the square of their number (Unicode UAX #15, 13)."""


def as_text(values: pd.Series) -> pd.Series:
    """Values as people write them, dtype ``str``: whole numbers without ``.0``, everything else as ``str`` does.

    What a value becomes depends on the value alone, never on the rest of the column. Missing cells stay missing.
    """
    if isinstance(values.dtype, pd.StringDtype):
        return values.astype("str")
    codes, uniques = pd.factorize(values)
    singles = np.asarray(uniques) if values.dtype == np.float32 else uniques
    written = pd.array([write_cell(value) for value in singles], dtype="str")
    return pd.Series(written.take(codes, allow_fill=True), index=values.index, name=values.name)


def as_cell(value: str) -> str:
    """How :func:`as_text` writes what a program or a person wrote: ``2`` for ``2.0``, everything else as it is."""
    whole = re.fullmatch(r"(-?\d{1,15})\.0{1,15}", value, re.ASCII)
    return whole[1] if whole else value


def is_number_column(values: pd.Series) -> bool:
    """Whether a column holds real numbers (truth values among them) rather than text, codes or dates."""
    kind = values.dtype.kind if isinstance(values.dtype, np.dtype) else ""
    if kind:
        return kind in "biuf"
    return pd.api.types.is_numeric_dtype(values) and not isinstance(values.dtype, pd.CategoricalDtype)


def is_score(values: pd.Series) -> bool:
    """Whether a column holds numbers of more than two different values, and so no yes-or-no decisions."""
    return is_number_column(values) and values.nunique() > 2


def is_quantity(values: pd.Series) -> bool:
    """Whether a column is rather measured than a code: numbers, perhaps with other cells among them, of more than 20
    different values.

    Of numbers with fractions more than 10 are enough.
    """
    if not is_number_column(values) and find_non_numeric(values) is None:
        return False
    numbers = as_numbers(values)
    return any(_are_many(np.unique(part[np.isfinite(part)])) for part in (numbers[:_ENOUGH_TO_TELL], numbers))


def _are_many(distinct: np.ndarray) -> bool:
    fractions = bool((distinct % 1 != 0).any())
    return len(distinct) > (FEW_FRACTIONS if fractions else FEW_NUMBERS)


def as_numbers(values: pd.Series) -> np.ndarray:
    """Values as float64, shape (n,); NaN where a cell is missing or is no number."""
    if is_number_column(values):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    codes, uniques = pd.factorize(as_text(values))
    parsed = pd.to_numeric(pd.Series(uniques, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    return np.append(parsed, np.nan)[codes]


def as_number_or_none(cell: str) -> float | None:
    """The number that a cell of text is; None if it is none. ``1_000`` is none, though Python reads it."""
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


@dataclass(frozen=True)
class NonNumericCells:
    """Cells that are no number in a column of text that is mostly numbers.

    Attributes:
        count: Cells that are no number; 0 when every cell is a number stored as text.
        filled: Cells that are not missing.
        row: Position of the first (0-based); -1 when there is none.
        value: What it says.
    """

    count: int
    filled: int
    row: int
    value: str


def ascending(values: Iterable[str]) -> tuple[str, ...]:
    """Different values as text in ascending order: as numbers where all of them are finite numbers, else as text.

    So scikit-learn, XGBoost and LightGBM order the classes they are trained with.
    """
    different = sorted(set(values))
    numbers = pd.to_numeric(pd.Series(different, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all():
        return tuple(different)
    return tuple(different[place] for place in np.argsort(numbers, kind="stable"))


def find_non_numeric(values: pd.Series) -> NonNumericCells | None:
    """The cells of a text column that are no number; None when the column is no text or is mostly words (half or
    more of its cells).
    """
    if is_number_column(values) or pd.api.types.is_datetime64_any_dtype(values):
        return None
    filled = values.notna().to_numpy()
    slipped = filled & np.isnan(as_numbers(values))
    count, total = int(slipped.sum()), int(filled.sum())
    if 2 * count >= total:
        return None
    row = int(slipped.argmax()) if count else -1
    return NonNumericCells(count, total, row, str(values.iloc[row]) if count else "")


@dataclass(frozen=True)
class Coded:
    """A column as codes.

    Attributes:
        name: The column's name.
        codes: Index of each row's value in ``distinct``, shape (n,), -1 where the cell is missing.
        distinct: The values that occur.
    """

    name: str
    codes: np.ndarray
    distinct: pd.Index

    @property
    def missing(self) -> np.ndarray:
        """Which cells are missing, shape (n,), bool."""
        return self.codes < 0


def code_column(name: str, values: pd.Series) -> Coded:
    """The column as codes, values numbered in order of appearance."""
    codes, distinct = pd.factorize(values)
    return Coded(name, codes, pd.Index(distinct))


def one_to_one(first: Coded, second: Coded) -> bool:
    """Whether each value of one column goes with exactly one value of the other, where both are filled."""
    if not len(first.distinct) == len(second.distinct) >= 2:
        return False
    both = ~(first.missing | second.missing)
    pairs = np.unique(first.codes[both].astype(np.int64) * len(second.distinct) + second.codes[both])
    used = len(np.unique(pairs // len(second.distinct))), len(np.unique(pairs % len(second.distinct)))
    return used[0] == used[1] == len(pairs) >= 2


def record_number(index: pd.Index, position: int) -> str:
    """How people find the row: its 1-based number in the file, the header not counted."""
    label = index[position]
    return str(label + 1) if isinstance(label, int | np.integer) else str(label)


def write_cell(value: object) -> str:
    """One value as people write it: a whole number without ``.0``, everything else as ``str`` does."""
    if isinstance(value, float | np.floating):
        number = float(value)
        if number.is_integer() and abs(number) <= LARGEST_EXACT:
            return str(int(number))
    return str(value)


def in_one_form(text: str) -> str:
    """The text with equal letters written equally; one with 64 accents or signs in a row as it is."""
    return text if text.isascii() or _RUN.search(text) else unicodedata.normalize("NFKC", text)
