"""What is known of what a search finds along directions that were learned, from learning them again.

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

The upper end takes all three. At the lower end the sign turns against the model: of a slope of zero every error finds
something, on whichever side, and a bound that looks to one side errs twice as often as it may. So a tolerance is
exceeded by chance as often as (a + t)² reaches what was found, where the slope a just keeps to the tolerance and t is
the error of the direction, on both sides, the estimate's own error beside it. Where k directions are learned, each of
the other k - 1 adds the square of its error. Two more things are so for the lower end:

- **The tilt.** The error of the slope is the tilt of the direction times the model's slope across it. What was found
  beyond a² by chance was taken from there, so that the spread about what was found is too small for a: by so much of
  the square as the tilt has for each direction that is not free. On the other hand a is found shortened. Both are
  heeded only where they make the chance larger: how much shorter is not known well where it matters. Of all slopes up
  to a the likeliest counts, so that no larger tolerance is exceeded more certainly than a smaller one.
- **Without.** However little is known of the directions, the truth is no smaller than what is found without them: a
  small part of the error rate is spent on that alone (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Self

import numpy as np

STEP = 0.05
"""Of the normal deviations that errors are summed over."""
FARTHEST = 7.0
"""The farthest of them."""
BESIDE = 16
"""Sizes of the errors of the other directions, equally likely."""
WITHOUT = 0.05
"""Part of the error rate for what is found without the directions."""
SLOPES = 33
"""Of which the chance is worked out, over all and near what was found; between them it is interpolated."""
ROUNDS = 40
"""Of the spread's fixed point, whose error halves at least in each."""


@dataclass(frozen=True)
class LearnedDirection:
    """What was found along learned directions, and how far the truth may lie above and below.

    Attributes:
        slope: The square root of what was found beyond the origin.
        spread: Standard error of the slope.
        shortened: By which factor the square found is too small, for errors have lengthened what was learned; zero or
            less where the rows do not tell the direction.
        degrees: Degrees of freedom of the spread.
        directions: How many were learned.
        tilt: Variance of a learned direction's tilt towards each direction that is not free.
    """

    slope: float
    spread: float
    shortened: float
    degrees: int
    directions: int = 1
    tilt: float = 0.0

    @classmethod
    def of(cls, found: float, again: np.ndarray, angles: np.ndarray, directions: int, others: int) -> Self:
        """From what was found beyond the origin along the directions, and along R sets that were learned again.

        Args:
            found: Along the directions.
            again: Along each of the others, shape (R,).
            angles: By how much each of the others has turned, degrees, shape (R,): of several directions the angle
                whose squared sine is the mean of theirs.
            directions: How many were learned.
            others: How many directions are not free.
        """
        turned = np.radians(angles)
        slope = math.sqrt(max(found, 0.0))
        slopes = np.sqrt(np.maximum(again, 0.0)) / np.cos(turned)
        spread = _unfolded(slope, float(np.mean((slopes - slope) ** 2)))
        tangent = float(np.mean(np.tan(turned) ** 2))
        return cls(slope, spread, 1.0 - tangent, len(again) - 1, directions, tangent / max(others, 1))

    def above(self, confidence: float) -> float:
        """How far above what was found its upper bound with this one-sided confidence lies; may be infinite."""
        from scipy.special import stdtrit

        if self.shortened <= 0:
            return math.inf
        highest = self.slope + float(stdtrit(self.degrees, confidence)) * self.spread
        return highest**2 / self.shortened - self.slope**2

    def below(self, confidence: float, error: float, degrees: float) -> float:
        """How far below what was found the lower bound of an estimate lies that has an error of its own as well.

        Args:
            confidence: One-sided.
            error: The estimate's own standard error.
            degrees: Its degrees of freedom.
        """
        from scipy.optimize import brentq

        width = error + self.spread * (self.slope + self.spread)
        if not (width and math.isfinite(width)):
            return width
        least = greatest = 0.0
        while self.chance(least, error, degrees) < 1 - confidence:
            least, width = least - width, 2 * width
        while self.chance(greatest, error, degrees) > 1 - confidence:
            greatest, width = greatest + width, 2 * width
        return float(brentq(lambda by: self.chance(by, error, degrees) - (1 - confidence), least, greatest))

    def chance(self, beyond: float, error: float, degrees: float) -> float:
        """The p-value of a truth that lies so far below what was found (``beyond``); other arguments as above."""
        from scipy.special import stdtr

        found = self.slope**2
        true, needed = math.sqrt(max(found - beyond, 0.0)), max(found, beyond)
        within = self._reaches(needed, true, self.spread, error, degrees)
        if self.tilt:
            within = max(within, self._at_most(true, needed, error, degrees))
        without = float(stdtr(degrees, (found - beyond) / error)) if error else float(beyond <= found)
        return min(within / (1 - WITHOUT), without / WITHOUT, 1.0)

    def detectable(self, tolerated: float, confidence: float, power: float, error: float, degrees: float) -> float:
        """The smallest true square whose lower bound lies above ``tolerated`` with probability ``power``.

        Both squares are counted from the origin; spread, tilt and shortening are taken as they are here. Infinite where
        no square could be found large enough, or the rows do not tell the direction.

        Args:
            tolerated: Negative where the origin itself lies above what is tolerated.
            confidence: One-sided, of the lower bound.
            power: How often it is to be found.
            error: The estimate's own standard error.
            degrees: Its degrees of freedom.
        """

        def missed(slope: float) -> float:
            return replace(self, slope=slope).chance(slope**2 - tolerated, error, degrees) - (1 - confidence)

        enough = _crossing(missed, math.sqrt(max(tolerated, 0.0)), self.spread + math.sqrt(error))
        shorter = math.sqrt(max(self.shortened, 0.0))
        if not (shorter and math.isfinite(enough)):
            return math.inf

        def too_seldom(slope: float) -> float:
            return power - self._reaches(enough**2, slope * shorter, self.spread, error, degrees)

        return _crossing(too_seldom, 0.0, enough + self.spread + math.sqrt(error)) ** 2

    def _at_most(self, slope: float, needed: float, error: float, degrees: float) -> float:
        """How likely a tilted direction finds what is needed, of the likeliest slope up to this one."""
        if needed > self.slope**2:
            return self._tilted(needed, 0.0, error, degrees)
        return float(np.interp(slope, *_by_tilt(self, error, degrees)))

    def _tilted(self, needed: float, slope: float, error: float, degrees: float) -> float:
        """The same of a slope that is found shortened, by a direction that was tilted towards what was found."""
        wider = math.sqrt(self.spread**2 + self.tilt * max(self.slope**2 - slope**2, 0.0))
        return self._reaches(needed, slope * math.sqrt(max(self.shortened, 0.0)), wider, error, degrees)

    def _reaches(self, needed: float, slope: float, spread: float, error: float, degrees: float) -> float:
        """How likely the square of a slope with errors of this spread, and the estimate's own, reach what is needed."""
        from scipy.special import stdtr

        ahead, beside, likely = _errors(self.degrees, self.directions)
        blurred = math.hypot(error, 2 * STEP * spread * math.sqrt(needed))
        if not blurred:
            return float(slope**2 >= needed)
        squares = (slope + spread * ahead) ** 2 + spread**2 * beside
        return float(likely @ stdtr(degrees, (squares - needed) / blurred))


