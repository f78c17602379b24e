"""Means of several groups of rows by clusters that may reach into several of them, such as a text's template."""

import math

import numpy as np

from core.inference.clusters import cluster_totals, degrees_of, joined_at_random
from core.inference.resampling import blocks
from core.inference.studentised import LARGE, Studentised, without_rounding

_CANCELLED = 1e-14
"""A variance below this share of the squares of which it is the difference is what rounding leaves of none."""

Shared = dict[tuple[int, int], tuple[float, np.ndarray]]
"""Covariance of the means of two groups that share clusters: observed, and of every resample, shape (B,)."""


def drawn_together(
    values: np.ndarray, codes: np.ndarray, groups: np.ndarray, clusters: np.ndarray, *, draws: int, seed: int
) -> tuple[dict[int, Studentised], Shared]:
    """Each group's mean with its error, and those of B resamples of the clusters, the same for all groups.

    Args:
        values: The sample, shape (n,).
        codes: Group of each row, shape (n,), int.
        groups: The groups that are wanted, ascending, shape (g,), int; each has two clusters or more.
        clusters: Code of each row's cluster, shape (n,), int.
        draws: Resamples B.
        seed: Fixes them.
    """
    if not len(groups):
        return {}, {}
    inside = codes == groups[:, None]
    totals = joined_at_random(cluster_totals(clusters, *(inside * values), *inside), LARGE, seed)
    sums, sizes = totals[: len(groups)], totals[len(groups) :]
    means, rows, occur = sums.sum(axis=1) / sizes.sum(axis=1), sizes.sum(axis=1), (sizes > 0).sum(axis=1)
    off, part, few = (sums.T - means * sizes.T) / rows, sizes.T / rows, np.sqrt(occur / (occur - 1))
    largest = np.abs(sums).max(axis=1) * occur / rows
    pairs = [(a, b) for b in range(len(groups)) for a in range(b) if (part[:, a] * part[:, b]).any()]
    first, second = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1))

    drawn_apart, drawn_errors, drawn_products = [], [], []
    number = totals.shape[1]
    rng = np.random.default_rng((seed, number))
    for size in blocks(draws, number):
        drawn = rng.multinomial(number, np.full(number, 1 / number), size=size).astype(np.float64)
        whole = drawn @ part
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = without_rounding((drawn @ off) / whole, largest)
            squares = drawn @ off**2 + apart**2 * (drawn @ part**2)
            variance = squares - 2 * apart * (drawn @ (off * part))
            variance[variance <= _CANCELLED * squares] = 0.0
            products = drawn @ (off[:, first] * off[:, second])
            products -= apart[:, second] * (drawn @ (off[:, first] * part[:, second]))
            products -= apart[:, first] * (drawn @ (part[:, first] * off[:, second]))
            products += apart[:, first] * apart[:, second] * (drawn @ (part[:, first] * part[:, second]))
            drawn_products.append(few[first] * few[second] * products / (whole[:, first] * whole[:, second]))
            drawn_errors.append(np.where(whole > 0, few * np.sqrt(variance) / whole, 1.0))
        drawn_apart.append(np.where(whole > 0, apart, np.inf))
    deviations, errors, covariance = (np.concatenate(one) for one in (drawn_apart, drawn_errors, drawn_products))
    found = {}
    for k, group in enumerate(groups.tolist()):
        error = float(few[k]) * math.sqrt(float(off[:, k] @ off[:, k]))
        found[group] = Studentised(float(means[k]), error, deviations[:, k], errors[:, k], degrees_of(int(occur[k])))
    shared = {
        (int(groups[a]), int(groups[b])): (float(few[a] * few[b] * (off[:, a] @ off[:, b])), covariance[:, k])
        for k, (a, b) in enumerate(pairs)
    }
    return found, shared
