"""Sums over clusters: rows that belong together, such as those of one person, household, template or document.

Rows of one cluster depend on each other, clusters do not. So everything that is said of rows is said of the sums of
clusters: a mean over rows is the ratio of the sums of their values to the sums of their numbers (Cochran 1977,
*Sampling Techniques*, section 9A), and its error follows from how the clusters' sums scatter around that ratio.
"""

import math

import numpy as np

from core.base.thresholds import FEWEST_CLUSTERS, FEWEST_ROWS
from core.language.told import say

FEW_CLUSTERS = 50
TOO_FEW_CLUSTERS = say("All rows belong together, so nothing can be said about the spread.")


def cluster_totals(clusters: np.ndarray, *values: np.ndarray) -> np.ndarray:
    """Sums of each kind of values over the rows of each cluster, sorted, so that the order of the rows changes nothing.

    Args:
        clusters: Code of each row's cluster, 0 or larger, shape (n,), int; codes that do not occur are passed over.
        values: k kinds of values, shape (n,) each.

    Returns:
        Shape (k, G), float64, by ascending sums of the first kind, then of the second, and so on.
    """
    _, codes = np.unique(clusters, return_inverse=True)
    kinds = [np.asarray(one, dtype=np.float64) for one in values]
    order = np.lexsort(kinds[::-1])
    totals = np.stack([np.bincount(codes[order], weights=one[order]) for one in kinds])
    return totals[:, np.lexsort(totals[::-1])]


def values_and_rows(values: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Sums of the values, and numbers of rows, of each cluster; shape (2, G)."""
    return cluster_totals(clusters, values, np.ones(len(values)))


def joined_at_random(totals: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Totals of at most so many clusters, shape (k, G): of more, some are joined at random, and independent as well."""
    if (clusters := totals.shape[1]) <= most:
        return totals
    place = np.random.default_rng((seed, clusters)).permutation(np.arange(clusters) % most)
    return np.stack([np.bincount(place, weights=one, minlength=most) for one in totals])


def degrees_of(clusters: float) -> float:
    """Student's degrees of freedom beside the bootstrap of so many clusters; infinite from 50 on."""
    return clusters - 1 if clusters < FEW_CLUSTERS else math.inf


def ratio_error(above: np.ndarray, below: np.ndarray) -> tuple[float, float]:
    """The ratio of two sums over G >= 2 clusters, and its standard error by linearisation.

    Args:
        above: The clusters' sums above the line, shape (G,).
        below: Those below it, shape (G,); their sum is positive.
    """
    clusters, whole = len(above), float(below.sum())
    ratio = float(above.sum()) / whole
    residual = above - ratio * below
    return ratio, float(np.sqrt(clusters / (clusters - 1) * (residual @ residual))) / whole


def spread_of_one(values: np.ndarray, clusters: np.ndarray | None = None) -> float:
    """What one row contributes to the error of the mean: its standard error times the root of the number of rows.

    For rows that stand for themselves it is their standard deviation. Where all belong to one cluster nothing tells how
    much less they say, and they are taken to say as much as one row.

    Args:
        values: Shape (n,), n >= 2.
        clusters: Code of each row's cluster, shape (n,), int.
    """
    if clusters is None:
        return float(np.std(values, ddof=1))
    totals = values_and_rows(values, clusters)
    alone = float(np.std(values, ddof=1)) if totals.shape[1] < 2 else ratio_error(*totals)[1]
    return alone * math.sqrt(len(values))


def one_of_each(clusters: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Position of a random row of each cluster, ascending, shape (G,), int.

    Args:
        clusters: Code of each row's cluster, shape (n,), int.
        rng: Source of the choice.
    """
    order = rng.permutation(len(clusters))
    return np.sort(order[np.unique(clusters[order], return_index=True)[1]])


def cluster_sizes(clusters: np.ndarray) -> np.ndarray:
    """How many rows the cluster of each row has, shape (n,), int."""
    _, place, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    return np.asarray(sizes[place])


def enough(rows: np.ndarray, clusters: np.ndarray | None, fewest: int = FEWEST_ROWS) -> np.ndarray:
    """Whether sets of rows say anything, bool: they need 30 rows, and these 10 clusters.

    Args:
        rows: Rows of each set, of any shape.
        clusters: Clusters that each has rows of, likewise; None where each row stands for itself.
        fewest: How many rows they need.
    """
    found: np.ndarray = rows >= fewest
    return found if clusters is None else found & (clusters >= FEWEST_CLUSTERS)
