"""A table with its roles: who people are, what is predicted about them, and what may not matter."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np
import pandas as pd
from pydantic import model_validator

from core.encoder import Encoder
from core.errors import DataError
from core.settings import Settings, setting

MINIMUM_ROWS = 30
"""Below this many rows the normal approximation of every test here is not defensible."""

Missing = Literal["leave out", "median and most frequent", "own category"]


class Roles(Settings):
    """What each column is for. Columns named nowhere are ignored."""

    outcome: str = setting(label="Outcome", help="The column that holds what really happened, or the right decision.")
    favourable: str = setting(
        label="Favourable value", help="The value of the outcome that is good for the person, as text."
    )
    protected: tuple[str, ...] = setting(
        label="Protected attributes",
        help="Columns such as sex or race that must not make a difference.",
        min_length=1,
    )
    features: tuple[str, ...] = setting(
        (), label="Features", help="Columns the model reads. Order matters for models that take plain numbers."
    )
    predictions: tuple[str, ...] = setting(
        (), label="Prediction or score columns", help="Columns that hold a model's answers."
    )
    numeric: tuple[str, ...] = setting(
        (),
        label="Read as numbers",
        help="Text columns to read as numbers; a cell that is no number counts as missing.",
    )
    categorical: tuple[str, ...] = setting(
        (), label="Read as categories", help="Columns of numbers or mixed text whose values are names, such as codes."
    )
    missing: Missing = setting(
        "leave out", label="Missing values", help="What happens to rows with an empty cell; always counted and shown."
    )

    @model_validator(mode="after")
    def _roles_do_not_clash(self) -> Self:
        for names, role in ((self.features, "a feature"), (self.protected, "a protected attribute")):
            if self.outcome in names:
                raise ValueError(f"The outcome {self.outcome!r} cannot also be {role}.")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role, once, in order: features, protected, predictions, outcome."""
        return tuple(dict.fromkeys((*self.features, *self.protected, *self.predictions, self.outcome)))


