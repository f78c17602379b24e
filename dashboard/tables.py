"""What the roles form needs to know of a table: its columns and the values they take."""

from dataclasses import dataclass

import pandas as pd

from core.data.cells import as_text, is_number_column, is_quantity

MOST_VALUES = 100
ROWS_SHOWN = 50
LONGEST_CELL = 200
"""Characters of a cell that are shown."""


@dataclass(frozen=True)
class ColumnSummary:
    """One column.

    Attributes:
        name: Its name.
        kind: "number" or "text".
        distinct: Different values, missing cells not counted.
        missing: Empty cells.
        values: The most frequent values as text, most frequent first, at most ``MOST_VALUES``.
        lowest: Smallest number; None for text.
        highest: Largest number; None for text.
        quantity: Whether it is rather measured than a code, so that as an outcome it is a number.
    """

    name: str
    kind: str
    distinct: int
    missing: int
    values: tuple[str, ...]
    lowest: float | None = None
    highest: float | None = None
    quantity: bool = False

    @property
    def is_score(self) -> bool:
        """Whether it holds numbers and no yes-or-no decisions, as :func:`core.data.cells.is_score` says."""
        return self.kind == "number" and self.distinct > 2


@dataclass(frozen=True)
class TableSummary:
    """A table seen from the roles form.

    Attributes:
        rows: Records.
        columns: Its columns, in order.
    """

    rows: int
    columns: tuple[ColumnSummary, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> ColumnSummary:
        """The column of this name."""
        return next(column for column in self.columns if column.name == name)


def summarise(frame: pd.DataFrame) -> TableSummary:
    """Count values and gaps of every column."""
    return TableSummary(len(frame), tuple(_summarise_column(frame[name]) for name in frame.columns))


def first_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that people are shown of a table, with cells that they can take in; moments with a time zone as text."""
    first = shortened(frame.head(ROWS_SHOWN))
    zoned = [name for name in first if isinstance(first[name].dtype, pd.DatetimeTZDtype)]
    return first.astype(dict.fromkeys(zoned, "str"))


def shortened(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with long texts cut for reading."""
    return rows.map(
        lambda cell: f"{cell[:LONGEST_CELL]}…" if isinstance(cell, str) and len(cell) > LONGEST_CELL else cell
    )


def _summarise_column(values: pd.Series) -> ColumnSummary:
    counts = values.value_counts()
    shown = counts.index[:MOST_VALUES].to_series()
    number = is_number_column(values) and len(counts) > 0
    return ColumnSummary(
        name=str(values.name),
        kind="number" if is_number_column(values) else "text",
        distinct=len(counts),
        missing=int(values.isna().sum()),
        values=tuple(as_text(shown)),
        lowest=float(counts.index.min()) if number else None,
        highest=float(counts.index.max()) if number else None,
        quantity=is_quantity(values),
    )
