"""Who belongs to which group, given a number: P(A | Z) by kernel densities and Bayes' rule (eq. 4).

Densities are estimated on the ranks of Z among the rows to learn from. Bayes' rule gives the same probabilities for Z
as for any increasing function of it, and on ranks heavy tails are none, and a kernel is as wide as its neighbours are
far. Kernels are reflected at both ends. One bandwidth serves all groups, the one with the largest leave-one-out
likelihood. For an attribute that is a number, bins of it take the place of groups and are smoothed as well, which gives
its distribution function given Z and hence its conditional quantiles (Hall, Wolff and Yao 1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CELLS = 512
"""Cells of the grid that ranks are put on."""
_WIDTHS = (0.02, 0.035, 0.06, 0.1, 0.17, 0.3, 0.6)
_LEVEL_WIDTHS = (0.0, 1.0, 2.0, 4.0)
_PRIOR = 0.5


@dataclass(frozen=True)
class GroupDensities:
    """P(A | Z), learned; l levels of the attribute.

    Attributes:
        reference: Values of Z learned from, sorted, shape (m,).
        table: Probability of each level in each cell of ranks, shape (l, cells); columns sum to 1.
        width: Bandwidth, as a share of the ranks.
        level_width: Bandwidth over levels; 0 where levels are groups.
        prior: Share of each level among those learned from, shape (l,).
    """

    reference: np.ndarray
    table: np.ndarray
    width: float
    level_width: float
    prior: np.ndarray

    @classmethod
    def learned(cls, given: np.ndarray, codes: np.ndarray, levels: int, *, ordered: bool) -> GroupDensities:
        """From m rows.

        Args:
            given: Z, shape (m,), finite.
            codes: Level of each row, shape (m,), int.
            levels: l.
            ordered: Whether neighbouring levels are alike, so that they are smoothed as well.
        """
        reference = np.sort(given)
        cells = _cells(given, reference)
        counts = np.bincount(codes * CELLS + cells, minlength=levels * CELLS).reshape(levels, CELLS).astype(np.float64)
        prior = (counts.sum(axis=1) + _PRIOR) / (len(given) + _PRIOR * levels)
        choices = [(width, other) for width in _WIDTHS for other in (_LEVEL_WIDTHS if ordered else (0.0,))]
        scores = [_left_out_likelihood(counts, prior, width, other) for width, other in choices]
        width, other = choices[int(np.argmax(scores))]
        return cls(reference, smoothed(counts, prior, width, other), width, other, prior)

    def cells(self, given: np.ndarray) -> np.ndarray:
        """Cell of each value of Z by its rank among those learned from, shape (n,), int."""
        return _cells(given, self.reference)

    def at(self, given: np.ndarray) -> np.ndarray:
        """Probability of each level at values of Z, shape (n,) -> (n, l)."""
        return np.ascontiguousarray(self.table[:, self.cells(given)].T)


def smoothed(counts: np.ndarray, prior: np.ndarray, width: float, level_width: float) -> np.ndarray:
    """Probability of each level in each cell; half a person drawn from everybody is added at each place.

    Args:
        counts: Rows of each level in each cell, shape (..., l, cells).
        prior: Share of each level, shape (l,).
        width: Bandwidth, as a share of the ranks.
        level_width: Bandwidth over levels.
    """
    own, _ = _at_zero(width, 0.0, 1)
    sums = _smooth(counts, width, level_width) + _PRIOR * own.mean() * prior[:, None]
    return np.asarray(sums / sums.sum(axis=-2, keepdims=True))


def _cells(given: np.ndarray, reference: np.ndarray) -> np.ndarray:
    ranks = (np.searchsorted(reference, given, "left") + np.searchsorted(reference, given, "right")) / 2
    return np.minimum((ranks / len(reference) * CELLS).astype(np.int64), CELLS - 1)


def _smooth(counts: np.ndarray, width: float, level_width: float) -> np.ndarray:
    from scipy.ndimage import gaussian_filter1d

    return _smooth_levels(gaussian_filter1d(counts, width * CELLS, axis=-1, mode="reflect"), level_width)


def _smooth_levels(counts: np.ndarray, level_width: float) -> np.ndarray:
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(counts, level_width, axis=-2, mode="reflect") if level_width else counts)


def _at_zero(width: float, level_width: float, levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Weight that a row's own kernel has at its place, by cell, shape (cells,), and at its level, shape (l, 1)."""
    own = np.diag(_smooth(np.eye(CELLS), width, 0.0))
    over = np.diag(_smooth_levels(np.eye(levels), level_width))
    return own, over[:, None]


def _left_out_likelihood(counts: np.ndarray, prior: np.ndarray, width: float, level_width: float) -> float:
    """Log-likelihood of the levels, each row's predicted from the others."""
    own, over = _at_zero(width, level_width, len(counts))
    sums, extra = _smooth(counts, width, level_width), _PRIOR * own.mean() * prior[:, None]
    numerator = np.maximum(sums - own * over, 0.0) + extra
    total = np.maximum(sums.sum(axis=0) - own, 0.0) + extra.sum(axis=0)
    return float((counts * np.log(numerator / total)).sum())
