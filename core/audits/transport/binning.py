"""How the values of a column become the few kinds that a cell tells apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10

import numpy as np
import pandas as pd

from core.audits.transport.settings import CellColumn
from core.base.errors import SettingsError
from core.data.cells import as_numbers, as_text, is_number_column
from core.language.options import where_chosen
from core.language.phrases import count, first_few, up_to
from core.language.reader import SOURCE, speaking
from core.language.told import localized, say

_BINS = {
    message: re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>-?[\\d,.e+-]+)", message))
    for message in ("under {high}", "{low} to under {high}", "{low} to {high}", "{low} and over")  # verbatim
}
"""How the names of bins that :func:`bin_names` gives are read."""


_FEW = 3
"""Values that are named of those put together, and kinds of values put together that are named of a column."""


def column_text(column: CellColumn) -> str:
    """A column and how finely it tells people apart: ``age in 3 bins``, ``job (put together: cook or driver)``."""
    if column.edges:
        return say("{name} in {bins}", name=column.name, bins=count(len(column.edges) + 1, "bin"))
    if column.merged:
        kinds = [kind_told(column, into) for into in dict.fromkeys(into for _, into in column.merged)]
        return say("{name} (put together: {kinds})", name=column.name, kinds="; ".join(up_to(kinds, _FEW)))
    return column.name


def kind_told(column: CellColumn, kind: str) -> str:
    """A kind of a column as people read it: a bin in their language, values put together with the first few of them.

    A name that says all its values, such as ``cook or driver``, is left as it is.
    """
    if column.edges:
        return bin_told(kind)
    held = [value for value, into in column.merged if into == kind]
    if {*held} <= {*re.split(", | or ", kind)}:
        return kind
    return say("{value} ({values})", value=kind, values=first_few(held, _FEW))


@dataclass(frozen=True)
class Binned:
    """One column as few kinds.

    Attributes:
        column: How it was binned; a value that others are merged into is merged into itself.
        codes: Kind of each row as an index into ``names``; shape (n,), int.
        names: The kinds that occur as people read them, in order: by number, or alphabetically.
        absent: Values that were to be merged and do not occur.
        joined: Names values are merged into that are also values of their own.
    """

    column: CellColumn
    codes: np.ndarray
    names: tuple[str, ...]
    absent: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()


def bin_column(column: CellColumn, values: pd.Series) -> Binned:
    """Bin ``values``, shape (n,): numbers by the column's limits, everything else by its merged values.

    A value equal to a limit belongs to the bin above it. Bins without people are left out.

    Raises:
        SettingsError: The limits do not ascend, or limits are set for text; a value is merged into two groups.
    """
    if column.edges:
        return _by_limits(column, values)
    return _by_value(column, values)


def bin_names(edges: tuple[float, ...], numbers: np.ndarray) -> tuple[str, ...]:
    """Names of the bins between ascending ``edges``: "under 25", "25 to 44", "45 and over" for whole numbers.

    Other numbers read "under 2.5", "2.5 to under 4", "4 and over". A bin that can hold one whole number only is named
    by it, as "0" of counts under 1.
    """
    whole = bool((numbers == np.rint(numbers)).all()) and all(edge == round(edge) for edge in edges)
    none = whole and edges[0] == 1 and len(numbers) > 0 and float(numbers.min()) == 0

    def between(low: float, high: float) -> str:
        if not whole:
            return say("{low} to under {high}", low=written(low), high=written(high))
        return written(low) if high - low == 1 else say("{low} to {high}", low=written(low), high=written(high - 1))

    with speaking(SOURCE):
        first = "0" if none else say("under {high}", high=written(edges[0]))
        last = say("{low} and over", low=written(edges[-1]))
        return tuple(map(str, (first, *(between(*ends) for ends in pairwise(edges)), last)))


def bin_told(name: str) -> str:
    """A bin's name, which results keep in English, in the reader's language."""
    for message, form in _BINS.items():
        if found := form.fullmatch(name):
            return say(message, **{end: localized(limit) for end, limit in found.groupdict().items()})
    return localized(name)


TOO_SMALL_TO_ROUND = 1e-300
"""Numbers that lie closer together than this have no round number between them that a computer could tell."""


def written(number: float) -> str:
    """A limit as people write it: ``25``, ``2.5``, ``10,000``; one of single precision as short as in that."""
    if number == round(number) and abs(number) < 1e15:
        return localized(f"{int(number):,}")
    with np.errstate(over="ignore"):
        single = np.float32(number)
    alike = np.isclose(float(single), number, rtol=1e-13, atol=0)
    return localized(min((repr(float(number)), str(single)) if alike else (repr(float(number)),), key=len))


MOST_STEPS = 10
"""Different whole numbers up to which a column is a scale."""


def round_limits(numbers: np.ndarray, bins: int) -> tuple[float, ...]:
    """At most ``bins`` - 1 limits, ascending, that cut numbers, shape (n,), into about equal parts at round numbers.

    Limits are multiples of 1, 2 or 5 times a power of ten, about a sixth of the distance between the tenth and the
    ninetieth percentile apart, or the number after the most frequent whole number (so that many zeros stay together).
    """
    ordered = np.sort(numbers)
    low, high = np.quantile(ordered, (0.1, 0.9))
    spread = float(high - low) or float(ordered[-1] - ordered[0])
    whole = bool((ordered == np.rint(ordered)).all())
    values, counts = np.unique(ordered, return_counts=True)
    if spread < TOO_SMALL_TO_ROUND:
        return (float(values[len(values) // 2]),)
    step = round_down(spread / 6)
    step = max(step, 1.0) if whole else step
    candidates = step * np.arange(floor(low / step), floor(high / step) + 2)
    commonest = float(values[counts.argmax()])
    if whole:
        candidates = np.append(candidates, (commonest, commonest + 1))
    candidates = np.unique(candidates[(candidates > ordered[0]) & (candidates <= ordered[-1])])
    if not len(candidates):
        return (float(values[len(values) // 2]),)
    below = np.searchsorted(ordered, candidates) / len(ordered)
    limits = {float(candidates[np.abs(below - part / bins).argmin()]) for part in range(1, bins)}
    return tuple(sorted(round(limit, 12) for limit in limits))


def is_scale(values: pd.Series) -> bool:
    """Whether a column, shape (n,), holds few whole numbers, such as grades from 1 to 6."""
    if not is_number_column(values):
        return False
    distinct = np.unique(as_numbers(values))
    return len(distinct) <= MOST_STEPS and bool((distinct == np.rint(distinct)).all())


def limits_of_pairs(numbers: np.ndarray) -> tuple[float, ...]:
    """Limits, ascending, that leave two neighbours of a scale together: 1 and 2, 3 and 4, 5 and 6.

    Neighbours are values as near as any two. Of an odd number of neighbours in a row one stands alone, the most
    frequent that leaves pairs on both sides.

    Args:
        numbers: Whole numbers of at least two different values; shape (n,).
    """
    values, people = np.unique(numbers, return_counts=True)
    apart = np.diff(values)
    rows = np.split(np.arange(len(values)), 1 + np.flatnonzero(apart > apart.min()))
    starts: list[int] = []
    for row in rows:
        alone = row[::2][people[row[::2]].argmax()] if len(row) % 2 else row[-1] + 1
        starts += [*row[row <= alone][::2], *row[row > alone][::2]]
    return tuple(float(values[start]) for start in starts[1:])


def round_down(number: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not above a positive number."""
    power = 10.0 ** floor(log10(number))
    return next(float(factor * power) for factor in (5, 2, 1) if factor * power <= number * (1 + 1e-9))


