"""Rows as they are sent, and answers as they come back: plain numbers and texts."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.base.errors import ModelError
from core.data.cells import as_text, is_number_column
from core.language.told import say

Cell = str | int | float | bool
Answer = tuple[Cell, ...]
"""What the model says of one row: one value, or one for each class."""

LARGEST_WHOLE = 2**53


@dataclass(frozen=True)
class Rows:
    """Rows to ask about.

    Attributes:
        names: The fields, as the model knows them, length d.
        cells: One tuple of d values a row; finite numbers, truth values or texts.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[str]) -> Rows:
        """The rows of a table without missing cells, whose columns the model knows under ``names``, in order."""
        columns = [_cells(frame[column]) for column in frame.columns]
        return cls(tuple(names), tuple(zip(*columns, strict=True)))

    def __len__(self) -> int:
        return len(self.cells)

    def take(self, places: Sequence[int]) -> Rows:
        """The rows at these positions."""
        return Rows(self.names, tuple(self.cells[place] for place in places))

    @property
    def keys(self) -> list[bytes]:
        """SHA-256 of each row, names included; a whole number counts as the same number with a point."""
        return [hashlib.sha256(_written(self.names, row)).digest() for row in self.cells]

    def column(self, place: int) -> tuple[Cell, ...]:
        """The values of one field."""
        return tuple(row[place] for row in self.cells)


@dataclass(frozen=True)
class Reply:
    """What came back for some rows.

    Attributes:
        answers: One a row, all of one length.
        version: The version that the model says it is; empty where it does not.
    """

    answers: tuple[Answer, ...]
    version: str = ""


def is_number(cell: object) -> bool:
    """Whether a value is a number and no truth value."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def parse(content: bytes, where: str) -> Any:
    """The JSON in what came back; NaN and Infinity, which some servers write, are read as such.

    Raises:
        ModelError: It is no JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ModelError(
            say("This is no JSON."),
            where=where,
            advice=say("Check the address, where another program may answer, or the file."),
        ) from error


def answers_of(found: Any, asked: int, where: str) -> tuple[Answer, ...]:
    """A list with one entry a row, each a value or a list of values, as answers.

    Raises:
        ModelError: There are more or fewer than ``asked``, an answer is empty or none, or they differ in length.
    """
    if not isinstance(found, list) or len(found) != asked:
        raise ModelError(
            say("The server was sent {asked} rows and returned {found} answers.", asked=asked, found=len(found))
            if isinstance(found, list)
            else say("The server was sent {asked} rows and returned no list of answers.", asked=asked),
            where=where,
            advice=say("Correct the way to the answers, or send fewer rows in a request."),
        )
    rows = [tuple(row) if isinstance(row, list) else (row,) for row in found]
    for place, row in enumerate(rows):
        if not row or not all(map(_is_value, row)):
            raise ModelError(
                say("The server returned no value for a row."),
                where=say("{where}, answer {place} of {asked}", where=where, place=place + 1, asked=asked),
                advice=say(
                    "Name the field that holds the value of a row, or check what the server returns for this row."
                ),
            )
    if len({len(row) for row in rows}) > 1:
        raise ModelError(
            say("The model's answers differ in length."), where=where, advice=say("Name the output that is the answer.")
        )
    return tuple(rows)


def _is_value(value: object) -> bool:
    """A text, a truth value, or a number that fits 64 bits as one with a point."""
    return isinstance(value, str | float) or (isinstance(value, int) and abs(value) <= sys.float_info.max)


def _cells(values: pd.Series) -> list[Cell]:
    return list(values.tolist() if is_number_column(values) else as_text(values))


def _written(names: tuple[str, ...], row: tuple[Cell, ...]) -> bytes:
    same = [float(cell) if is_number(cell) and abs(cell) <= LARGEST_WHOLE else cell for cell in row]  # type: ignore[arg-type]
    return json.dumps([names, same], separators=(",", ":")).encode()
