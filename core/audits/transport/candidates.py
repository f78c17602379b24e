"""Columns in fine parts, as limits that explain a model's answers are searched among, and the bins that come of it."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd

from core.audits.transport.binning import TOO_SMALL_TO_ROUND, round_down
from core.audits.transport.explaining import CutCandidate, Cuts
from core.audits.transport.settings import CellColumn
from core.data.cells import as_numbers, as_text, is_number_column

REST = "Other"
RARE = 0.02
"""A category of fewer people than this share is rare."""
KEPT = 3
"""A column with at most this many values keeps them all or is left out."""
MOST_PARTS = 100
"""Parts of a column of numbers; one with at most so many values is tried at each of them."""
MOST_NAMED = 15
"""Categories that are told apart in the search; the others are rare."""


@dataclass(frozen=True)
class FineColumn:
    """A column in fine parts.

    Attributes:
        name: The column.
        candidate: Its parts.
        limits: Of numbers: the limit below each part but the first.
        values: Of categories: the values of each part, most frequent first.
    """

    name: str
    candidate: CutCandidate
    limits: tuple[float, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()

    def binned(self, cuts: Cuts) -> CellColumn:
        """The column as ``cuts``, of which there is at least one, bin it."""
        if self.values:
            kind = np.searchsorted(cuts.at, cuts.place, side="right")
            kinds = [[self.values[part] for part in np.flatnonzero(kind == one)] for one in range(len(cuts.at) + 1)]
            return CellColumn(name=self.name, merged=_merged([tuple(chain(*parts)) for parts in kinds], self.values))
        edges = () if self.candidate.whole else tuple(self.limits[cut - 1] for cut in cuts.at)
        return CellColumn(name=self.name, edges=edges)


def fine_column(name: str, values: pd.Series) -> FineColumn | None:
    """A column, shape (n,), in fine parts; None where there is only one."""
    if is_number_column(values):
        numbers = as_numbers(values)
        limits = _limits(numbers)
        parts, size = np.searchsorted(limits, numbers, side="right"), len(limits) + 1
        roundness = np.array([0, *map(_roundness, limits)])
        candidate = CutCandidate(parts, size, roundness, whole=size <= KEPT)
        return FineColumn(name, candidate, limits=tuple(map(float, limits))) if size > 1 else None
    codes, distinct = pd.factorize(as_text(values))
    people = np.bincount(codes)
    ranked = sorted(range(len(distinct)), key=lambda code: (-people[code], str(distinct[code])))
    named = [code for code in ranked if people[code] >= RARE * len(codes)][:MOST_NAMED]
    rare = ranked[len(named) :]
    together = [*((code,) for code in named), *([tuple(rare)] if rare else [])]
    part_of = np.empty(len(distinct), dtype=np.int64)
    for part, some in enumerate(together):
        part_of[list(some)] = part
    size = len(together)
    candidate = CutCandidate(part_of[codes], size, np.zeros(size), ordered=size <= KEPT, whole=size <= KEPT)
    texts = tuple(tuple(str(distinct[code]) for code in some) for some in together)
    return FineColumn(name, candidate, values=texts) if size > 1 else None


def _limits(numbers: np.ndarray) -> np.ndarray:
    """Limits that are tried: all values but the lowest, or where these are many, round numbers near quantiles.

    Where one value is common, such as 0, the quantiles are those of the others, and the limits around it are tried too.
    """
    values, people = np.unique(numbers, return_counts=True)
    if len(values) <= MOST_PARTS:
        return values[1:]
    common = people.argmax()
    others = numbers[numbers != values[common]]
    near = np.quantile(others, np.linspace(0, 1, MOST_PARTS // 2 + 1), method="inverted_cdf")
    apart = float(near[-2] - near[1]) / (MOST_PARTS // 2) or float(values[-1] - values[0])
    if apart < TOO_SMALL_TO_ROUND:
        return np.unique(near[near > values[0]])
    step = round_down(apart)
    if (numbers == np.rint(numbers)).all():
        step = max(step, 1.0)
    around = values[common : common + 2]
    limits = np.unique([*np.round(np.rint(near / step) * step, 12), *around])
    inside: np.ndarray = limits[(limits > values[0]) & (limits <= values[-1])]
    return inside


def _roundness(limit: float) -> float:
    """Power of ten that a number is a multiple of, and a half more where it is one of five times that power."""
    digits = f"{abs(limit):.12e}"
    mantissa, exponent = digits.split("e")
    significant = mantissa.replace(".", "").rstrip("0")
    if not significant:
        return float("inf")
    return int(exponent) - (len(significant) - 1) + (0.5 if significant[-1] == "5" else 0.0)


def _merged(kinds: list[tuple[str, ...]], parts: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of a value and the name of its kind, for kinds of several values."""
    pairs = []
    for kind in kinds:
        if len(kind) > 1:
            name = REST if kind == parts[-1] else _in_words(kind)
            while name in set(chain(*parts)) - set(kind):
                name = f"{name}, together"  # verbatim
            pairs += [(value, name) for value in kind]
    return tuple(sorted(pairs))


def _in_words(values: tuple[str, ...]) -> str:
    """A name that settings keep, so in English whoever reads it."""
    if len(values) > KEPT:
        return f"{values[0]} or {len(values) - 1} others"  # verbatim
    *some, last = sorted(values)
    return f"{', '.join(some)} or {last}"  # verbatim
