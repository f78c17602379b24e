"""Intervals for many means at once, all of them right together with probability 1 - alpha."""

import numpy as np

DRAWS = 20_000


def critical_value(covariance: np.ndarray, alpha: float, rng: np.random.Generator, degrees: float = np.inf) -> float:
    """The 1 - alpha quantile of the largest |t| of jointly normal estimates.

    Given the data, Gaussian multipliers on the rows' influence values make the estimates jointly normal with exactly
    this covariance (Chernozhukov, Chetverikov and Kato 2013), so drawing from it is the multiplier bootstrap. The
    symmetric root is used because it turns a change by rounding in the covariance into one in the answer.

    Args:
        covariance: Covariance of the estimates, shape (g, g), positive semidefinite, with a positive diagonal.
        alpha: Probability that any of the intervals misses.
        rng: Source of the draws.
        degrees: Degrees of freedom of the standard errors, with which the estimates are jointly Student's t.
    """
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    largest = np.abs(rng.standard_normal((DRAWS, len(root))) @ root).max(axis=1)
    if np.isfinite(degrees):
        largest /= np.sqrt(rng.chisquare(degrees, DRAWS) / degrees)
    return float(np.quantile(largest, 1 - alpha))


def over_shared_cells(members: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sums of ``values`` over the cells that two groups share, for every pair of groups; shape (g, g), float64.

    Args:
        members: Which cells belong to which group, shape (g, C), bool.
        values: One number a cell, shape (C,).
    """
    inside = members.astype(np.float64)
    shared: np.ndarray = (inside * values) @ inside.T
    return shared
