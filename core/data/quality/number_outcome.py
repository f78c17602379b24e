"""An outcome that is a number, before any model: how it is spread, and its mean in each protected group."""

from dataclasses import dataclass

import numpy as np

_BARS = 30
LARGEST_SHARE = 0.01


@dataclass(frozen=True)
class NumberSummary:
    """How the finite values of an outcome are spread.

    Attributes:
        rows: How many there are.
        distinct: How many different ones.
        mean: Their mean.
        spread: Their standard deviation (n - 1); NaN for a single one.
        quartiles: Smallest, first quartile, median, third quartile, largest.
        largest_rows: Rows of the 1% farthest from the mean, at least one.
        largest_share: Share of the sum of squared distances from the mean that these rows hold, 0 to 1; NaN if all
            values are equal.
        edges: Ends of the bars of a histogram, shape (b + 1,); empty where the range is too wide for one.
        counts: Rows in each bar, shape (b,), int64.
    """

    rows: int
    distinct: int
    mean: float
    spread: float
    quartiles: tuple[float, float, float, float, float]
    largest_rows: int
    largest_share: float
    edges: np.ndarray
    counts: np.ndarray


def summarise_numbers(values: np.ndarray) -> NumberSummary | None:
    """The summary of outcomes, shape (n,), float64, so far as they are finite; None if none is."""
    finite = np.sort(values[np.isfinite(values)])
    n = len(finite)
    if n == 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(finite.mean())
        squares = np.sort((finite - mean) ** 2)
        total = float(squares.sum())
        width = finite[-1] - finite[0]
        low, first, median, third, high = (float(value) for value in np.quantile(finite, (0, 0.25, 0.5, 0.75, 1)))
    largest = max(1, int(np.ceil(LARGEST_SHARE * n)))
    bars = min(_BARS, max(5, int(np.sqrt(n))))
    counts, edges = (
        np.histogram(finite, bins=bars) if np.isfinite(width) else (np.zeros(0, dtype=np.int64), np.zeros(0))
    )
    return NumberSummary(
        rows=n,
        distinct=len(np.unique(finite)),
        mean=mean,
        spread=float(np.sqrt(total / (n - 1))) if n > 1 else float("nan"),
        quartiles=(low, first, median, third, high),
        largest_rows=largest,
        largest_share=float(squares[-largest:].sum() / total) if 0 < total < np.inf else float("nan"),
        edges=edges,
        counts=counts.astype(np.int64),
    )


def group_means(values: np.ndarray, codes: np.ndarray, groups: int) -> np.ndarray:
    """Mean outcome of each group with a 95% t interval, so far as it can be had.

    Args:
        values: Outcomes, shape (n,), float64; those that are not finite do not count.
        codes: Group of each row, shape (n,), int; -1 where it is not known.
        groups: Number of groups g.

    Returns:
        Mean, lower and upper end, shape (3, g), float64; NaN for a group without outcomes, and ends that are NaN for
        one with a single outcome.
    """
    from scipy.special import stdtrit

    known = np.isfinite(values) & (codes >= 0)
    rows = np.bincount(codes[known], minlength=groups).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mean = np.bincount(codes[known], values[known], minlength=groups) / rows
        apart = (values[known] - mean[codes[known]]) ** 2
        variance = np.bincount(codes[known], apart, minlength=groups) / (rows - 1)
        half = stdtrit(rows - 1, 0.975) * np.sqrt(variance / rows)
    half = np.where(rows > 1, half, np.nan)
    return np.stack([mean, mean - half, mean + half])
