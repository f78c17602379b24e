"""Means and ratios of means with their standard errors, from sums that add up over row blocks and group cells.

Equations are those of papers/gradient-flow-test.md.
"""

import math

import numpy as np

from core.base.thresholds import DRAWS
from core.inference.clusters import TOO_FEW_CLUSTERS, ratio_error
from core.inference.estimate import Estimate
from core.inference.p_values import rank_at
from core.language.told import say

TOO_FEW_ROWS = say("Fewer than two rows, so nothing can be said about the spread.")
NO_MISTAKES = say("The model makes no mistake on these rows before the search, so the error rates have no ratio.")


def mean_from_sums(excess: float, excess_squares: float, n: int) -> Estimate:
    """Mean of n values v with its standard error (eq. 3.4), from the sums of v - 1 and of (v - 1)².

    Sums around 1 keep their digits when every value is near 1. V_n divides by n - 1.
    """
    if n < 2:
        return Estimate(math.nan, math.nan, n, TOO_FEW_ROWS)
    centre = excess / n
    variance = max(excess_squares - n * centre * centre, 0.0) / (n - 1)
    return Estimate(1.0 + centre, math.sqrt(variance / n), n)


def ratio_of_error_rates(end: int, start: int, both: int, n: int) -> Estimate:
    """Ratio of two error rates on the same rows (eq. 3.12) with its delta-method standard error (eq. 3.13).

    Args:
        end: Rows in error after the search, n A_n.
        start: Rows in error before it, n B_n.
        both: Rows in error both times.
        n: All rows.
    """
    if n < 2:
        return Estimate(math.nan, math.nan, n, TOO_FEW_ROWS)
    if start == 0:
        return Estimate(math.nan, math.nan, n, NO_MISTAKES)
    a, b = end / n, start / n
    v11, v22, v12 = a, b, both / n
    variance = max(a**2 * v22 + b**2 * v11 - 2 * a * b * v12, 0.0) / b**4
    return Estimate(a / b, math.sqrt(variance / n), n)


def ratio_by_cluster(above: np.ndarray, below: np.ndarray, n: int) -> Estimate:
    """Ratio of two sums over clusters with its standard error, with Student's quantiles.

    The mean of rows is that of their values' sums to their numbers; the ratio of error rates (eq. 3.12) that of the
    rows in error after the search to those before it. Eq. 3.13 is this where each row is a cluster.

    Args:
        above: The clusters' sums above the line, shape (G,).
        below: Those below it, not negative, shape (G,). A cluster with neither tells nothing.
        n: Rows in all clusters.
    """
    tell = (above != 0) | (below != 0)
    above, below = above[tell], below[tell]
    if not below.sum():
        return Estimate(math.nan, math.nan, n, NO_MISTAKES)
    if len(below) < 2:
        return Estimate(math.nan, math.nan, n, TOO_FEW_CLUSTERS)
    return Estimate(*ratio_error(above, below), n, degrees=len(below) - 1)


def ratio_upper_by_counts(end: int, start: int, both: int, alpha: float) -> float:
    """Upper bound of the ratio of error rates when few rows change sides, where eq. 3.13 says too little.

    Rows that turn wrong and rows wrong at the start are different rows, so given how many there are of both kinds, the
    first are binomial with probability p, and p / (1 - p) is the ratio of their rates: its bound is Clopper and
    Pearson's (1934). With no row turned it is alpha^(-1 / start), while eq. 3.13 gives exactly 1.
    """
    from scipy.stats import beta

    if start == 0:
        return math.inf
    turned = end - both
    share = float(beta.ppf(1 - alpha, turned + 1, start))
    return both / start + share / (1 - share)


def ratio_upper_by_clusters(above: np.ndarray, below: np.ndarray, largest: float, alpha: float) -> float:
    """Upper bound of a ratio of sums over clusters whatever their distribution, as of few rows that change sides.

    It is Gaffke's (2005) bound: a cluster was added with the largest sum above the line and none below, and clusters
    weigh at random, so that the ratio is at most t where the sums of (above - t below) have a mean of at most 0.

    Args:
        above: The clusters' sums above the line, not negative, shape (G,).
        below: Those below it, likewise.
        largest: The largest sum that a cluster can have above the line.
        alpha: The bound is too low with at most this probability.
    """
    if not below.sum():
        return math.inf
    totals = np.stack([above, below])
    totals = np.column_stack([totals[:, np.lexsort(totals[::-1])], (largest, 0.0)])
    weights = np.random.default_rng((0, totals.shape[1])).standard_exponential((DRAWS, totals.shape[1]))
    with np.errstate(divide="ignore"):
        ratios = np.sort((weights @ totals[0]) / (weights @ totals[1]))
    rank = rank_at(alpha, DRAWS)
    return float(ratios[-rank]) if rank else math.inf
