"""A model that is asked about every row of a folder, block by block behind its wall: what it answers is a column."""

from __future__ import annotations

import io
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from core.base.errors import DataError, located
from core.base.files import FileRef, FileStore, files_of
from core.base.settings import Settings, setting
from core.contracts.model import AbstractModel
from core.data.cells import is_number_column
from core.data.dataset import Dataset
from core.data.missing import read_cells
from core.data.roles import Roles
from core.language.phrases import quoted
from core.language.told import say
from core.models import ModelSource
from core.sources.folder.listing import Listing, plain_type
from core.sources.folder.looking import as_frame
from core.sources.upload.columnar import frame_of
from core.sources.upload.uploaded import plain_columns

if TYPE_CHECKING:
    import pyarrow as pa

ASKED_AT_ONCE = 2**16
"""Rows of a block that a model is asked about."""
_CHILD, _COPIES = 220 * 2**20, 12
"""Bytes of the process behind the wall with its library, and how often the rows asked about are in memory."""
_MODELS = 4
"""How often a model's file is in memory once it is open."""


class AskedModel(Settings):
    """A model whose answer to each row is counted as a column: the class it gives the highest probability."""

    column: str = setting(label=say("Column"), help=say("What the column of its answers is called."), min_length=1)
    model: ModelSource = setting(label=say("Model"), help=say("Where the answers come from."), discriminator="kind")
    roles: Roles = setting(label=say("Roles"), help=say("What the columns are for that it reads."))
    reads: tuple[str, ...] = setting(label=say("Columns that it reads"), help=say("In its order."), min_length=1)

    def memory(self, listing: Listing) -> int:
        """Bytes that asking takes at most, of one process and the model's own."""
        width = sum(max(listing.widths[name], 8) for name in self.reads)
        files = sum(one.bytes for one in files_of(self.model))
        return int(_CHILD + _MODELS * files + _COPIES * ASKED_AT_ONCE * width)


def require_readable(roles: Roles, columns: Sequence[str], listing: Listing, looked_at: pd.DataFrame) -> None:
    """Refuse what cannot be read block by block as it was read in the rows first looked at.

    Args:
        roles: What the columns are for.
        columns: Those that are read, by their names.
        listing: The files.
        looked_at: The rows first looked at.

    Raises:
        DataError: Numbers are written as text, or gaps are to be filled.
    """
    import pyarrow as pa

    if roles.missing != "leave out":  # verbatim
        raise DataError(
            say("The rows of a folder are read block by block, so that no gap can be filled."),
            where=say("roles"),
            advice=say("Leave rows with gaps out; they are counted."),
        )
    for name in columns:
        if plain_type(listing.schema.field(name).type) == pa.string() and is_number_column(looked_at[name]):
            raise DataError(
                say("The column {name} holds numbers that are written as text.", name=quoted(name)),
                advice=say("Write them into the files as numbers."),
            )


@dataclass(frozen=True)
class OpenedModel:
    """A model that is open, with how the columns it reads are told.

    Attributes:
        asked: Which it is.
        model: The model.
        roles: The roles of these columns.
        kinds: The type of each in the rows first looked at.
    """

    asked: AskedModel
    model: AbstractModel
    roles: Roles
    kinds: Mapping[str, Any]

    @classmethod
    def of(cls, asked: AskedModel, looked_at: pd.DataFrame, files: FileStore) -> Self:
        """The model as it was fitted to the rows first looked at.

        Raises:
            EvenhandError: It cannot be read, or does not fit.
        """
        dataset = asked.model.dataset(looked_at, asked.roles)
        model = asked.model.load(files, dataset)
        read = asked.roles.model_copy(
            update={
                "outcome": "",
                "outcome_type": "classes",
                "favourable": "",
                "protected": (),
                "predictions": (),
                "features": asked.reads,
            }
        )
        return cls(asked, model, read, dict(dataset.frame[list(asked.reads)].dtypes))

    def rows(self, block: pa.Table) -> Dataset:
        """The rows of a block that have no gap in what the model reads, numbered from 0 within the block.

        Raises:
            DataError: A cell cannot be read.
        """
        import pyarrow.compute as pc

        read = block.select(list(self.kinds))
        whole = np.flatnonzero(np.logical_and.reduce([pc.is_valid(one).to_numpy() for one in read.columns]))
        frame, _ = frame_of(read.take(whole))
        cells, _ = read_cells(plain_columns(frame).set_index(whole), self.roles)
        floats = {name: kind for name, kind in self.kinds.items() if kind.kind == "f"}
        return Dataset(cells.astype(floats), self.roles, rows_read=len(block))

    def answered(self, block: pa.Table, where: str) -> pa.Array:
        """What it answers each row of a block, as text; null where the row has a gap in what it reads.

        Args:
            block: Rows with the columns that it reads, of plain types.
            where: Which rows these are.

        Raises:
            EvenhandError: It cannot answer a row (says which).
        """
        import pyarrow as pa

        codes = np.full(len(block), -1, dtype=np.int32)
        with located(where):
            rows = self.rows(block)
            if len(rows):
                data = self.model.encode(rows)
                codes[rows.frame.index.to_numpy()] = self.model.predict_proba(data).argmax(axis=1)
        return pa.DictionaryArray.from_arrays(
            pa.array(codes, mask=codes < 0), pa.array(self.model.classes, pa.string())
        )


@dataclass(frozen=True)
class ToBeAsked:
    """A model with what a process has to be told to ask it.

    Attributes:
        asked: The model.
        piece: What a piece holds beside the rows, JSON.
        seen: Where the rows first looked at are kept for other processes.
    """

    asked: AskedModel
    piece: dict[str, Any]
    seen: Path

    @classmethod
    def of(cls, asked: AskedModel, looked_at: pa.Table, files: FileStore) -> Self:
        """A model, fitted to the rows first looked at, which are kept among the files for other processes.

        Raises:
            StorageError: There is no room for them.
        """
        import pyarrow.parquet as pq

        stream = io.BytesIO()
        names = [name for name in looked_at.column_names if name in asked.roles.columns]
        own = {"by": secrets.token_hex(8)}  # so that nobody else needs the file that is deleted
        pq.write_table(looked_at.select(names).replace_schema_metadata(own), stream)
        seen = files.put(stream.getvalue(), "seen.parquet")
        needs = [one.sha256 for one in (*files_of(asked.model), seen)]
        told = {"asked": asked.model_dump_json(), "seen": seen.model_dump_json()}
        return cls(asked, {**told, "files": str(files.root.absolute()), "needs": needs}, files.path(seen))

    def forget(self) -> None:
        """Delete these rows."""
        self.seen.unlink(missing_ok=True)


def opened(piece: Mapping[str, Any]) -> OpenedModel:
    """The model of a piece, open."""
    return _opened(piece["asked"], piece["seen"], piece["files"])


@lru_cache(maxsize=1)
def _opened(asked: str, seen: str, root: str) -> OpenedModel:
    import pyarrow.parquet as pq

    files = FileStore(Path(root))
    looked_at = as_frame(pq.read_table(files.path(FileRef.model_validate_json(seen))))
    return OpenedModel.of(AskedModel.model_validate_json(asked), looked_at, files)


def closed() -> None:
    """Close the model that this process asked last."""
    _opened.cache_clear()
