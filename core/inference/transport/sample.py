"""People and their losses summed per cell: all that the audit value and its uncertainty depend on."""

from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-9
"""Share of the mean square below which a variance is rounding."""


@dataclass(frozen=True)
class CellSample:
    """K cells of a finite space, with sums over the people in each, all together or two random halves kept apart.

    Where everybody in a cell has the same loss, as in the paper, the loss belongs to the cell. Where people of one cell
    have different losses (the cells are coarser than what the model reads) the mean is an estimate, and its noise
    belongs to the uncertainty of the audit value. The halves allow a check in which the transport is chosen on one and
    its gain measured on the other.

    Attributes:
        count: People in each cell, first axis the part of the people, h = 1 or 2; shape (h, K), int.
        total: Sum of their losses; shape (h, K).
        squares: Sum of their squared losses; shape (h, K).
        asked: Loss the model gives in each cell when it is asked, for cells without people; NaN where nobody asked;
            shape (K,).
    """

    count: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    asked: np.ndarray

    @property
    def people(self) -> np.ndarray:
        """People in each cell, shape (K,), int."""
        people: np.ndarray = self.count.sum(axis=0)
        return people

    @property
    def n(self) -> int:
        """People in all."""
        return int(self.count.sum())

    @property
    def masses(self) -> np.ndarray:
        """Share of the people in each cell, f_n of the paper; shape (K,)."""
        return self.people / self.n

    @property
    def losses(self) -> np.ndarray:
        """Loss of each cell, l of the paper: the mean over its people, or the model's own answer; shape (K,)."""
        people = self.people
        return np.where(people > 0, self.total.sum(axis=0) / np.maximum(people, 1), self.asked)

    @property
    def variances(self) -> np.ndarray:
        """Variance of the loss among the people of each cell (n_k in the denominator), 0 without people; shape (K,).

        Sums of a million equal losses are off by 3e-11 of their square; less than ``ROUNDING`` of it is no variance.
        """
        people = np.maximum(self.people, 1)
        square = self.squares.sum(axis=0) / people
        spread = square - (self.total.sum(axis=0) / people) ** 2
        return np.where(spread > ROUNDING * square, spread, 0.0)
