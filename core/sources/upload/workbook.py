"""Excel workbooks (.xlsx), read as plain data: nothing in them is ever evaluated."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.language.phrases import count, quoted, several, whole
from core.language.told import retold, say
from core.sources.upload.header import (
    LOOKED_AT,
    about_titles,
    name_columns,
    names_without_header,
    place_of_header,
    written,
)
from core.sources.upload.limits import MAXIMUM_ROWS, Kept, check_shape, marks_by_column
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
    path: Path, sheet: str, missing_marks: tuple[str, ...], kept_marks: Kept = ()
) -> tuple[pd.DataFrame, str, tuple[Sheet, ...], tuple[Caveat, ...]]:
    """Read one sheet, by default the largest; returns the table, the sheet's name, all sheets and what to know of it.

    A formula's cell is the value stored beside it; a cell that holds an error is missing; rows without any value are
    skipped, and so are columns with neither a name nor a value, and titles above the header; merged cells are filled;
    text cells that hold exactly one of ``missing_marks`` are missing, unless it is kept as a value of the column.

    Raises:
        DataError: The file is no workbook, is damaged or unpacks to too much; the sheet does not exist; or the table is
            empty, too long or too wide.
    """
    from python_calamine import CalamineWorkbook

    counts = check_parts(path)
    with path.open("rb") as stream:
        try:
            book = CalamineWorkbook.from_filelike(stream)
        except Exception as error:  # the reader raises whatever the damaged part made it raise
            raise _damaged(error) from error
        worksheet, sheets = _open(book, sheet)
        frame, blank, done = _read_sheet(worksheet)
    frame, unnamed = _drop_unnamed(frame)
    names, odd_names = name_columns([str(column) for column in frame.columns])
    check_shape(len(frame), len(names))
    marks = marks_by_column(names, missing_marks, kept_marks)
    columns = (_settle(frame.iloc[:, place], marks[name]) for place, name in enumerate(names))
    read = pd.DataFrame(dict(zip(names, columns, strict=True)))
    return read, worksheet.name, sheets, (*done, *odd_names, *counts.caveats(), *_skipped(blank, unnamed))


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


def _read_sheet(worksheet: "CalamineSheet") -> tuple[pd.DataFrame, int, tuple[Caveat, ...]]:
    """The sheet's records as a frame of unsettled cells, how many blank rows lie between them, and what was done."""
    try:
        rows: Iterator[_Row] = iter(worksheet.iter_rows())
        merged = _Merged.of(worksheet)
    except Exception as error:  # the reader raises whatever the damaged part made it raise
        raise _damaged(error) from error
    check_shape(1, worksheet.width)
    filled = _Filled(rows)
    first = list(islice(filled, LOOKED_AT))
    if not first:
        raise DataError(
            say("The sheet is empty."),
            where=say("sheet {name}", name=quoted(worksheet.name)),
            advice=say("Choose the sheet with the table."),
        )
    place = place_of_header(first)
    header = written(merged.filled_header(dict(zip(filled.places, first, strict=True)), filled.places[place]))
    blocks, records = [], 0
    every = chain(first[place + 1 :], filled)
    while block := list(islice(every, _BLOCK)):
        _check_cells(block, records)
        records += len(block)
        if records > MAXIMUM_ROWS:
            check_shape(records, len(header))
        blocks.append(pd.DataFrame(dict(enumerate(zip(*block, strict=True)))))
    if not blocks:
        check_shape(0, len(header))
    frame = pd.concat(blocks, ignore_index=True)
    places = filled.places[place:]
    blank = places[-1] - places[0] + 1 - len(places)
    cells = merged.fill(frame, np.array(places[1:]))
    names, missing = names_without_header(header, first[place + 1 :])
    if names:
        frame = pd.concat([pd.DataFrame([first[place]], columns=frame.columns), frame], ignore_index=True)
    frame.columns = pd.Index(names or header, dtype=object)
    return frame, blank, (*about_titles(first[:place]), *missing, *_about_merged(cells))


