"""People and their losses summed per cell: all that the audit value and its uncertainty depend on."""

from dataclasses import dataclass

import numpy as np

from core.inference.transport.together import Clusters

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
        together: Who belongs together; None where everybody stands for themselves.
    """

    count: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    asked: np.ndarray
    together: Clusters | None = None

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
    def independent(self) -> int:
        """How many are independent of each other: clusters, or people where everybody stands for themselves."""
        return self.n if self.together is None else self.together.clusters

    @property
    def effective(self) -> np.ndarray:
        """People of each cell, shape (K,), float64; those of one cluster as if all were treated alike (Kish 1965)."""
        people = self.people.astype(np.float64)
        if self.together is None:
            return people
        squares = np.bincount(self.together.cell, self.together.count.astype(np.float64) ** 2, len(people))
        return people**2 / np.maximum(squares, 1.0)

    @property
    def freedom(self) -> float:
        """People less one, or as many for each cluster less one; at least 1."""
        if self.together is None:
            return max(self.n - 1, 1)
        return self.n * (1 - 1 / max(self.together.clusters, 2))

    def half(self, half: int) -> "CellSample":
        """The people of one half alone."""
        together = None if self.together is None else self.together.of_half(half)
        return CellSample(
            self.count[half][None], self.total[half][None], self.squares[half][None], self.asked, together
        )

    def scores(self, gains: np.ndarray, weight: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What everybody adds to the error of a mean over people, and the share that stands behind each number.

        The numbers sum to 0 with their shares, and the sum of their squares is n times the variance of the mean.

        Args:
            gains: Averaged over people, shape (K,).
            weight: What a unit of error of each cell's loss adds per person of the cell, shape (K,); 0 if left out.

        Returns:
            Of each cell, shape (K,); where people belong together of each cluster, shape (G,), and then with the error
            of the cells' losses as far as clusters show it.
        """
        if self.together is None:
            return gains - self.masses @ gains, self.masses
        found = self.together.scores(gains, np.zeros(len(gains)) if weight is None else weight, self.losses)
        return found, np.full(len(found), 1 / self.n)

    def spread(self, gains: np.ndarray, weight: np.ndarray | None = None) -> float:
        """Variance of a mean over people, times n; arguments as of :meth:`scores`."""
        if self.together is None:
            return max(0.0, float(self.masses @ gains**2 - (self.masses @ gains) ** 2))
        found, shares = self.scores(gains, weight)
        return float(shares @ found**2)

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
