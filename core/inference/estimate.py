"""An estimate with its standard error, and everything that follows from the two.

Equations are those of papers/gradient-flow-test.md. Intervals and p-values are functions of the estimate
and of the reader's delta and alpha; none of them is ever stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from core.inference.learned_direction import LearnedDirection
from core.language.told import say

FEWEST_ON_A_SIDE = 5
"""Repetitions on one side of a value from which its error there is read off them alone."""


class Verdict(Enum):
    """The three answers a test can give."""

    VIOLATION = "violation found"  # verbatim
    NO_VIOLATION = "no violation found"  # verbatim
    INSUFFICIENT = "insufficient evidence"  # verbatim

    @property
    def words(self) -> str:
        """The verdict in the reader's language; records and the register keep the English value."""
        return {
            Verdict.VIOLATION: say("violation found"),
            Verdict.NO_VIOLATION: say("no violation found"),
            Verdict.INSUFFICIENT: say("insufficient evidence"),
        }[self]


@dataclass(frozen=True)
class Interval:
    """A confidence interval; an end may be infinite."""

    low: float
    high: float
    confidence: float


@dataclass(frozen=True)
class Estimate:
    """An asymptotically normal estimate.

    Attributes:
        value: The estimate (S_n of eq. 3.4, or the ratio of eq. 3.12); NaN when undefined.
        standard_error: Its standard error (V_n / sqrt(n)); NaN when undefined.
        n: Rows it rests on.
        undefined: Why there is no value, one sentence; empty when there is one.
        degrees: Degrees of freedom of the standard error: that of few clusters is itself uncertain, so that quantiles
            are Student's; infinite for normal ones.
        error_above: The standard error that upper ends take, where chance is lopsided; NaN for the same.
        bias: By how much the value is too high, as far as is known. Ends only move out by it, lower ones where it is
            positive and upper ones where it is negative.
        repeated: By how much repetitions with another source of error differ from the value, ascending. Upper ends lie
            above as large a share of them as their confidence, or above all of few.
        direction: What is known of the other source of error where it is a direction that was learned.
        given: The estimate without the other source of error.
        least: The least that the quantity can be: no lower end lies below, where a tolerance cannot lie either.
    """

    value: float
    standard_error: float
    n: int
    undefined: str = ""
    degrees: float = math.inf
    error_above: float = math.nan
    bias: float = 0.0
    repeated: tuple[float, ...] = ()
    direction: LearnedDirection | None = None
    given: Estimate | None = None
    least: float = -math.inf

    def widened(self, moved: np.ndarray, direction: LearnedDirection | None = None) -> Estimate:
        """The estimate with a second, independent source of error, of which R repetitions are known.

        What lies on each side adds to the standard error of that end, or the spread of all where fewer than five lie
        there. Degrees of freedom follow Satterthwaite (1946, Biometrics Bulletin 2:110). The bias is the median: mean
        and spread of what grows with the square of an error are ruled by a few far above. Where the error itself grows
        with the value, a value too low comes with a spread too small; so upper ends lie above the repetitions too, and
        above what is known of a learned direction, whose error and the estimate's own add as independent ones do (Zou
        and Donner 2008, Statistics in Medicine 27:1693). Lower ends and p-values follow from the direction alone.

        Args:
            moved: By how much each repetition differs from the value, shape (R,), R at least 2.
            direction: What is known of the second source of error where it is a direction that was learned.
        """
        below, above = (_spread(side, moved) for side in (moved[moved < 0], moved[moved > 0]))
        error = math.hypot(self.standard_error, below)
        parts = self.standard_error**4 / self.degrees + below**4 / (len(moved) - 1)
        return replace(
            self,
            standard_error=error,
            degrees=error**4 / parts if parts > 0 else math.inf,
            error_above=math.hypot(self.standard_error, above),
            bias=float(np.median(moved)),
            repeated=tuple(np.sort(moved).tolist()),
            direction=direction,
            given=self,
        )

    def below(self, confidence: float) -> float:
        """How far below the value its lower bound with this one-sided confidence lies."""
        if self.direction is not None and self.given is not None:
            return self.direction.below(confidence, self.given.standard_error, self.given.degrees)
        return self._quantile(confidence) * self.standard_error + max(self.bias, 0.0)

    def above(self, confidence: float) -> float:
        """How far above the value its upper bound with this one-sided confidence lies."""
        error = self.standard_error if math.isnan(self.error_above) else self.error_above
        reach = self._quantile(confidence) * error + max(-self.bias, 0.0)
        if not self.repeated:
            return reach
        place = min(math.ceil(confidence * (len(self.repeated) + 1) - 1e-9), len(self.repeated)) - 1
        reach = max(reach, self.repeated[place])
        if self.direction is None or self.given is None:
            return reach
        return max(reach, math.hypot(self.given.above(confidence), self.direction.above(confidence)))

    def two_sided(self, alpha: float) -> Interval:
        """Equal-tailed interval with asymptotic coverage 1 - alpha (eq. 3.6)."""
        confidence = 1 - alpha / 2
        low = max(self.value - self.below(confidence), self.least)
        return Interval(low, self.value + self.above(confidence), 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """T_n: the one-sided lower confidence bound (eq. 3.8, 3.10, 3.13)."""
        return max(self.value - self.below(1 - alpha), self.least)

    def upper_bound(self, alpha: float) -> float:
        """The one-sided upper confidence bound at the same level."""
        return self.value + self.above(1 - alpha)

    def p_value(self, delta: float) -> float:
        """One-sided p-value 1 - Phi((S_n - bias - delta) / standard error) of H0: value <= delta. NaN when undefined.

        Phi is Student's t where the degrees of freedom are finite. With a standard error of zero it is 0 if the value
        exceeds delta and 1 otherwise. Where a direction was learned it is
        :meth:`~core.inference.learned_direction.LearnedDirection.chance`.
        """
        from scipy.special import ndtr, stdtr

        if self.undefined:
            return float("nan")
        if self.direction is not None and self.given is not None:
            return self.direction.chance(self.value - delta, self.given.standard_error, self.given.degrees)
        if self.standard_error == 0:
            return float(self.value - self.below(0.5) <= delta)
        below = (delta + max(self.bias, 0.0) - self.value) / self.standard_error
        return float(ndtr(below) if math.isinf(self.degrees) else stdtr(self.degrees, below))

    def detectable(self, delta: float, alpha: float, power: float) -> float:
        """The smallest true value whose lower bound lies above delta with probability ``power``.

        The errors found here are taken as given. NaN when undefined; infinite where a direction was learned from too
        little for any.
        """
        from scipy.special import ndtri

        if self.undefined:
            return float("nan")
        if self.direction is None or self.given is None:
            return delta + self.below(1 - alpha) + float(ndtri(power)) * self.standard_error
        origin = self.value - self.direction.slope**2
        error, degrees = self.given.standard_error, self.given.degrees
        return origin + self.direction.detectable(delta - origin, 1 - alpha, power, error, degrees)

    def _quantile(self, probability: float) -> float:
        from scipy.special import ndtri, stdtrit

        return float(ndtri(probability) if math.isinf(self.degrees) else stdtrit(self.degrees, probability))


def _spread(side: np.ndarray, moved: np.ndarray) -> float:
    """Root mean square of the values on one side of zero, or more, where they are few, if all lie further apart."""
    own = math.sqrt(float(side @ side) / len(side)) if len(side) else 0.0
    return own if len(side) >= FEWEST_ON_A_SIDE else max(own, float(moved.std(ddof=1)))
