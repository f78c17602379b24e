"""What can stand in a row of a table: the values that each column may have, and which of them go together.

A made-up person is *possible* if every value is one that the column could hold (whole where it is whole, within what
occurs, a category that occurs) and no two of its values are such as never occur together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_quantity
from core.data.encoder import Encoder, categories_of

MOST_DECIMALS = 6
_MOST_CELLS = 4_000_000
"""Combinations of two columns that are held; of more each is looked for in the rows."""


@dataclass(frozen=True)
class Values:
    """What one column may hold.

    Attributes:
        name: The column.
        categories: The categories, in the order of their codes; empty for numbers.
        occurring: The different numbers that occur, ascending, where they are few; shape (v,), empty for a quantity
            and for categories.
        low: The smallest number that occurs; NaN for categories.
        high: The largest.
        decimals: Decimals that the numbers are written with; 0 where all of them are whole.
    """

    name: str
    categories: tuple[str, ...]
    occurring: np.ndarray
    low: float = float("nan")
    high: float = float("nan")
    decimals: int = 0

    @classmethod
    def of(cls, values: pd.Series, categories: tuple[str, ...]) -> Values:
        """What a column may hold that has these values, none of them missing, and is encoded by these categories."""
        name = str(values.name)
        if categories:
            return cls(name, categories, np.empty(0))
        numbers = np.unique(as_numbers(values))
        few = np.empty(0) if is_quantity(values) else numbers
        return cls(name, (), few, float(numbers[0]), float(numbers[-1]), _decimals(numbers))

    @property
    def are_numbers(self) -> bool:
        """Whether the column holds numbers."""
        return not self.categories

    @property
    def whole(self) -> bool:
        """Whether it holds whole numbers."""
        return self.are_numbers and self.decimals == 0

    def nearest(self, numbers: np.ndarray) -> np.ndarray:
        """The numbers nearest to these, shape (n,), that the column may hold."""
        if len(self.occurring):
            apart = np.abs(self.occurring[None] - numbers[:, None])
            return np.asarray(self.occurring[apart.argmin(axis=1)])
        return np.asarray(np.clip(np.round(numbers, self.decimals), self.low, self.high))

    def beyond(self, numbers: np.ndarray) -> np.ndarray:
        """Whether numbers, shape (n,), lie outside what occurs by more than half of the column's last decimal."""
        slack = 0.5 * 10.0**-self.decimals
        return np.asarray((numbers < self.low - slack) | (numbers > self.high + slack))


def _decimals(numbers: np.ndarray) -> int:
    """With how many decimals the numbers are written; by their spread where they are measured more finely."""
    for decimals in range(MOST_DECIMALS + 1):
        if (np.round(numbers, decimals) == numbers).all():
            return decimals
    return int(np.clip(2 - np.floor(np.log10(float(np.std(numbers)))), 0, MOST_DECIMALS))


class Possible:
    """Who is possible among the people of a table.

    Args:
        frame: The table's rows, none of the encoder's columns with a missing cell.
        encoder: The columns that make up a person.
    """

    def __init__(self, frame: pd.DataFrame, encoder: Encoder) -> None:
        self._frame = frame
        self.columns = tuple(Values.of(frame[one.name], categories_of(one)) for one in encoder.columns)

    def go_together(self, first: int, one: str | float, second: int, other: str | float) -> bool:
        """Whether a row has both values, in the columns at these places; true where one of them is a quantity."""
        codes = (self._codes[first], self._codes[second])
        if codes[0] is None or codes[1] is None:
            return True
        place, against = codes[0][1].get(one), codes[1][1].get(other)
        if place is None or against is None:
            return False
        if len(codes[0][1]) * len(codes[1][1]) > _MOST_CELLS:
            return bool(((codes[0][0] == place) & (codes[1][0] == against)).any())
        return bool(self._together(first, second)[place, against])

    @cached_property
    def _codes(self) -> list[tuple[np.ndarray, dict[str | float, int]] | None]:
        """Each column's codes, shape (n,), and the code of each value; None for a quantity."""
        found: list[tuple[np.ndarray, dict[str | float, int]] | None] = []
        for values in self.columns:
            column = self._frame[values.name]
            if values.are_numbers and not len(values.occurring):
                found.append(None)
                continue
            codes, distinct = pd.factorize(as_numbers(column) if values.are_numbers else as_text(column))
            known = [float(one) if values.are_numbers else str(one) for one in distinct]
            found.append((codes, {value: code for code, value in enumerate(known)}))
        return found

    def _together(self, first: int, second: int) -> np.ndarray:
        """Which values of two columns a row has, by their codes, bool."""
        if (first, second) not in self._seen:
            (codes, values), (others, against) = self._codes[first], self._codes[second]  # type: ignore[misc]
            table = np.zeros((len(values), len(against)), dtype=bool)
            table[codes, others] = True
            self._seen[first, second] = table
        return self._seen[first, second]

    @cached_property
    def _seen(self) -> dict[tuple[int, int], np.ndarray]:
        return {}
