"""In what the possible people found differ from those to whom they are similar, column by column and group by group."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.encoder import Encoder, categories_of

ONE_WAY = 0.9
"""Share of changes from which on nearly all of them go one way."""


@dataclass(frozen=True)
class Changes:
    """Rows to which possible people were looked for: of everybody, then of each of g groups; c columns of the table.

    Attributes:
        rows: How many there are, shape (1 + g,), int.
        changed: In how many the possible person has another value, shape (1 + g, c), int.
        larger: In how many that is a larger number, shape (1 + g, c), int; 0 of categories.
        apart: Sum of how far numbers then lie apart, in the table's units, shape (1 + g, c); 0 of categories.
        toward: Code of the category that most of them then have, shape (1 + g, c), int; 0 of numbers.
    """

    rows: np.ndarray
    changed: np.ndarray
    larger: np.ndarray
    apart: np.ndarray
    toward: np.ndarray

    @classmethod
    def of(cls, before: pd.DataFrame, after: pd.DataFrame, taken: np.ndarray, encoder: Encoder) -> "Changes":
        """What differs between s people and those found for them.

        Args:
            before: The people, s rows.
            after: Who was found for each; the same where nobody was.
            taken: For whom each was taken, shape (s, 1 + g), bool.
            encoder: The columns.
        """
        whose = taken.T.astype(np.int64)
        apart = np.zeros((len(whose), len(encoder.columns)))
        changed, larger, toward = (np.zeros(apart.shape, dtype=np.int64) for _ in range(3))
        for place, column in enumerate(encoder.columns):
            old, new = before[column.name].to_numpy(), after[column.name].to_numpy()
            differs = np.asarray(old != new)
            changed[:, place] = whose @ differs
            if categories := categories_of(column):
                code = np.asarray(pd.Index(categories).get_indexer(pd.Index(new)))
                to_each = differs[:, None] & (code[:, None] == np.arange(len(categories)))
                toward[:, place] = (whose @ to_each).argmax(axis=1)
            else:
                by = new - old
                larger[:, place], apart[:, place] = whose @ (by > 0), whose @ np.abs(by)
        return cls(taken.sum(axis=0), changed, larger, apart, toward)

    @property
    def share(self) -> np.ndarray:
        """The share of rows in which each column differs, shape (1 + g, c); NaN of nobody."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.changed / self.rows[:, None])

    @property
    def by(self) -> np.ndarray:
        """How far numbers that differ lie apart on average, shape (1 + g, c); NaN where none does."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.apart / self.changed)

    @property
    def way(self) -> np.ndarray:
        """1 where nearly all numbers that differ are larger, -1 where nearly all are smaller; else 0; (1 + g, c)."""
        least = ONE_WAY * self.changed
        up, down = self.larger >= least, self.changed - self.larger >= least
        return np.asarray((up.astype(int) - down) * (self.apart > 0))

    @property
    def order(self) -> list[int]:
        """Every column, the one that differs most often for everybody first."""
        return [int(place) for place in np.argsort(-self.changed[0], kind="stable")]
