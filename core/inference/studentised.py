"""The studentised bootstrap of a mean: quantiles from the sample's own shape.

Samples are sorted before they are resampled, so that the order of the rows changes nothing, to the last digit. Of
large samples the mean and its error are exact, and the shape of the studentised mean, which is all but normal then,
comes from a sample in bins: a resample is one multinomial draw. Where rows belong together, whole clusters are drawn.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.base.thresholds import DRAWS
from core.inference.clusters import degrees_of, joined_at_random, ratio_error, values_and_rows
from core.inference.estimate import Estimate, Interval
from core.inference.resampling import blocks, quantile_edges, resampled_rows
from core.inference.sampling import ALONE, Sampling

LARGE = 20_000
"""Larger samples are resampled in bins."""

_BINS, _ENDS = 1_000, 200
"""Bins of a large sample, and how many at either end hold a single row."""

_ROUNDING = 1e-12
"""What is below this share of the largest value is what rounding leaves of nothing."""

_CONSTANT = _ROUNDING**2
"""The same of variances and the largest square."""


@dataclass(frozen=True)
class Studentised:
    """A mean and what its resamples look like.

    Attributes:
        mean: The sample's mean.
        error: Its standard error s / sqrt(n), with n - 1 in s.
        deviations: Resampled means less the mean, shape (B,).
        errors: Their standard errors, shape (B,).
        degrees: Clusters less one where they are fewer than 50, of which the bootstrap knows too little alone; infinite
            otherwise.
    """

    mean: float
    error: float
    deviations: np.ndarray
    errors: np.ndarray
    degrees: float = math.inf

    @property
    def t(self) -> np.ndarray:
        """The studentised deviations; infinite where a resample is constant at another value; shape (B,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.deviations == 0, 0.0, self.deviations / self.errors)


def studentised(values: np.ndarray, *, draws: int, seed: int, sampling: Sampling = ALONE) -> Studentised:
    """Mean, standard error and those of B resamples; ``values`` of shape (n,), of two people or more.

    Where rows fall into clusters, two at least, these are drawn, and the error is theirs.
    """
    clusters, times = sampling.clusters, sampling.times
    if times is not None:
        if (people := int(times.sum())) <= LARGE:
            values = np.repeat(values, times)
        else:
            return _studentised_of_counts(np.asarray(values, dtype=np.float64), times, people, draws, seed)
    if clusters is not None:
        return studentised_ratio(*values_and_rows(values, clusters), draws=draws, seed=seed)
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if ordered[0] == ordered[-1]:
        return Studentised(float(ordered[0]), 0.0, np.zeros(draws), np.zeros(draws))
    n, mean = len(ordered), float(ordered.mean())
    centred = ordered - mean
    if n > LARGE:
        return _studentised_in_bins(mean, centred, draws, seed)
    deviations, errors = [], []
    for rows in resampled_rows(n, draws, seed):
        drawn = centred[rows]
        deviations.append(drawn.mean(axis=1))
        errors.append(_standard_errors(drawn, centred))
    error = float(_standard_errors(centred[None], centred)[0])
    at_rest = without_rounding(np.concatenate(deviations), float(np.max(np.abs(ordered))))
    return Studentised(mean, error, at_rest, np.concatenate(errors))


def studentised_ratio(above: np.ndarray, below: np.ndarray, *, draws: int, seed: int) -> Studentised:
    """The ratio of two sums over clusters, its standard error and those of B resamples of the clusters.

    More than 20,000 clusters are joined at random into so many, which are independent as well.

    Args:
        above: The clusters' sums above the line, sorted, shape (G,), G >= 2.
        below: Those below it, not negative, some positive, shape (G,).
        draws: Resamples B.
        seed: Fixes them.
    """
    above, below = joined_at_random(np.stack([above, below]), LARGE, seed)
    ratio, error = ratio_error(above, below)
    clusters, size, largest = len(above), below / below.mean(), float(np.max(np.abs(above)) / below.mean())
    apart = above / below.mean() - ratio * size
    if np.max(apart**2) <= _CONSTANT * largest**2:
        return Studentised(ratio, 0.0, np.zeros(draws), np.zeros(draws), degrees_of(clusters))
    deviations, errors = [], []
    for drawn in resampled_rows(clusters, draws, seed):
        off, sizes = apart[drawn], size[drawn]
        whole = sizes.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            deviation = off.sum(axis=1) / whole
            left = off - deviation[:, None] * sizes
            variance = np.einsum("bi,bi->b", left, left)
            variance[variance <= _CONSTANT * clusters * float(np.max(np.abs(apart))) ** 2] = 0.0
            error_drawn = np.sqrt(clusters / (clusters - 1) * variance) / whole
        deviations.append(np.where(whole > 0, without_rounding(deviation, largest), np.inf))
        errors.append(np.where(whole > 0, error_drawn, 1.0))
    return Studentised(ratio, error, np.concatenate(deviations), np.concatenate(errors), degrees_of(clusters))


def _studentised_in_bins(mean: float, centred: np.ndarray, draws: int, seed: int) -> Studentised:
    """The same of a large sample, ``centred`` ascending: rows of a bin count as their mean."""
    n, error = len(centred), float(_standard_errors(centred[None], centred)[0])
    edges = quantile_edges(n, _BINS, ends=_ENDS)
    counts = np.diff(edges)
    values = np.add.reduceat(centred, edges[:-1]) / counts
    return _drawn_in_bins(mean, error, values, counts, draws=draws, seed=seed)


