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
    if (binned := in_bins(dataset, name)) is not None:
        codes, groups = binned
        return Attribute(name, groups, codes, as_numbers(dataset.frame[name]))
    codes, groups = dataset.groups(name)
    return Attribute(name, groups, codes.astype(np.int64), np.full(len(codes), np.nan))


def in_bins(dataset: Dataset, name: str) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """A protected attribute that is a number in bins cut at the quartiles of the whole table; None of another.

    So its groups are the same in every test, whichever rows it audits.

    Returns:
        As :func:`quantile_bins`.
    """
    table = dataset.table
    if table is None:
        whole, times = dataset.frame[name], dataset.times
    else:
        whole, times = table.cells[name], table.times_of(table.cells.index)
    return quantile_bins(dataset.frame[name], times=times, of=whole) if is_continuous(whole) else None
