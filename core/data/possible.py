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
QUANTITY, UNKNOWN = -1, -2
"""Codes: of a number that need not be one that occurs, and of a value that no row has."""
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

    def choices(self, place: int, most: int) -> list[str | float]:
        """At most so many values of the column at this place: of numbers evenly many rows apart, else the commonest."""
        column = self._frame[self.columns[place].name]
        if not self.columns[place].are_numbers:
            return [str(one) for one in pd.Series(as_text(column)).value_counts().index[:most]]
        spread = np.quantile(as_numbers(column), np.linspace(0, 1, most), method="nearest")
        return [float(one) for one in np.unique(spread)]

    def codes(self, rows: np.ndarray) -> np.ndarray:
        """Code of each value of the rows at these positions, shape (p, c), int; -1 in a column of a quantity."""
        none = np.full(len(rows), QUANTITY, dtype=np.int64)
        return np.stack([none if one is None else one[0][rows] for one in self._codes], axis=1)

    def code(self, place: int, value: str | float) -> int:
        """The code of a value of the column at this place: :data:`QUANTITY`, or :data:`UNKNOWN` of one without rows."""
        known = self._codes[place]
        return QUANTITY if known is None else known[1].get(value, UNKNOWN)

    def goes_with(self, place: int, code: int, codes: np.ndarray) -> np.ndarray:
        """Whether a row has both a value, by its code, and what others hold; true beside a quantity, and of one.

        Args:
            place: The value's column.
            code: Its code.
            codes: What the others hold in each column, shape (p, c).

        Returns:
            Shape (p, c), bool; true in the value's own column.
        """
        return np.asarray(self._beside(place, code)[self._starts + np.maximum(codes, QUANTITY)])

    def _beside(self, place: int, code: int) -> np.ndarray:
        """Which values of every column, one column's after the other's, stand beside a value in some row.

        Before those of each column stands whether nothing needs to be known of it.
        """
        if (place, code) not in self._known:
            parts = []
            for other, known in enumerate(self._codes):
                free = known is None or other == place or code == QUANTITY
                count = 0 if known is None else len(known[1])
                seen = np.ones(count, dtype=bool) if free else self._seen_beside(place, code, other)
                parts += [np.array([free]), seen]
            self._known[place, code] = np.concatenate(parts)
        return self._known[place, code]

    @cached_property
    def _known(self) -> dict[tuple[int, int], np.ndarray]:
        return {}

    @cached_property
    def _starts(self) -> np.ndarray:
        """Where the values of each column start there."""
        counts = [1 + (0 if one is None else len(one[1])) for one in self._codes]
        return np.cumsum([0, *counts[:-1]]) + 1

    def _seen_beside(self, place: int, code: int, other: int) -> np.ndarray:
        """Which values of another column occur beside one of the column at this place, by their codes, bool."""
        (codes, values), (others, against) = self._codes[place], self._codes[other]  # type: ignore[misc]
        if code == UNKNOWN:
            return np.zeros(len(against), dtype=bool)
        if len(values) * len(against) <= _MOST_CELLS:
            return np.asarray(self._together(place, other)[code])
        seen = np.zeros(len(against), dtype=bool)
        seen[others[codes == code]] = True
        return seen

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
