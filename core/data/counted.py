"""A table whose rows each stand for so many people, as a count of people by their groups does.

The people are written out before anything else: each row as often as it counts, one after the other. Nothing that
follows knows of counts, and a table says the same as the one it was counted from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.data.cells import as_numbers, record_number
from core.data.column_look import words_of
from core.language.phrases import count, quoted, whole
from core.language.told import say

MOST_PEOPLE = 1_000_000
MOST_CELLS = 100_000_000
"""Written out, the people may fill so many cells, as any table may."""
_WEIGHTS = frozenset("wt wts wgt wgts fnlwgt perwt hhwt asecwt finalwt wtfinl".split())  # noqa: SIM905


@dataclass(frozen=True)
class Counted:
    """How many people the rows of a table stand for.

    Attributes:
        name: The column that counts them.
        times: How many each row stands for, shape (n,), int64, none negative.
    """

    name: str
    times: np.ndarray

    @classmethod
    def of(cls, values: pd.Series) -> "Counted":
        """The counts that a column holds.

        Raises:
            DataError: The column is named like a sampling weight; a cell is missing, no number, negative or not whole;
                or there are no people, or too many to write out.
        """
        name = str(values.name)
        if is_weight(name):
            raise DataError(
                say("The column is named like a sampling weight, and a weight is no count of people."),
                where=say("column {name}", name=quoted(name)),
                advice=say("Choose a column that counts the people of each row, or none."),
            )
        times = as_numbers(values)
        for wrong, what in (
            (values.isna().to_numpy(), say("It is not known how many people a row stands for.")),
            (~np.isfinite(times), say("A count of people is no number.")),
            (times < 0, say("A count of people is negative.")),
            (np.floor(times) != times, say("A count of people is not whole: broken numbers are weights.")),
        ):
            if wrong.any():
                row = int(wrong.argmax())
                raise DataError(
                    what,
                    where=say(
                        "column {name}, row {row}, {cell}",
                        name=quoted(name),
                        row=record_number(values.index, row),
                        cell=quoted(values.iloc[row]),
                    ),
                    advice=say("Correct the table, or choose another column that counts people, or none."),
                )
        people = times.sum()
        if not 0 < people <= MOST_PEOPLE:
            raise DataError(
                say("The rows stand for nobody.")
                if not people
                else say(
                    "The rows stand for {people} people; at most {most} can be audited.",
                    people=whole(int(people)),
                    most=whole(MOST_PEOPLE),
                ),
                where=say("column {name}", name=quoted(name)),
                advice=say("Choose another column that counts people, or none.")
                if not people
                else say("Draw a random sample of the people, or take one region or year."),
            )
        return cls(name, times.astype(np.int64))

    @property
    def people(self) -> int:
        """How many people all rows stand for."""
        return int(self.times.sum())

    def written_out(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A row for each of the people, numbered from 0, without the counts.

        Raises:
            DataError: They would fill more cells than a table may have.
        """
        if self.people * frame.shape[1] > MOST_CELLS:
            raise DataError(
                say(
                    "The people of all rows would fill {cells} cells; at most {most} can be audited.",
                    cells=whole(self.people * frame.shape[1]),
                    most=whole(MOST_CELLS),
                ),
                where=say("column {name}", name=quoted(self.name)),
                advice=say("Leave out columns that say nothing of people, or draw a random sample of the people."),
            )
        rows = np.repeat(np.arange(len(self.times)), self.times)
        return frame.drop(columns=self.name, errors="ignore").iloc[rows].reset_index(drop=True)

    @property
    def caveats(self) -> Iterator[Caveat]:
        """How many people the rows stand for, and how many rows stand for nobody."""
        yield Caveat(
            "info",
            say(
                "{rows} stand for {people} people, whom {name} counts.",
                rows=count(len(self.times), "row"),
                people=whole(self.people),
                name=quoted(self.name),
            ),
            say("Where a row is named by its number, people are numbered, not rows."),
        )
        if nobody := int((self.times == 0).sum()):
            yield Caveat(
                "info",
                say(
                    "Left out {rows} of which {name} counts nobody.",
                    rows=count(nobody, "row"),
                    name=quoted(self.name),
                ),
            )


def is_weight(name: str) -> bool:
    """Whether a column is named like a sampling weight: ``fnlwgt``, ``PWGTP12``, ``sample_weight``."""
    words = {word.rstrip("0123456789") for word in words_of(name)}
    return bool(words & _WEIGHTS) or any("weight" in word or "wgt" in word or word.startswith("wt") for word in words)
