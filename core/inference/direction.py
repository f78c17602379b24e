"""Whether answers go with the outcomes or against them, beyond chance."""

import math
from dataclasses import dataclass

import numpy as np

from core.inference.clusters import degrees_of
from core.inference.sampling import ALONE, Sampling


@dataclass(frozen=True)
class BoundedSum:
    """A sum of products of centred answers and outcomes, with a one-sided upper bound of what it is on average.

    Attributes:
        value: The sum; 0 on average where answers and outcomes are independent.
        upper: Upper bound; below 0 for independent answers with at most the error rate.
    """

    value: float
    upper: float


def bounded_association(
    answers: np.ndarray, outcomes: np.ndarray, alpha: float, sampling: Sampling = ALONE
) -> BoundedSum | None:
    """The sum over rows and columns of (a - mean a)(b - mean b) with its upper bound.

    The variance is that of a random permutation of the outcomes among the answers, which is exact for independent
    answers whatever their distribution: of k columns the sum of products of the Gram matrices over n - 1 (Hoeffding
    1951, "A combinatorial central limit theorem"); or that of the rows' own products, of whole clusters where rows
    belong together, if that is larger. Where answers and outcomes are rare, clusters with both may be missing by
    chance, which those products do not show: the variance is also at least what the likeness of answers within
    clusters, and of outcomes within clusters, makes of it where the two are independent. Half of the smallest possible
    step is added, as Yates (1934) does for a table of two by two. Of few clusters quantiles are Student's, with as many
    degrees of freedom as clusters of equal size would have that say as much (Kish 1965), less one.

    Args:
        answers: Shape (n, k).
        outcomes: Shape (n, k); of one answer of k = 1 column, or indicators of k classes.
        alpha: Chance that the bound is too low.
        sampling: What rows stand for: clusters, or several people each.

    Returns:
        None where nothing varies, or everything belongs to one cluster.
    """
    from scipy.special import stdtrit

    weights, clusters = sampling.people(len(answers)).astype(np.float64), sampling.clusters
    n = int(weights.sum())
    a, b = (np.asarray(one - weights @ one / n, dtype=np.float64) for one in (answers, outcomes))
    permuted = float((((a.T * weights) @ a) * ((b.T * weights) @ b)).sum()) / max(n - 1, 1)
    products = (a * b).sum(axis=1)
    value = float(weights @ products)
    sums = products - value / n
    squares, units = float(weights @ sums**2), n
    degrees, alike = math.inf, 0.0
    if clusters is not None:
        _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        sums = np.bincount(codes, weights=sums)
        squares, units = float(sums @ sums), len(sums)
        alike = float((_likeness(a, codes, sizes) * _likeness(b, codes, sizes)).sum()) * float(sizes @ (sizes - 1))
        degrees = degrees_of(n**2 / float(sizes @ sizes))
    if permuted <= 0 or units < 2 or degrees <= 0:
        return None
    inflated = max(1.0, units / (units - 1) * squares / permuted, 1 + alike / permuted)
    quantile = -float(stdtrit(degrees, alpha))
    step = _smallest_step(answers) * _smallest_step(outcomes) / 2
    return BoundedSum(value, value + step * inflated + quantile * math.sqrt(permuted * inflated))


def _likeness(columns: np.ndarray, codes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Covariance of two rows of one cluster, each row counting once, shape (k, k); 0 where every row stands alone.

    Args:
        columns: Shape (n, k), each with mean 0.
        codes: Number of each row's cluster, 0..G-1, shape (n,).
        sizes: Rows of each cluster, shape (G,).
    """
    several = sizes > 1
    if not several.any():
        return np.zeros((columns.shape[1],) * 2)
    totals = np.stack([np.bincount(codes, weights=column) for column in columns.T], axis=1)[several]
    weights = 1 / (sizes[several] - 1)
    own = columns * np.where(several[codes], 1 / np.maximum(sizes[codes] - 1, 1), 0.0)[:, None]
    return np.asarray(((totals * weights[:, None]).T @ totals - own.T @ columns) / sizes[several].sum())


def _smallest_step(columns: np.ndarray) -> float:
    """The smallest difference of two values within a column; shape (n, k), a column of at least two values."""
    gaps = (np.diff(np.unique(column)) for column in columns.T)
    return min(float(gap.min()) for gap in gaps if len(gap))
