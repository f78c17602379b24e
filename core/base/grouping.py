"""How rows fall into groups: by a protected attribute, by the values of a column, by what somebody predicted."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.language.told import Retelling


@dataclass(frozen=True)
class Grouping(Retelling):
    """n rows in g groups that share no row.

    Attributes:
        name: What tells the groups apart: a column, an attribute.
        groups: What the groups are called, length g.
        codes: Group of each row, shape (n,), int; -1 for rows of none.
    """

    name: str
    groups: tuple[str, ...]
    codes: np.ndarray

    def members(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each group's name and the positions of its rows, ascending."""
        return ((group, np.flatnonzero(self.codes == place)) for place, group in enumerate(self.groups))