def combined(columns: Sequence[Binned], start: np.ndarray | None = None) -> np.ndarray:
    """Combination of kinds of each row, shape (n,), int, within the codes ``start``, shape (n,)."""
    key = np.zeros(len(columns[0].codes), dtype=np.int64) if start is None else start.astype(np.int64)
    for one in columns:
        key = np.unique(key * len(one.names) + one.codes, return_inverse=True)[1]
    return key


def _by_limits(column: CellColumn, values: pd.Series) -> Binned:
    where = say("column {name}", name=repr(column.name))
    if not is_number_column(values):
        raise SettingsError(
            say("Limits between bins are set for a column of text."),
            where=where,
            advice=say("Merge values instead, or read the column as numbers {where}.", where=where_chosen("numeric")),
        )
    if column.merged:
        raise SettingsError(
            say("Both limits and merged values are set for the same column."),
            where=where,
            advice=say("Keep the limits for numbers, or the merged values for categories."),
        )
    wrong = next((pair for pair in pairwise(column.edges) if pair[0] >= pair[1]), None)
    if wrong is not None:
        raise SettingsError(
            say("The limits between bins do not ascend."),
            where=say(
                "column {name}: {first} is followed by {second}",
                name=repr(column.name),
                first=written(wrong[0]),
                second=written(wrong[1]),
            ),
            advice=say("Write each limit once, smallest first."),
        )
    numbers = as_numbers(values)
    codes = np.searchsorted(np.asarray(column.edges), numbers, side="right")
    return _occurring(column, codes, bin_names(column.edges, numbers))


def _by_value(column: CellColumn, values: pd.Series) -> Binned:
    merged = dict(column.merged)
    if len(merged) < len(column.merged):
        raise SettingsError(
            say("A value is merged twice."),
            where=say("column {name}", name=repr(column.name)),
            advice=say("Name every value once among the merged values."),
        )
    if not all(name.strip() for name in merged.values()):
        raise SettingsError(
            say("Values are merged without a name."),
            where=say("column {name}", name=repr(column.name)),
            advice=say("Give the merged value a name."),
        )
    codes, distinct = pd.factorize(values)
    texts = list(map(str, as_text(pd.Series(distinct))))
    kinds = [merged.get(text, text) for text in texts]
    # A number keeps its place among numbers; text is sorted as text.
    ranks = as_numbers(pd.Series(distinct)) if is_number_column(values) and not merged else np.zeros(len(distinct))
    order = sorted(range(len(kinds)), key=lambda place: (ranks[place], kinds[place]))
    names = tuple(dict.fromkeys(kinds[place] for place in order))
    place_of = {name: place for place, name in enumerate(names)}
    absent = tuple(value for value in merged if value not in set(texts))
    joined = tuple(dict.fromkeys(name for name in merged.values() if name in texts and merged.get(name, name) == name))
    of_distinct = np.array([place_of[kind] for kind in kinds], dtype=np.int64)
    every = dict.fromkeys((*column.merged, *((name, name) for name in joined)))
    return Binned(column.model_copy(update={"merged": tuple(every)}), of_distinct[codes], names, absent, joined)


def _occurring(column: CellColumn, codes: np.ndarray, names: tuple[str, ...]) -> Binned:
    occurs, inverse = np.unique(codes, return_inverse=True)
    return Binned(column, inverse.astype(np.int64), tuple(names[place] for place in occurs))
