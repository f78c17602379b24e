"""A table with its roles: who people are, what is predicted about them, and what may not matter."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from core.base.errors import DataError
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import as_numbers, as_text, ascending, is_score, record_number
from core.data.clusters import cluster_codes, refuse_few_clusters
from core.data.copies import Copies, find_copies
from core.data.counted import Counted
from core.data.left_out import LeftOut, count_left_out
from core.data.missing import Counts, fill_missing, read_cells
from core.data.roles import NOT_SELECTED, SELECTED, Missing, Roles
from core.data.usable import refuse_unusable
from core.language.phrases import count, quoted, several
from core.language.told import say, say_count

__all__ = ["Dataset", "Missing", "Roles", "as_text"]


@dataclass(frozen=True)
class WholeTable:
    """A table before any row is left out, its rows numbered from 0.

    Attributes:
        brought: Every column as it was brought.
        cells: The columns with a role, each of a plain type, missing cells as NaN.
        not_numbers: Cells of columns to be read as numbers that are no number, by column; they count as missing.
        roles: What the columns are for.
        counted: How many people the rows stood for that were brought; None where a row is a person.
        by_person: Whether each of these people now has a row.
    """

    brought: pd.DataFrame
    cells: pd.DataFrame
    not_numbers: Counts
    roles: Roles
    counted: Counted | None = None
    by_person: bool = False

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the cells, what they count, and the roles."""
        return _fingerprint(self.cells, self.roles, self.times_of(self.cells.index))

    def times_of(self, rows: pd.Index) -> np.ndarray | None:
        """How many people rows with these numbers stand for, shape (n,), int64; None where each is a person."""
        if self.counted is None or self.by_person:
            return None
        times: np.ndarray = self.counted.times[rows.to_numpy()]
        return times

    def written_out(self, *, some: bool) -> "WholeTable":
        """The same with a row for each person, or for some of many; see :meth:`Counted.written_out`."""
        if self.counted is None or self.by_person:
            return self
        whole = replace(self.counted, times=self.counted.times[self.brought.index.to_numpy()])
        brought, cells = (whole.written_out(one, some=some) for one in (self.brought, self.cells))
        return replace(self, brought=brought, cells=cells, by_person=True)


