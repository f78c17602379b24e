"""The studentised bootstrap of a mean: quantiles from the sample's own shape.

Samples are sorted before they are resampled, so that the order of the rows changes nothing, to the last digit. Of
large samples the mean and its error are exact, and the shape of the studentised mean, which is all but normal then,
comes from a sample in bins: a resample is one multinomial draw. Where rows belong together, whole clusters are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.inference.bins import quantile_edges
from core.inference.clusters import degrees_of, joined_at_random, ratio_error, values_and_rows

_BLOCK_NUMBERS = 1_000_000
"""Numbers of a block of resamples (8 MB)."""

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


def studentised(values: np.ndarray, *, draws: int, seed: int, clusters: np.ndarray | None = None) -> Studentised:
    """Mean, standard error and those of B resamples; ``values`` of shape (n,), n >= 2.

    Where rows fall into ``clusters``, codes of shape (n,), two at least, these are drawn, and the error is theirs.
    """
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
    values -= values @ counts / n
    limit = _CONSTANT * n * float(np.max(np.abs(values))) ** 2
    rng = np.random.default_rng((seed, n))
    block = max(1, _BLOCK_NUMBERS // len(values))
    deviations, errors = [], []
    for start in range(0, draws, block):
        drawn = rng.multinomial(n, counts / n, size=min(block, draws - start)).astype(np.float64)
        means = drawn @ values / n
        variance = drawn @ values**2 / n - means**2
        deviations.append(means)
        errors.append(np.sqrt(np.where(variance <= limit, 0.0, variance) / (n - 1)))
    scale = error / math.sqrt(float(values**2 @ counts) / n / (n - 1))
    return Studentised(mean, error, scale * np.concatenate(deviations), scale * np.concatenate(errors))


def resampled_rows(n: int, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Rows of B samples of n rows with replacement, in blocks of shape (b, n), so that memory does not grow with B."""
    rng = np.random.default_rng((seed, n))
    block = max(1, _BLOCK_NUMBERS // n)
    for start in range(0, draws, block):
        yield rng.integers(n, size=(min(block, draws - start), n), dtype=np.int32)


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