def _studentised_of_counts(values: np.ndarray, times: np.ndarray, n: int, draws: int, seed: int) -> Studentised:
    """The same of a large sample in which each value is that of so many people, at most 1,000 values or in bins."""
    values, place = np.unique(values, return_inverse=True)
    times = np.bincount(place, times).astype(np.int64)
    mean = float(times @ values / n)
    if values[0] == values[-1]:
        return Studentised(float(values[0]), 0.0, np.zeros(draws), np.zeros(draws))
    centred = values - mean
    error = math.sqrt(float(times @ centred**2) / n / (n - 1))
    if len(values) > _BINS:
        below = np.concatenate([[0], np.cumsum(times)])
        edges = quantile_edges(n, _BINS, ends=_ENDS)
        place = np.minimum(np.searchsorted(below, edges, side="right") - 1, len(values) - 1)
        sums = np.concatenate([[0.0], np.cumsum(times * centred)])[place] + (edges - below[place]) * centred[place]
        times = np.diff(edges)
        centred = np.diff(sums) / times
    return _drawn_in_bins(mean, error, centred, times, draws=draws, seed=seed)


def _drawn_in_bins(
    mean: float, error: float, values: np.ndarray, counts: np.ndarray, *, draws: int, seed: int
) -> Studentised:
    """Resamples of values about the mean, shape (b,), that occur so often; the errors of the mean are exact."""
    n = int(counts.sum())
    values = values - values @ counts / n
    limit = _CONSTANT * n * float(np.max(np.abs(values))) ** 2
    rng = np.random.default_rng((seed, n))
    deviations, errors = [], []
    for size in blocks(draws, len(values)):
        drawn = rng.multinomial(n, counts / n, size=size).astype(np.float64)
        means = drawn @ values / n
        variance = drawn @ values**2 / n - means**2
        deviations.append(means)
        errors.append(np.sqrt(np.where(variance <= limit, 0.0, variance) / (n - 1)))
    scale = error / math.sqrt(float(values**2 @ counts) / n / (n - 1))
    return Studentised(mean, error, scale * np.concatenate(deviations), scale * np.concatenate(errors))


def without_rounding(deviations: np.ndarray, largest: float | np.ndarray) -> np.ndarray:
    """Deviations from the mean of values of at most this size, with 0 for what rounding alone keeps from it.

    A constant resample at the mean has an error of 0, so that its t would be infinite, with the sign of the rounding.
    """
    return np.where(np.abs(deviations) <= _ROUNDING * largest, 0.0, deviations)


def _standard_errors(drawn: np.ndarray, centred: np.ndarray) -> np.ndarray:
    """Standard error of each row's mean; 0 where a row is constant but for rounding."""
    n = drawn.shape[1]
    left = drawn - drawn.mean(axis=1)[:, None]
    variance = np.einsum("bi,bi->b", left, left) / n
    variance[variance <= _CONSTANT * float(np.max(np.abs(centred))) ** 2] = 0.0
    return np.asarray(np.sqrt(variance / (n - 1)))


def bootstrap_t_interval(
    estimate: Estimate, values: np.ndarray, counts: np.ndarray, alpha: float, rng: np.random.Generator
) -> Interval:
    """Equal-tailed interval of a mean by the studentised bootstrap (Efron and Tibshirani 1993, section 12.5).

    Args:
        estimate: The mean and its standard error, exactly.
        values: Distinct values of the sample, or mid-points of fine bins; shape (b,).
        counts: How often each occurs; shape (b,), int.
        alpha: The interval misses the mean with this probability.
        rng: Source of the resamples; a resample of n rows is one multinomial draw over the values.
    """
    if estimate.undefined:
        return Interval(float("nan"), float("nan"), 1 - alpha)
    occurs = counts > 0
    values, counts = values[occurs].astype(np.float64), counts[occurs]
    n = int(counts.sum())
    centred = values - (values @ counts) / n
    draws = rng.multinomial(n, counts / n, size=DRAWS).astype(np.float64)
    means = draws @ centred / n
    spread = np.sqrt(np.maximum(draws @ centred**2 - n * means**2, 0.0) / (n - 1) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(means == 0, 0.0, means / spread)
    low, high = np.quantile(t, (alpha / 2, 1 - alpha / 2), method="inverted_cdf")
    if estimate.standard_error == 0:
        return Interval(estimate.value, estimate.value, 1 - alpha)
    return Interval(
        float(estimate.value - high * estimate.standard_error),
        float(estimate.value - low * estimate.standard_error),
        1 - alpha,
    )


def bootstrap_t_by_cluster(
    estimate: Estimate, above: np.ndarray, below: np.ndarray, alpha: float, seed: int
) -> Interval:
    """The same of a ratio of sums over clusters, whole ones of which are drawn.

    Args:
        estimate: The ratio, or it and a constant, with its standard error.
        above: The clusters' sums above the line, shape (G,).
        below: Those below it, shape (G,); clusters without rows are passed over.
        alpha: The interval misses the ratio with this probability.
        seed: Fixes the resamples.
    """
    if estimate.undefined:
        return Interval(float("nan"), float("nan"), 1 - alpha)
    totals = np.stack([above, below])[:, below > 0]
    found = studentised_ratio(*totals[:, np.lexsort(totals[::-1])], draws=DRAWS, seed=seed)
    low, high = np.quantile(found.t, (alpha / 2, 1 - alpha / 2), method="inverted_cdf")
    error = estimate.standard_error
    return Interval(float(estimate.value - high * error), float(estimate.value - low * error), 1 - alpha)
