"""What can stand in a row of a table: the values that each column may have, and which of them go together.

A made-up person is *possible* if every value is one that the column could hold (whole where it is whole, within what
occurs, a category that occurs) and no two of its values are such as never occur together: an age lies between those of
the youngest and the oldest who are widowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_quantity
from core.data.encoder import Encoder, categories_of

MOST_DECIMALS = 6
UNKNOWN = -1
"""The code of a value that no row has."""
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

    def held(self, rows: np.ndarray) -> np.ndarray:
        """What the rows at these positions hold, shape (p, c), float: codes of values, and quantities as they are."""
        return np.stack(
            [
                self._numbers[place][rows] if one is None else one[0][rows].astype(np.float64)
                for place, one in enumerate(self._codes)
            ],
            axis=1,
        )

    def holding(self, place: int, values: Sequence[str | float]) -> np.ndarray:
        """Values of the column at this place as :meth:`held` has them, (n,); :data:`UNKNOWN` of one without rows."""
        known = self._codes[place]
        if known is None:
            return np.array(values, dtype=np.float64)
        return np.array([known[1].get(one, UNKNOWN) for one in values], dtype=np.float64)

    def goes_with(self, place: int, values: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Whether a row has both a value and what others hold; of a quantity, whether some have less and some more.

        Args:
            place: The values' column.
            values: The values, as :meth:`held` has them.
            held: What each is held against, in each of c columns on the last axis; the other axes are broadcast.

        Returns:
            Shape (..., c), bool; true in the values' own column, and of two quantities.
        """
        together = np.ones((*np.broadcast_shapes(values.shape, held.shape[:-1]), held.shape[-1]), dtype=bool)
        coded = self._coded
        if self._codes[place] is None:
            for other in coded:
                low, high = self._ranges(place, other)
                code = held[..., other].astype(np.int64)
                together[..., other] = (code >= 0) & (low[code] <= values) & (values <= high[code])
            return together
        codes = values.astype(np.int64)
        different, which = np.unique(codes, return_inverse=True)
        beside = np.stack([self._beside(place, code) for code in different.tolist()])
        together[..., coded] = beside[which.reshape(*codes.shape, 1), self._starts + held[..., coded].astype(np.int64)]
        for other in self._quantities:
            low, high = self._ranges(other, place)
            within = (low[codes] <= held[..., other]) & (held[..., other] <= high[codes])
            together[..., other] = within & (codes >= 0)
        together[..., place] = True
        return together

    def _beside(self, place: int, code: int) -> np.ndarray:
        """Which values of columns that are no quantities, one column's after the other's, a row has beside a value.

        Before those of each column stands what counts for a value that no row has.
        """
        if (place, code) not in self._known:
            nothing = np.zeros(1, dtype=bool)
            parts = [part for other in self._coded for part in (nothing, self._seen_beside(place, code, other))]
            self._known[place, code] = np.concatenate(parts)
        return self._known[place, code]

    @cached_property
    def _known(self) -> dict[tuple[int, int], np.ndarray]:
        return {}

    @cached_property
    def _coded(self) -> list[int]:
        return [place for place, one in enumerate(self._codes) if one is not None]

    @cached_property
    def _quantities(self) -> list[int]:
        return [place for place, one in enumerate(self._codes) if one is None]

    @cached_property
    def _starts(self) -> np.ndarray:
        """Where the values of each column that is no quantity start there."""
        counts = [1 + len(one[1]) for one in self._codes if one is not None]
        return np.cumsum([0, *counts[:-1]]) + 1

    def _ranges(self, quantity: int, other: int) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and largest of a quantity beside each value of another column, by its code, (v,) each."""
        if (quantity, other) not in self._within:
            codes, values = self._codes[other]  # type: ignore[misc]
            low, high = np.full(len(values), np.inf), np.full(len(values), -np.inf)
            np.minimum.at(low, codes, self._numbers[quantity])
            np.maximum.at(high, codes, self._numbers[quantity])
            self._within[quantity, other] = low, high
        return self._within[quantity, other]

    @cached_property
    def _within(self) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        return {}

    @cached_property
    def _numbers(self) -> dict[int, np.ndarray]:
        """The numbers of each quantity, shape (n,)."""
        return {place: as_numbers(self._frame[self.columns[place].name]) for place in self._quantities}

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
