"""Fair dummies of the training rows: groups that depend on nothing but the outcome (section 2.3)."""

from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.densities import GroupDensities
from core.workflows.mitigation.prepared import PreparedRows


@dataclass(frozen=True)
class Dummies:
    """How the groups of n rows are drawn anew.

    Attributes:
        codes: Group of each row, shape (n,), int64.
        strata: PreparedRows of each class, among which groups are permuted; empty where the outcome is a number.
        shares: Cumulated probability of the groups given the outcome, shape (n, g); (0, g) where it is a class.
    """

    codes: np.ndarray
    strata: tuple[np.ndarray, ...]
    shares: np.ndarray

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Fair dummies, shape (n,), int64: permuted within the classes, or drawn from P(A | Y) by eq. 4."""
        if not self.strata:
            drawn = (rng.random((len(self.codes), 1)) > self.shares[:, :-1]).sum(axis=1)
            return np.asarray(drawn, dtype=np.int64)
        drawn = self.codes.copy()
        for rows in self.strata:
            drawn[rows] = rng.permutation(self.codes[rows])
        return drawn


def dummies_of(rows: PreparedRows) -> Dummies:
    """Ready to draw: exact for classes; for numbers by the densities that the test uses too."""
    if rows.classes:
        strata = tuple(np.flatnonzero(rows.y == label) for label in range(rows.classes))
        return Dummies(rows.codes, strata, np.empty((0, rows.groups)))
    densities = GroupDensities.learned(rows.y, rows.codes, rows.groups)
    return Dummies(rows.codes, (), np.cumsum(densities.at(rows.y), axis=1))
