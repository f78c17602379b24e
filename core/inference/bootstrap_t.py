"""The bootstrap-t interval: a normal interval whose quantiles come from the sample's own shape."""

import numpy as np

from core.base.thresholds import DRAWS
from core.inference.estimate import Estimate, Interval
from core.inference.studentised import studentised_ratio


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
