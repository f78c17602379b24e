"""Passes over Parquet files, a block of rows after the other, whichever process does it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from core.base.errors import DataError
from core.data.counting_sql import names_of_ranges
from core.language.phrases import quoted, whole
from core.language.told import say
from core.sources.folder.listing import Listing, ParquetPart, plain_type
from core.sources.upload.columnar import damaged

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 2**17
"""Rows that are in memory at once."""
MOST_PIECES, WORTH_A_PIECE = 32, 2**20
"""Pieces of a pass, each a run of row groups, and the rows for which another is worth its start, whoever does it."""
_BUFFER = 2**20

Limits = Mapping[str, Sequence[float]]
"""Ascending limits between ranges, by columns of numbers."""


@dataclass(frozen=True)
class RowGroups:
    """Row groups of one file that follow each other.

    Attributes:
        part: The file.
        first: The first of them.
        last: The first after them.
        sizes: The rows of each.
    """

    part: ParquetPart
    first: int
    last: int
    sizes: tuple[int, ...]

    @property
    def rows(self) -> int:
        """The rows of all of them."""
        return sum(self.sizes)

    def written(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Self:
        """From JSON."""
        return cls(ParquetPart(**told["part"]), told["first"], told["last"], tuple(told["sizes"]))


@contextmanager
def giving_back() -> Iterator[None]:
    """Have pyarrow give memory back to the system once it is not needed, within the block."""
    import pyarrow as pa

    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


def pieces_of(listing: Listing, worth: int) -> list[list[RowGroups]]:
    """All row groups, in order, in up to 32 pieces of about equal rows, at least the rows that are worth a piece."""
    most = max(1, min(MOST_PIECES, listing.rows // worth))
    target, pieces, filled = listing.rows / most, list[list[RowGroups]](), 0
    for group in listing.groups:
        if len(pieces) <= filled / target or not pieces:
            pieces.append([])
        part, piece = listing.parts[group.part], pieces[-1]
        if piece and (piece[-1].part, piece[-1].last) == (part, group.place):
            before = piece.pop()
            piece.append(RowGroups(part, before.first, group.place + 1, (*before.sizes, group.rows)))
        else:
            piece.append(RowGroups(part, group.place, group.place + 1, (group.rows,)))
        filled += group.rows
    return pieces


def blocks(
    spans: Sequence[RowGroups], columns: Sequence[str], limits: Limits, most: int = BLOCK
) -> Iterator[tuple[RowGroups, int, pa.Table]]:
    """The blocks of these row groups, each with its file and row group; columns have plain types.

    Text has dictionaries, missing numbers are null, and columns with limits hold the names of ranges.

    Args:
        spans: Where the rows lie.
        columns: Which of their columns are read.
        limits: Which of them are read in ranges.
        most: Rows of a block at most.

    Raises:
        DataError: A row group is damaged or a file was changed (says which), or a column with limits holds no numbers.
    """
    import pyarrow as pa

    for span in spans:
        group = span.first
        try:
            span.part.require_same()
            with _opened(span.part.path) as file:
                for group in range(span.first, span.last):
                    rows = 0
                    batches = file.iter_batches(most, row_groups=[group], columns=list(columns), use_threads=False)
                    for batch in batches:
                        rows += len(batch)
                        yield span, group, _plain(pa.Table.from_batches([batch]).select(list(columns)), limits)
                    if rows != file.metadata.row_group(group).num_rows:
                        raise ValueError("rows are missing")  # verbatim
            span.part.require_same()
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _damaged(error, span, group) from error


def placed(found: Iterable[tuple[RowGroups, int, pa.Table]]) -> Iterator[tuple[str, pa.Table]]:
    """Blocks, each with the words that say which rows it holds."""
    before, rows = None, 0
    for span, group, block in found:
        rows = rows if before == (span.part, group) else 0
        before = span.part, group
        place = {"name": quoted(span.part.name), "group": whole(group + 1), "rows": whole(rows)}
        yield say("file {name}, row group {group}, after its first {rows} rows", **place), block
        rows += len(block)


def _opened(path: str) -> Any:
    """A Parquet file whose text is read as dictionaries, in small pieces."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        text = [field.name for field in file.schema_arrow if plain_type(field.type) == pa.string()]
    return pq.ParquetFile(
        path, read_dictionary=text, buffer_size=_BUFFER, pre_buffer=False, page_checksum_verification=True
    )


