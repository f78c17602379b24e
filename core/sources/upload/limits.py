"""What an uploaded table may be: its size and its shape."""

from collections.abc import Iterable

from core.base.errors import DataError
from core.language.phrases import whole
from core.language.told import say

MAXIMUM_BYTES = 200 * 2**20
MAXIMUM_ROWS = 1_000_000
MAXIMUM_COLUMNS = 1_000
MAXIMUM_CELLS = 100_000_000
MAXIMUM_UNPACKED = 2**30
"""Bytes a workbook's parts, or a Parquet file's text, may have once unpacked."""

MISSING_MARKS = ("", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")

Kept = tuple[tuple[str, str], ...]
"""Columns in which a mark is a value, each with the mark."""


def marks_by_column(names: Iterable[str], marks: tuple[str, ...], kept: Kept) -> dict[str, list[str]]:
    """What marks a missing value in each of these columns."""
    return {name: [mark for mark in marks if (name, mark) not in kept] for name in names}


def check_shape(rows: int, columns: int) -> None:
    """Refuse a table that is empty, too long or too wide.

    Raises:
        DataError: With the limit that is passed.
    """
    if rows == 0:
        raise DataError(
            say("The table has a header but no records."), advice=say("Bring a table with at least 30 rows.")
        )
    if rows > MAXIMUM_ROWS:
        raise DataError(
            say("The table has more than {most} rows.", most=whole(MAXIMUM_ROWS)),
            advice=say("Draw a random sample of the rows; a test of this size gains nothing from more."),
        )
    if columns > MAXIMUM_COLUMNS:
        raise DataError(
            say(
                "The table has {columns} columns; at most {most} can be read.",
                columns=whole(columns),
                most=whole(MAXIMUM_COLUMNS),
            ),
            advice=say("Keep the outcome, the protected attributes, the model's columns and its answers."),
        )
    if rows * columns > MAXIMUM_CELLS:
        raise DataError(
            say(
                "The table has {cells} cells; at most {most} can be read.",
                cells=whole(rows * columns),
                most=whole(MAXIMUM_CELLS),
            ),
            advice=say("Leave out columns no model reads, or draw a random sample of the rows."),
        )
