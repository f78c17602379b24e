"""Means of several groups of rows with intervals that are all right together, and the differences between them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.inference.clusters import cluster_totals, degrees_of, enough, joined_at_random
from core.inference.p_values import rank_at
from core.inference.resampling import blocks
from core.inference.sampling import ALONE, Sampling
from core.inference.several import Largest, each_of
from core.inference.studentised import LARGE, Studentised, studentised, without_rounding

_RANKS = 25
"""Enough draws are made for the quantiles to rest on so many of them."""
_CANCELLED = 1e-14
"""A variance below this share of the squares of which it is the difference is what rounding leaves of none."""
Shared = dict[tuple[int, int], tuple[float, np.ndarray]]
"""Covariance of the means of two groups that share clusters: observed, and of every resample, shape (B,)."""


@dataclass(frozen=True)
class SeveralMeans:
    """Means of g groups that share no row; ``low`` and ``high`` are NaN for groups with fewer than ``FEWEST_ROWS``
    rows.

    Attributes:
        rows: Rows of each group, shape (g,), int.
        means: Their means, shape (g,); NaN without rows.
        low: Lower ends of simultaneous intervals, shape (g,).
        high: Upper ends, shape (g,).
        differences: Mean of the row's group less the column's, shape (g, g).
        differences_low: Lower ends of intervals that hold together for all pairs, shape (g, g).
        differences_high: Upper ends, shape (g, g).
        p_value: Of "the means are equal", over all pairs of groups with enough rows; NaN with fewer than two of them.
    """

    rows: np.ndarray
    means: np.ndarray
    low: np.ndarray
    high: np.ndarray
    differences: np.ndarray
    differences_low: np.ndarray
    differences_high: np.ndarray
    p_value: float


def several_means(
    values: np.ndarray,
    codes: np.ndarray,
    groups: int,
    alpha: float,
    *,
    draws: int,
    seed: int,
    sampling: Sampling = ALONE,
) -> SeveralMeans:
    """Means of ``values`` by group.

    Equal-tailed studentised intervals at level alpha / g hold together with probability 1 - alpha (Bonferroni): groups
    share no row, so that nothing is gained by asking how they depend on each other. Differences of pairs do; their
    intervals come from the bootstrap of the largest |t| over the pairs.

    Where rows fall into clusters, these are drawn, those that reach into several groups for all of them at once. A
    group of fewer than 10 clusters has no interval, and none is narrower than Student's t makes it.

    Args:
        values: The sample, shape (n,), finite.
        codes: Group of each row, 0 to g - 1, shape (n,).
        groups: g.
        alpha: Any of the intervals misses with this probability.
        draws: Resamples; more are drawn where the level asks for them.
        seed: Fixes them.
        sampling: What rows stand for: clusters, or several people each.
    """
    members = [values[codes == group] for group in range(groups)]
    people = [sampling.take(codes == group) for group in range(groups)]
    rows, clusters = sampling.count(codes, groups), sampling.clusters
    occur = None
    if clusters is not None:
        occur = np.array([len(np.unique(clusters[codes == group])) for group in range(groups)], dtype=np.int64)
    judged = np.flatnonzero(enough(rows, occur))
    means = np.array(
        [
            np.average(one, weights=many.times) if len(one) else math.nan
            for one, many in zip(members, people, strict=True)
        ]
    )
    low, high = np.full(groups, np.nan), np.full(groups, np.nan)
    tests = max(1, len(judged))
    level = each_of(alpha, tests)
    resamples = max(draws, math.ceil(2 * _RANKS / level) - 1)
    shared: Shared = {}
    if clusters is None:
        found = {
            int(g): studentised(members[g], draws=resamples, seed=seed + 1 + int(g), sampling=people[g]) for g in judged
        }
    else:
        found, shared = drawn_together(values, codes, judged, clusters, draws=resamples, seed=seed)
    for group, one in found.items():
        low[group], high[group] = _equal_tailed(one, level)
    differences = means[:, None] - means[None, :]
    halves, p_value = _of_pairs(found, shared, differences, alpha)
    return SeveralMeans(rows, means, low, high, differences, differences - halves, differences + halves, p_value)


def _equal_tailed(one: Studentised, alpha: float) -> tuple[float, float]:
    t = np.sort(one.t)
    place = rank_at(alpha / 2, len(t))
    if one.error == 0:
        return one.mean, one.mean
    up, down = t[len(t) - place], t[place - 1]
    if math.isfinite(one.degrees):
        from scipy.special import stdtrit

        reach = float(stdtrit(one.degrees, 1 - alpha / 2))
        up, down = max(up, reach), min(down, -reach)
    return one.mean - up * one.error, one.mean - down * one.error


def _of_pairs(
    found: dict[int, Studentised], shared: Shared, differences: np.ndarray, alpha: float
) -> tuple[np.ndarray, float]:
    """Half-widths of the intervals of all pairs, shape (g, g), and the p-value of "all means are equal"."""
    halves = np.full(differences.shape, np.nan)
    pairs = [(a, b) for a in found for b in found if a < b]
    errors = {(a, b): _apart(found[a].error, found[b].error, shared.get((a, b), (0.0,))[0]) for a, b in pairs}
    for group in found:
        halves[group, group] = 0.0
    if not pairs:
        return halves, math.nan
    draws = len(next(iter(found.values())).deviations)
    largest, observed = np.zeros(draws), 0.0
    for (a, b), error in errors.items():
        if error > 0:
            apart = np.abs(found[a].deviations - found[b].deviations)
            with np.errstate(divide="ignore", invalid="ignore"):
                spread = _apart(found[a].errors, found[b].errors, shared.get((a, b), (0.0, 0.0))[1])
                t = np.where(apart == 0, 0.0, apart / spread)
            largest = np.maximum(largest, np.where(np.isnan(t), np.inf, t))
        distance = abs(float(differences[a, b]))
        observed = max(observed, distance / error if error > 0 else math.inf if distance > 0 else 0.0)
    judged = Largest(np.sort(largest), 2 * len(pairs))
    critical = judged.critical(alpha)
    for (a, b), error in errors.items():
        halves[a, b] = halves[b, a] = critical * error if error > 0 else 0.0
    return halves, judged.p_value(observed)


def _apart(first: Any, second: Any, shared: Any) -> Any:
    """Standard error of a difference from those of both means and their covariance."""
    return np.sqrt(np.maximum(first**2 + second**2 - 2 * shared, 0.0))


def over_shared_cells(members: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sums of ``values`` over the cells that two groups share, for every pair of groups; shape (g, g), float64.

    Args:
        members: Which cells belong to which group, shape (g, C), bool.
        values: One number a cell, shape (C,).
    """
    inside = members.astype(np.float64)
    shared: np.ndarray = (inside * values) @ inside.T
    return shared


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
