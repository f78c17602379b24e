"""What the transport test shows before it is run, as a child process hands it over."""

from dataclasses import dataclass

import numpy as np

from core.audits.transport.preview import ColumnPreview
from core.audits.transport.settings import CellColumn
from core.base.errors import Caveat
from core.base.files import FileRef


@dataclass(frozen=True)
class ColumnsProposal:
    """How the columns of a table may tell people apart.

    Attributes:
        together: The columns proposed, coarse enough that most people share their cell with others.
        each: Every feature as it would be binned alone, for those who want to add it.
        left_out: Every other feature, with the reason why it is not proposed.
    """

    together: tuple[CellColumn, ...]
    each: tuple[CellColumn, ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CellsLook:
    """What a transport test's choice of columns and costs makes of a table; K cells.

    Attributes:
        columns: Each column with its kinds and how many people are of each.
        labels: The outcomes as text.
        sizes: Numbers of people that cells hold, ascending; 0 for kinds nobody of whom is in the table.
        cells: How many cells hold each of these; sums to K.
        people: People in all.
        comparable: Share of the people who may be compared with somebody of another protected group.
        moves: Pairs of cells between which people may be moved.
        caveats: What speaks against the choice.
        listed: The list of cells as CSV; None where there are too many for a list.
    """

    columns: tuple[ColumnPreview, ...]
    labels: tuple[str, ...]
    sizes: np.ndarray
    cells: np.ndarray
    people: int
    comparable: float
    moves: int
    caveats: tuple[Caveat, ...]
    listed: FileRef | None

    @property
    def occurring(self) -> int:
        """How many cells hold somebody of the table."""
        return int(self.cells[self.sizes > 0].sum())

    @property
    def alone(self) -> float:
        """Share of the people who are the only one of their kind."""
        return float(self.cells[self.sizes == 1].sum() / self.people)

    def kinds_of(self, name: str) -> tuple[str, ...]:
        """The kinds that a column tells apart; empty if it tells none."""
        return next((one.kinds for one in self.columns if one.column.name == name), ())
