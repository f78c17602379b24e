"""How well a score tells two kinds of rows apart: the area under the ROC curve, with limits that hold near 1 too."""

import numpy as np

_APART = 1e-12
"""Limits are sought from here on either side of the area seen."""


def auc(scores: np.ndarray, inside: np.ndarray) -> float:
    """The chance that a row inside scores higher than one outside, ties counting half (Mann and Whitney 1947).

    Args:
        scores: Shape (n,), finite.
        inside: Which rows are of the one kind, shape (n,), bool; there is at least one of either.
    """
    _, place, rows = np.unique(scores, return_inverse=True, return_counts=True)
    of_inside = np.bincount(place, weights=inside, minlength=len(rows))
    of_outside = rows - of_inside
    below = np.cumsum(of_outside) - of_outside
    return float(of_inside @ (below + of_outside / 2) / (of_inside.sum() * of_outside.sum()))


def auc_limits(value: float, inside: int, outside: int, alpha: float) -> tuple[float, float]:
    """One-sided limits of an area under the ROC curve, each at level alpha: Newcombe's (2006) method 5.

    All areas that lie within z standard errors of the one seen, where the error is Hanley and McNeil's (1982) at the
    area in question and not at the one seen, so that an area of 1 among few rows still has a lower limit below 1
    (Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2",
    *Statistics in Medicine* 25:559). They err to the wide side where there are many ties.

    Args:
        value: The area seen.
        inside: Rows of the one kind, or their clusters, at least 1.
        outside: Those of the other.
        alpha: Each limit misses with about this probability.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    z, more = -float(ndtri(alpha)), (inside + outside) / 2 - 1

    def beyond(area: float) -> float:
        spread = area * (1 - area) * (1 + more * ((1 - area) / (2 - area) + area / (1 + area))) / (inside * outside)
        return float((value - area) ** 2 - z**2 * spread)

    low = float(brentq(beyond, 0.0, value - _APART)) if value > _APART else 0.0
    high = float(brentq(beyond, value + _APART, 1.0)) if value < 1 - _APART else 1.0
    return low, high
