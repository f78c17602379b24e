"""Who belongs to which group, given a number: P(A | Z) by kernel densities and Bayes' rule (eq. 4).

Densities are estimated on the ranks of Z among the rows to learn from. Bayes' rule gives the same probabilities for Z
as for any increasing function of it, and on ranks heavy tails are none, and a kernel is as wide as its neighbours are
far. Kernels are reflected at both ends. One bandwidth serves all groups, the one with the largest leave-one-out
likelihood. For an attribute that is a number see ``tilting.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

CELLS = 256
"""Cells of the grid that ranks are put on."""
_WIDTHS = (0.02, 0.035, 0.06, 0.1, 0.17, 0.3, 0.6)
_PRIOR = 0.5


@dataclass(frozen=True)
class Densities(ABC):
    """P(A | Z), learned from m rows; l levels of the attribute.

    Attributes:
        reference: Values of Z learned from, sorted, shape (m,).
        table: Probability of each level in each cell of ranks, shape (l, cells); columns sum to 1, none is 0.
    """

    reference: np.ndarray
    table: np.ndarray

    @abstractmethod
    def relearned(self, given: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The table that other levels of the same rows would give, smoothed as much.

        Args:
            given: Z of the rows, shape (m,).
            codes: Their levels in each of b draws, shape (b, m), int.

        Returns:
            Shape (b, l, cells).
        """

    def cells(self, given: np.ndarray) -> np.ndarray:
        """Cell of each value of Z by its rank among those learned from, shape (n,), int."""
        return cells_of(given, self.reference)

    def at(self, given: np.ndarray) -> np.ndarray:
        """Probability of each level at values of Z, shape (n,) -> (n, l)."""
        return np.ascontiguousarray(self.table[:, self.cells(given)].T)


@dataclass(frozen=True)
class GroupDensities(Densities):
    """P(A | Z) of l groups.

    Attributes:
        width: Bandwidth, as a share of the ranks.
        prior: Share of each group among those learned from, shape (l,); none is 0.
    """

    width: float
    prior: np.ndarray

    @classmethod
    def learned(cls, given: np.ndarray, codes: np.ndarray, levels: int) -> GroupDensities:
        """From m rows.

        Args:
            given: Z, shape (m,), finite.
            codes: Group of each row, shape (m,), int.
            levels: l.
        """
        reference = np.sort(given)
        counts = counted(codes[None], cells_of(given, reference), levels)[0]
        prior = (counts.sum(axis=1) + _PRIOR) / (len(given) + _PRIOR * levels)
        width = max(_WIDTHS, key=lambda one: _left_out_likelihood(counts, prior, one))
        return cls(reference, _smoothed(counts, prior, width), width, prior)

    def relearned(self, given: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """See the base class."""
        return _smoothed(counted(codes, self.cells(given), len(self.prior)), self.prior, self.width)


def cells_of(given: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Cell of each value by its rank among reference values, which are sorted; shape (n,), int."""
    ranks = (np.searchsorted(reference, given, "left") + np.searchsorted(reference, given, "right")) / 2
    return np.minimum((ranks / len(reference) * CELLS).astype(np.int64), CELLS - 1)


def counted(codes: np.ndarray, cells: np.ndarray, levels: int) -> np.ndarray:
    """Rows of each level in each cell, by draw; codes (b, m), cells (m,) -> (b, l, cells), float64."""
    size = levels * CELLS
    places = np.arange(len(codes))[:, None] * size + codes * CELLS + cells
    counts = np.bincount(places.reshape(-1), minlength=len(codes) * size)
    return counts.reshape(len(codes), levels, CELLS).astype(np.float64)


def _smoothed(counts: np.ndarray, prior: np.ndarray, width: float) -> np.ndarray:
    """Probability of each level in each cell, shape (..., l, cells); half a person drawn from everybody is added to
    each place, so that none is 0.
    """
    kernel = _kernel(CELLS, width)
    sums = counts @ kernel + _PRIOR * kernel.diagonal().mean() * prior[:, None]
    return np.asarray(sums / sums.sum(axis=-2, keepdims=True))


def _left_out_likelihood(counts: np.ndarray, prior: np.ndarray, width: float) -> float:
    """Log-likelihood of the levels, each row's predicted from the others."""
    kernel = _kernel(CELLS, width)
    own = kernel.diagonal()
    sums, extra = counts @ kernel, _PRIOR * own.mean() * prior[:, None]
    others = np.maximum(sums - own, 0.0) + extra
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
