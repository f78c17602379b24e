"""Rows of a folder that repeat others, in files however large: some records are drawn, and all of their rows counted.

A record is drawn where a number made of its cells lies below a limit. So all rows of a record are drawn or none. How
often each occurs is known, and what is kept does not grow with the files.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.base.apart import work_apart
from core.base.errors import EvenhandError
from core.base.progress import OnProgress, Progress
from core.data.copies import Copies, copies_among
from core.language.told import say
from core.sources.folder.blocks import RowGroups, blocks, giving_back, pieces_of
from core.sources.folder.counting import memory_to_read, processes_for, require_memory
from core.sources.folder.listing import Listing

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CELLS = 5_000_000_000
"""Of more cells copies are not looked for: it would take many times as long as counting."""
RECORDS = 200_000
"""Records that are drawn, about; all of files with fewer rows."""
_NUMBERS, _NOTHING = 2**64, np.uint64(0xD1B54A32D192ED03)
"""How many numbers there are, and the one of an empty cell."""
_KEPT = 64
"""Bytes of a record that is drawn, from its piece to the counts of all."""


def copies_in(
    listing: Listing, columns: Sequence[str], on_progress: OnProgress, processes: int | None = None
) -> Copies:
    """Copies among all rows; the order of files and rows makes no difference, nor does the number of processes.

    Args:
        listing: The files.
        columns: In which rows are alike that are copies.
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
        for spans in pieces_of(listing)
    ]
    found = np.zeros((0, 2), dtype=np.uint64)
    for answer in work_apart(__name__, pieces, on_progress, processes):
        if isinstance(answer, EvenhandError):
            raise answer
        found = _together([found, np.frombuffer(base64.b64decode(answer), dtype=np.uint64).reshape(-1, 2)])
    return copies_among(found[:, 1].astype(np.int64))


def work(piece: Mapping[str, Any], on_progress: OnProgress) -> str:
    """The records that are drawn from some row groups and how often each occurs; see :mod:`core.base.apart`."""
    spans, total = [RowGroups.read(told) for told in piece["spans"]], 0
    rows, found = sum(span.rows for span in spans), [np.zeros((0, 2), dtype=np.uint64)]
    with giving_back():
        for _, _, block in blocks(spans, piece["columns"], {}):
            numbers = _numbers(block)
            drawn = numbers[numbers <= np.uint64(piece["limit"])]
            found = [_together([*found, np.column_stack([drawn, np.ones(len(drawn), dtype=np.uint64)])])]
            total += len(block)
            on_progress(Progress(total / max(rows, 1), say("Looking for copies")))
    return base64.b64encode(found[0].tobytes()).decode()


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
