"""What is known of what a search finds along directions that were learned, from learning them again.

Derived step by step in core/METHODS.md, section 3.

A search finds the square of the model's slope w within the span of k learned directions, beyond what it finds without
them. Each learned direction is a true one, b, with an error e, so that its span is tilted against the true one.
Learning again from half of the rows adds a second error as large as the first
(:meth:`core.contracts.metric.AbstractMetric.learned_again`) and so shows how large it is. What counts is how far the
direction has turned *along which the search goes*, the part of w in the span: of several directions some are learned
well and others hardly, and their mean angle says nothing of this one. A slope learned again is divided by the cosine of
that angle, for errors lengthen a vector and so shorten what is found; its spread about the slope found is the error to
first order.

**Lower ends and p-values** follow from the geometry of the tilt. Spread over tilt is the model's slope across the
span, so that the length of w is known, |w|² = found + (spread / tilt)². Of a true slope a the angle between w and the
true span is arccos(a / |w|), and as much is found only if the learned span was tilted towards w by so much that the
angle left is no larger than the observed one:

- Towards w it turns by psi with sin psi = tilt times Student's t: the distance of what was learned to the line that is
  supposed, in its errors (Fieller 1954, "Some problems in interval estimation"). A slope of zero is turned to on either
  side, which a bound that looks to one side would miss.
- By each direction across that is not w it turns as well, which shortens what is found of a, though by no more than is
  missed of w now: so no larger truth is less likely than a smaller one. How much the squares of the tilts differ tells
  on how many directions they are spread (Satterthwaite).
- Each of the other k - 1 learned directions finds some of what is left across, by its own tilt towards w, squared.

Two limits hold whatever the directions: a bound that knows nothing of them is never above the one for which they are
given; and the truth is no smaller than what is found without them, on which alone a small part of the error rate is
spent (Bonferroni).

**Upper ends** take the spread of the slope, and divide by 1 - mean tan²: the squared tangent of the angle between one
learned and one learned again is in the mean the squared sine of the angle between the learned direction and the truth.
From 45 degrees on the rows do not tell where the truth lies: nothing is too large, and nothing but what is found
without the directions is shown.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np

STEP = 0.05
"""Of the normal deviations that errors are summed over."""
FARTHEST = 7.0
"""The farthest of them."""
BESIDE = 16
"""Sizes of the errors of the other directions, equally likely."""
SHORTER = 4
"""Sizes of the errors that shorten, equally likely."""
WITHOUT = 0.05
"""Part of the error rate for what is found without the directions."""
LEAST_TILT = 1e-6
"""Least squared tangent of the angle that a spread is ascribed to: less is a straight line to six digits."""
HARDLY = 0.999
"""Largest mean squared sine by which the other directions are taken to turn."""
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
        tilt: Variance of the tilt, towards each direction that it is spread on, of the direction along which the search
            goes.
        across: On how many directions that are not free the tilt is spread.
        beside: Variance of the tilt of each other learned direction towards each direction that is not free.
    """

    slope: float
    spread: float
    shortened: float
    degrees: int
    directions: int = 1
    tilt: float = 0.0
    across: int = 1
    beside: float = 0.0

    @classmethod
    def of(
        cls, found: float, again: np.ndarray, along: np.ndarray, turned: np.ndarray, *, directions: int, others: int
    ) -> Self:
        """From what was found beyond the origin along the directions, and along R sets that were learned again.

        Args:
            found: Along the directions.
            again: Along each of the others, shape (R,).
            along: By how much each of the others has turned the direction along which the search goes, degrees, (R,).
            turned: By how much they have turned on average: the angle whose squared sine is the mean over the
                directions, degrees, shape (R,).
            directions: How many were learned.
            others: How many directions are not free.
        """
        angles = np.radians(along)
        slope = math.sqrt(max(found, 0.0))
        slopes = np.sqrt(np.maximum(again, 0.0)) / np.cos(angles)
        spread = _unfolded(slope, float(np.mean((slopes - slope) ** 2)))
        tangents = np.tan(angles) ** 2
        tangent, varies = float(np.mean(tangents)), float(np.var(tangents, ddof=1))
        across = min(max(round(2 * tangent**2 / varies), 1), max(others, 1)) if varies else max(others, 1)
        rest = float(np.mean(directions * np.sin(np.radians(turned)) ** 2 - np.sin(angles) ** 2))
        each = min(max(rest, 0.0) / max(directions - 1, 1), HARDLY)
        return cls(
            slope,
            spread,
            1.0 - tangent,
            len(again) - 1,
            directions,
            tilt=tangent / across,
            across=across,
            beside=each / (1 - each) / max(others, 1),
        )

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
        found = self.slope**2
        true, needed = math.sqrt(max(found - beyond, 0.0)), max(found, beyond)
        within = self._reaches(needed, true, found + self._missed, error, degrees) if self.shortened > 0 else 1.0
        given, without = (_exceeds(by, error, degrees) for by in (beyond, beyond - found))
        return min(max(within, given) / (1 - WITHOUT), without / WITHOUT, 1.0)

    def detectable(self, tolerated: float, confidence: float, power: float, error: float, degrees: float) -> float:
        """The smallest true square whose lower bound lies above ``tolerated`` with probability ``power``.

        Both squares are counted from the origin; spread and tilts are taken as they are here. Infinite where no square
        could be found large enough, or the rows do not tell the direction.

        Args:
            tolerated: Negative where the origin itself lies above what is tolerated.
            confidence: One-sided, of the lower bound.
            power: How often it is to be found.
            error: The estimate's own standard error.
            degrees: Its degrees of freedom.
        """
        if self.shortened <= 0:
            return math.inf

        def missed(slope: float) -> float:
            return replace(self, slope=slope).chance(slope**2 - tolerated, error, degrees) - (1 - confidence)

        enough = _crossing(missed, math.sqrt(max(tolerated, 0.0)), self.spread + math.sqrt(error))
        if not math.isfinite(enough):
            return math.inf

        def too_seldom(slope: float) -> float:
            return power - self._reaches(enough**2, slope, slope**2 + self._missed, error, degrees)

        return _crossing(too_seldom, 0.0, enough + self.spread + math.sqrt(error)) ** 2

    @property
    def _least(self) -> float:
        """The tilt, or the least that the spread is ascribed to."""
        return max(self.tilt, LEAST_TILT * self.spread**2 / (self.slope**2 + self.spread**2 or 1.0))

    @property
    def _missed(self) -> float:
        """The square of the model's slope across what was learned: what its search leaves out."""
        return self.spread**2 / self._least if self.spread else 0.0

    def _reaches(self, needed: float, slope: float, whole: float, error: float, degrees: float) -> float:
        """How likely a square as large as needed is found, with the estimate's own error, of a true slope.

        Args:
            needed: The square.
            slope: The true slope within the true directions.
            whole: The square of its length in all directions; that of the slope where it is shorter.
            error: The estimate's own standard error.
            degrees: Its degrees of freedom.
        """
        towards, shorter, beside, likely = _errors(self.degrees, self.directions, self.across)
        whole = max(whole, slope**2)
        blurred = math.hypot(error, 2 * STEP * self.spread * math.sqrt(needed))
        if not blurred:
            return float(slope**2 >= needed)
        turned = np.arcsin(np.clip(math.sqrt(self._least) * towards, -1.0, 1.0))
        lost = np.minimum(self._least * shorter, max(1 - needed / whole, 0.0) if whole else 0.0)
        across, within = whole - slope**2, slope**2 * (1 - lost)
        left = np.maximum(np.arctan2(math.sqrt(across), np.sqrt(within)) - turned, 0.0)
        along = (across + within) * np.cos(left) ** 2
        found = whole - (whole - along) * (1 - np.minimum(self.beside * beside, 1.0))
        return float(np.sum(likely * _exceeding(found - needed, blurred, degrees)))


