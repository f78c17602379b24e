"""Columns that are given beside a table, as arrays with one entry a row: outcomes, predictions, groups."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.api.bringing import as_frame
from core.base.errors import DataError

_ONE, _SEVERAL = ("outcome", "belongs_to", "counts"), ("predictions", "protected")


def with_columns(table: object, given: Mapping[str, Any]) -> tuple[object, dict[str, Any]]:
    """A table with what is given beside it as columns, and the choices with their names.

    Args:
        table: The caller's table.
        given: Choices, of which some may be a Series, an array or a DataFrame with one entry a row; a list is one where
            only one column may stand.

    Raises:
        DataError: An array has another length or other row labels than the table.
    """
    lists = {name: np.asarray(given[name]) for name in _ONE if isinstance(given.get(name), list | tuple)}
    beside: dict[str, Any] = {
        name: one for name in (*_ONE, *_SEVERAL) if _is_array(one := lists.get(name, given.get(name)))
    }
    if not beside or isinstance(table, str | os.PathLike):
        return table, dict(given)
    frame, named = as_frame(table), dict(given)
    for choice, array in beside.items():
        names = []
        for name, values in _columns(array, choice).items():
            column = as_frame(_in_order(values, table, choice).to_frame("of"))["of"]
            own = str(name) if name not in frame or frame[name].equals(column) else f"{name} ({choice})"
            frame[own] = column
            names.append(own)
        named[choice] = names if choice in _SEVERAL else names[0]
    return frame, named


def _is_array(value: object) -> bool:
    return isinstance(value, pd.Series | pd.DataFrame | np.ndarray)


def _columns(array: pd.Series | pd.DataFrame | np.ndarray, choice: str) -> pd.DataFrame:
    """What is given, by the names it has or else that of the choice."""
    if isinstance(array, pd.DataFrame):
        return array
    if isinstance(array, pd.Series):
        return array.to_frame(choice if array.name is None else array.name)
    if array.ndim == 1:
        return pd.DataFrame({choice: array})
    return pd.DataFrame(array, columns=[f"{choice} {place}" for place in range(1, array.shape[1] + 1)])


def _in_order(values: pd.Series, table: object, choice: str) -> pd.Series:
    """Values in the order of a table's rows: by their labels where both have them, else as they stand."""
    index = table.index if isinstance(table, pd.DataFrame) else pd.RangeIndex(len(as_frame(table)))
    labelled = not isinstance(values.index, pd.RangeIndex) and not values.index.equals(index)
    if labelled and values.index.is_unique and set(values.index) == set(index):
        return values.reindex(index)
    if labelled or len(values) != len(index):
        raise DataError(
            f"{len(values):,} values are given beside a table of {len(index):,} rows, or their row labels differ.",
            where=choice,
            advice="Give one value for each row of the table, in its order.",
        )
    return values
