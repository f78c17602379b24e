"""The upper end of what a search finds along a direction that was learned, from learning it again.

What is learned is a vector b + e, its truth b with the error e, and the search along it finds the square of the model's
slope w there, beyond what it finds without: (w·(b + e))² / |b + e|². Learning again from half of the rows adds a second
error as large as the first (:meth:`core.metric.AbstractMetric.learned_again`) and so shows it, with three corrections:

- **The length.** Errors make a vector longer, by v = E|e|² / |b|² in the square: 1 + v for the one learned, 1 + 2v for
  one learned again. The squared tangent of the angle between the two is v / (1 + v) in the mean, which is the squared
  sine of the angle between the learned direction and the truth. So the square found is too small by the factor
  1 - mean tan², and from 45 degrees on the rows do not tell where the truth lies. A slope learned again is divided by
  the cosine of its own angle.
- **The sign.** A search finds the square and not on which side of zero the slope lies; so slopes learned again lie no
  further from the learned one than their sizes do, and near zero those lie too close.
- **The origin.** What a search finds without the direction is no part of the square.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

ROUNDS = 40
"""Of the spread's fixed point, whose error halves at least in each."""


@dataclass(frozen=True)
class LearnedDirection:
    """What was found along a learned direction, and how far the truth may lie above.

    Attributes:
        slope: The square root of what was found beyond the origin.
        spread: Standard error of the slope.
        shortened: By which factor the square found is too small, for errors have lengthened what was learned; zero or
            less where the rows do not tell the direction.
        degrees: Degrees of freedom of the spread.
    """

    slope: float
    spread: float
    shortened: float
    degrees: int

    @classmethod
    def of(cls, found: float, again: np.ndarray, angles: np.ndarray) -> Self:
        """From what was found beyond the origin along the direction, and along R that were learned again.

        Args:
            found: Along the direction.
            again: Along each of the others, shape (R,).
            angles: Between each of the others and the direction, degrees, shape (R,).
        """
        turned = np.radians(angles)
        slope = math.sqrt(max(found, 0.0))
        slopes = np.sqrt(np.maximum(again, 0.0)) / np.cos(turned)
        spread = _unfolded(slope, float(np.mean((slopes - slope) ** 2)))
        return cls(slope, spread, 1.0 - float(np.mean(np.tan(turned) ** 2)), len(again) - 1)

    def above(self, confidence: float) -> float:
        """How far above what was found its upper bound with this one-sided confidence lies; may be infinite."""
        from scipy.special import stdtrit

        if self.shortened <= 0:
            return math.inf
        highest = self.slope + float(stdtrit(self.degrees, confidence)) * self.spread
        return highest**2 / self.shortened - self.slope**2


def _unfolded(mean: float, squares: float) -> float:
    """The standard deviation of normal values about ``mean`` whose sizes lie so far from it, in the mean square.

    E(|X| - m)² = s² - 2m (E|X| - m), and E|X| - m is what lies below zero, folded over.
    """
    from scipy.special import erfc

    spread = math.sqrt(squares)
    for _ in range(ROUNDS if spread else 0):
        apart = mean / spread / math.sqrt(2)
        folded = spread * math.sqrt(2 / math.pi) * math.exp(-(apart**2)) - mean * float(erfc(apart))
        spread = math.sqrt(squares + 2 * mean * folded)
    return spread
