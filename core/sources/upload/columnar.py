"""Parquet files."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.language.phrases import count, number, quoted, several, whole
from core.language.told import say
from core.sources.upload.header import name_columns
from core.sources.upload.limits import MAXIMUM_UNPACKED, check_shape

if TYPE_CHECKING:
    import pyarrow as pa

_DIGITS_OF_INT64 = 18


def read_parquet(path: Path) -> tuple[pd.DataFrame, tuple[Caveat, ...]]:
    """Read a Parquet file whose columns hold one number, text, truth value or date a cell; and what was done.

    Decimals become numbers.

    Raises:
        DataError: The file is damaged or cut off, too long or too wide, or a column holds lists, records or bytes.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as opened:
            schema, rows = opened.schema_arrow, opened.metadata.num_rows
        check_shape(rows, len(schema))
        names, caveats = name_columns([field.name.strip() for field in schema])
        check_types(schema)
        text = [
            field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]
        with pq.ParquetFile(path, read_dictionary=text) as opened:
            table = opened.read()
        frame, decimals = frame_of(table.rename_columns(list(names)))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise damaged(error) from error
    return frame, (*caveats, *decimals)


def frame_of(table: "pa.Table") -> tuple[pd.DataFrame, tuple[Caveat, ...]]:
    """Columns of Parquet files as a table, and what was done.

    Raises:
        DataError: There is too much text.
        ArrowException: It is damaged.
    """
    table = table.replace_schema_metadata(None)
    table.validate(full=True)
    _check_text(table)
    table, decimals = _without_decimals(table)
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    return frame, _about_decimals(decimals, len(frame))


def damaged(error: Exception, where: str = "") -> DataError:
    """The error of a Parquet file that cannot be read.

    Args:
        error: What the library says.
        where: Which part of which file; what the library says if empty.
    """
    return DataError(
        say("The Parquet file is damaged or cut off."),
        where=where or (str(error).strip().splitlines() or [type(error).__name__])[0][:120],
        advice=say("Save the table again and bring that file."),
    )


def _without_decimals(table: "pa.Table") -> tuple["pa.Table", list[str]]:
    """The table with decimals as whole numbers or float64, and the names of those columns."""
    import pyarrow as pa

    names = [field.name for field in table.schema if pa.types.is_decimal(field.type)]
    for name in names:
        place, kind = table.schema.get_field_index(name), table.schema.field(name).type
        whole = kind.scale <= 0 and kind.precision - kind.scale <= _DIGITS_OF_INT64
        table = table.set_column(place, name, table[name].cast(pa.int64() if whole else pa.float64()))
    return table, names


def _about_decimals(names: list[str], rows: int) -> tuple[Caveat, ...]:
    if not names:
        return ()
    return (
        Caveat(
            "info",
            say("Read the decimals of {names} as numbers in {rows}.", names=several(names), rows=count(rows, "row")),
        ),
    )


def _check_text(table: "pa.Table") -> None:
    unpacked = sum(_text_bytes(column) for column in table.columns)
    if unpacked > MAXIMUM_UNPACKED:
        raise DataError(
            say(
                "The file's text has {size} MB once unpacked; at most {most} MB can be read.",
                size=number(unpacked / 2**20, 0),
                most=whole(MAXIMUM_UNPACKED // 2**20),
            ),
            advice=say("Leave out columns of long text."),
        )


def check_types(schema: "pa.Schema") -> None:
    """Refuse columns that hold lists, records or bytes.

    Raises:
        DataError: There is one.
    """
    import pyarrow as pa

    for field in schema:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            raise DataError(
                say("A column holds {kind} in every cell instead of one value.", kind=str(kind)),
                where=say("column {name}", name=quoted(field.name)),
                advice=say("Leave the column out, or give each part a column of its own."),
            )


def _text_bytes(column: "pa.ChunkedArray") -> int:
    """Bytes of a text column once every cell has its own copy; 0 for other columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    total = 0
    for chunk in column.chunks:
        if not isinstance(chunk, pa.DictionaryArray):
            return 0
        if not (pa.types.is_string(chunk.dictionary.type) or pa.types.is_large_string(chunk.dictionary.type)):
            return 0
        lengths = pc.binary_length(chunk.dictionary).to_numpy(zero_copy_only=False).astype(np.float64)
        codes = chunk.indices.drop_null().to_numpy(zero_copy_only=False)
        total += int(np.nansum(np.bincount(codes, minlength=len(lengths)) * lengths))
    return total
