"""The shapes a report is made of: facts and tables of texts."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

NOT_GIVEN = "–"
"""Stands in a cell that has nothing to say."""

_OBEYED = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""With what a cell begins that spreadsheets take for a formula; also in the wide forms of East Asia."""
_NUMBER = re.compile(r"[+-]?[\d.,]+%?")


def harmless(cell: str) -> str:
    """A cell that is shown as text: what would be taken for a formula begins with an apostrophe."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_OBEYED) else cell


@dataclass(frozen=True)
class Fact:
    """A label and what stands beside it."""

    label: str
    value: str


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes:
        caption: What it shows.
        header: Column headings; the first column names the rows.
        rows: Cells as text.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of_columns(cls, caption: str, columns: Mapping[str, Iterable[str]]) -> Self:
        """From the cells of each column by its heading; the first column names the rows."""
        return cls(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))

    @property
    def csv(self) -> bytes:
        """Header and rows as a CSV file that no spreadsheet obeys, UTF-8 with a mark that tells spreadsheets so."""
        stream = io.StringIO()
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        for row in (self.header, *self.rows):
            writer.writerow([cell if _NUMBER.fullmatch(cell) else harmless(cell) for cell in row])
        return stream.getvalue().encode("utf-8-sig")

    @property
    def lines(self) -> tuple[str, ...]:
        """Header and rows with aligned columns, as lines of a terminal."""
        rows = (self.header, *self.rows)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return tuple(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )
