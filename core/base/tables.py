"""The shapes a report is made of: facts and tables of texts."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

NOT_GIVEN = "–"
"""Stands in a cell that has nothing to say."""

_UNSEEN = r" \"'\x00-\x08\x0e-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\ufeff"
"""Blanks, quotation marks and what nobody sees, which spreadsheets may drop before they look what a cell is."""
_FORMULA = re.compile(rf"(^|[;\t\n\v\f\r\x85\u2028\u2029])(?=[{_UNSEEN}]*+[=+\-@|%\uff1d\uff0b\uff0d\uff20])")
"""Where a cell begins that spreadsheets take for a formula, also in the wide forms of East Asia: at its start, and
behind what ends a cell where semicolons or tabs stand between them or quotation marks are not read."""
_NUMBER = re.compile(r"[+-]?[\d.,]+%?")


def harmless(cell: str) -> str:
    """A cell that every spreadsheet shows as text: before what would be taken for a formula stands an apostrophe."""
    return cell if _NUMBER.fullmatch(cell) else _FORMULA.sub(r"\1'", cell)


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """Cells as a CSV file that no spreadsheet obeys, UTF-8 with a mark that tells spreadsheets so."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")


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
        """Header and rows as a CSV file; see :func:`as_csv`."""
        return as_csv((self.header, *self.rows))

    @property
    def lines(self) -> tuple[str, ...]:
        """Header and rows with aligned columns, as lines of a terminal."""
        rows = (self.header, *self.rows)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return tuple(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )


@dataclass(frozen=True)
class Case:
    """The pair, text or group in which the difference that a test looks for is largest.

    Attributes:
        title: What is shown.
        told: It in a sentence or two; may name what stands in ``beside`` and in ``text``.
        beside: The two who are compared, side by side; None where words say it all.
        personal: Whether it is about one person or text, so that no report may hold it.
        record: The record number of that person or text; 0 where it is about none.
    """

    title: str
    told: str
    beside: Table | None = None
    personal: bool = False
    record: int = 0
