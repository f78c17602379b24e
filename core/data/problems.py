"""Cells that cannot be read as their column's role asks: said once, as a notice before an audit and as an error in
it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from core.data.cells import NonNumericCells, counted, record_number
from core.errors import DataError, Notice
from core.language.told import localized, say
from core.phrases import quoted


@dataclass(frozen=True)
class CellProblem:
    """Some cells of a column.

    Attributes:
        cells: How many, in words.
        fault: What is the matter with them.
        column: Their column.
        row: The first one's row as people count it.
        value: What it says.
        advice: What to do.
    """

    cells: str
    fault: str
    column: str
    row: str
    value: str
    advice: str

    def error(self) -> DataError:
        """For a table that cannot be used like this."""
        where = say("column {column}, row {row}", column=quoted(self.column), row=self.row)
        return DataError(
            say(
                "{cells} {fault}: {quoted} is the first.", cells=self.cells, fault=self.fault, quoted=quoted(self.value)
            ),
            where=where,
            advice=self.advice,
        )

    def notice(self, level: Literal["warning", "serious"]) -> Notice:
        """For a reader of the table's checks."""
        what = say(
            "{cells} of {column} {fault}: {quoted} in row {row} is the first.",
            cells=self.cells,
            column=quoted(self.column),
            fault=self.fault,
            quoted=quoted(self.value),
            row=self.row,
        )
        return Notice(level, what, self.advice)


def non_numeric(values: pd.Series, found: NonNumericCells) -> CellProblem:
    """Cells that are no numbers in a column that is mostly numbers."""
    return CellProblem(
        say("{count} of {filled} cells", count=localized(f"{found.count:,}"), filled=localized(f"{found.filled:,}")),
        say("are no numbers, though the others are"),
        str(values.name),
        record_number(values.index, found.row),
        found.value,
        say("Correct the cells, read the column as numbers (these cells become missing) or as categories."),
    )


def other_judgements(values: pd.Series, other: np.ndarray) -> CellProblem:
    """Judgements of people that are neither 0 nor 1 (``other``, shape (n,), bool)."""
    first = int(other.argmax())
    return CellProblem(
        counted(int(other.sum()), "cell"),
        say("is neither 0 nor 1") if other.sum() == 1 else say("are neither 0 nor 1"),
        str(values.name),
        record_number(values.index, first),
        str(values.iloc[first]),
        say("Write 1 where people found the model's answer biased, 0 where not, and nothing where nobody said."),
    )
