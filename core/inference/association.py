"""How a measure goes with a yes-or-no judgement: point-biserial correlation and binned mutual information.

The measures of section 6.6 of papers/prediction-sensitivity.md. Mutual information is that of the judgement with the
measure in bins of equal frequency: estimates by nearest neighbours jump when a bootstrap repeats rows, because of ties.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.inference.estimate import Interval
from core.inference.p_values import monte_carlo_p, rank_at
from core.inference.resampling import resampled_rows
from core.language.phrases import whole
from core.language.told import say

FEWEST = 10
"""Judgements of either kind below which nothing is said about an association."""

_MOST_BINS = 10


@dataclass(frozen=True)
class Association:
    """How a measure goes with a judgement, over n rows that have both.

    Attributes:
        n: Rows.
        correlation: Point-biserial r; NaN when undefined.
        correlation_low: Lower end of its interval.
        correlation_high: Upper end.
        information: Mutual information in nats, as counted.
        information_low: Lower end of its interval; 0 where the rows do not contradict independence.
        information_high: Upper end.
        p_value: Of "measure and judgement are independent", by the mutual information.
        bins: Bins b of the measure.
        undefined: Why nothing can be said, one sentence; empty when something can.
    """

    n: int
    correlation: float
    correlation_low: float
    correlation_high: float
    information: float
    information_low: float
    information_high: float
    p_value: float
    bins: int
    undefined: str = ""


@dataclass(frozen=True)
class Increase:
    """By how much a measure goes better with a judgement than a baseline does, on the n rows that have all three.

    Attributes:
        n: Rows.
        correlation: Difference of the correlations; NaN when undefined.
        correlation_low: Lower end of its interval.
        correlation_high: Upper end.
        correlation_p: One-sided p-value of "no larger than the baseline's".
        information: Difference of the mutual informations, less what their numbers of bins alone make of it.
        information_low: Lower end of its interval.
        information_high: Upper end.
        information_p: One-sided p-value.
    """

    n: int
    correlation: float
    correlation_low: float
    correlation_high: float
    correlation_p: float
    information: float
    information_low: float
    information_high: float
    information_p: float


def association(measure: np.ndarray, judged: np.ndarray, alpha: float, *, draws: int, seed: int) -> Association:
    """Point-biserial correlation and mutual information of n rows.

    Args:
        measure: The measure, shape (n,), finite.
        judged: The judgement, 0 or 1, shape (n,).
        alpha: Each interval misses with this probability.
        draws: Resamples B.
        seed: Fixes them.
    """
    measure, judged = _ordered(measure, judged)
    n, yes = len(measure), int(judged.sum())
    nan = math.nan
    if min(yes, n - yes) < FEWEST:
        why = say(
            "Only {yes} of {all} judgements say yes and {no} no; at least {fewest} of each are needed.",
            yes=whole(yes),
            all=whole(n),
            no=whole(n - yes),
            fewest=FEWEST,
        )
        return Association(n, nan, nan, nan, nan, nan, nan, nan, 0, why)
    if measure[0] == measure[-1]:
        return Association(n, nan, nan, nan, nan, nan, nan, nan, 1, say("The measure is the same for every row."))
    correlation, error = (float(one[0]) for one in _fisher(measure[None], judged[None]))
    z = np.sort(_studentised_z(measure, judged, correlation, draws, seed))
    ends = _equal_tailed(correlation, error, z, alpha)
    binned = equal_frequency_bins(measure)
    bins = int(binned[-1]) + 1
    information = float(mutual_information(binned[None], judged[None], bins)[0])
    low, high, p_value = _information_interval(information, n, bins, alpha)
    return Association(
        n, math.tanh(correlation), math.tanh(ends.low), math.tanh(ends.high), information, low, high, p_value, bins
    )


def increase(
    measure: np.ndarray, baseline: np.ndarray, judged: np.ndarray, alpha: float, *, draws: int, seed: int
) -> Increase:
    """Paired bootstrap of a measure against a baseline on the same n rows (Koehn 2004), as in the paper's Table 1.

    Args:
        measure: The measure, shape (n,), finite.
        baseline: What it is compared with, shape (n,), finite.
        judged: The judgement, 0 or 1, shape (n,).
        alpha: Each interval misses with this probability.
        draws: Resamples B.
        seed: Fixes them.
    """
    order = np.lexsort((judged, baseline, measure))
    columns, judged = np.stack([measure, baseline])[:, order].astype(np.float64), judged[order].astype(np.float64)
    n, yes = len(judged), int(judged.sum())
    nan = math.nan
    if min(yes, n - yes) < FEWEST or (columns.min(axis=1) == columns.max(axis=1)).any():
        return Increase(n, nan, nan, nan, nan, nan, nan, nan, nan)
    binned = np.stack([equal_frequency_bins(one) for one in columns])
    bins = [int(one.max()) + 1 for one in binned]
    r, mi = np.empty((2, draws)), np.empty((2, draws))
    done = 0
    for rows in resampled_rows(n, draws, seed):
        for i in range(2):
            r[i, done : done + len(rows)] = _correlations(columns[i][rows], judged[rows])
            mi[i, done : done + len(rows)] = mutual_information(binned[i][rows], judged[rows], bins[i])
        done += len(rows)
    seen_r = np.array([_correlations(one[None], judged[None])[0] for one in columns])
    seen_mi = np.array([mutual_information(binned[i][None], judged[None], bins[i])[0] for i in range(2)])
    surplus = (bins[0] - bins[1]) / (2 * n)
    r_low, r_high, r_p = _percentile(r[0] - r[1], alpha)
    mi_low, mi_high, mi_p = _percentile(mi[0] - mi[1] - 2 * surplus, alpha)
    return Increase(
        n, float(seen_r[0] - seen_r[1]), r_low, r_high, r_p,
        float(seen_mi[0] - seen_mi[1] - surplus), mi_low, mi_high, mi_p,
    )  # fmt: skip


def equal_frequency_bins(values: np.ndarray) -> np.ndarray:
    """Bin of each value, 0 to b - 1, shape (n,): about n^(1/3) bins of like size, at most ten; ties stay together.

    Args:
        values: Finite, shape (n,).
    """
    n = len(values)
    wanted = int(np.clip(round(n ** (1 / 3)), 2, _MOST_BINS))
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    bins = np.unique((middle * wanted / n).astype(np.int64), return_inverse=True)[1]
    return np.asarray(bins[inverse])


def mutual_information(binned: np.ndarray, judged: np.ndarray, bins: int) -> np.ndarray:
    """Mutual information in nats of each row of ``binned`` with the same row of ``judged``; shapes (b, n) -> (b,)."""
    blocks, n = binned.shape
    codes = np.arange(blocks)[:, None] * (2 * bins) + binned * 2 + judged.astype(np.int64)
    joint = np.bincount(codes.ravel(), minlength=blocks * 2 * bins).reshape(blocks, bins, 2) / n
    apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(joint > 0, joint * np.log(joint / apart), 0.0)
    return np.asarray(np.maximum(terms.sum(axis=(1, 2)), 0.0))


def _ordered(measure: np.ndarray, judged: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.lexsort((judged, measure))
    return measure[order].astype(np.float64), judged[order].astype(np.float64)


def _correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r of each row of x with the same row of y, shapes (b, n); 0 where one of them is constant."""
    x, y = _standardised(x), _standardised(y)
    return np.asarray(np.clip(np.einsum("bi,bi->b", x, y) / x.shape[1], -1.0, 1.0))


