"""Resamples of a cell sample, the same for every budget and method that asks with the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from core.inference.transport.sample import CellSample
from core.inference.transport.together import Clusters

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK_NUMBERS = 2_000_000
"""Numbers of a block of resamples (16 MB)."""

_KEPT_NUMBERS = 50_000_000
"""Resamples are kept between questions up to this many numbers, most of them of one or two bytes."""


_MOST_CLUSTERS = 5_000
"""Of more clusters some are joined at random before they are drawn."""


@dataclass(frozen=True)
class Draws:
    """B resamples of the people, or of clusters where people belong together.

    Keep one object for all budgets, which then share the draws.

    Attributes:
        sample: The people per cell.
        draws: How many resamples, B.
        seed: Non-negative; fixes every draw.
    """

    sample: CellSample
    draws: int
    seed: int
    _kept: dict[int, list[np.ndarray]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def masses(self, size: int) -> Iterator[np.ndarray]:
        """Shares of ``size`` people drawn with replacement per cell, in blocks of shape (b, K), B rows in all.

        Where people belong together so many clusters are drawn, and the shares are of the people in them.
        """
        for counts in self._counts(size):
            if self.together is None:
                yield counts / size
            else:
                people = (self._matrix.T @ counts.T.astype(np.float64)).T
                yield people / people.sum(axis=1, keepdims=True)

    def scale(self, size: int) -> float:
        """What makes the error of a mean over ``size`` draws that of a root: sqrt(n) for all of them."""
        return sqrt(self.sample.n * size / self.independent)

    @property
    def independent(self) -> int:
        """How many are drawn in a resample as large as the sample: people, or clusters."""
        return self.sample.n if self.together is None else self.together.clusters

    @cached_property
    def together(self) -> Clusters | None:
        """The clusters that are drawn; None where everybody stands for themselves."""
        together = self.sample.together
        return None if together is None else together.joined(_MOST_CLUSTERS, self.seed)

    def counts(self, size: int) -> Iterator[np.ndarray]:
        """How often each cluster of :attr:`together` is drawn, in blocks of shape (b, G), for the same draws."""
        for counts in self._counts(size):
            yield counts.astype(np.float64)

    def normal(self) -> np.ndarray:
        """Standard normal numbers, shape (B,), for the noise of the cells' losses."""
        return np.random.default_rng((self.seed, 0)).standard_normal(self.draws)

    @cached_property
    def _matrix(self) -> csr_array:
        if self.together is None:
            raise TypeError("nobody belongs together")
        return self.together.matrix(len(self.sample.masses))

    @property
    def _shares(self) -> np.ndarray:
        """Probability of what is drawn: a person of each cell, shape (K,), or each cluster, shape (G,)."""
        if self.together is None:
            return self.sample.masses
        return np.full(self.together.clusters, 1 / self.together.clusters)

    def _counts(self, size: int) -> Iterator[np.ndarray]:
        if size in self._kept:
            yield from self._kept[size]
            return
        numbers = self.draws * len(self._shares)
        kept: list[np.ndarray] = []
        for counts in self._drawn(size):
            if numbers <= _KEPT_NUMBERS:
                kept.append(counts.astype(np.min_scalar_type(counts.max(initial=0))))
            yield counts
        if numbers * (1 + len(self._kept)) <= _KEPT_NUMBERS:
            self._kept[size] = kept

    def _drawn(self, size: int) -> Iterator[np.ndarray]:
        rng = np.random.default_rng((self.seed, size))
        shares = self._shares
        block = max(1, BLOCK_NUMBERS // max(1, len(shares), len(self.sample.masses)))
        for start in range(0, self.draws, block):
            yield rng.multinomial(size, shares, size=min(block, self.draws - start))
