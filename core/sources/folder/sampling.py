"""A random sample of the rows of a folder: of exact size, and the same whoever draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.base.apart import processors, work_apart
from core.base.errors import EvenhandError
from core.base.progress import OnProgress, Progress
from core.contracts.source import AbstractRemaining, BlockOfRows
from core.data.counted import split_at_random
from core.language.told import say
from core.sources.folder.blocks import (
    BLOCK,
    WORTH_A_PIECE,
    Limits,
    RowGroups,
    blocks,
    from_text,
    giving_back,
    pieces_of,
    placed,
    to_text,
)
from core.sources.folder.counting import memory_to_read, processes_for, require_memory
from core.sources.folder.listing import Listing
from core.sources.upload.columnar import frame_of
from core.sources.upload.limits import check_shape
from core.sources.upload.uploaded import plain_columns

if TYPE_CHECKING:
    import pyarrow as pa

PASSED_AT_ONCE = 2**15
"""Rows of a block that is gone through after rows were drawn."""
_SEARCH, _TABLES, _ENCODED = 450 * 2**20, 12, 8
"""Bytes that libraries and a search take, and how often rows are in memory, as read and as the model reads them."""
_TWICE, _SENT = 2, 5
"""How often what a result keeps of each row is in memory while it is put together, and where processes send it."""
_COPIES = 4
"""How often the rows that are drawn are in memory until they are a table."""


def draw_rows(
    listing: Listing,
    columns: Sequence[str],
    limits: Limits,
    sample: tuple[int, int],
    on_progress: OnProgress,
    *,
    processes: int | None = None,
) -> pa.Table:
    """So many rows drawn at random without replacement, each set of rows as likely as any other, in the files' order.

    How many come from each block is a draw from the multivariate hypergeometric law; which ones is drawn by a stream of
    the block's own, numbered by its place, so that the number of processes makes no difference.

    Args:
        listing: The files.
        columns: The columns that are read.
        limits: Those that are read in ranges.
        sample: How many rows, all if there are fewer; and the seed.
        on_progress: Told how far it is; may raise to stop.
        processes: How many work side by side; as many as are worth it if None.

    Raises:
        DataError: So many rows cannot be audited, a row group is damaged, a file was changed, or the machine has too
            little memory left.
    """
    import pyarrow as pa

    rows, seed = min(sample[0], listing.rows), sample[1]
    check_shape(rows, len(columns))
    processes = processes_for(listing) if processes is None else processes
    require_memory(memory_to_draw(listing, columns, rows, processes))
    drawn, pieces = _drawn(listing, rows, seed), list[dict[str, Any]]()
    for spans in pieces_of(listing, WORTH_A_PIECE):
        taken = [next(drawn) for span in spans for _ in span.sizes]
        draws = [{"rows": group.written(), "place": place, "taken": most} for group, place, most in taken]
        pieces.append({"draws": draws, "columns": list(columns), "limits": dict(limits), "seed": seed})
    found = []
    for answer in work_apart(__name__, pieces, on_progress, processes):
        if isinstance(answer, EvenhandError):
            raise answer
        found.append(from_text(answer))
    return pa.concat_tables(found)


def memory_to_draw(listing: Listing, columns: Sequence[str], rows: int, processes: int) -> int:
    """Bytes that drawing takes at most, of all processes together, beyond what this one holds."""
    width = sum(listing.widths[name] for name in columns)
    return memory_to_read(listing, columns, processes) + int(_COPIES * min(rows, listing.rows) * width)


def memory_to_go_through(listing: Listing, columns: Sequence[str], rows: int, width: int, keeps: int) -> int:
    """Bytes that rows drawn take with what is searched of them, and one block after the other, at most.

    Args:
        listing: The files.
        columns: The columns that are read.
        rows: How many are drawn.
        width: Numbers that the model reads of each.
        keeps: Bytes that a result keeps of each row.
    """
    processes = min(processors(), len(pieces_of(listing, WORTH_A_PIECE)))
    apart = processes > 1
    read = sum(max(listing.widths[name], 8) for name in columns)
    drawn, block = min(rows, listing.rows), min(PASSED_AT_ONCE, listing.rows)
    own = _SEARCH + _TABLES * read * (drawn + block) + _ENCODED * 8 * width * (drawn + block)
    return int((processes + apart) * own + (_SENT if apart else _TWICE) * keeps * listing.rows)


def work(piece: Mapping[str, Any], on_progress: OnProgress) -> str:
    """The rows that are drawn from some row groups, as text; see :mod:`core.base.apart`."""
    import pyarrow as pa

    draws, found = piece["draws"], list[pa.Table]()
    with giving_back():
        for done, draw in enumerate(draws):
            on_progress(Progress(done / len(draws), say("Drawing rows at random")))
            groups = RowGroups.read(draw["rows"])
            chosen = _chosen(draw["taken"], groups.rows, draw["place"], piece["seed"])
            if not found or len(chosen):
                found += _taken(groups, piece["columns"], piece["limits"], chosen)
        return to_text(pa.concat_tables(found))


class Undrawn(AbstractRemaining):
    """The rows that are not drawn, in up to 32 parts of whole row groups and blocks of up to 32,768 rows.

    Args:
        listing: The files.
        sample: How many rows are drawn, and the seed.
    """

    def __init__(self, listing: Listing, sample: tuple[int, int]) -> None:
        self._seed = sample[1]
        drawn = _drawn(listing, min(sample[0], listing.rows), self._seed)
        parts = pieces_of(listing, WORTH_A_PIECE)
        self._parts = [[next(drawn) for span in spans for _ in span.sizes] for spans in parts]
        self.rows = tuple(sum(group.rows - sum(taken) for group, _, taken in part) for part in self._parts)

    def blocks(self, part: int, columns: Sequence[str]) -> Iterator[BlockOfRows]:
        """See the base class."""
        import pyarrow as pa
        import pyarrow.compute as pc

        with giving_back():
            for group, place, taken in self._parts[part]:
                left, first = np.ones(group.rows, dtype=bool), 0
                left[_chosen(taken, group.rows, place, self._seed)] = False
                for where, block in placed(blocks([group], columns, {}, PASSED_AT_ONCE)):
                    own = left[first : first + len(block)]
                    first += len(block)
                    known = {name: pc.is_valid(block[name]).to_numpy() for name in columns}
                    whole = np.flatnonzero(np.logical_and.reduce([own, *known.values()]))
                    gaps = ((name, int((own & ~there).sum())) for name, there in known.items())
                    frame, _ = frame_of(block.take(pa.array(whole)))
                    yield BlockOfRows(
                        where=where,
                        frame=plain_columns(frame).set_index(whole),
                        read=int(own.sum()),
                        gaps=tuple((name, number) for name, number in gaps if number),
                    )


def _drawn(listing: Listing, rows: int, seed: int) -> Iterator[tuple[RowGroups, int, list[int]]]:
    """Each row group with the number of its first block, and how many rows are drawn from each of its blocks."""
    sizes = [size for group in listing.groups for size in _sizes(group.rows)]
    drawn = iter(split_at_random(np.array(sizes, dtype=np.int64), rows, np.random.default_rng(seed)).tolist())
    place = 0
    for group in listing.groups:
        taken = [next(drawn) for _ in _sizes(group.rows)]
        yield RowGroups(listing.parts[group.part], group.place, group.place + 1, (group.rows,)), place, taken
        place += len(taken)


def _sizes(rows: int) -> list[int]:
    """The rows of each block of a row group."""
    return [min(BLOCK, rows - first) for first in range(0, rows, BLOCK)]


def _chosen(taken: Sequence[int], rows: int, place: int, seed: int) -> np.ndarray:
    """Places within a row group, ascending, of so many rows of each block; blocks are numbered from ``place``."""
    found = []
    for block, (size, most) in enumerate(zip(_sizes(rows), taken, strict=True)):
        stream = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, place + block])))
        found.append(np.sort(stream.choice(size, most, replace=False, shuffle=False)) + block * BLOCK)
    return np.concatenate(found)


def _taken(groups: RowGroups, columns: Sequence[str], limits: Limits, chosen: np.ndarray) -> Iterator[pa.Table]:
    """The rows at these places of a row group, text as it is."""
    import pyarrow as pa

    first = 0
    for _, _, block in blocks([groups], columns, limits):
        low, high = np.searchsorted(chosen, (first, first + len(block)))
        rows = block.take(pa.array(chosen[low:high] - first))
        yield pa.table(
            {
                name: rows[name].cast(rows[name].type.value_type)
                if pa.types.is_dictionary(rows[name].type)
                else rows[name]
                for name in rows.column_names
            }
        )
        first += len(block)
