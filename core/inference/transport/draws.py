"""Resamples of a cell sample, the same for every budget and method that asks with the same seed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from core.inference.transport.sample import CellSample

BLOCK_NUMBERS = 2_000_000
"""Numbers of a block of resamples (16 MB)."""

_KEPT_NUMBERS = 50_000_000
"""Resamples are kept between questions up to this many numbers, most of them of one or two bytes."""


@dataclass(frozen=True)
class Draws:
    """B resamples of the people; keep one object for all budgets, which then share the draws.

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
        """Shares of ``size`` people drawn with replacement per cell, in blocks of shape (b, K), B rows in all."""
        for counts in self._counts(size):
            yield counts / size

    def normal(self) -> np.ndarray:
        """Standard normal numbers, shape (B,), for the noise of the cells' losses."""
        return np.random.default_rng((self.seed, 0)).standard_normal(self.draws)

    def _counts(self, size: int) -> Iterator[np.ndarray]:
        if size in self._kept:
            yield from self._kept[size]
            return
        numbers = self.draws * len(self.sample.masses)
        kept: list[np.ndarray] = []
        for counts in self._drawn(size):
            if numbers <= _KEPT_NUMBERS:
                kept.append(counts.astype(np.min_scalar_type(counts.max(initial=0))))
            yield counts
        if numbers * (1 + len(self._kept)) <= _KEPT_NUMBERS:
            self._kept[size] = kept

    def _drawn(self, size: int) -> Iterator[np.ndarray]:
        rng = np.random.default_rng((self.seed, size))
        masses = self.sample.masses
        block = max(1, BLOCK_NUMBERS // max(1, len(masses)))
        for start in range(0, self.draws, block):
            yield rng.multinomial(size, masses, size=min(block, self.draws - start))
