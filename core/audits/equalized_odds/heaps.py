"""Heaps: values of a number that occur often, such as salaries of 20,000, and are strata of their own.

Who states a round number differs from who states one beside it, and so do answers; no smooth model of either knows.
People of a heap are exchanged among each other, which is exact, and smooth models are for all other people.
"""

import numpy as np

OFTEN = 5
"""Rows that make a value a heap; two do where hardly any value occurs twice."""
_MOSTLY_ONCE = 0.8
"""Share of the values that occur once, from which two rows of one value are no accident of rounding."""
_OF_MANY = 5_000
"""In large tables a heap has one row in so many, so that there are at most so many heaps."""


def heaps_of(given: np.ndarray) -> np.ndarray:
    """Heap of each person, from 0 in the order of their values; -1 for values that are rare; (n,) -> (n,), int64."""
    codes, rows = np.unique(given, return_inverse=True, return_counts=True)[1:]
    least = 2 if (rows == 1).mean() >= _MOSTLY_ONCE else OFTEN
    often = rows >= max(least, len(given) / _OF_MANY)
    return np.asarray(np.where(often, np.cumsum(often) - 1, -1)[codes])


def heap_offsets(left: np.ndarray, heaps: np.ndarray) -> np.ndarray:
    """What people of a heap have in common, shrunken towards 0 (empirical Bayes), shape (n,); 0 outside heaps.

    The mean of a heap is that of its rows' offset, which varies by t^2 from heap to heap, and of s^2 over its rows;
    t^2 and s^2 are estimated by moments, as in an analysis of variance (Searle, Casella and McCulloch 1992, chapter 3).

    Args:
        left: What a smooth model has left of a number, shape (n,).
        heaps: Heap of each row, -1 outside, shape (n,), int.
    """
    found, inside = np.zeros(len(left)), heaps >= 0
    codes, values = heaps[inside], left[inside]
    rows = np.bincount(codes)
    several = rows.sum() - len(rows)
    if not several:
        return found
    means = np.bincount(codes, values) / rows
    within = ((values - means[codes]) ** 2).sum() / several
    between = max(0.0, float((rows * means**2).sum() - len(rows) * within) / rows.sum())
    if between > 0:
        found[inside] = (means * between / (between + within / rows))[codes]
    return found