@cache
def _errors(degrees: int, directions: int, across: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Errors towards the slope, squares of those that shorten and of the other directions', and how likely each is.

    In tilts, along one axis each: shapes (t, 1, 1), (s, 1), (b,) and (t, 1, 1).
    """
    from scipy.special import ndtr, stdtrit

    deviations = np.arange(-FARTHEST, FARTHEST + STEP / 2, STEP)
    likely = np.exp(-(deviations**2) / 2)
    towards, likely = stdtrit(degrees, ndtr(deviations)), likely / likely.sum()
    shorter, beside = _squares(across - 1, degrees, SHORTER), _squares(directions - 1, degrees, BESIDE)
    return towards[:, None, None], shorter[:, None], beside, likely[:, None, None] / (len(shorter) * len(beside))


def _squares(number: int, degrees: int, sizes: int) -> np.ndarray:
    """Sums of so many squared errors, equally likely: the means within equal parts of their distribution."""
    from scipy.special import fdtri

    if not number:
        return np.zeros(1)
    finely = (np.arange(32 * sizes) + 0.5) / (32 * sizes)
    sums = number * np.asarray(fdtri(number, degrees, finely))
    return np.asarray(sums.reshape(sizes, 32).mean(axis=1))


def _exceeds(by: float, error: float, degrees: float) -> float:
    """The p-value of a truth that lies so far below an estimate with this error alone."""
    return float(_exceeding(np.array(-by), error, degrees)) if error else float(by <= 0)


def _exceeding(by: np.ndarray, error: float, degrees: float) -> np.ndarray:
    """How likely an error does not take away what something is too large by."""
    from scipy.special import ndtr, stdtr

    return np.asarray(ndtr(by / error) if math.isinf(degrees) else stdtr(degrees, by / error))


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
