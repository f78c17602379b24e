"""Who may be exchanged with whom, given a number: people of a heap as they are, all others by densities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.calibrating import calibrate_model
from core.audits.equalized_odds.densities import Densities, GroupDensities
from core.audits.equalized_odds.heaps import heaps_of
from core.audits.equalized_odds.levels import AttributeLevels
from core.audits.equalized_odds.resampling import fresh, swapped
from core.audits.equalized_odds.result import AttributeCalibration
from core.audits.equalized_odds.tilting import NumberDensities
from core.base.progress import OnProgress, consecutive_parts

_FEWEST = 30
"""Rows outside heaps that densities are learned from; where there are fewer, from all rows."""


@dataclass(frozen=True)
class Exchange:
    """Levels given a number of n people; t of them are tested.

    Attributes:
        given: The number, shape (n,).
        levels: The levels of everybody.
        tested: Positions of the tested rows, shape (t,).
        learning: Positions of the rows that densities were learned from.
        heaps: Heap of everybody, -1 outside, shape (n,), int.
        model: P(A | Z) outside heaps; None where every tested row is in a heap.
        chances: Probability of each level for each tested row, shape (t, l), above 0: the same in a heap.
    """

    given: np.ndarray
    levels: AttributeLevels
    tested: np.ndarray
    learning: np.ndarray
    heaps: np.ndarray
    model: Densities | None
    chances: np.ndarray

    @classmethod
    def learned(cls, given: np.ndarray, levels: AttributeLevels, learning: np.ndarray, tested: np.ndarray) -> Exchange:
        """Heaps from the numbers of both; densities from the rows to learn from that are in none."""
        heaps, codes, both = np.full(len(given), -1), levels.codes, np.concatenate([learning, tested])
        heaps[both] = heaps_of(given[both])
        outside = learning[heaps[learning] < 0]
        learning = outside if len(outside) >= _FEWEST else learning
        counts = np.full((heaps.max() + 2, len(levels)), 0.5)
        np.add.at(counts, (heaps[tested], codes[tested]), 1)
        chances = (counts / counts.sum(axis=1, keepdims=True))[heaps[tested]]
        model, rare = None, heaps[tested] < 0
        if rare.any():
            kind = NumberDensities if levels.ordered else GroupDensities
            model = kind.learned(given[learning], codes[learning], len(levels))
            chances[rare] = model.at(given[tested[rare]])
        return cls(given, levels, tested, learning, heaps, model, chances)

    def calibration(self, rng: np.random.Generator) -> AttributeCalibration | None:
        """How well the densities fit the tested rows they are for."""
        if self.model is None:
            return None
        rare = self.tested[self.heaps[self.tested] < 0]
        return calibrate_model(self.model, self.levels, self.given, self.learning, rare, rng=rng)

    def nulls(
        self, losses: np.ndarray, dummies: int, *, rng: np.random.Generator, on_progress: OnProgress
    ) -> dict[str, np.ndarray]:
        """Sums of losses under both ways to draw dummies, each of shape (K,); in heaps both permute.

        Args:
            losses: Loss of each tested row with each level, shape (t, l).
            dummies: K.
            rng: Source of the draws.
            on_progress: Told how far it is; may raise to stop it.
        """
        heaps, codes, given = self.heaps[self.tested], self.levels.codes[self.tested], self.given[self.tested]
        order = np.lexsort((given, heaps))
        rows_of_heaps = np.split(order, np.flatnonzero(np.diff(heaps[order])) + 1)
        rare = rows_of_heaps.pop(0) if self.model is not None else np.zeros(0, dtype=np.int64)
        parts = consecutive_parts(on_progress, [*map(len, rows_of_heaps), 3 * len(rare), len(rare)])

        def permuted(rows: np.ndarray, part: OnProgress) -> np.ndarray:
            return swapped(losses[rows], codes[rows], self.chances[rows], dummies, rng=rng, on_progress=part)

        within = sum(map(permuted, rows_of_heaps, parts), np.zeros(dummies))
        if not len(rare):
            return {"conditional permutation": within, "density": within}
        return {
            "conditional permutation": within + permuted(rare, parts[-2]),
            "density": within + fresh(losses[rare], self.chances[rare], dummies, rng=rng, on_progress=parts[-1]),
        }
