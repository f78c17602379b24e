"""What an uploaded table may be: its size, its shape and the names of its columns."""

from collections.abc import Sequence

from core.errors import DataError, Notice
from core.language.told import say, say_count
from core.phrases import quoted, whole

MAXIMUM_BYTES = 200 * 2**20
MAXIMUM_ROWS = 1_000_000
MAXIMUM_COLUMNS = 1_000
MAXIMUM_CELLS = 100_000_000
MAXIMUM_UNPACKED = 2**30
"""Bytes a workbook's parts, or a Parquet file's text, may have once unpacked."""

MISSING_MARKS = ("", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")


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


def check_names(names: Sequence[str]) -> tuple[Notice, ...]:
    """Refuse columns that cannot be told apart; returns what is odd about the names.

    Raises:
        DataError: A name is empty or occurs twice.
    """
    empty = [position for position, name in enumerate(names, start=1) if not name]
    if empty:
        raise DataError(
            say_count("A column has no name.", "{n} columns have no name.", len(empty)),
            where=say("header, field {position}", position=empty[0]),
            advice=say("Give it a name; delete the column if it only counts the rows."),
        )
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if name in seen:
            raise DataError(
                say("Two columns have the same name."),
                where=say("column {name}, header, field {position}", name=quoted(name), position=position),
                advice=say("Rename one of them."),
            )
        seen.add(name)
    if any(_is_number(name) for name in names):
        return (
            Notice(
                "warning",
                say("The first line holds a number, so it may be a record and no header."),
                say("Add a line with the columns' names if it is."),
            ),
        )
    return ()


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
