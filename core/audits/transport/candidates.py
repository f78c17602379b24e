"""Columns in fine parts, among which is searched what explains a model's answers within kinds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.audits.transport.binning import TOO_SMALL_TO_ROUND, round_down
from core.audits.transport.explaining import CutCandidate
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


def fine_column(values: pd.Series) -> CutCandidate | None:
    """A column, shape (n,), in fine parts; None where there is only one."""
    if is_number_column(values):
        numbers = as_numbers(values)
        limits = _limits(numbers)
        parts, size = np.searchsorted(limits, numbers, side="right"), len(limits) + 1
        return CutCandidate(parts, size, whole=size <= KEPT) if size > 1 else None
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
    few = size <= KEPT
    return CutCandidate(part_of[codes], size, ordered=few, whole=few) if size > 1 else None


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
