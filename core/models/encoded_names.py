"""Which column and value an encoded column marks, told by its name: ``sex_Male``, ``jobnurse``, ``area_2.0``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.base.errors import ModelError
from core.data.cells import as_cell, as_text
from core.language.options import where_chosen
from core.language.phrases import several
from core.language.told import say

_BETWEEN = ("_", "=", " = ", "-", ".", ": ", " ", "")
"""What stands between a column's name and a value; nothing in R's ``model.matrix``."""
_PLAIN_BETWEEN = ("_", "__", "___", "")


@dataclass(frozen=True)
class Indicator:
    """An encoded column that is 1 for one value of a column and 0 for others.

    Attributes:
        column: The table's column.
        value: The value, as :func:`core.data.cells.as_text` writes it.
        occurs: Whether the table has it.
    """

    column: str
    value: str
    occurs: bool = True


def find_indicators(names: Sequence[str], frame: pd.DataFrame) -> dict[str, Indicator]:
    """The indicators among the names of encoded columns; a name that could mean several is left out.

    A name is a column's and a value's, with or without a sign between them. A value may be spelt as other languages
    do (``2.0`` for 2, ``TRUE`` for True), and where nothing fits so, letters and digits alone are compared. Once a
    value of a column is found, other names that begin as that one may mark values that the table does not have.
    """
    columns = _Columns(frame)
    found: dict[str, Indicator] = {}
    begins: dict[str, str] = {}
    for name in names:
        one = columns.exact(name) or columns.plain(name)
        if one:
            found[name] = one[0]
            begins[one[1]] = one[0].column
    for name in names:
        starts = [start for start in begins if name.startswith(start) and name != start]
        if name not in found and starts:
            start = max(starts, key=len)
            found[name] = Indicator(begins[start], as_cell(name[len(start) :]), occurs=False)
    return found


def indicators_among(names: Sequence[str], frame: pd.DataFrame, name: str) -> dict[str, Indicator]:
    """The indicators among the names of what a model reads; all others are columns of the table.

    Args:
        names: Names of what it reads.
        frame: The table.
        name: What people call the model.

    Raises:
        ModelError: A name is neither.
    """
    absent = [one for one in names if one not in frame.columns]
    found = find_indicators(absent, frame)
    if missing := [one for one in absent if one not in found]:
        raise ModelError(
            say("The model reads columns that are no features here: {missing}.", missing=several(missing)),
            where=name,
            advice=say(
                "Bring a table that holds them under the names that they had in training, and name all features "
                "{where}. If the columns were prepared before training, save the whole pipeline or bring the prepared "
                "table.",
                where=where_chosen("features"),
            ),
        )
    return found


class _Columns:
    """Columns of a table, the longest names first, and how their values may be spelt."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._names = sorted(map(str, frame.columns), key=len, reverse=True)
        self._spelled: dict[str, dict[str, str]] = {}

    def exact(self, name: str) -> tuple[Indicator, str] | None:
        """The indicator that a name stands for and what comes before the value."""
        for signs in (_BETWEEN[:-1], _BETWEEN[-1:]):
            fits = [
                (Indicator(column, self._values(column)[name[len(column + sign) :]]), column + sign)
                for column in self._names
                for sign in signs
                if name.startswith(column + sign) and name[len(column + sign) :] in self._values(column)
            ]
            if fits and (signs[0] or len(fits) == 1):
                return fits[0]
        return None

    def plain(self, name: str) -> tuple[Indicator, str] | None:
        """The same by letters and digits alone, if only one column and value fit."""
        plain = _plain(name)
        fits = {
            (column, value): name[: len(column + sign)]
            for column in self._names
            for sign in _PLAIN_BETWEEN
            if plain.startswith(_plain(column) + sign)
            for spelled, value in self._values(column).items()
            if spelled and _plain(spelled) == plain[len(column + sign) :]
        }
        if len(fits) != 1:
            return None
        (((column, value), start),) = fits.items()
        return Indicator(column, value), start

    def _values(self, column: str) -> dict[str, str]:
        """The values of a column by how they may be spelt."""
        if column not in self._spelled:
            written = as_text(self._frame[column]).dropna().unique().tolist()
            self._spelled[column] = {spelled: one for one in written for spelled in _spellings(one)} | {
                one: one for one in written
            }
        return self._spelled[column]


def _spellings(value: str) -> tuple[str, ...]:
    if value in ("True", "False"):
        return value, value.upper(), value.lower()
    return (value, f"{value}.0") if re.fullmatch(r"-?\d{1,15}", value, re.ASCII) else (value,)


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name)
