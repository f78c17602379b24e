"""The shapes a report is made of: facts and tables of texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

NOT_GIVEN = "–"
"""Stands in a cell that has nothing to say."""


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
    def lines(self) -> tuple[str, ...]:
        """Header and rows with aligned columns, as lines of a terminal."""
        rows = (self.header, *self.rows)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return tuple(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )
