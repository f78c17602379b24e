"""Resamples of a cell sample, the same for every budget and method that asks with the same seed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.inference.transport.sample import CellSample

BLOCK_NUMBERS = 4_000_000
"""Numbers held at once (32 MB)."""


@dataclass(frozen=True)
class Draws:
    """B resamples of the people, drawn in blocks; identical each time they are asked for.

    Attributes:
        sample: The people per cell.
        draws: How many resamples, B.
        seed: Non-negative; fixes every draw.
    """

    sample: CellSample
    draws: int
    seed: int

    def masses(self, size: int) -> Iterator[np.ndarray]:
        """Shares of ``size`` people drawn with replacement per cell, in blocks of shape (b, K), B rows in all."""
        rng = np.random.default_rng((self.seed, size))
        masses = self.sample.masses
        block = max(1, BLOCK_NUMBERS // max(1, len(masses)))
        for start in range(0, self.draws, block):
            yield rng.multinomial(size, masses, size=min(block, self.draws - start)) / size

    def normal(self) -> np.ndarray:
        """Standard normal numbers, shape (B,), for the noise of the cells' losses."""
        return np.random.default_rng((self.seed, 0)).standard_normal(self.draws)