def _damaged(error: Exception, span: RowGroups, group: int) -> DataError:
    span.part.require_same()
    where = say("file {name}, row group {group}", name=quoted(span.part.name), group=group + 1)
    return damaged(error, where=where)


def _plain(table: pa.Table, limits: Limits) -> pa.Table:
    table.validate(full=True)
    return in_ranges(table, limits)


def in_ranges(table: pa.Table, limits: Limits) -> pa.Table:
    """A block whose columns have plain types, those with limits the names of ranges.

    Raises:
        DataError: A column with limits holds no numbers.
    """
    import pyarrow as pa

    columns = {}
    for name in table.column_names:
        values = table[name].combine_chunks()
        values = values.chunk(0) if isinstance(values, pa.ChunkedArray) else values
        columns[name] = _in_ranges(values, name, limits[name]) if name in limits else _of_plain_type(values)
    return pa.table(columns)


def _of_plain_type(values: pa.Array) -> pa.Array:
    """Cells of one plain type; NaN is null, and there is one zero."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = plain_type(values.type)
    if pa.types.is_dictionary(values.type):
        if kind == pa.string():
            return values if values.type.value_type == kind else values.cast(pa.dictionary(pa.int32(), kind))
        values = values.dictionary_decode()
    if pa.types.is_floating(kind):
        values = pc.add(values.cast(kind), pa.scalar(0.0, kind))
        return pc.if_else(pc.is_nan(values), pa.scalar(None, kind), values)
    return values if values.type == kind else values.cast(kind)


def _in_ranges(values: pa.Array, name: str, ends: Sequence[float]) -> pa.Array:
    """Names of the ranges in which the numbers of a column lie; null where there is none."""
    import numpy as np
    import pyarrow as pa

    kind = plain_type(values.type)
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise DataError(
            say("The column {name} holds no numbers, so it cannot be counted in ranges.", name=quoted(name)),
            advice=say("Leave out its limits."),
        )
    numbers = values.cast(pa.float64()).to_numpy(zero_copy_only=False)
    codes = np.searchsorted(np.asarray(ends, dtype=np.float64), numbers, side="right").astype(np.int32)
    told = pa.array(codes, mask=np.isnan(numbers))
    return pa.DictionaryArray.from_arrays(told, pa.array(names_of_ranges(ends), pa.string()))


def require_columns(names: Iterable[str], listing: Listing) -> None:
    """Refuse columns that are not there.

    Raises:
        DataError: There are such.
    """
    if absent := [name for name in names if name not in listing.schema.names]:
        raise DataError(
            say("The table has no column {name}.", name=quoted(absent[0])),
            advice=say("Choose the columns again; their names are case-sensitive."),
        )


def require_limits(limits: Limits) -> None:
    """Refuse limits that do not ascend.

    Raises:
        DataError: There are such.
    """
    for name, ends in limits.items():
        if not ends or any(a >= b for a, b in pairwise(ends)):
            raise DataError(
                say("The limits of {name} do not ascend.", name=quoted(name)),
                advice=say("Write each limit once, smallest first."),
            )


def to_text(table: pa.Table) -> str:
    """A small table as text that JSON takes."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return base64.b64encode(sink.getvalue()).decode()


def from_text(told: str) -> pa.Table:
    """The table again."""
    import pyarrow as pa

    with pa.ipc.open_stream(base64.b64decode(told)) as stream:
        return stream.read_all()
