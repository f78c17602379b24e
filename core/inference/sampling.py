"""What the rows of a sample stand for: people by themselves, several people each, or people who belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sampling:
    """How n rows sample people.

    Attributes:
        clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.
        times: People that each row stands for, shape (n,), int64; None where each is a person.
    """

    clusters: np.ndarray | None = None
    times: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> Sampling:
        """That of some rows: their positions, or which they are, shape (n,), bool."""
        return Sampling(*(None if one is None else one[rows] for one in (self.clusters, self.times)))

    def people(self, rows: int) -> np.ndarray:
        """How many people each of so many rows stands for, shape (n,), int64."""
        return np.ones(rows, dtype=np.int64) if self.times is None else self.times

    def count(self, codes: np.ndarray, kinds: int) -> np.ndarray:
        """People of each kind by the codes of the rows, shape (n,), int, none negative; shape (kinds,), int64."""
        return np.bincount(codes, self.times, kinds).astype(np.int64)


ALONE = Sampling()
"""Each row is a person who belongs to nobody else."""