def _standardised(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.mean(centred**2, axis=1, keepdims=True))
    varies = spread > 1e-12 * np.abs(values).max()
    return np.asarray(np.divide(centred, spread, out=np.zeros_like(centred), where=varies))


def _fisher(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fisher's z of each row's correlation and its standard error, which asks for no normal distribution; (b,) each.

    The influence of row i on r is x_i y_i - r (x_i² + y_i²) / 2 in standard units (Devlin and others 1975).
    """
    x, y = _standardised(x), _standardised(y)
    n = x.shape[1]
    r = np.clip(np.einsum("bi,bi->b", x, y) / n, -1 + 1e-12, 1 - 1e-12)
    influence = x * y - r[:, None] * (x**2 + y**2) / 2
    spread = np.sqrt(np.einsum("bi,bi->b", influence, influence) / (n - 1) / n)
    return np.arctanh(r), spread / (1 - r**2)


def _studentised_z(measure: np.ndarray, judged: np.ndarray, z: float, draws: int, seed: int) -> np.ndarray:
    found = []
    for rows in resampled_rows(len(measure), draws, seed):
        other, errors = _fisher(measure[rows], judged[rows])
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(np.where(errors > 0, (other - z) / errors, 0.0))
    return np.concatenate(found)


def _equal_tailed(value: float, error: float, t: np.ndarray, alpha: float) -> Interval:
    """From sorted studentised draws."""
    place = max(1, rank_at(alpha / 2, len(t)))
    return Interval(value - t[len(t) - place] * error, value - t[place - 1] * error, 1 - alpha)


def _information_interval(information: float, n: int, bins: int, alpha: float) -> tuple[float, float, float]:
    """Interval of the mutual information and the p-value of independence.

    2 n times the estimate is distributed about like a noncentral chi-square with b - 1 degrees of freedom and
    noncentrality 2 n times the truth (Kullback 1959, section 5.3), so that 0 lies in the interval where independence
    is not rejected; the truth is at most ln 2.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    statistic, freedom, largest = 2 * n * information, bins - 1, 2 * n * math.log(2)

    def end(probability: float) -> float:
        def short(noncentrality: float) -> float:
            return float(ncx2.cdf(statistic, freedom, noncentrality)) - probability

        if float(chi2.cdf(statistic, freedom)) <= probability:
            return 0.0
        if short(largest) >= 0:
            return math.log(2)
        return float(brentq(short, 1e-12, largest)) / (2 * n)

    return end(1 - alpha / 2), end(alpha / 2), float(chi2.sf(statistic, freedom))


def _percentile(draws: np.ndarray, alpha: float) -> tuple[float, float, float]:
    """Percentile interval and (1 + #{draws <= 0}) / (B + 1)."""
    ordered = np.sort(draws)
    place = max(1, rank_at(alpha / 2, len(ordered)))
    p_value = monte_carlo_p(np.count_nonzero(ordered <= 0), len(ordered))
    return float(ordered[place - 1]), float(ordered[len(ordered) - place]), p_value
