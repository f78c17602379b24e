"""An estimate with its standard error, and everything that follows from the two.

Equations are those of papers/gradient-flow-test.md. Intervals, p-values and verdicts are functions of the estimate
and of the reader's delta and alpha; none of them is ever stored.
"""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Verdict(Enum):
    """The three answers a test can give."""

    VIOLATION = "violation found"
    NO_VIOLATION = "no violation found"
    INSUFFICIENT = "insufficient evidence"


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
    """

    value: float
    standard_error: float
    n: int
    undefined: str = ""
    degrees: float = math.inf

    def two_sided(self, alpha: float) -> Interval:
        """Equal-tailed interval with asymptotic coverage 1 - alpha (eq. 3.6)."""
        half = self._quantile(1 - alpha / 2) * self.standard_error
        return Interval(self.value - half, self.value + half, 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """T_n: the one-sided lower confidence bound (eq. 3.8, 3.10, 3.13)."""
        return self.value - self._quantile(1 - alpha) * self.standard_error

    def upper_bound(self, alpha: float) -> float:
        """The one-sided upper confidence bound at the same level."""
        return self.value + self._quantile(1 - alpha) * self.standard_error

    def p_value(self, delta: float) -> float:
        """One-sided p-value 1 - Phi((S_n - delta) / standard error) of H0: value <= delta. NaN when undefined.

        Phi is Student's t where the degrees of freedom are finite. With a standard error of zero it is 0 if the value
        exceeds delta and 1 otherwise.
        """
        from scipy.special import ndtr, stdtr

        if self.undefined:
            return float("nan")
        if self.standard_error == 0:
            return float(self.value <= delta)
        below = (delta - self.value) / self.standard_error
        return float(ndtr(below) if math.isinf(self.degrees) else stdtr(self.degrees, below))

    def verdict(self, delta: float, alpha: float) -> Verdict:
        """Violation if the lower bound exceeds delta; no violation if the upper bound does not; else neither."""
        if self.undefined or not np.isfinite(self.value + self.standard_error):
            return Verdict.INSUFFICIENT
        if self.lower_bound(alpha) > delta:
            return Verdict.VIOLATION
        return Verdict.NO_VIOLATION if self.upper_bound(alpha) <= delta else Verdict.INSUFFICIENT

    def _quantile(self, probability: float) -> float:
        from scipy.special import ndtri, stdtrit

        return float(ndtri(probability) if math.isinf(self.degrees) else stdtrit(self.degrees, probability))
