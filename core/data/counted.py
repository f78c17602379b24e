"""A table whose rows each stand for so many people, as a count of people by their groups does.

Tests that count people anyway take the counts as they are, however many people these are; a table says the same as the
one it was counted from. For all others the people are written out: each row as often as it counts, one after the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import as_numbers, record_number
from core.data.column_look import words_of
from core.language.phrases import count, quoted, whole
from core.language.told import say, say_count

MOST_PEOPLE = 999_999_999
"""People of a table of counts: of more no split or permutation can be drawn exactly."""
MOST_WRITTEN_OUT = 1_000_000
"""Of so many people each gets a row where a test needs it."""
MOST_CELLS = 100_000_000
"""Written out, the people may fill so many cells, as any table may."""
FEWEST_SHOWN = 5
"""Rows of fewer people are usually kept back before a table of counts is passed on."""
_NEARLY = 0.9
SOME_PEOPLE = 100_000
"""Of more people than can be written out a random sample of so many is looked at, where a look suffices."""
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
                else say("Take one region or year."),
            )
        return cls(name, times.astype(np.int64))

    @property
    def people(self) -> int:
        """How many people all rows stand for."""
        return int(self.times.sum())

    @property
    def told_many(self) -> str:
        """That they are too many for a row each, one sentence."""
        return say(
            "This test needs a row for each person: {people} people are counted, and at most {most} can be written "
            "out.",
            people=whole(self.people),
            most=whole(MOST_WRITTEN_OUT),
        )

    @property
    def one_by_one(self) -> bool:
        """Whether they are few enough for each of them to have a row."""
        return self.people <= MOST_WRITTEN_OUT

    def written_out(self, frame: pd.DataFrame, *, some: bool = False) -> pd.DataFrame:
        """A row for each of the people, numbered from 0, without the counts.

        Args:
            frame: The rows that stand for them.
            some: Whether of more people than can be written out 100,000 suffice, drawn at random, always the same.

        Raises:
            DataError: They are too many, or would fill more cells than a table may have.
        """
        if not self.one_by_one and not some:
            raise DataError(
                self.told_many,
                where=say("column {name}", name=quoted(self.name)),
                advice=say("Choose a test that works on counts, or draw a random sample of the people."),
            )
        if self.one_by_one and self.people * frame.shape[1] > MOST_CELLS:
            raise DataError(
                say(
                    "The people of all rows would fill {cells} cells; at most {most} can be audited.",
                    cells=whole(self.people * frame.shape[1]),
                    most=whole(MOST_CELLS),
                ),
                where=say("column {name}", name=quoted(self.name)),
                advice=say("Leave out columns that say nothing of people, or draw a random sample of the people."),
            )
        rows = np.repeat(np.arange(len(self.times)), self.times if self.one_by_one else self.drawn(SOME_PEOPLE))
        return frame.drop(columns=self.name, errors="ignore").iloc[rows].reset_index(drop=True)

    def tells_persons(self, frame: pd.DataFrame) -> Iterator[Caveat]:
        """That nearly every row stands for one person and has a value of its own in a column, as a name has."""
        rows = len(frame)
        if (self.times[self.times > 0] == 1).mean() < _NEARLY or rows < FEWEST_ROWS:
            return
        for name in frame.columns:
            if frame[name].dtype.kind != "f" and frame[name].nunique() >= _NEARLY * rows:
                yield Caveat(
                    "warning",
                    say(
                        "The column {name} has a value of its own in nearly every row, and nearly every row stands "
                        "for one person: this is a table of persons, not of counts.",
                        name=quoted(name),
                    ),
                    say("Leave out the column before rows are counted, or take back the column that counts people."),
                )

    def drawn(self, people: int, seed: int = 0) -> np.ndarray:
        """How many of each row are among so many people drawn at random without replacement, shape (n,), int64."""
        return split_at_random(self.times, people, np.random.default_rng(seed))

    def caveats(self, *, by_person: bool) -> Iterator[Caveat]:
        """How many people the rows stand for, how many rows stand for nobody, and how many for a single person.

        Args:
            by_person: Whether each of them has a row of their own.
        """
        yield Caveat(
            "info",
            say(
                "{rows} stand for {people} people, whom {name} counts.",
                rows=count(len(self.times), "row"),
                people=whole(self.people),
                name=quoted(self.name),
            ),
            say("Where a row is named by its number, people are numbered, not rows.") if by_person else "",
        )
        if by_person and not self.one_by_one:
            yield Caveat(
                "info",
                say(
                    "What is shown of the table here is of {some} of these people, drawn at random.",
                    some=whole(SOME_PEOPLE),
                ),
            )
        if alone := int((self.times == 1).sum()):
            yield Caveat(
                "info",
                say_count(
                    "{n} row stands for a single person, whom its cells may tell.",
                    "{n} rows each stand for a single person, whom their cells may tell.",
                    alone,
                ),
                say(
                    "Before the table is passed on, merge rare values or suppress rows of fewer than {few} people, as "
                    "the query that counts can. These are {people} of {all} people.",
                    few=FEWEST_SHOWN,
                    people=whole(int(self.times[self.times < FEWEST_SHOWN].sum())),
                    all=whole(self.people),
                ),
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


def split_at_random(times: np.ndarray, people: int, rng: np.random.Generator) -> np.ndarray:
    """How many of each kind are among so many people drawn without replacement (multivariate hypergeometric).

    Args:
        times: People of each kind, shape (u,), int64, fewer than 10^9 in all.
        people: How many are drawn.
        rng: Source of the draw.
    """
    return rng.multivariate_hypergeometric(times, people, method="marginals")


def count_alike(columns: Sequence[np.ndarray], times: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The kinds of rows there are, in an order that does not depend on the rows', and how many people are of each.

    Args:
        columns: What tells rows apart, arrays of shape (n,) without NaN.
        times: People that each row stands for, shape (n,), int64; one each if None.

    Returns:
        The place of one row of each kind, and its people, int64; shape (u,) each.
    """
    rows = len(columns[0])
    key, size = np.zeros(rows, dtype=np.int64), 1
    for values in columns:
        codes, different = _codes(values)
        if size * different >= 2**62:
            key, size = _ranked(key, size)
        key, size = key * different + codes, size * different
    key, size = _ranked(key, size)
    places = np.empty(size, dtype=np.int64)
    places[key[::-1]] = np.arange(rows)[::-1]
    return places, np.bincount(key, times, size).astype(np.int64)


def _codes(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Codes in the order of the values, and below which number they are; whole numbers of a narrow range are theirs."""
    if values.dtype.kind in "iu" and len(values):
        least, most = int(values.min()), int(values.max())
        if most - least <= len(values):
            return values - least, most - least + 1
    codes, distinct = pd.factorize(values, sort=True)
    return codes, max(len(distinct), 1)


def _ranked(key: np.ndarray, size: int) -> tuple[np.ndarray, int]:
    """Keys below ``size``, shape (n,), without gaps, and how many there are."""
    if size > 4 * len(key) + 1_000:
        distinct, ranks = np.unique(key, return_inverse=True)
        return ranks, len(distinct)
    occurs = np.bincount(key, minlength=size) > 0
    return (np.cumsum(occurs) - 1)[key], int(occurs.sum())
