"""What a fit reads: prepared rows, outcomes and groups."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class PreparedRows:
    """n rows with d prepared columns; the protected attribute is in none of them unless it is a feature.

    Attributes:
        x: Prepared columns, shape (n, d), float64.
        y: Class of each row as an index, shape (n,), int64; or its number, shape (n,), float64.
        codes: Group of each row, shape (n,), int64.
        classes: Number of classes k; 0 where the outcome is a number.
        groups: Number of groups g.
        weights: How much each row counts where a baseline of classes is fitted, shape (n,); None for all alike.
    """

    x: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    classes: int
    groups: int
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def centre(self) -> float:
        """Mean outcome where it is a number; 0 for classes."""
        return 0.0 if self.classes else float(self.y.mean())

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the outcome where it is a number; 1 for classes and for a constant one."""
        return 1.0 if self.classes else float(self.y.std()) or 1.0

    @cached_property
    def targets(self) -> np.ndarray:
        """Indicators of the classes, shape (n, k), or the standardised number, shape (n, 1); float64."""
        if self.classes:
            return np.asarray(np.eye(self.classes)[self.y])
        return np.asarray((self.y - self.centre) / self.spread)[:, None]

    @cached_property
    def indicators(self) -> np.ndarray:
        """The standardised indicators of the groups: of the second of two, of each of more; shape (n, 1 or g)."""
        return self.standardised(self.codes)

    def standardised(self, codes: np.ndarray) -> np.ndarray:
        """Groups, shape (n,), as indicators standardised by the shares among these rows; shape (n, 1 or g)."""
        share = np.bincount(self.codes, minlength=self.groups) / len(self)
        columns = slice(1, 2) if self.groups == 2 else slice(None)
        spread = np.sqrt(np.maximum(share * (1 - share), np.finfo(np.float64).tiny))
        return np.asarray((np.eye(self.groups)[codes] - share) / spread)[:, columns]
