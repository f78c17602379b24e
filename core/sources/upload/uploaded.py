"""A table that somebody brings: CSV, Parquet or Excel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self

import pandas as pd

from core.base.errors import Caveat
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.cells import as_text, is_number_column
from core.data.guess_roles import guess_roles
from core.data.roles import Roles
from core.language.phrases import quoted
from core.language.told import say
from core.sources.upload.columnar import read_parquet
from core.sources.upload.delimited import read_delimited
from core.sources.upload.file_kind import table_format
from core.sources.upload.limits import MISSING_MARKS, Kept
from core.sources.upload.workbook import Sheet, read_workbook
from core.sources.upload.written_numbers import read_written


@dataclass(frozen=True)
class TableDescription:
    """How an uploaded file was read.

    Attributes:
        format: ``CSV``, ``Parquet`` or ``Excel``.
        rows: Records, the header not counted.
        columns: Columns.
        separator: Between fields; empty unless CSV.
        encoding: Of the text; empty unless CSV.
        decimal: Decimal mark; empty unless CSV.
        sheet: The sheet that was read; empty unless Excel.
        sheets: Every sheet of the workbook, in order; empty unless Excel.
        caveats: What a reader has to know about how it was read.
    """

    format: Literal["CSV", "Parquet", "Excel"]
    rows: int
    columns: int
    separator: str = ""
    encoding: str = ""
    decimal: str = ""
    sheet: str = ""
    sheets: tuple[Sheet, ...] = ()
    caveats: tuple[Caveat, ...] = ()


class UploadedTable(AbstractSource):
    """An uploaded CSV, TSV, Parquet or Excel file of up to 200 MB and a million rows."""

    kind: Literal["table"] = "table"
    file: FileRef = setting(label=say("File"), help=say("A CSV, Parquet or Excel (.xlsx) file, up to 200 MB."))
    separator: Literal["auto", ",", ";", "\t", "|", " "] = setting(
        "auto", label=say("Separator"), help=say("What stands between two fields of a CSV file. Auto finds it.")
    )
    encoding: Literal["auto", "utf-8", "utf-16", "cp1252", "latin-1"] = setting(
        "auto", label=say("Encoding"), help=say("How the letters of a CSV file are stored. Auto finds it.")
    )
    decimal: Literal["auto", ".", ","] = setting(
        "auto",
        label=say("Decimal mark"),
        help=say("What stands before the decimals of numbers that are written as text. Auto finds it."),
    )
    sheet: str = setting("", label=say("Sheet"), help=say("The sheet of an Excel file. Left empty: the largest."))
    missing_marks: tuple[str, ...] = setting(
        MISSING_MARKS,
        label=say("Marks for a missing value"),
        help=say("Cells of a CSV or Excel file that hold exactly one of these are missing."),
    )
    kept_marks: Kept = setting(
        (),
        label=say("Marks that are values"),
        help=say("Columns in which one of these marks is a value of its own, since the model knows it as a category."),
        empty=say("none"),
    )

    @property
    def title(self) -> str:
        """The file's name."""
        return self.file.name

    @property
    def content(self) -> str:
        """See the base class."""
        return f"{self.file.sha256} {self.sheet}"

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table; see :meth:`read`."""
        return self.read(files)[0]

    def for_categories(self, known: Mapping[str, tuple[str, ...]], frame: pd.DataFrame, files: FileStore) -> Self:
        """The same file with each mark for a missing value that is a category of its column read as that category."""
        if table_format(files.path(self.file), self.file) == "Parquet":
            return self
        kept = tuple(
            (name, mark)
            for name, categories in known.items()
            if name in frame
            for mark in categories
            if mark in self.missing_marks and (frame[name].isna() | (frame[name] == mark)).any()
        )
        return self.model_copy(update={"kept_marks": kept})

    def about_reading(self, files: FileStore) -> tuple[Caveat, ...]:
        """See the base class: which marks for a missing value are values."""
        return tuple(
            Caveat(
                "info",
                say(
                    "Cells of {column} that hold {mark} are not missing: the model knows {mark} as a category.",
                    mark=quoted(mark),
                    column=quoted(column),
                ),
            )
            for column, mark in self.kept_marks
        )

    def read(self, files: FileStore) -> tuple[pd.DataFrame, TableDescription]:
        """The table and how it was read, in one pass over the file.

        Raises:
            DataError: The file is not a table, is damaged or is too large.
        """
        path = files.path(self.file)
        read_as = table_format(path, self.file)
        if read_as == "CSV":
            frame, dialect = read_delimited(path, self.separator, self.encoding, self.missing_marks, self.kept_marks)
            frame, decimal, numbers = read_written(frame, self.decimal, dialect.as_written, points=True)
            described = TableDescription(
                read_as,
                *frame.shape,
                separator=dialect.separator,
                encoding=dialect.encoding,
                decimal=decimal,
                caveats=(*dialect.caveats, *numbers, *self.about_reading(files)),
            )
            return plain_columns(frame), described
        sheet, sheets = "", tuple[Sheet, ...]()
        if read_as == "Parquet":
            frame, caveats = read_parquet(path)
        else:
            frame, sheet, sheets, caveats = read_workbook(path, self.sheet, self.missing_marks, self.kept_marks)
        frame, _, numbers = read_written(plain_columns(frame), self.decimal)
        caveats = (*caveats, *numbers, *self.about_reading(files))
        return frame, TableDescription(read_as, *frame.shape, sheet=sheet, sheets=sheets, caveats=caveats)

    def roles(self, frame: pd.DataFrame) -> Roles | None:
        """A guess from names and values; None when no outcome or no protected attribute is recognised."""
        return guess_roles(frame).roles


def plain_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns of numbers, truth values, dates and text only, with text as dtype ``str``."""
    plain = {
        name: values if is_number_column(values) or pd.api.types.is_datetime64_any_dtype(values) else as_text(values)
        for name, values in frame.items()
    }
    return pd.DataFrame(plain)


def about_marks(read: AbstractSource, known: AbstractSource) -> tuple[Caveat, ...]:
    """That marks are read as missing values which the model knows as categories.

    Args:
        read: How the table is read.
        known: How the model knows it (:meth:`UploadedTable.for_categories`).
    """
    marks = () if not isinstance(known, UploadedTable) else known.kept_marks
    lost = [one for one in marks if isinstance(read, UploadedTable) and one not in read.kept_marks]
    return tuple(
        Caveat(
            "warning",
            say(
                "The model knows {mark} as a category of {column}, and these cells count as missing here.",
                mark=quoted(mark),
                column=quoted(column),
            ),
            say("Read the mark as a value of this column, so that the model gives the answers it gives in use."),
        )
        for column, mark in lost
    )
