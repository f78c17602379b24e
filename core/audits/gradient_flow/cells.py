"""Which combination of protected values each row has, found in little memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.attribute import in_bins
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.data.missing import MISSING_GROUP

ROWS_AT_ONCE = 65_536


@dataclass(frozen=True)
class GroupCells:
    """The combinations of protected values that occur.

    Attributes:
        attributes: Protected attributes, length a.
        groups: Group names of each attribute, length a.
        codes: Group of each cell by each attribute, index into ``groups``; shape (C, a), int.
        count: Audited rows in each cell, shape (C,), int.
    """

    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    count: np.ndarray

    def members(self, attribute: str, group: str) -> np.ndarray:
        """Which cells belong to a group; shape (C,), bool."""
        column = self.attributes.index(attribute)
        return np.asarray(self.codes[:, column] == self.groups[column].index(group))

    def all_groups(self) -> tuple[tuple[str, str], ...]:
        """Every protected attribute with each of its groups, in order."""
        pairs = zip(self.attributes, self.groups, strict=True)
        return tuple((attribute, group) for attribute, groups in pairs for group in groups)

    def with_others(self, other: GroupCells) -> tuple[GroupCells, np.ndarray, np.ndarray]:
        """These combinations together with those of other rows, and the place of each of both there, (C,) each."""
        groups = tuple(tuple(sorted({*own, *more})) for own, more in zip(self.groups, other.groups, strict=True))
        codes = [
            np.column_stack(
                [
                    pd.Index(names).get_indexer(pd.Index(own))[cells.codes[:, place]]
                    for place, (names, own) in enumerate(zip(groups, cells.groups, strict=True))
                ]
            )
            for cells in (self, other)
        ]
        both, place = np.unique(np.concatenate(codes), axis=0, return_inverse=True)
        own, more = np.split(place.reshape(-1), [len(codes[0])])
        count = np.zeros(len(both), dtype=np.int64)
        np.add.at(count, own, self.count)
        np.add.at(count, more, other.count)
        return GroupCells(self.attributes, groups, both, count), own, more


def cells_of(dataset: Dataset, *, binned: bool) -> tuple[GroupCells, np.ndarray]:
    """The combinations of protected values that occur, and the cell of each row, shape (n,), int32.

    Rows are coded in parts, so that a million rows need few bytes.

    Args:
        dataset: The rows.
        binned: Whether a protected attribute that is a number is cut at the quartiles of its table; else each value is
            a group, as where these are some of the rows.
    """
    attributes = dataset.roles.protected
    cell, codes, names = np.zeros(len(dataset), dtype=np.int32), np.zeros((1, 0), dtype=np.int64), []
    for attribute in attributes:
        column = dataset.frame[attribute]
        if binned and (found := in_bins(dataset, attribute)) is not None:
            bins, called = found
            column = pd.Series(np.array([*called, MISSING_GROUP], dtype=object)[bins], column.index)
        groups = pd.Index(sorted(set(as_text(pd.Series(column.unique())))))
        names.append(tuple(map(str, groups)))
        seen = np.zeros(len(codes) * len(groups), dtype=bool)
        for start in range(0, len(cell), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            cell[part] = cell[part] * len(groups) + groups.get_indexer(as_text(column.iloc[part]))
            seen[cell[part]] = True
        occurs = np.flatnonzero(seen)
        codes = np.column_stack([codes[occurs // len(groups)], occurs % len(groups)])
        place = np.cumsum(seen, dtype=np.int32) - 1
        for start in range(0, len(cell), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            cell[part] = place[cell[part]]
    count = np.zeros(len(codes), dtype=np.int64)
    for start in range(0, len(cell), ROWS_AT_ONCE):
        count += np.bincount(cell[start : start + ROWS_AT_ONCE], minlength=len(codes))
    return GroupCells(attributes, tuple(names), codes, count), cell
