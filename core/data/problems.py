"""Cells that cannot be read as their column's role asks: said once, as a caveat before an audit and as an error in
it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.data.cells import NonNumericCells, record_number
from core.language.phrases import quoted, whole
from core.language.told import say, say_count


@dataclass(frozen=True)
class CellProblem:
    """Some cells of a column.

    Attributes:
        faults: How many, and what is the matter with them.
        of_column: The same with the name of the column.
        column: Their column.
        row: The first one's row as people count it.
        value: What it says.
        advice: What to do.
    """

    faults: str
    of_column: str
    column: str
    row: str
    value: str
    advice: str

    def error(self) -> DataError:
        """For a table that cannot be used like this."""
        where = say("column {name}, row {row}", name=quoted(self.column), row=self.row)
        return DataError(
            say("{faults}: {cell} is the first.", faults=self.faults, cell=quoted(self.value)),
            where=where,
            advice=self.advice,
        )

    def caveat(self, level: Literal["warning", "serious"]) -> Caveat:
        """For a reader of the table's checks."""
        what = say(
            "{faults}: {cell} in row {row} is the first.",
            faults=self.of_column,
            cell=quoted(self.value),
            row=self.row,
        )
        return Caveat(level, what, self.advice)


def non_numeric(values: pd.Series, found: NonNumericCells) -> CellProblem:
    """Cells that are no numbers in a column that is mostly numbers."""
    n, filled = whole(found.count), whole(found.filled)
    return CellProblem(
        say("{n} of {filled} cells are no numbers, though the others are", n=n, filled=filled),
        say(
            "{n} of {filled} cells of {name} are no numbers, though the others are",
            n=n,
            filled=filled,
            name=quoted(str(values.name)),
        ),
        str(values.name),
        record_number(values.index, found.row),
        found.value,
        say("Correct the cells, read the column as numbers (these cells become missing) or as categories."),
    )


def other_judgements(values: pd.Series, other: np.ndarray) -> CellProblem:
    """Judgements of people that are neither 0, 1 nor 2 (``other``, shape (n,), bool)."""
    first, wrong = int(other.argmax()), int(other.sum())
    return CellProblem(
        say_count("{n} cell is neither 0, 1 nor 2", "{n} cells are neither 0, 1 nor 2", wrong),
        say_count(
            "{n} cell of {name} is neither 0, 1 nor 2",
            "{n} cells of {name} are neither 0, 1 nor 2",
            wrong,
            name=quoted(str(values.name)),
        ),
        str(values.name),
        record_number(values.index, first),
        str(values.iloc[first]),
        say(
            "Write 1 where the person found the model's answer biased, 0 where not, 2 where it could not be told, and "
            "nothing where nobody was asked."
        ),
    )
