"""An upper bound of the mean of values that cannot exceed 1, whatever their distribution and however few they are."""

import numpy as np

from core.inference.bins import quantile_edges

_BLOCK_NUMBERS = 1_000_000

LARGE = 4_096
"""Larger samples are cut into bins."""

_BINS = 2_048
"""Bins of a large sample."""


def upper_bound_within_one(values: np.ndarray, alpha: float, *, draws: int, seed: int) -> float:
    """Gaffke's (2005) upper confidence bound of the mean of n values in [0, 1].

    It is the 1 - alpha quantile of the sample's mean under random weights, uniform among all weights that sum to one,
    after the largest possible value, 1, was added to the sample: a sample may miss a rare kind of row altogether. For
    values that are 0 or 1 it is Clopper and Pearson's bound, for n zeros 1 - alpha^(1/n); Learned-Miller and Thomas
    (2019, "A new confidence interval for the mean of a bounded random variable") found no case in which it is too low.

    Samples of more than 4,096 rows are cut into 2,048 bins, and every row counts as the largest of its bin. That can
    only raise the bound, by at most about the largest value over 2,048; the weight of k rows is one gamma number.

    Args:
        values: The sample, shape (n,), each in [0, 1].
        alpha: The bound is too low with at most this probability.
        draws: Random weights drawn.
        seed: Fixes them.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    rng = np.random.default_rng((seed, len(ordered) + 1))
    rows = np.ones(len(ordered) + 1)
    if len(ordered) > LARGE:
        edges = quantile_edges(len(ordered), _BINS)
        ordered, rows = ordered[edges[1:] - 1], np.append(np.diff(edges), 1.0)
    sample = np.append(ordered, 1.0)
    block = max(1, _BLOCK_NUMBERS // len(sample))
    means = []
    for start in range(0, draws, block):
        shape = (min(block, draws - start), len(sample))
        weights = rng.standard_exponential(shape) if rows.max() == 1 else rng.standard_gamma(rows, shape)
        means.append(weights @ sample / weights.sum(axis=1))
    place = min(int(np.ceil((1 - alpha) * (draws + 1))), draws + 1) - 1
    return 1.0 if place >= draws else float(np.sort(np.concatenate(means))[place])
