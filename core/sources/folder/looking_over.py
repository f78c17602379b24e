"""All rows of a folder looked over in one pass: empty cells, smallest and largest numbers, and rows that repeat others.

A record is drawn where a number made of its cells lies below a limit. So all rows of a record are drawn or none. How
often each occurs is known, and what is kept does not grow with the files.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.base.apart import work_apart
from core.base.errors import EvenhandError
from core.base.progress import OnProgress, Progress
from core.data.copies import Copies, copies_among, identifies
from core.data.roles import Roles
from core.language.told import say
from core.sources.folder.blocks import WORTH_A_PIECE, RowGroups, blocks, giving_back, pieces_of
from core.sources.folder.counting import memory_to_read, processes_for, require_memory
from core.sources.folder.listing import Listing

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_MOST_CELLS = 5_000_000_000
"""Of more cells copies are not looked for: it would take many times as long as counting."""
RECORDS = 200_000
"""Records that are drawn, about; all of files with fewer rows."""
_NUMBERS, _NOTHING = 2**64, np.uint64(0xD1B54A32D192ED03)
"""How many numbers there are, and the one of an empty cell."""
_KEPT = 64
"""Bytes of a record that is drawn, from its piece to the counts of all."""


@dataclass(frozen=True)
class LookedOver:
    """What is seen in all rows.

    Attributes:
        copies: Rows that repeat others; of records that are drawn, with all of their rows.
        empty: Empty cells of each column that has any.
        ends: The smallest and the largest number of each column of numbers.
    """

    copies: Copies
    empty: tuple[tuple[str, int], ...]
    ends: tuple[tuple[str, float, float], ...]

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, told: str | bytes) -> LookedOver:
        """From JSON.

        Raises:
            ValueError, TypeError, KeyError: It is none.
        """
        read = json.loads(told)
        return cls(Copies(**read["copies"]), tuple(map(tuple, read["empty"])), tuple(map(tuple, read["ends"])))


def columns_to_compare(listing: Listing, rows: pd.DataFrame, roles: Roles) -> tuple[str, ...]:
    """The columns in which rows are alike that are copies, from some rows; none where there is too much to look at."""
    if listing.rows * len(listing.schema.names) > _MOST_CELLS:
        return ()
    names = [name for name in listing.schema.names if name in rows and name not in roles.predictions]
    return tuple(name for name in names if name in roles.columns or not identifies(rows[name], name))


def look_over(
    listing: Listing, columns: Sequence[str], on_progress: OnProgress, processes: int | None = None
) -> LookedOver:
    """Look all rows over; the order of files and rows makes no difference, nor does the number of processes.

    Args:
        listing: The files.
        columns: Which are looked at; rows that agree in all of them are copies.
        on_progress: Told how far it is; may raise to stop.
        processes: How many work side by side; as many as are worth it if None.

    Raises:
        DataError: A row group is damaged, a file was changed, or the machine has too little memory left.
    """
    processes = processes_for(listing) if processes is None else processes
    require_memory(memory_to_read(listing, columns, processes) + _KEPT * RECORDS)
    limit = min(_NUMBERS - 1, _NUMBERS * RECORDS // listing.rows)
    pieces = [
        {"spans": [span.written() for span in spans], "columns": list(columns), "limit": limit}
        for spans in pieces_of(listing, WORTH_A_PIECE)
    ]
    found, cells = np.zeros((0, 2), dtype=np.uint64), [_Cells() for _ in columns]
    for answer in work_apart(__name__, pieces, on_progress, processes):
        if isinstance(answer, EvenhandError):
            raise answer
        records = np.frombuffer(base64.b64decode(answer["records"]), dtype=np.uint64).reshape(-1, 2)
        found = _together([found, records])
        cells = [one.with_others(_Cells(*other)) for one, other in zip(cells, answer["cells"], strict=True)]
    seen = list(zip(columns, cells, strict=True))
    return LookedOver(
        copies_among(found[:, 1].astype(np.int64)),
        tuple((name, one.empty) for name, one in seen if one.empty),
        tuple((name, one.least, one.most) for name, one in seen if one.least is not None and one.most is not None),
    )


@dataclass(frozen=True)
class _Cells:
    """Empty cells of a column, and its smallest and largest number; None where there is none."""

    empty: int = 0
    least: float | None = None
    most: float | None = None

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> _Cells:
        """The cells of a block."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            return cls(column.null_count)
        ends = pc.min_max(column).as_py()
        return cls(column.null_count, ends["min"], ends["max"])

    def with_others(self, other: _Cells) -> _Cells:
        """These and other cells of the column."""
        least, most = (
            [one for one in pair if one is not None] for pair in ((self.least, other.least), (self.most, other.most))
        )
        return _Cells(self.empty + other.empty, min(least, default=None), max(most, default=None))


def work(piece: Mapping[str, Any], on_progress: OnProgress) -> dict[str, Any]:
    """What is seen in some row groups: records that are drawn with how often each occurs, and the cells of each column.

    See :mod:`core.base.apart`.
    """
    spans, total = [RowGroups.read(told) for told in piece["spans"]], 0
    rows, found = sum(span.rows for span in spans), [np.zeros((0, 2), dtype=np.uint64)]
    cells = [_Cells() for _ in piece["columns"]]
    with giving_back():
        for _, _, block in blocks(spans, piece["columns"], {}):
            cells = [one.with_others(_Cells.of(own)) for one, own in zip(cells, block.columns, strict=True)]
            numbers = _numbers(block)
            drawn = numbers[numbers <= np.uint64(piece["limit"])]
            found = [_together([*found, np.column_stack([drawn, np.ones(len(drawn), dtype=np.uint64)])])]
            total += len(block)
            on_progress(Progress(total / max(rows, 1), say("Looking over all rows")))
    return {"records": base64.b64encode(found[0].tobytes()).decode(), "cells": [astuple(one) for one in cells]}


def _together(found: Sequence[np.ndarray]) -> np.ndarray:
    """Records with how often they occur, shape (r, 2), each once and ascending."""
    both = np.concatenate(found)
    records, place = np.unique(both[:, 0], return_inverse=True)
    counts = np.zeros(len(records), dtype=np.uint64)
    np.add.at(counts, place, both[:, 1])
    return np.column_stack([records, counts])


def _numbers(block: pa.Table) -> np.ndarray:
    """A number of 64 bits for each row that follows from its cells, shape (n,), uint64."""
    from pandas.util import hash_array

    found = np.zeros(len(block), dtype=np.uint64)
    for column in block.columns:
        found = hash_array(found) * np.uint64(1_000_003) + _of_cells(column)
    return np.asarray(hash_array(found))


def _of_cells(column: pa.ChunkedArray) -> np.ndarray:
    """The same of each cell."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pandas.util import hash_array

    values = column.combine_chunks()
    values = values.chunk(0) if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        numbers = hash_array(pc.fill_null(values, 0).to_numpy(zero_copy_only=False))
        return np.where(pc.is_valid(values).to_numpy(zero_copy_only=False), numbers, _NOTHING)
    coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    told = coded.dictionary.cast(pa.string()).to_numpy(zero_copy_only=False)
    numbers = np.append(hash_array(told, categorize=False), _NOTHING)
    return np.asarray(numbers[pc.fill_null(coded.indices, len(told)).to_numpy(zero_copy_only=False)])
