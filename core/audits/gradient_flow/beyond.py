"""Rows that lie beyond memory, searched in blocks: sums in each combination of protected values are all that stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.audits.gradient_flow.cells import GroupCells, cells_of
from core.audits.gradient_flow.tally import SearchedRows, Totals
from core.base.arrays import arrays_from_text, arrays_to_text
from core.base.errors import located
from core.base.progress import OnProgress
from core.contracts.audit import Beyond, BlockBeyond
from core.data.encoded import EncodedDataset


@dataclass
class CellTotals:
    """What a search of some rows found, in the combinations of protected values that occur among them."""

    cells: GroupCells
    totals: Totals

    @classmethod
    def of_nobody(cls, rows: SearchedRows, cells: GroupCells, m: int) -> CellTotals:
        """Nothing found yet of rows like these at m stopping times."""
        attributes = cells.attributes
        none = GroupCells(attributes, ((),) * len(attributes), cells.codes[:0], cells.count[:0])
        return cls(none, Totals.empty(rows.take(slice(0)).placed(np.zeros(0, dtype=np.int64), 0), m))

    def join(self, other: CellTotals) -> np.ndarray:
        """Add what was found of other rows; returns the place of each of the own combinations among all, shape (C,)."""
        self.cells, own, more = self.cells.with_others(other.cells)
        self.totals.widened(own, len(self.cells.count))
        other.totals.widened(more, len(self.cells.count))
        self.totals.join(other.totals)
        return own

    def written(self) -> dict[str, Any]:
        """The combinations and all sums as JSON, without what is known of each row."""
        arrays = self.totals.sums | {"codes": self.cells.codes, "count": self.cells.count}
        return {"groups": self.cells.groups, "arrays": arrays_to_text(arrays)}

    @classmethod
    def read(cls, told: Mapping[str, Any], attributes: tuple[str, ...]) -> CellTotals:
        """From JSON."""
        sums = arrays_from_text(told["arrays"])
        cells = GroupCells(attributes, tuple(map(tuple, told["groups"])), sums.pop("codes"), sums.pop("count"))
        return cls(cells, Totals(sums, np.empty(0), np.empty(0)))


def search_beyond(
    beyond: Beyond[EncodedDataset] | None,
    search: Callable[[SearchedRows, OnProgress], Totals],
    nobody: Callable[[], CellTotals],
    on_progress: OnProgress,
) -> CellTotals:
    """What is found in all rows that lie beyond memory.

    Args:
        beyond: The rows; None where there are none.
        search: Searches some of them.
        nobody: What is found before anybody was searched.
        on_progress: Told how far it is; may raise to stop.
    """

    def searched(blocks: Iterator[BlockBeyond[EncodedDataset]]) -> CellTotals:
        found = nobody()
        for block in blocks:
            cells, cell = cells_of(block.data.dataset, binned=False)
            record = block.data.dataset.frame.index.to_numpy(dtype=np.int32)
            rows = SearchedRows(block.data.x, block.data.y, record, cell, len(cells.count))
            with located(block.where):
                found.join(CellTotals(cells, search(rows, block.on_progress)))
        return found

    found = nobody()
    attributes = found.cells.attributes
    if beyond is not None:
        beyond.add_up(
            searched,
            found.join,
            on_progress,
            write=CellTotals.written,
            read=lambda told: CellTotals.read(told, attributes),
        )
    return found
