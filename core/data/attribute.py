"""A protected attribute of the people of a table, in groups."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.base.grouping import Grouping
from core.data.bins import is_continuous, quantile_bins
from core.data.cells import as_numbers
from core.data.dataset import Dataset


@dataclass(frozen=True)
class Attribute(Grouping):
    """A protected attribute of n people; a continuous one in quantile bins.

    Attributes:
        values: The number itself of a continuous one, shape (n,), float64; NaN for a discrete one.
    """

    values: np.ndarray

    @property
    def continuous(self) -> bool:
        """Whether it is a number that is tested as such."""
        return bool(np.isfinite(self.values).all())

    @property
    def told_by(self) -> tuple[np.ndarray, ...]:
        """What tells people apart: the group, and the number itself of a continuous one; shape (n,) each."""
        return (self.codes, self.values) if self.continuous else (self.codes,)

    def take(self, rows: np.ndarray) -> Self:
        """The people at these positions."""
        return replace(self, codes=self.codes[rows], values=self.values[rows])


def attribute_of(dataset: Dataset, name: str) -> Attribute:
    """A protected attribute of everybody, in groups; a number in quantile bins, with its values."""
    column = dataset.frame[name]
    if is_continuous(column):
        codes, groups = quantile_bins(column, times=dataset.times)
        return Attribute(name, groups, codes, as_numbers(column))
    codes, groups = dataset.groups(name)
    return Attribute(name, groups, codes.astype(np.int64), np.full(len(codes), np.nan))