@dataclass(frozen=True)
class Dataset:
    """Checked rows with their roles. Build one with :meth:`build`.

    Attributes:
        frame: Columns with a role, no missing cell; the index is the row's number in the file (0 = first record).
        roles: What the columns are for.
        rows_read: Rows of the table before anything was left out.
        rows_left_out: Rows left out for missing cells.
        cells_imputed: Cells filled, by column.
    """

    frame: pd.DataFrame
    roles: Roles
    rows_read: int
    rows_left_out: int = 0
    cells_imputed: tuple[tuple[str, int], ...] = ()

    @classmethod
    def build(cls, frame: pd.DataFrame, roles: Roles) -> "Dataset":
        """Apply ``roles`` to a table: check it, treat missing cells as the roles say, count what was done.

        Raises:
            DataError: A column is missing or doubled, fewer than 30 rows remain, the outcome has one value only,
                the favourable value does not occur, a protected attribute has one group only, or a numeric
                feature holds an infinite value.
        """
        unknown = [name for name in roles.columns if name not in frame.columns]
        if unknown:
            raise DataError(
                f"The table has no column {', '.join(map(repr, unknown))}.",
                advice="Choose the roles again; column names are case-sensitive.",
            )
        kept = frame.loc[:, list(roles.columns)]
        if kept.columns.has_duplicates:
            double = kept.columns[kept.columns.duplicated()][0]
            raise DataError("Two columns have the same name.", where=f"column {double!r}", advice="Rename one of them.")
        kept, imputed = _treat_missing(kept.reset_index(drop=True), roles.missing, roles.outcome)
        dataset = cls(kept, roles, len(frame), len(frame) - len(kept), imputed)
        dataset._check()
        return dataset

    def _check(self) -> None:
        if len(self.frame) < MINIMUM_ROWS:
            raise DataError(
                f"Only {len(self.frame)} usable rows are left; a test needs at least {MINIMUM_ROWS}.",
                where=f"{self.rows_read} rows read, {self.rows_left_out} left out for missing values",
                advice="Bring more rows, or choose another treatment of missing values.",
            )
        if len(self.labels) < 2:
            raise DataError(
                f"Every row has the same outcome, {self.labels[0]!r}.",
                where=f"column {self.roles.outcome!r}",
                advice="Choose a column with at least two outcomes.",
            )
        if self.roles.favourable not in self.labels:
            raise DataError(
                f"The favourable value {self.roles.favourable!r} does not occur.",
                where=f"column {self.roles.outcome!r}",
                advice=f"Choose one of {', '.join(map(repr, self.labels[:8]))}.",
            )
        for name in self.roles.protected:
            if self.frame[name].nunique() < 2:
                raise DataError(
                    "Everybody belongs to the same group, so groups cannot be compared.",
                    where=f"column {name!r}",
                    advice="Choose another protected attribute, or bring rows of other groups.",
                )
        for name in self.roles.features:
            values = self.frame[name]
            if pd.api.types.is_numeric_dtype(values) and np.isinf(values.to_numpy(dtype=np.float64)).any():
                row = int(np.flatnonzero(np.isinf(values.to_numpy(dtype=np.float64)))[0])
                raise DataError(
                    "A feature holds an infinite value.",
                    where=f"column {name!r}, row {self.frame.index[row] + 1}",
                    advice="Correct the value, or ignore the column.",
                )

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The outcome's values as text, sorted, with the favourable value last when there are two."""
        values = sorted(as_text(self.frame[self.roles.outcome]).unique())
        return tuple(sorted(values, key=lambda value: value == self.roles.favourable) if len(values) == 2 else values)

    def label_codes(self, classes: tuple[str, ...]) -> np.ndarray:
        """Each row's outcome as an index into a model's ``classes``; shape (n,), int64.

        Raises:
            DataError: A row's outcome is none of the classes.
        """
        codes = pd.Categorical(as_text(self.frame[self.roles.outcome]), categories=list(classes)).codes
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise DataError(
                f"The model has no class for the outcome {self.frame[self.roles.outcome].iloc[row]!r}.",
                where=f"column {self.roles.outcome!r}, row {self.frame.index[row] + 1}",
                advice=f"Say which outcome each of the model's classes stands for; it knows {', '.join(classes[:8])}.",
            )
        return codes.astype(np.int64)

    def groups(self, attribute: str) -> tuple[np.ndarray, tuple[str, ...]]:
        """Group of every row by one protected attribute: codes, shape (n,), and the groups' names, sorted."""
        codes, names = pd.factorize(as_text(self.frame[attribute]), sort=True)
        return codes, tuple(map(str, names))

    def take(self, rows: np.ndarray) -> "Dataset":
        """The rows at these positions (0-based within this dataset), with their original row numbers."""
        return replace(self, frame=self.frame.iloc[rows])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the rows and the roles."""
        digest = hashlib.sha256(self.roles.fingerprint.encode())
        digest.update(repr(list(self.frame.columns)).encode())
        digest.update(pd.util.hash_pandas_object(self.frame, index=True).to_numpy().tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class EncodedDataset:
    """A dataset as a model reads it.

    Attributes:
        dataset: The rows in original units.
        encoder: The way from those to ``x`` and back.
        x: Encoded features, shape (n, d), float64.
        y: True class of each row as an index into ``classes``, shape (n,), int64.
        classes: The model's classes as outcome values, length k.
    """

    dataset: Dataset
    encoder: Encoder
    x: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.x)

    def take(self, rows: np.ndarray) -> "EncodedDataset":
        """The rows at these positions (0-based within this dataset)."""
        return replace(self, dataset=self.dataset.take(rows), x=self.x[rows], y=self.y[rows])


def as_text(values: pd.Series) -> pd.Series:
    """Values as people write them: whole numbers without ``.0``, everything else as ``str`` does."""
    if pd.api.types.is_float_dtype(values) and (values == values.round()).all():
        return values.astype("int64").astype(str)
    return values.astype(str)


def _treat_missing(frame: pd.DataFrame, how: Missing, outcome: str) -> tuple[pd.DataFrame, tuple[tuple[str, int], ...]]:
    """Rows without an outcome always go; other gaps are treated as the user chose."""
    frame = frame[frame[outcome].notna()]
    if how == "leave out":
        return frame.dropna(), ()
    filled, counts = {}, []
    for name in frame.columns:
        gaps = int(frame[name].isna().sum())
        if gaps == 0 or gaps == len(frame):
            continue
        if pd.api.types.is_numeric_dtype(frame[name]):
            filled[name] = frame[name].fillna(frame[name].median())
        elif how == "own category":
            filled[name] = frame[name].astype(str).where(frame[name].notna(), "(missing)")
        else:
            filled[name] = frame[name].fillna(frame[name].mode().iloc[0])
        counts.append((str(name), gaps))
    return frame.assign(**filled).dropna(), tuple(counts)
