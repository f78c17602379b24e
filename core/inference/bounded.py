"""Limits of the mean of values that cannot pass a known end, whatever their distribution and however few they are."""

import numpy as np

from core.inference.bins import quantile_edges
from core.inference.monte_carlo import monte_carlo_p

_BLOCK_NUMBERS = 1_000_000

LARGE = 4_096
"""Larger samples are cut into bins."""

_BINS, _ENDS = 2_048, 200
"""Bins of a large sample, and how many at either end hold a single row."""


def means_with_largest(values: np.ndarray, largest: float, *, draws: int, seed: int) -> np.ndarray:
    """Means of the sample under random weights after ``largest`` was added to it, ascending; shape (B,).

    The weights are uniform among all that sum to one. The draw of rank ceil((1 - alpha)(B + 1)) is Gaffke's (2005)
    upper confidence bound of the mean: a sample may miss a rare kind of row altogether. For values that are 0 or 1 it
    is Clopper and Pearson's, for n zeros 1 - alpha^(1/n); Learned-Miller and Thomas (2019, "A new confidence interval
    for the mean of a bounded random variable") found no case in which it is too low.

    Samples of more than 4,096 rows are cut into 2,048 bins, of a single row at both ends, and rows of a bin count as
    their mean; the weight of k rows is one gamma number.

    Args:
        values: The sample, shape (n,), none above ``largest``.
        largest: The largest value there can be.
        draws: Random weights drawn, B.
        seed: Fixes them.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    rng = np.random.default_rng((seed, len(ordered) + 1))
    rows = np.ones(len(ordered) + 1)
    if len(ordered) > LARGE:
        edges = quantile_edges(len(ordered), _BINS, ends=_ENDS)
        counts = np.diff(edges)
        ordered, rows = np.add.reduceat(ordered, edges[:-1]) / counts, np.append(counts, 1.0)
    sample = np.append(ordered, largest)
    block = max(1, _BLOCK_NUMBERS // len(sample))
    means = []
    for start in range(0, draws, block):
        shape = (min(block, draws - start), len(sample))
        weights = rng.standard_exponential(shape) if rows.max() == 1 else rng.standard_gamma(rows, shape)
        means.append(weights @ sample / weights.sum(axis=1))
    return np.sort(np.concatenate(means))


def means_with_zero(values: np.ndarray, *, draws: int, seed: int) -> np.ndarray:
    """The same for a lower bound of values >= 0, with 0 added: the draw of rank floor(alpha (B + 1)); ascending."""
    return -means_with_largest(-np.asarray(values), 0.0, draws=draws, seed=seed)[::-1]


def p_at_most(means: np.ndarray, delta: float) -> float:
    """p-value of "the mean is at most delta" from :func:`means_with_zero`; at most alpha where the bound exceeds delta.

    Args:
        means: Shape (B,).
        delta: The tolerance.
    """
    return monte_carlo_p(np.count_nonzero(means <= delta), len(means))
