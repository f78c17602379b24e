"""Quantiles of numbers that stand for several people each: those of the people written out, to the last digit."""

import numpy as np


def quantiles(values: np.ndarray, shares: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Quantiles of finite numbers by the inverted distribution function, as ``numpy.quantile`` has them.

    Args:
        values: Shape (n,), at least one.
        shares: Which, each 0 to 1, shape (q,).
        times: People each value stands for, shape (n,), int64; one each if None.
    """
    if times is None:
        return np.asarray(np.quantile(values, shares, method="inverted_cdf"))
    return _ordered(values, times, np.maximum(np.ceil(int(times.sum()) * shares - 1), 0).astype(np.int64))


def median(values: np.ndarray, times: np.ndarray | None = None) -> float:
    """The median of finite numbers; of an even number of people the mean of the middle two; NaN of none."""
    if times is None:
        return float(np.median(values))
    people = int(times.sum())
    return float(_ordered(values, times, np.array([(people - 1) // 2, people // 2])).mean()) if people else np.nan


def between(values: np.ndarray, shares: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Quantiles interpolated between neighbouring people, as ``numpy.quantile`` has them by default."""
    places = (int(times.sum()) - 1) * shares
    below = np.floor(places).astype(np.int64)
    low, high = _ordered(values, times, below), _ordered(values, times, np.ceil(places).astype(np.int64))
    return np.asarray(low + (high - low) * (places - below))


def order_statistic(values: np.ndarray, times: np.ndarray, place: int) -> float:
    """The ``place``-th smallest number of all people, from 1."""
    return float(_ordered(values, times, np.array([place - 1]))[0])


def spread(values: np.ndarray, times: np.ndarray | None = None) -> float:
    """Standard deviation with divisor n."""
    if times is None:
        return float(values.std())
    people = int(times.sum())
    return float(np.sqrt(times @ (values - times @ values / people) ** 2 / people))


def ranks_of(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Rank of each number among all people, from 1, those who are equal by their mean; shape (n,)."""
    _, place = np.unique(values, return_inverse=True)
    people = np.bincount(place, times)
    return np.asarray((np.cumsum(people) - (people - 1) / 2)[place])


def _ordered(values: np.ndarray, times: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The numbers at these places, from 0, among all people in ascending order."""
    order = np.argsort(values, kind="stable")
    return np.asarray(values[order][np.searchsorted(np.cumsum(times[order]), places, side="right")])
