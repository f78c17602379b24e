"""Numbers as people write them: 1,200 and 1.200, 0,45, 45%. What a mark means is told by the whole column and table.

A mark before three digits may part thousands or be the decimal mark: ``1,200``. Three things tell. Other cells of the
column, where one reading only fits them all; cells that end in 0 beside whole numbers without a mark, since whoever
writes three decimals writes them everywhere, and whoever leaves out zeros at the end writes none; and the decimal mark
of other columns. Where they contradict each other it is asked; where they say nothing a comma is asked about, and a
point is a decimal mark.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.data.cells import as_text, write_cell
from core.language.phrases import count, quoted, several
from core.language.told import say

Mark = Literal["auto", ".", ","]

_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+")
_SPACES, _QUOTES = " \u00a0\u202f\u2009", "'\u2019"
_FEW = 50
_LONGEST = 40


@dataclass(frozen=True)
class _Reading:
    """A way to read a number: what parts its thousands (any of these letters; none), and its decimal mark."""

    group: str
    decimal: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """What a number written so looks like, all of it."""
        mark = re.escape(self.decimal)
        if not self.group:
            digits = rf"(?:\d+(?:{mark}\d*)?|{mark}\d+)(?:[eE][-+]?\d{{1,3}})?"
            return re.compile(rf"[-+]?(?:{digits}|inf|infinity)", re.ASCII | re.IGNORECASE)
        return re.compile(rf"[-+]?(?:[1-9]\d{{0,2}}(?:[{re.escape(self.group)}]\d{{3}})*|0)(?:{mark}\d+)?", re.ASCII)

    def fits(self, cells: Sequence[str]) -> bool:
        """Whether every cell is a number written so, and thousands are parted in some if this reading parts them."""
        parted = not self.group or any(mark in cell for cell in cells for mark in self.group)
        return parted and all(map(self.pattern.fullmatch, cells))

    def number(self, cell: str) -> float:
        """The number that a cell says."""
        return float(cell.translate(dict.fromkeys(map(ord, self.group))).replace(self.decimal, "."))


_PLAIN, _COMMA = _Reading("", "."), _Reading("", ",")
_READINGS = (
    *(_PLAIN, _COMMA, _Reading(",", "."), _Reading(".", ",")),
    *(_Reading(group, decimal) for group in (_SPACES, _QUOTES) for decimal in (".", ",")),
)


@dataclass(frozen=True)
class _Column:
    """A column of text that holds numbers.

    Attributes:
        name: Its name.
        cells: Its different cells, without blanks around and without percent signs.
        share: Whether they have percent signs.
        readings: The ways to read all of them.
    """

    name: str
    cells: tuple[str, ...]
    share: bool
    readings: tuple[_Reading, ...]

    def marked(self, mark: str) -> list[str]:
        """The cells that hold a mark."""
        return [cell for cell in self.cells if mark in cell]

    def chosen(self, marks: set[str]) -> "_Column":
        """The column with the one reading that other cells and columns tell; with two where nothing does.

        With none where others have a decimal point, and all that a comma could be is a decimal mark: in a list of codes
        such as ``1,2`` it is none.

        Args:
            marks: The decimal marks of other columns.
        """
        if self.readings == (_COMMA,) and not self.share and "." in marks:
            return replace(self, readings=())
        if len(self.readings) < 2:
            return self
        decimal, grouped = self.readings[:2]
        mark = decimal.decimal
        if not any(one in cell for cell in self.cells for one in ".,"):
            return replace(self, readings=(decimal,))
        marked = self.marked(mark)
        ends_in_zero = len(marked) < len(self.cells) and any(cell.endswith("0") for cell in marked)
        for_thousands, for_decimals = ends_in_zero or bool(marks - {mark}), mark in marks
        if for_thousands == for_decimals:
            return self if mark == "," or for_decimals else replace(self, readings=(decimal,))
        return replace(self, readings=(grouped if for_thousands else decimal,))


def may_be_grouped(cells: Sequence[str]) -> bool:
    """Whether points may part the thousands in these cells of a column: ``1.200``, in all that have a point."""
    pointed = [cell for cell in cells if "." in cell]
    return bool(pointed) and all(map(_GROUPED.fullmatch, pointed))


def read_written(
    frame: pd.DataFrame, decimal: Mark, as_written: Sequence[str] = (), *, points: bool = False
) -> tuple[pd.DataFrame, str, tuple[Caveat, ...]]:
    """Columns of text whose every cell is a number, as numbers; of a column of percentages as shares.

    Args:
        frame: The table. Columns of digits alone that are text stay text, unless a point is among them.
        decimal: The decimal mark, or ``"auto"`` to find it.
        as_written: Columns that stay as they are: codes.
        points: Whether the numbers in it were read from text with a decimal point.

    Returns:
        The table, the decimal mark of its text, and what was done.
    """
    columns = [column for name in frame if name not in as_written and (column := _look(frame[name], decimal))]
    sure = [one.readings[0] for one in columns if len(one.readings) == 1]
    marks = {one.decimal for one in sure if one != _PLAIN}
    marks |= {"."} if points and _has_fractions(frame) else set()
    marks |= {"."} if any(one.readings == (_PLAIN,) and one.marked(".") for one in columns) else set()
    chosen = [column.chosen(marks) for column in columns] if decimal == "auto" else columns
    known = [one for one in chosen if len(one.readings) == 1 and (points or one.share or one.readings != (_PLAIN,))]
    read = {column.name: _numbers(frame[column.name], column) for column in known}
    mark = "," if any(column.readings[0].decimal == "," for column in known) else "."
    told = (*_told(frame, known), *_asked([column for column in chosen if len(column.readings) != 1]))
    return frame.assign(**read), mark if decimal == "auto" else decimal, told


def _look(values: pd.Series, decimal: Mark) -> _Column | None:
    """The column as numbers that are written; None if it is no text, holds other cells, or needs no reading."""
    if not isinstance(values.dtype, pd.StringDtype | np.dtypes.ObjectDType):
        return None
    if not all(_may_be_number(cell) for cell in values.dropna().head(_FEW)):
        return None
    cells = [cell.strip() for cell in as_text(values.drop_duplicates().dropna())]
    share = bool(cells) and all(cell.endswith("%") for cell in cells)
    cells = list(dict.fromkeys(cell[:-1].rstrip() if share else cell for cell in cells))
    if not cells or not all(map(_may_be_number, cells)):
        return None
    if not (share or any(mark in cell for cell in cells for mark in f".,{_SPACES}{_QUOTES}")):
        return None
    fitting = tuple(one for one in _READINGS if one.fits(cells))
    fitting = fitting if len(fitting) < 2 else _different(cells, fitting)
    if decimal != "auto":
        whole = all(mark not in cell for cell in cells for mark in ".,")
        fitting = tuple(one for one in fitting if one.decimal == decimal or whole)[:1]
    return _Column(str(values.name), tuple(cells), share, fitting) if fitting else None


def _different(cells: Sequence[str], readings: Sequence[_Reading]) -> tuple[_Reading, ...]:
    """The readings that give different numbers, the plainest first."""
    found: dict[tuple[float, ...], _Reading] = {}
    for one in readings:
        found.setdefault(tuple(map(one.number, cells)), one)
    return tuple(found.values())


def _may_be_number(cell: object) -> bool:
    return isinstance(cell, str) and len(cell) <= _LONGEST and (any(map(str.isdecimal, cell)) or "inf" in cell.lower())


def _has_fractions(frame: pd.DataFrame) -> bool:
    floats = frame.select_dtypes("float64")
    return any(bool((floats[name] % 1 > 0).any()) for name in floats)


def _numbers(values: pd.Series, column: _Column) -> pd.Series:
    """The column as float64, or int64 where every cell is a whole number."""
    reading = column.readings[0]
    codes, distinct = pd.factorize(values)
    cells = [str(cell).strip() for cell in distinct]
    numbers = np.array([reading.number(cell[:-1].rstrip() if column.share else cell) for cell in cells])
    numbers = numbers / 100 if column.share else numbers
    read = pd.Series(np.append(numbers, np.nan)[codes], index=values.index, name=values.name)
    whole = not column.share and not any(mark in cell for cell in cells for mark in f"{reading.decimal}eE")
    return read.astype(np.int64) if whole and (codes >= 0).all() and read.abs().max() < 2**53 else read


def _told(frame: pd.DataFrame, columns: Sequence[_Column]) -> Iterator[Caveat]:
    """What was read how, and how many cells, by kind."""
    shares = [column for column in columns if column.share]
    parted = [column for column in columns if not column.share and column.readings[0].group]
    commas = [column for column in columns if not column.share and column.readings[0] == _COMMA]
    if shares:
        yield Caveat(
            "info", say("Read {cells} of {names} as shares: {cell} is {number}.", **_example(frame, shares, "%"))
        )
    if parted:
        marks = "".join(column.readings[0].group for column in parted)
        yield Caveat(
            "info",
            say(
                "Read {cells} of {names} as numbers with thousands parted: {cell} is {number}.",
                **_example(frame, parted, marks),
            ),
        )
    if commas:
        yield Caveat(
            "info",
            say(
                "Read {cells} of {names} as numbers with a decimal comma: {cell} is {number}.",
                **_example(frame, commas, ","),
            ),
        )


def _example(frame: pd.DataFrame, columns: Sequence[_Column], marks: str) -> dict[str, str]:
    """How many cells of which columns hold one of these marks, and what the first says."""
    held = [frame[column.name].dropna().astype("str") for column in columns]
    pattern = f"[{re.escape(marks)}]"
    cells = [values[values.str.contains(pattern)] for values in held]
    first, reading = cells[0].iloc[0].strip(), columns[0].readings[0]
    share = columns[0].share
    number = reading.number(first[:-1].rstrip()) / 100 if share else reading.number(first)
    return {
        "cells": count(sum(map(len, cells)), "cell"),
        "names": several([column.name for column in columns]),
        "cell": quoted(first),
        "number": write_cell(number),
    }


def _asked(columns: Sequence[_Column]) -> Iterator[Caveat]:
    """What may be read in two ways."""
    for column in columns:
        cell = column.marked(column.readings[0].decimal if column.readings else ",")[0]
        held = {"name": quoted(column.name), "cell": quoted(cell)}
        one, other = [write_cell(reading.number(cell)) for reading in column.readings[:2]] or ("", "")
        yield Caveat(
            "warning",
            say(
                "Numbers of {name} such as {cell} may be {one} or {other}, so the column was left as text.",
                **held,
                one=one,
                other=other,
            )
            if one
            else say(
                "Cells of {name} such as {cell} have a comma, where other numbers have a decimal point, so the column "
                "was left as text.",
                **held,
            ),
            say("Say which the decimal mark is, a point or a comma."),
        )
