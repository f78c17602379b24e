"""A table that somebody brings: CSV, Parquet or Excel."""

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from core.dataset import Roles
from core.errors import Notice
from core.files import FileRef, FileStore
from core.roles_guess import guess_roles
from core.settings import setting
from core.source import AbstractSource

MISSING_MARKS = ("", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")


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
        sheets: Every sheet of the workbook; empty unless Excel.
        notices: What a reader has to know about how it was read.
    """

    format: Literal["CSV", "Parquet", "Excel"]
    rows: int
    columns: int
    separator: str = ""
    encoding: str = ""
    decimal: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


class UploadedTable(AbstractSource):
    """An uploaded CSV, TSV, Parquet or Excel file of up to 200 MB and a million rows."""

    kind: Literal["table"] = "table"
    file: FileRef = setting(label="File", help="A CSV, Parquet or Excel (.xlsx) file, up to 200 MB.")
    separator: Literal["auto", ",", ";", "\t", "|", " "] = setting(
        "auto", label="Separator", help="What stands between two fields of a CSV file. Auto finds it."
    )
    encoding: Literal["auto", "utf-8", "utf-16", "cp1252", "latin-1"] = setting(
        "auto", label="Encoding", help="How the letters of a CSV file are stored. Auto finds it."
    )
    decimal: Literal["auto", ".", ","] = setting(
        "auto", label="Decimal mark", help="What stands before the decimals of a CSV file's numbers. Auto finds it."
    )
    sheet: str = setting("", label="Sheet", help="The sheet of an Excel file. Left empty: the first.")
    missing_marks: tuple[str, ...] = setting(
        MISSING_MARKS, label="Marks for a missing value", help="Cells of a CSV file that hold exactly this are missing."
    )

    @property
    def title(self) -> str:
        """The file's name."""
        return self.file.name

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table; see :meth:`read`."""
        return self.read(files)[0]

    def describe(self, files: FileStore) -> TableDescription:
        """How the file is read; see :meth:`read`."""
        return self.read(files)[1]

    def read(self, files: FileStore) -> tuple[pd.DataFrame, TableDescription]:
        """The table and how it was read, in one pass over the file.

        Raises:
            DataError: The file is not a table, is damaged or is too large.
        """
        raise NotImplementedError

    def roles(self, frame: pd.DataFrame) -> Roles | None:
        """A guess from names and values; None when no outcome or no protected attribute is recognised."""
        return guess_roles(frame).roles