@lru_cache(maxsize=256)
def _by_tilt(found: LearnedDirection, error: float, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """Slopes from zero to what was found, and how likely the likeliest of those up to each is found by a tilt.

    A larger slope leaves less to the tilt, and is found shortened all the same: its own chance may fall again. But that
    the truth is at most so large is no less likely than that it is at most less.
    """
    near = found.slope - found.spread * np.linspace(0.0, FARTHEST, SLOPES)
    slopes = np.union1d(np.linspace(0.0, found.slope, SLOPES), np.maximum(near, 0.0))
    return slopes, np.maximum.accumulate([found._tilted(found.slope**2, slope, error, degrees) for slope in slopes])


@cache
def _errors(degrees: int, directions: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Errors along the slope, the sums of squares of the others' errors, and how likely each is; in spreads."""
    from scipy.special import fdtri, ndtr, stdtrit

    deviations = np.arange(-FARTHEST, FARTHEST + STEP / 2, STEP)
    likely = np.exp(-(deviations**2) / 2)
    ahead, likely = stdtrit(degrees, ndtr(deviations)), likely / likely.sum()
    if directions == 1:
        return ahead, np.zeros(len(ahead)), likely
    beside = (directions - 1) * fdtri(directions - 1, degrees, (np.arange(BESIDE) + 0.5) / BESIDE)
    return np.repeat(ahead, BESIDE), np.tile(beside, len(ahead)), np.repeat(likely, BESIDE) / BESIDE


def _crossing(falling: Callable[[float], float], start: float, width: float) -> float:
    """Where a falling function first reaches zero from ``start`` on; infinite where it does not within 2^20 widths."""
    from scipy.optimize import brentq

    if falling(start) <= 0:
        return start
    for _ in range(20):
        if falling(start + width) <= 0:
            return float(brentq(falling, start, start + width, xtol=1e-3 * width, rtol=1e-3))
        start, width = start + width, 2 * width
    return math.inf


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
