"""Some rows from all over a folder, enough to guess what its columns are for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from core.sources.folder.blocks import Limits, RowGroups, blocks
from core.sources.folder.listing import Listing
from core.sources.upload.columnar import frame_of
from core.sources.upload.uploaded import plain_columns
from core.sources.upload.written_numbers import read_written

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 100_000
FEW, _FEW_ALIKE = 1_000, 0.05
"""How many kinds are always few, and up to how many kinds a row they are."""
_CELLS = 5_000_000
_PLACES = 32


def some_rows(listing: Listing, limits: Limits) -> pd.DataFrame:
    """The first rows of up to 32 row groups, evenly apart, about 100,000 in all, with every column."""
    return as_frame(first_rows(listing, limits))


def first_rows(listing: Listing, limits: Limits) -> pa.Table:
    """The same as cells of Parquet files."""
    import numpy as np
    import pyarrow as pa

    names = listing.schema.names
    places = np.unique(np.linspace(0, len(listing.groups) - 1, _PLACES).round().astype(int))
    most = max(min(ROWS, _CELLS // len(names)) // len(places), 1)
    found = []
    for place in places.tolist():
        group = listing.groups[place]
        span = RowGroups(listing.parts[group.part], group.place, group.place + 1, (group.rows,))
        (_, _, block) = next(blocks([span], names, limits, most))
        found.append(block)
    return pa.concat_tables(found, promote_options="none").unify_dictionaries().combine_chunks()


def with_few_kinds(
    rows: pd.DataFrame, columns: Iterable[str], others: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which of the other columns can be counted beside these, and which would make too many kinds."""
    known, taken, left = list(columns), list[str](), list[str]()
    for name in others:
        (taken if are_few_kinds(rows, [*known, *taken, name]) else left).append(name)
    return tuple(taken), tuple(left)


def are_few_kinds(rows: pd.DataFrame, columns: Sequence[str]) -> bool:
    """Whether rows looked at have few combinations in some columns, so that a folder can be counted in them."""
    return bool((~rows.duplicated(list(columns))).sum() <= max(FEW, _FEW_ALIKE * len(rows)))


def as_frame(table: pa.Table) -> pd.DataFrame:
    """Cells of Parquet files as an uploaded file of them is read."""
    frame, _ = frame_of(table)
    read, _, _ = read_written(plain_columns(frame), "auto")
    return read
