"""Excel workbooks (.xlsx), read as plain data: nothing in them is ever evaluated."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.errors import DataError, Notice
from core.language.told import retold, say
from core.phrases import count, quoted, several, whole
from core.sources.upload.limits import MAXIMUM_ROWS, check_names, check_shape
from core.sources.upload.workbook_parts import LIMITS, check_parts

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_LONGEST_CELL = 32_767
_BLOCK = 20_000
_Row = list[Any]


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook: its name, and how many rows and columns it fills, the header among the rows."""

    name: str
    rows: int
    columns: int


def read_workbook(
    path: Path, sheet: str, missing_marks: tuple[str, ...]
) -> tuple[pd.DataFrame, str, tuple[Sheet, ...], tuple[Notice, ...]]:
    """Read one sheet, by default the largest; returns the table, the sheet's name, all sheets and what to know of it.

    A formula's cell is the value stored beside it; a cell that holds an error is missing; rows without any value are
    skipped, and so are columns with neither a name nor a value; text cells that hold exactly one of ``missing_marks``
    are missing.

    Raises:
        DataError: The file is no workbook, is damaged or unpacks to too much; the sheet does not exist; a value stands
            outside the header's columns; names are empty or doubled; or the table is empty, too long or too wide.
    """
    from python_calamine import CalamineWorkbook

    counts = check_parts(path)
    with path.open("rb") as stream:
        try:
            book = CalamineWorkbook.from_filelike(stream)
        except Exception as error:  # the reader raises whatever the damaged part made it raise
            raise _damaged(error) from error
        worksheet, sheets = _open(book, sheet)
        frame, blank = _read_sheet(worksheet)
    frame, unnamed = _drop_unnamed(frame)
    odd_names = check_names([str(column) for column in frame.columns])
    check_shape(len(frame), len(frame.columns))
    read = pd.DataFrame({column: _settle(values, missing_marks) for column, values in frame.items()})
    return read, worksheet.name, sheets, (*odd_names, *counts.notices(), *_skipped(blank, unnamed))


def _open(book: "CalamineWorkbook", chosen: str) -> tuple["CalamineSheet", tuple[Sheet, ...]]:
    """The chosen sheet, or the largest, and what every sheet holds; one beside it that is damaged counts as empty."""
    names = [part.name for part in book.sheets_metadata if str(part.typ).endswith("WorkSheet")]
    if not names:
        raise DataError(
            say("The workbook has no sheet with a table."), advice=say("Put the table on a sheet of its own.")
        )
    if chosen and chosen not in names:
        raise DataError(
            say("The workbook has no sheet {chosen}.", chosen=quoted(chosen)),
            advice=say("Choose one of {names}.", names=several(names)),
        )
    sheets, best, most = [], None, -1
    for name in names:
        try:
            worksheet = book.get_sheet_by_name(name)
        except Exception as error:  # the reader raises whatever the damaged part made it raise
            if name == chosen or len(names) == 1:
                raise _damaged(error) from error
            sheets.append(Sheet(name, 0, 0))
            continue
        sheets.append(Sheet(name, worksheet.height, worksheet.width))
        cells = worksheet.height * worksheet.width
        if name == chosen or (not chosen and cells > most):
            best, most = worksheet, cells
    if best is None:
        raise _damaged(ValueError("no sheet can be read"))
    return best, tuple(sheets)


def _read_sheet(worksheet: "CalamineSheet") -> tuple[pd.DataFrame, int]:
    """The sheet's records as a frame of unsettled cells, and how many blank rows lie between them."""
    try:
        rows: Iterator[_Row] = iter(worksheet.iter_rows())
    except Exception as error:  # the reader raises whatever the damaged part made it raise
        raise _damaged(error) from error
    check_shape(1, worksheet.width)
    filled = _Filled(rows)
    header = next(filled, None)
    if header is None:
        raise DataError(
            say("The sheet is empty."),
            where=say("sheet {name}", name=quoted(worksheet.name)),
            advice=say("Choose the sheet with the table."),
        )
    filled.blank = 0
    blocks, records = [], 0
    while block := list(islice(filled, _BLOCK)):
        _check_cells(block, records)
        records += len(block)
        if records > MAXIMUM_ROWS:
            check_shape(records, len(header))
        blocks.append(pd.DataFrame(dict(enumerate(zip(*block, strict=True)))))
    if not blocks:
        check_shape(0, len(header))
    frame = pd.concat(blocks, ignore_index=True)
    frame.columns = pd.Index([str(cell).strip() for cell in header])
    return frame, filled.before_last


class _Filled:
    """Rows that hold a value.

    Attributes:
        blank: Rows without a value so far.
        before_last: Those of them that lie before the last row with a value.
    """

    def __init__(self, rows: Iterator[_Row]) -> None:
        self.rows = rows
        self.blank = 0
        self.before_last = 0

    def __iter__(self) -> "_Filled":
        return self

    def __next__(self) -> _Row:
        for row in self.rows:
            if any(cell != "" for cell in row):
                self.before_last = self.blank
                return row
            self.blank += 1
        raise StopIteration


def _check_cells(block: list[_Row], before: int) -> None:
    for number, row in enumerate(block, start=before + 1):
        if any(isinstance(cell, str) and len(cell) > _LONGEST_CELL for cell in row):
            raise DataError(
                say(
                    "A cell holds more than the {most} letters a spreadsheet allows.",
                    most=whole(_LONGEST_CELL),
                ),
                where=say("record {number}", number=number),
                advice=say("Leave the column out."),
            )


def _drop_unnamed(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Without the columns that have neither a name nor a value, and how many these are."""
    keep = np.array(
        [bool(name) or bool((frame.iloc[:, place] != "").any()) for place, name in enumerate(frame.columns)]
    )
    return frame.loc[:, keep], int((~keep).sum())


def _settle(values: pd.Series, missing_marks: tuple[str, ...]) -> pd.Series:
    """A column with missing cells as NaN, and whole numbers as such where every cell is one."""
    settled = values.mask(values.isin(("", *missing_marks))).infer_objects()
    if settled.dtype == np.float64 and (settled == np.floor(settled)).all() and settled.abs().max() < 2**53:
        return settled.astype(np.int64)
    return settled


def _skipped(rows: int, columns: int) -> tuple[Notice, ...]:
    said = [
        (rows, say("Skipped {rows}.", rows=count(rows, "blank row"))),
        (columns, say("Skipped {rows}.", rows=count(columns, "blank column"))),
    ]
    return tuple(Notice("info", what) for number, what in said if number)


def _damaged(error: Exception) -> DataError:
    said = str(error).strip()
    return DataError(
        retold(LIMITS.damaged),
        where=said.splitlines()[0][:120] if said else type(error).__name__,
        advice=retold(LIMITS.again),
    )
