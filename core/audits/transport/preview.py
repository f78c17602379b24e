"""What a choice of columns makes of a table, before anything runs."""

from dataclasses import dataclass

import numpy as np

from core.audits.transport.cell_caveats import cell_caveats
from core.audits.transport.proposal import propose
from core.audits.transport.result import Cells
from core.audits.transport.settings import CellColumn, Space
from core.audits.transport.strata import SortedPeople, sort_into_strata
from core.base.errors import Caveat
from core.data.dataset import Dataset

__all__ = ["CellsPreview", "ColumnPreview", "preview", "propose"]


@dataclass(frozen=True)
class ColumnPreview:
    """The kinds one column tells apart.

    Attributes:
        column: The column and how it is binned.
        kinds: Names of its kinds, in order.
        people: People of each, shape (len(kinds),), int.
    """

    column: CellColumn
    kinds: tuple[str, ...]
    people: np.ndarray


@dataclass(frozen=True)
class CellsPreview:
    """The cells that a choice of columns makes.

    Attributes:
        columns: Each column with its kinds; protected attributes that were not chosen are added at the end.
        cells: The cells, in the order of a cost matrix; the model's answers are not known yet (``favourable`` is NaN).
        strata: The same before anything is known of the model.
        caveats: What speaks against the choice.
    """

    columns: tuple[ColumnPreview, ...]
    cells: Cells
    strata: SortedPeople
    caveats: tuple[Caveat, ...]

    @property
    def size(self) -> int:
        """K, the number of cells."""
        return len(self.cells)

    @property
    def histogram(self) -> tuple[np.ndarray, np.ndarray]:
        """How many people cells hold: the numbers of people that occur, ascending, and how many cells hold each."""
        return np.unique(self.cells.people, return_counts=True)


def preview(dataset: Dataset, columns: tuple[CellColumn, ...], space: Space = "observed") -> CellsPreview:
    """The cells that ``columns`` make of a table; without columns, those proposed.

    Raises:
        SettingsError: A column is none of the features or protected attributes, is named twice, or cannot be binned
            as asked.
        AuditError: Everybody belongs to the same protected group, or there are too many cells.
    """
    chosen = columns or propose(dataset)
    strata = sort_into_strata(dataset, chosen, dataset.label_codes(dataset.labels), dataset.labels)
    observed = strata
    if space == "all groups":  # verbatim
        strata = strata.in_every_group()
    by_name = {one.column.name: one for one in strata.columns}
    return CellsPreview(
        columns=tuple(
            ColumnPreview(one.column, one.names, np.bincount(one.codes, minlength=len(one.names)))
            for one in (by_name[name] for name in strata.order)
        ),
        cells=strata.as_cells(np.full(len(strata), np.nan)),
        strata=strata,
        caveats=tuple(cell_caveats(observed, dataset)),
    )
