"""The shapes a report is made of: facts and tables of texts."""

from dataclasses import dataclass


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
