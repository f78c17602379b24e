"""The score as far as it follows from a number that all groups share: regression splines, as many as it takes."""

import numpy as np

from core.audits.equalized_odds.heaps import heap_offsets

_KNOTS = (2, 3, 4, 6, 9, 13, 19, 28, 40)
_ROWS_A_KNOT = 8


def smooth_part(score: np.ndarray, given: np.ndarray, heaps: np.ndarray) -> np.ndarray:
    """Least squares on Z and on cubic splines of its ranks, or of their normal scores, shape (n,).

    Ranks put knots where people are, normal scores also where few are. The splines with the smallest generalised
    cross-validation are taken (Craven and Wahba 1979): with too few of them what is left of the score follows Z still,
    and so do groups, which a test takes for a violation.

    People of heaps may be answered differently from those beside them: one jump at all heaps is fitted with the
    splines, and how each heap differs from that is shrunken.

    Args:
        score: Shape (n,).
        given: Z, shape (n,), finite.
        heaps: Heap of each row, -1 outside, shape (n,), int.
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    n = len(given)
    ranks = rankdata(given) / (n + 1)
    straight = (given - given.mean()) / (given.std() or 1.0)
    best, found = np.inf, np.full(n, score.mean())
    for places in (ranks, ndtri(ranks)):
        for knots in (count for count in _KNOTS if count == _KNOTS[0] or count * _ROWS_A_KNOT <= n):
            columns = np.column_stack([_splines(places, knots), straight, heaps >= 0])
            coefficients, _, rank, _ = np.linalg.lstsq(columns, score, rcond=None)
            fitted = columns @ coefficients
            criterion = float(((score - fitted) ** 2).mean()) / (1 - min(rank / n, 0.999)) ** 2
            if criterion < best:
                best, found = criterion, fitted
    return np.asarray(found + heap_offsets(score - found, heaps))


def _splines(places: np.ndarray, knots: int) -> np.ndarray:
    """Cubic B-splines on equally spaced knots from the first place to the last, shape (n, knots + 2)."""
    from scipy.interpolate import BSpline

    first, last = places.min(), places.max()
    within = np.linspace(first, last, knots)
    step, end = within[1] - within[0], within[-1] - within[-2]
    before = np.linspace(first - 3 * step, first - step, 3)
    after = np.linspace(last + end, last + 3 * end, 3)
    spline = BSpline.construct_fast(np.concatenate([before, within, after]), np.eye(knots + 2), 3, extrapolate=False)
    return np.asarray(spline(places))
