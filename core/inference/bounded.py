"""Limits of the mean of values that cannot pass a known end, whatever their distribution and however few they are."""

import numpy as np

from core.inference.clusters import values_and_rows
from core.inference.p_values import monte_carlo_p
from core.inference.resampling import blocks, quantile_edges

LARGE = 4_096
"""Larger samples are cut into bins."""

_BINS, _ENDS = 2_048, 200
"""Bins of a large sample, and how many at either end hold a single row."""


def means_with_largest(
    values: np.ndarray, largest: float, *, draws: int, seed: int, clusters: np.ndarray | None = None
) -> np.ndarray:
    """Means of the sample under random weights after ``largest`` was added to it, ascending; shape (B,).

    The weights are uniform among all that sum to one. The draw of rank ceil((1 - alpha)(B + 1)) is Gaffke's (2005)
    upper confidence bound of the mean: a sample may miss a rare kind of row altogether. For values that are 0 or 1 it
    is Clopper and Pearson's, for n zeros 1 - alpha^(1/n); Learned-Miller and Thomas (2019, "A new confidence interval
    for the mean of a bounded random variable") found no case in which it is too low.

    Samples of more than 4,096 rows are cut into 2,048 bins, of a single row at both ends, and rows of a bin count as
    their mean; the weight of k rows is one gamma number.

    Where rows fall into clusters, these are weighted, and a cluster of the largest size whose rows all hold ``largest``
    was added. That the mean is at most t is that the clusters' sums of (value - t) have a mean of at most 0; no such
    sum exceeds (``largest`` - t) times the largest size, so that the bound of these sums, solved for t, is this one.

    Args:
        values: The sample, shape (n,), none above ``largest``.
        largest: The largest value there can be.
        draws: Random weights drawn, B.
        seed: Fixes them.
        clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.
    """
    if clusters is not None and len(values):
        return _of_clusters(values_and_rows(values, clusters), largest, draws, seed)
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    rng = np.random.default_rng((seed, len(ordered) + 1))
    rows = np.ones(len(ordered) + 1)
    if len(ordered) > LARGE:
        edges = quantile_edges(len(ordered), _BINS, ends=_ENDS)
        counts = np.diff(edges)
        ordered, rows = np.add.reduceat(ordered, edges[:-1]) / counts, np.append(counts, 1.0)
    sample = np.append(ordered, largest)
    means = []
    for size in blocks(draws, len(sample)):
        shape = (size, len(sample))
        weights = rng.standard_exponential(shape) if rows.max() == 1 else rng.standard_gamma(rows, shape)
        means.append(weights @ sample / weights.sum(axis=1))
    return np.sort(np.concatenate(means))


def _of_clusters(totals: np.ndarray, largest: float, draws: int, seed: int) -> np.ndarray:
    """The same by the sums and sizes of clusters, shape (2, G), sorted; many are cut into bins of both."""
    sums, sizes = totals
    rng = np.random.default_rng((seed, len(sums) + 1))
    biggest, counts = float(sizes.max()), np.ones(len(sums))
    if len(sums) > LARGE:
        order = np.argsort(sums - sums.sum() / sizes.sum() * sizes, kind="stable")
        edges = quantile_edges(len(sums), _BINS, ends=_ENDS)
        counts = np.diff(edges).astype(np.float64)
        sums, sizes = (np.add.reduceat(one[order], edges[:-1]) / counts for one in (sums, sizes))
    above, below = np.append(sums, largest * biggest), np.append(sizes, biggest)
    shapes = np.append(counts, 1.0)
    means = []
    for size in blocks(draws, len(above)):
        weights = rng.standard_gamma(shapes, (size, len(above)))
        means.append(weights @ above / (weights @ below))
    return np.sort(np.concatenate(means))


def means_with_zero(values: np.ndarray, *, draws: int, seed: int, clusters: np.ndarray | None = None) -> np.ndarray:
    """The same for a lower bound of values >= 0, with 0 added: the draw of rank floor(alpha (B + 1)); ascending."""
    return -means_with_largest(-np.asarray(values, dtype=np.float64), 0.0, draws=draws, seed=seed, clusters=clusters)[
        ::-1
    ]


def p_at_most(means: np.ndarray, delta: float) -> float:
    """p-value of "the mean is at most delta" from :func:`means_with_zero`; at most alpha where the bound exceeds delta.

    Args:
        means: Shape (B,).
        delta: The tolerance.
    """
    return monte_carlo_p(np.count_nonzero(means <= delta), len(means))


def p_of_bounded(values: np.ndarray, delta: float, clusters: np.ndarray | None = None) -> float:
    """p-value of "the mean is at most delta" for values from 0 to 1, whatever their distribution; 1 without rows.

    Hoeffding (1963, "Probability inequalities for sums of bounded random variables", theorem 1): the chance of a mean
    of at least m over n rows is at most exp(-n KL(m, delta)). It draws nothing and is as fine as it needs to be for
    many questions at once. Where rows fall into clusters, a cluster's sum of (value - delta), as a part of the largest
    size, plus delta, lies from 0 to 1 and has a mean of at most delta.

    Args:
        values: Shape (n,), from 0 to 1.
        delta: The tolerance, from 0 to 1.
        clusters: Code of each row's cluster, shape (n,), int.
    """
    from scipy.special import rel_entr

    if not len(values) or delta >= 1:
        return 1.0
    if clusters is not None:
        sums, rows = values_and_rows(values, clusters)
        values = (sums - delta * rows) / rows.max() + delta
    mean = min(float(np.mean(values)), 1.0)
    if mean <= delta:
        return 1.0
    return float(np.exp(-len(values) * (rel_entr(mean, delta) + rel_entr(1 - mean, 1 - delta))))
