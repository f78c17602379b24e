"""Arrays, tables and numbers as the codec writes them."""

import datetime
import decimal
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_EXTENSION = frozenset(f"{sign}{bits}" for sign in ("Int", "UInt") for bits in (8, 16, 32, 64)) | {
    "Float32",
    "Float64",
    "boolean",
    "string",
    "str",
}
_CELLS: dict[str, tuple[type, Callable[[Any], str], Callable[[str], object]]] = {
    "datetime": (datetime.datetime, lambda value: value.isoformat(), datetime.datetime.fromisoformat),
    "date": (datetime.date, lambda value: value.isoformat(), datetime.date.fromisoformat),
    "time": (datetime.time, lambda value: value.isoformat(), datetime.time.fromisoformat),
    "decimal": (decimal.Decimal, str, decimal.Decimal),
}


class Arrays(list[np.ndarray]):
    """Arrays in the order in which the tree names them."""

    def add(self, array: np.ndarray) -> int:
        """Keep ``array`` and return its number.

        Raises:
            TypeError: It holds Python objects, which could only be pickled.
        """
        if array.dtype.hasobject:
            raise TypeError("An array of Python objects has no safe encoding.")
        self.append(np.asarray(array, order="C"))
        return len(self) - 1


def encode_number(value: Any) -> Any:
    """A scalar for strict JSON: infinite and undefined floats become names."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def decode_number(tree: Any) -> float:
    """The float that :func:`encode_number` wrote."""
    if isinstance(tree, str):
        return _NON_FINITE[tree]
    if isinstance(tree, bool) or not isinstance(tree, int | float):
        raise TypeError(f"{tree!r} is not a number")
    return float(tree)


def encode_frame(frame: pd.DataFrame, arrays: Arrays) -> dict[str, Any]:
    """A table as typed columns, its index among them."""
    columns = [_encode_column(frame.iloc[:, place], arrays) for place in range(frame.shape[1])]
    return {
        "names": [_encode_cell(name) for name in frame.columns],
        "names_dtype": str(frame.columns.dtype),
        "columns": columns,
        "index": _encode_index(frame.index, arrays),
    }


def decode_frame(tree: Any, arrays: Arrays) -> pd.DataFrame:
    """The table that :func:`encode_frame` wrote."""
    index = _decode_index(tree["index"], arrays)
    columns = {place: _decode_column(column, arrays) for place, column in enumerate(tree["columns"])}
    frame = pd.DataFrame({place: pd.Series(values, index=index) for place, values in columns.items()}, index=index)
    names = [_decode_cell(name) for name in tree["names"]]
    if len(names) != frame.shape[1]:
        raise ValueError("a table has another number of columns than names")
    frame.columns = pd.Index(names, dtype=_names_dtype(tree["names_dtype"]))
    return frame


def _encode_index(index: pd.Index, arrays: Arrays) -> dict[str, Any]:
    if isinstance(index, pd.RangeIndex):
        return {"range": [index.start, index.stop, index.step], "name": _encode_cell(index.name)}
    return {"column": _encode_column(index.to_series(), arrays), "name": _encode_cell(index.name)}


def _decode_index(tree: Any, arrays: Arrays) -> pd.Index:
    name = _decode_cell(tree["name"])
    if "range" in tree:
        start, stop, step = tree["range"]
        return pd.RangeIndex(start, stop, step, name=name)
    values: pd.Index = pd.Index(_decode_column(tree["column"], arrays), name=name)
    return values


def _encode_column(values: pd.Series, arrays: Arrays) -> dict[str, Any]:
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return {
            "dtype": "category",
            "ordered": bool(dtype.ordered),
            "codes": arrays.add(values.cat.codes.to_numpy()),
            "categories": _encode_column(dtype.categories.to_series(), arrays),
        }
    if str(dtype) in _EXTENSION:
        missing = values.isna()
        cells = values.astype(object).where(~missing, None)
        return {"dtype": str(dtype), "cells": [_encode_cell(cell) for cell in cells]}
    if pd.api.types.is_object_dtype(dtype):
        return {"dtype": "object", "cells": [_encode_cell(cell) for cell in values]}
    if isinstance(dtype, np.dtype):
        return {"dtype": "array", "array": arrays.add(values.to_numpy())}
    raise TypeError(f"No encoding for a column of dtype {dtype}.")


def _decode_column(tree: Any, arrays: Arrays) -> Any:
    dtype = tree["dtype"]
    if dtype == "array":
        return arrays[tree["array"]]
    if dtype == "category":
        categories = pd.Index(_decode_column(tree["categories"], arrays))
        return pd.Categorical.from_codes(arrays[tree["codes"]], categories=categories, ordered=tree["ordered"])
    cells = [_decode_cell(cell) for cell in tree["cells"]]
    if dtype == "object":
        held = np.empty(len(cells), dtype=object)
        held[:] = cells
        return held
    if dtype not in _EXTENSION:
        raise ValueError(f"{dtype!r} is not a type of column")
    return pd.array(cells, dtype=dtype)


def _encode_cell(cell: Any) -> Any:
    """One value of an untyped column; what JSON does not know carries the name of its type."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return None
    if isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else {"float": encode_number(cell)}
    for name, (kind, write, _) in _CELLS.items():
        if isinstance(cell, kind):
            return {name: write(cell)}
    raise TypeError(f"No encoding for a cell of type {type(cell).__name__}.")


def _decode_cell(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    ((name, written),) = tree.items()
    if name == "float":
        return decode_number(written)
    return _CELLS[name][2](written)


def _names_dtype(name: str) -> str:
    if name not in {"str", "object", "int64"}:
        raise ValueError(f"{name!r} is not a type of column names")
    return name