@dataclass(frozen=True)
class _Merged:
    """Cells of a sheet that are merged.

    Attributes:
        ranges: First row, first column, last row and last column of each, the columns counted from the first filled.
    """

    ranges: tuple[tuple[int, int, int, int], ...]

    @classmethod
    def of(cls, worksheet: "CalamineSheet") -> "_Merged":
        """The sheet's merged cells. Its rows are read from the first on, its columns from the first that is filled."""
        first = (worksheet.start or (0, 0))[1]
        found = worksheet.merged_cell_ranges or []
        return cls(tuple((top, left - first, bottom, right - first) for (top, left), (bottom, right) in found))

    def filled_header(self, rows: Mapping[int, _Row], place: int) -> _Row:
        """The header in this row; a merged cell says in each of its columns what it says in the first."""
        header = list(rows[place])
        for top, left, bottom, right in self.ranges:
            if top <= place <= bottom and top in rows and 0 <= left < len(header):
                for column in range(left, min(right + 1, len(header))):
                    header[column] = rows[top][left]
        return header

    def fill(self, frame: pd.DataFrame, places: np.ndarray) -> int:
        """Write the value of each merged cell into all of its rows and columns; how many cells were filled.

        Args:
            frame: The records, changed in place.
            places: The row of each on the sheet, ascending.
        """
        filled, area = 0, frame.size
        cells: dict[int, np.ndarray] = {}
        for top, left, bottom, right in self.ranges:
            start, end = (int(place) for place in np.searchsorted(places, (top, bottom + 1)))
            if start >= end or places[start] != top or not 0 <= left < frame.shape[1]:
                continue
            columns = min(right + 1, frame.shape[1]) - left
            area -= (end - start) * columns
            if area < 0:
                raise _damaged(ValueError("merged cells overlap"))
            filled += (end - start) * columns - 1
            for column in range(left, left + columns):
                if column not in cells:
                    cells[column] = frame.iloc[:, column].to_numpy(dtype=object, copy=True)
                cells[column][start:end] = cells[left][start]
        for column, values in cells.items():
            frame.isetitem(column, values)
        return filled


def _about_merged(cells: int) -> tuple[Caveat, ...]:
    if not cells:
        return ()
    return (
        Caveat(
            "info",
            say("Filled {cells} that belong to a merged cell with its value.", cells=count(cells, "cell")),
        ),
    )


class _Filled:
    """Rows that hold a value.

    Attributes:
        places: The number of each that was given, 0 for the first row of the sheet's table.
    """

    def __init__(self, rows: Iterator[_Row]) -> None:
        self.rows = enumerate(rows)
        self.places: list[int] = []

    def __iter__(self) -> "_Filled":
        return self

    def __next__(self) -> _Row:
        for place, row in self.rows:
            if any(cell != "" for cell in row):
                self.places.append(place)
                return row
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


def _settle(values: pd.Series, missing_marks: list[str]) -> pd.Series:
    """A column with missing cells as NaN, and whole numbers as such where every cell is one."""
    settled = values.mask(values.isin(["", *missing_marks])).infer_objects()
    if settled.dtype == np.float64 and (settled == np.floor(settled)).all() and settled.abs().max() < 2**53:
        return settled.astype(np.int64)
    return settled


def _skipped(rows: int, columns: int) -> tuple[Caveat, ...]:
    said = [
        (rows, say("Skipped {rows}.", rows=count(rows, "blank row"))),
        (columns, say("Skipped {rows}.", rows=count(columns, "blank column"))),
    ]
    return tuple(Caveat("info", what) for number, what in said if number)


def _damaged(error: Exception) -> DataError:
    said = str(error).strip()
    return DataError(
        retold(LIMITS.damaged),
        where=said.splitlines()[0][:120] if said else type(error).__name__,
        advice=retold(LIMITS.again),
    )
