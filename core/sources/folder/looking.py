"""Some rows from all over a folder, enough to guess what its columns are for."""

from __future__ import annotations

import pandas as pd

from core.sources.folder.blocks import Limits, RowGroups, blocks
from core.sources.folder.listing import Listing
from core.sources.folder.table import as_frame

ROWS = 100_000
_CELLS = 5_000_000
_PLACES = 32


def some_rows(listing: Listing, limits: Limits) -> pd.DataFrame:
    """The first rows of up to 32 row groups, evenly apart, about 100,000 in all, with every column."""
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
    return as_frame(pa.concat_tables(found, promote_options="none").unify_dictionaries().combine_chunks())