@dataclass(frozen=True)
class Dataset:
    """Checked rows with their roles. Build one with :meth:`build`; a test takes its rows with :meth:`reading`.

    Attributes:
        frame: Columns with a role, no missing cell, save NaN for texts that nobody judged and for rows that belong to
            nothing; the index is the row's number in the file (0 = first record).
        roles: What the columns are for; features and predictions that are not read have no role.
        rows_read: Rows of the table before anything was left out.
        rows_left_out: Rows left out for missing cells, rows without a text among them.
        cells_imputed: Cells filled, by column.
        cells_not_numbers: Cells of columns to be read as numbers that are no number, by column; they count as missing.
        gaps: Rows left out whose cell is missing, by column that has any; a row may miss more than one.
        left_out: Those left out and those kept, by group and outcome, one entry for each protected attribute.
        copies: Rows of the table that repeat an earlier one, and how many more these are than by chance; None where
            rows stand for several people, who are alike.
        table: All rows and columns of the table, from which other columns can be read.
        taken: Whether these are some rows of a dataset, to which no other row comes back.
    """

    frame: pd.DataFrame
    roles: Roles
    rows_read: int
    rows_left_out: int = 0
    cells_imputed: Counts = ()
    cells_not_numbers: Counts = ()
    gaps: Counts = ()
    left_out: tuple[LeftOut, ...] = ()
    copies: Copies | None = None
    table: WholeTable | None = None
    taken: bool = False

    @classmethod
    def build(cls, frame: pd.DataFrame, roles: Roles, reads: Iterable[str] | None = None) -> "Dataset":
        """Apply ``roles`` to a table: check it, treat missing cells as the roles say, count what was done.

        A row that stands for nobody is not kept. Where rows stand for several people, rows that are read, left out or
        filled are counted in people (:mod:`core.data.counted`).

        A row is left out for a gap in any column with a role; :meth:`reading` gives the rows of a test.

        Args:
            frame: The table.
            roles: What its columns are for.
            reads: The columns that are read at first, as in :meth:`reading`; all of them if None.

        Raises:
            DataError: A column is missing, doubled, empty or mostly numbers; a count of people is none; fewer than 30
                rows remain, or they belong to fewer than 10 persons, households, templates or documents; the outcome
                has too many values for classes, or only one in a table without texts, or is infinite where it is a
                number; the favourable value does not occur; a protected attribute has one group only; a judgement of
                people is neither 0 nor 1; a numeric feature or prediction holds an infinite value; or the features have
                so many categories that the rows prepared for a model would not fit into memory.
        """
        unknown = [name for name in (*roles.columns, roles.counts) if name and name not in frame.columns]
        if unknown:
            raise DataError(
                say("The table has no column {name}.", name=several(unknown)),
                advice=say("Choose the roles again; column names are case-sensitive."),
            )
        kept = frame.loc[:, list(roles.columns)]
        if kept.columns.has_duplicates:
            double = kept.columns[kept.columns.duplicated()][0]
            raise DataError(
                say("Two columns have the same name."),
                where=say("column {name}", name=quoted(double)),
                advice=say("Rename one of them."),
            )
        brought = frame.reset_index(drop=True)
        cells, not_numbers = read_cells(brought.loc[:, list(roles.columns)], roles)
        counted = Counted.of(brought[roles.counts]) if roles.counts else None
        if counted is not None:
            somebody = counted.times > 0
            brought, cells = brought.drop(columns=counted.name)[somebody], cells[somebody]
        table = WholeTable(brought, cells, not_numbers, roles, counted)
        return cls._of(table, roles if reads is None else roles.reading(reads))

    @classmethod
    def _of(cls, table: WholeTable, roles: Roles) -> "Dataset":
        """The rows of a table without a gap in the columns of these roles, checked and counted."""
        read = table.cells.loc[:, list(roles.columns)]
        times = table.times_of(read.index)
        complete, imputed = fill_missing(read, roles, times)
        gone = read.drop(index=complete.index)
        people = pd.Series(1 if times is None else times, index=read.index)
        dataset = cls(
            complete,
            roles,
            rows_read=int(people.sum()),
            rows_left_out=int(people[gone.index].sum()),
            cells_imputed=imputed,
            cells_not_numbers=tuple(one for one in table.not_numbers if one[0] in roles.columns),
            gaps=_count_gaps(gone, roles, people[gone.index]),
            left_out=count_left_out(read, complete.index, roles, times),
            table=table,
        )
        dataset._refuse_few()
        if dataset.clusters is not None:
            refuse_few_clusters(dataset.clusters, roles.belongs_to)
        refuse_unusable(complete, roles, dataset.labels, dataset.people)
        if table.counted is not None:
            return dataset
        rows = table.brought.loc[complete.index].drop(columns=list(table.roles.predictions))
        return replace(dataset, copies=find_copies(rows, table.roles.columns, dataset.clusters))

    def reading(self, columns: Iterable[str]) -> "Dataset":
        """The rows of a test that reads these columns: a gap in another feature or prediction costs no row.

        Outcome, protected attributes and texts are always read. Of rows that were taken from a dataset none comes back.

        Raises:
            DataError: As :meth:`build`, of the rows without a gap in what is read.
        """
        if self.table is None or self.taken:
            return self
        roles = self.table.roles.reading(columns)
        if roles == self.roles:
            return self
        if not self.rows_left_out and not self.cells_imputed and set(roles.columns) <= set(self.roles.columns):
            not_numbers = tuple(one for one in self.cells_not_numbers if one[0] in roles.columns)
            return replace(self, frame=self.frame[list(roles.columns)], roles=roles, cells_not_numbers=not_numbers)
        return self._of(self.table, roles)

    def _refuse_few(self) -> None:
        if self.people < FEWEST_ROWS:
            raise DataError(
                say_count(
                    "Only {n} usable row is left; a test needs at least {fewest}.",
                    "Only {n} usable rows are left; a test needs at least {fewest}.",
                    self.people,
                    fewest=FEWEST_ROWS,
                ),
                where=say(
                    "{rows} read, {left_out} left out for missing values, {without_text} of them without a text",
                    rows=count(self.rows_read, "row"),
                    left_out=self.rows_left_out,
                    without_text=self.texts_empty,
                )
                if self.texts_empty
                else say(
                    "{rows} read, {left_out} left out for missing values",
                    rows=count(self.rows_read, "row"),
                    left_out=self.rows_left_out,
                ),
                advice=say("Bring more rows, or choose another treatment of missing values."),
            )

    @property
    def all_roles(self) -> Roles:
        """What the columns of the table are for, whether they are read or not."""
        return self.roles if self.table is None else self.table.roles

    @property
    def all_cells(self) -> pd.DataFrame:
        """These rows with every column that has a role, whether it is read or not; gaps are NaN, none is filled."""
        return self.frame if self.table is None else self.table.cells.loc[self.frame.index]

    @property
    def brought(self) -> pd.DataFrame:
        """All rows and columns of the table, those with gaps included."""
        return self.frame if self.table is None else self.table.brought

    @property
    def counted(self) -> Counted | None:
        """How many people the rows stood for that were brought; None where a row is a person."""
        return None if self.table is None else self.table.counted

    @cached_property
    def times(self) -> np.ndarray | None:
        """How many people each row stands for, shape (n,), int64; None where each is a person."""
        return None if self.table is None else self.table.times_of(self.frame.index)

    @property
    def people(self) -> int:
        """How many people the rows stand for."""
        return len(self.frame) if self.times is None else int(self.times.sum())

    def written_out(self, *, some: bool = False) -> "Dataset":
        """The same with a row for each person, for tests that need one.

        Args:
            some: Whether of more than a million people 100,000 suffice, drawn at random, always the same.

        Raises:
            DataError: They are too many, or too few to be used.
        """
        if self.table is None or self.times is None:
            return self
        return self._of(self.table.written_out(some=some), self.roles)

    @property
    def texts_empty(self) -> int:
        """Rows left out because their text is empty or nothing but blanks."""
        return dict(self.gaps).get(self.roles.text, 0)

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def clusters(self) -> np.ndarray | None:
        """Which rows belong together: a code 0..G-1 a row, shape (n,), int64; None where each stands for itself."""
        return cluster_codes(self.frame[self.roles.belongs_to]) if self.roles.belongs_to else None

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The outcome's values as text, ascending, with the favourable value last when there are two.

        What is read and shown first; which of a model's outputs stands for which value is another question.

        Without an outcome those of the decisions, and for a score whether somebody is selected; none where there are
        texts alone, or the outcome is a number.
        """
        column = self.roles.outcome or self.roles.decision
        if not column or self.roles.outcome_type == "number":
            return ()
        if column == self.roles.decision and is_score(self.frame[column]):
            return NOT_SELECTED, SELECTED
        values = ascending(as_text(self.frame[column]).unique())
        return tuple(sorted(values, key=lambda value: value == self.roles.favourable) if len(values) == 2 else values)

    def label_codes(self, classes: tuple[str, ...]) -> np.ndarray:
        """Each row's outcome as an index into a model's ``classes``; shape (n,), int64.

        It is -1 without an outcome, and where the outcome is a number.

        Raises:
            DataError: A row's outcome is none of the classes.
        """
        if not self.roles.outcome or self.roles.outcome_type == "number":
            return np.full(len(self), -1, dtype=np.int64)
        codes = pd.Index(classes).get_indexer(pd.Index(as_text(self.frame[self.roles.outcome])))
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise DataError(
                say(
                    "The model has no class for the outcome {outcome}.",
                    outcome=quoted(self.frame[self.roles.outcome].iloc[row]),
                ),
                where=say(
                    "column {name}, row {row}",
                    name=quoted(self.roles.outcome),
                    row=record_number(self.frame.index, row),
                ),
                advice=say(
                    "Say which outcome each of the model's classes stands for; it knows {classes}.",
                    classes=", ".join(classes[:8]),
                ),
            )
        return codes.astype(np.int64)

    @property
    def numbers(self) -> np.ndarray:
        """Each row's outcome as a number, shape (n,), float64, finite; NaN where the outcome is no number."""
        if self.roles.outcome_type != "number":
            return np.full(len(self), np.nan)
        return as_numbers(self.frame[self.roles.outcome]).astype(np.float64)

    def groups(self, attribute: str) -> tuple[np.ndarray, tuple[str, ...]]:
        """Group of every row by one protected attribute: codes, shape (n,), and the groups' names, sorted."""
        codes, names = pd.factorize(as_text(self.frame[attribute]), sort=True)
        return codes, tuple(map(str, names))

    def like(self, frame: pd.DataFrame) -> "Dataset":
        """Other rows of the same table, none with a gap, as these are read; they are not checked for what is usable.

        Raises:
            DataError: A cell cannot be read.
        """
        cells = read_cells(frame[list(self.roles.columns)], self.roles)[0].dropna()
        floats = {name: kind for name, kind in self.frame.dtypes.items() if kind.kind == "f"}
        return Dataset(cells.astype(floats), self.roles, rows_read=len(frame), rows_left_out=len(frame) - len(cells))

    def take(self, rows: np.ndarray) -> "Dataset":
        """The rows at these positions (0-based within this dataset), with their original row numbers."""
        return replace(self, frame=self.frame.iloc[rows], taken=True)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the rows and the roles: of the whole table, whatever a test reads of it."""
        if self.table is None or self.taken:
            return _fingerprint(self.frame, self.roles, self.times)
        return self.table.fingerprint


def _count_gaps(left_out: pd.DataFrame, roles: Roles, people: pd.Series) -> Counts:
    """People of the rows left out whose cell is missing, by column that has any; of those that may be none."""
    needed = [name for name in roles.columns if name not in (*roles.annotation, roles.belongs_to)]
    counts = ((name, int(people[left_out[name].isna()].sum())) for name in needed)
    return tuple((name, rows) for name, rows in counts if rows)


def _fingerprint(frame: pd.DataFrame, roles: Roles, times: np.ndarray | None) -> str:
    digest = hashlib.sha256(roles.fingerprint.encode())
    digest.update(repr(list(frame.columns)).encode())
    digest.update(pd.util.hash_pandas_object(frame, index=True).to_numpy().tobytes())
    if times is not None:
        digest.update(times.tobytes())
    return digest.hexdigest()
