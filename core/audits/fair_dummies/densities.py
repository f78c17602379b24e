"""Who belongs to which group, given a number: P(A | Z) by kernel densities and Bayes' rule (eq. 4).

Densities are estimated on the ranks of Z among the rows to learn from. Bayes' rule gives the same probabilities for Z
as for any increasing function of it, and on ranks heavy tails are none, and a kernel is as wide as its neighbours are
far. Kernels are reflected at both ends. One bandwidth serves all groups, the one with the largest leave-one-out
likelihood. For an attribute that is a number, bins of it take the place of groups and are smoothed as well, which gives
its distribution function given Z and hence its conditional quantiles (Hall, Wolff and Yao 1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

CELLS = 256
"""Cells of the grid that ranks are put on."""
_WIDTHS = (0.02, 0.035, 0.06, 0.1, 0.17, 0.3, 0.6)
_LEVEL_WIDTHS = (0.03, 0.06, 0.12, 0.24)
_PRIOR = 0.5


@dataclass(frozen=True)
class GroupDensities:
    """P(A | Z), learned; l levels of the attribute.

    Attributes:
        reference: Values of Z learned from, sorted, shape (m,).
        table: Probability of each level in each cell of ranks, shape (l, cells); columns sum to 1.
        width: Bandwidth, as a share of the ranks.
        level_width: Bandwidth over levels, as a share of them; 0 where levels are groups.
        prior: Share of each level among those learned from, shape (l,); none is 0.
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
        counts = _counted(codes[None], _cells(given, reference), levels)[0]
        prior = (counts.sum(axis=1) + _PRIOR) / (len(given) + _PRIOR * levels)
        choices = [(width, other) for width in _WIDTHS for other in (_LEVEL_WIDTHS if ordered else (0.0,))]
        scores = [_left_out_likelihood(counts, prior, width, other) for width, other in choices]
        width, other = choices[int(np.argmax(scores))]
        return cls(reference, _smoothed(counts, prior, width, other), width, other, prior)

    def relearned(self, given: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The table that other levels of the same rows would give with the same bandwidths.

        Args:
            given: Z of the rows, shape (m,).
            codes: Their levels in each of b draws, shape (b, m), int.

        Returns:
            Shape (b, l, cells).
        """
        counts = _counted(codes, self.cells(given), len(self.prior))
        return _smoothed(counts, self.prior, self.width, self.level_width)

    def cells(self, given: np.ndarray) -> np.ndarray:
        """Cell of each value of Z by its rank among those learned from, shape (n,), int."""
        return _cells(given, self.reference)

    def at(self, given: np.ndarray) -> np.ndarray:
        """Probability of each level at values of Z, shape (n,) -> (n, l)."""
        return np.ascontiguousarray(self.table[:, self.cells(given)].T)


def _cells(given: np.ndarray, reference: np.ndarray) -> np.ndarray:
    ranks = (np.searchsorted(reference, given, "left") + np.searchsorted(reference, given, "right")) / 2
    return np.minimum((ranks / len(reference) * CELLS).astype(np.int64), CELLS - 1)


def _counted(codes: np.ndarray, cells: np.ndarray, levels: int) -> np.ndarray:
    """Rows of each level in each cell, by draw; codes (b, m), cells (m,) -> (b, l, cells), float64."""
    size = levels * CELLS
    places = np.arange(len(codes))[:, None] * size + codes * CELLS + cells
    counts = np.bincount(places.reshape(-1), minlength=len(codes) * size)
    return counts.reshape(len(codes), levels, CELLS).astype(np.float64)


def _smoothed(counts: np.ndarray, prior: np.ndarray, width: float, level_width: float) -> np.ndarray:
    """Probability of each level in each cell, shape (..., l, cells); half a person drawn from everybody is added to
    each place, so that none is 0.
    """
    sums = _sums(counts, width, level_width) + _PRIOR * _kernel(CELLS, width).diagonal().mean() * prior[:, None]
    return np.asarray(sums / sums.sum(axis=-2, keepdims=True))


def _sums(counts: np.ndarray, width: float, level_width: float) -> np.ndarray:
    over = counts @ _kernel(CELLS, width)
    return np.asarray(_kernel(counts.shape[-2], level_width) @ over if level_width else over)


def _left_out_likelihood(counts: np.ndarray, prior: np.ndarray, width: float, level_width: float) -> float:
    """Log-likelihood of the levels, each row's predicted from the others."""
    own, levels = _kernel(CELLS, width).diagonal(), len(counts)
    over = _kernel(levels, level_width).diagonal() if level_width else np.ones(levels)
    sums, extra = _sums(counts, width, level_width), _PRIOR * own.mean() * prior[:, None]
    others = np.maximum(sums - own * over[:, None], 0.0) + extra
    total = np.maximum(sums.sum(axis=0) - own, 0.0) + extra.sum(axis=0)
    return float((counts * np.log(others / total)).sum())


@lru_cache(maxsize=64)
def _kernel(cells: int, width: float) -> np.ndarray:
    """Normal kernel reflected at both ends of 0 to 1, between the middles of cells; columns sum to 1."""
    middles = (np.arange(cells) + 0.5) / cells
    images = np.concatenate(
        [middles + 2 * turn for turn in (-1, 0, 1)] + [2 * turn - middles for turn in (-1, 0, 1, 2)]
    )
    weights = np.exp(-(((images[:, None] - middles) / width) ** 2) / 2).reshape(-1, cells, cells).sum(axis=0)
    return np.asarray(weights / weights.sum(axis=0))
