"""Values of a table as the values that training saw: the same word, the same number, however they are written."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.data.missing import MISSING_GROUP


def matched(values: pd.Series, known: Sequence[Any]) -> np.ndarray:
    """The column with each value that means a known category in that category's own type, shape (n,).

    ``1``, ``"1"`` and ``1.0`` are the same where the categories hold one of them, and so are ``True``, ``"true"`` and
    1. A value that is none of the categories stays as it is, as text where the categories are text, for the encoder
    to treat as it was told to treat unknown ones. Missing cells, and the group "(missing)" where it is no category,
    become what stands for missing among the categories.

    Args:
        values: The column.
        known: The categories of whatever reads it.
    """
    gaps = [one for one in known if _is_missing(one)]
    words = [one for one in known if not _is_missing(one)]
    exact = {_hashable(one): one for one in words}
    alike = _alike(words)
    gap = gaps[0] if gaps else np.nan
    text = bool(words) and all(isinstance(one, str) for one in words)
    codes, distinct = pd.factorize(values)

    def own(value: Any) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if value == MISSING_GROUP and gaps and MISSING_GROUP not in exact:
            return gap
        if type(value) is not bool and value in exact:
            return exact[value]
        if (same := alike.get(_plain(value))) is not None:
            return same
        return str(value) if text else value

    translated = np.empty(len(distinct) + 1, dtype=object)
    translated[:-1] = [own(value) for value in distinct]
    translated[-1] = gap
    column = translated[codes]
    return _as_numbers(column) if not text and not any(isinstance(one, str) for one in words) else column


def _alike(words: Iterable[Any]) -> dict[str, Any]:
    """Categories by what they mean; none of those that mean the same as another."""
    found: dict[str, Any] = {}
    double = set()
    for one in words:
        plain = _plain(one)
        if plain in found:
            double.add(plain)
        found[plain] = one
    return {plain: one for plain, one in found.items() if plain not in double}


def _plain(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return f"{float(value):.17g}"
    written = str(value).strip()
    if written.casefold() in ("true", "false"):
        return f"{float(written.casefold() == 'true'):.17g}"
    try:
        return f"{float(written):.17g}"
    except ValueError:
        return written


def _as_numbers(column: np.ndarray) -> np.ndarray:
    """Numbers of one type, if all of them are numbers; missing ones are NaN."""
    try:
        numbers = np.array([np.nan if value is None else value for value in column], dtype=np.float64)
    except (TypeError, ValueError):
        return column
    return numbers


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def _hashable(value: Any) -> Hashable:
    own: Hashable = value.item() if isinstance(value, np.generic) else value
    return own


def unknown(values: Iterable[str], known: Sequence[str]) -> list[str]:
    """Those of some values, as people write them, that are none of the categories."""
    exact, plain = set(known), set(map(_plain, known))
    return [value for value in values if value not in exact and _plain(value) not in plain]
