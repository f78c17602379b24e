"""Excel workbooks (.xlsx), read as plain data: nothing in them is ever evaluated."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.errors import DataError, Notice
from core.sources.limits import MAXIMUM_ROWS, MAXIMUM_UNPACKED, check_names, check_shape

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_LONGEST_CELL = 32_767
_BLOCK = 20_000
_FORMULA = re.compile(rb"<f[ />]")
_OVERLAP = 8
_Row = tuple[Any, ...]


def read_workbook(
    path: Path, sheet: str, missing_marks: tuple[str, ...]
) -> tuple[pd.DataFrame, str, tuple[str, ...], tuple[Notice, ...]]:
    """Read one sheet; returns the table, the sheet's name, all sheets' names and what a reader has to know.

    A formula's cell is the value stored beside it; rows without any value are skipped; text cells that hold exactly
    one of ``missing_marks`` are missing.

    Raises:
        DataError: The file is no workbook, is damaged or unpacks to too much; the sheet does not exist; a record is
            wider than the header; names are empty or doubled; or the table is empty, too long or too wide.
    """
    from openpyxl import load_workbook

    formulas = _check_archive(path)
    with path.open("rb") as stream:
        try:
            book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        except Exception as error:  # openpyxl raises whatever the damaged part made it raise
            raise _damaged(error) from error
        name, names = _choose_sheet(book, sheet)
        frame, blank = _read_sheet(book, name)
    odd_names = check_names([str(column) for column in frame.columns])
    check_shape(len(frame), len(frame.columns))
    for column in frame.columns:
        if frame[column].dtype == object or isinstance(frame[column].dtype, pd.StringDtype):
            frame[column] = frame[column].where(~frame[column].isin(missing_marks)).infer_objects()
    notices = list(odd_names)
    if formulas:
        said = f"The workbook holds {formulas:,} formulas; the values stored with them were read."
        notices.append(Notice("info", said, "A formula that was never calculated is a missing cell."))
    if blank:
        notices.append(Notice("info", f"{blank:,} blank rows were skipped."))
    return frame, name, names, tuple(notices)


def _check_archive(path: Path) -> int:
    """Unpack every part once into nothing, counting; returns the number of formulas.

    Raises:
        DataError: The archive is damaged, is no workbook, declares or yields too much, or declares XML entities.
    """
    too_much = DataError(
        f"The workbook unpacks to more than {MAXIMUM_UNPACKED // 2**20:,} MB.",
        advice="Save the sheet as CSV or Parquet.",
    )
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if "xl/workbook.xml" not in archive.namelist():
                raise DataError(
                    "The file is named like an Excel file but is another kind of ZIP archive.",
                    advice="Save the table as .csv, .parquet or .xlsx and upload that file.",
                )
            if len(parts) > 10_000 or sum(part.file_size for part in parts) > MAXIMUM_UNPACKED:
                raise too_much
            unpacked = formulas = 0
            for part in parts:
                tail = b""
                for chunk in _chunks(archive, part):
                    if not tail and b"<!DOCTYPE" in chunk[:4096].replace(b"\0", b""):
                        raise DataError(
                            "The workbook declares XML entities, which no spreadsheet program writes.",
                            where=part.filename,
                            advice="Save the table again with a spreadsheet program.",
                        )
                    unpacked += len(chunk)
                    if unpacked > MAXIMUM_UNPACKED:
                        raise too_much
                    if part.filename.startswith("xl/worksheets/"):
                        formulas += len(_FORMULA.findall(tail + chunk)) - len(_FORMULA.findall(tail))
                    tail = chunk[-_OVERLAP:]
            return formulas
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise _damaged(error) from error


def _chunks(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(part) as stream:
        while chunk := stream.read(2**20):
            yield chunk


def _choose_sheet(book: "Workbook", sheet: str) -> tuple[str, tuple[str, ...]]:
    names = tuple(worksheet.title for worksheet in book.worksheets)
    if not names:
        raise DataError("The workbook has no sheet with a table.", advice="Put the table on a sheet of its own.")
    if sheet and sheet not in names:
        raise DataError(
            f"The workbook has no sheet {sheet!r}.", advice=f"Choose one of {', '.join(map(repr, names[:8]))}."
        )
    return sheet or names[0], names


def _read_sheet(book: "Workbook", name: str) -> tuple[pd.DataFrame, int]:
    """The sheet's records as a frame, and how many blank rows lie between them."""
    worksheet: Any = book[name]
    worksheet.reset_dimensions()
    rows: Iterator[_Row] = worksheet.iter_rows(values_only=True)
    try:
        filled = _Filled(rows)
        header = _trim(next(filled, ()))
        if not header:
            raise DataError("The sheet is empty.", where=f"sheet {name!r}", advice="Choose the sheet with the table.")
        columns = ["" if cell is None else str(cell).strip() for cell in header]
        filled.blank = 0
        blocks, records = [], 0
        while block := list(islice(filled, _BLOCK)):
            fitted = [_fit(row, len(columns), records + place) for place, row in enumerate(block, start=1)]
            records += len(block)
            if records > MAXIMUM_ROWS:
                check_shape(records, len(columns))
            blocks.append(pd.DataFrame(dict(enumerate(zip(*fitted, strict=True)))))
    except DataError:
        raise
    except Exception as error:  # openpyxl raises whatever the damaged part made it raise
        raise _damaged(error) from error
    if not blocks:
        check_shape(0, len(columns))
    frame = pd.concat(blocks, ignore_index=True)
    frame.columns = pd.Index(columns)
    return frame, filled.before_last if records else 0


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
            if any(cell is not None for cell in row):
                self.before_last = self.blank
                return row
            self.blank += 1
        raise StopIteration


def _trim(row: _Row) -> _Row:
    filled = [position for position, cell in enumerate(row) if cell is not None]
    return row[: filled[-1] + 1] if filled else ()


def _fit(row: _Row, width: int, number: int) -> _Row:
    """The row with exactly ``width`` cells."""
    if len(row) > width:
        if any(cell is not None for cell in row[width:]):
            raise DataError(
                f"A record has {len(_trim(row))} fields where the header has {width}.",
                where=f"record {number}",
                advice="Give every column a name in the first row, and keep notes off the sheet.",
            )
        row = row[:width]
    if any(isinstance(cell, str) and len(cell) > _LONGEST_CELL for cell in row):
        raise DataError(
            f"A cell holds more than the {_LONGEST_CELL:,} letters a spreadsheet allows.",
            where=f"record {number}",
            advice="Leave the column out.",
        )
    return row + (None,) * (width - len(row))


def _damaged(error: Exception) -> DataError:
    said = str(error).strip()
    return DataError(
        "The Excel file is damaged or cut off.",
        where=said.splitlines()[0][:120] if said else type(error).__name__,
        advice="Open it in a spreadsheet program, save it again and upload that file.",
    )
