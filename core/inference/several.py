"""One of several estimates that are judged together: any of them can show a violation, all are needed to clear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.inference.estimate import Interval, Verdict
from core.inference.resampled import ResampledEstimate, verdict_of


@dataclass(frozen=True)
class OneOfSeveral:
    """An estimate whose lower bound and interval hold together with those of the others (Bonferroni).

    The smallest p-value of all k is at most alpha exactly where the largest lower bound exceeds delta, as in the first
    step of Holm's (1979) method. The upper bound needs no correction: that of the largest of k values is too low only
    if its own is (Berger 1982).

    Attributes:
        estimate: The estimate by itself.
        tests: k, how many are judged together.
    """

    estimate: ResampledEstimate
    tests: int

    @property
    def value(self) -> float:
        """The estimate; NaN when undefined."""
        return self.estimate.value

    @property
    def n(self) -> int:
        """Rows it rests on."""
        return self.estimate.n

    @property
    def undefined(self) -> str:
        """Why there is no value; empty when there is one."""
        return self.estimate.undefined

    def two_sided(self, alpha: float) -> Interval:
        """Interval that holds together with those of the others."""
        ends = self.estimate.two_sided(alpha / self.tests)
        return Interval(ends.low, ends.high, 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """Lower bound that holds together with those of the others."""
        return self.estimate.lower_bound(alpha / self.tests)

    def upper_bound(self, alpha: float) -> float:
        """Upper bound by itself."""
        return self.estimate.upper_bound(alpha)

    def p_value(self, delta: float) -> float:
        """Its own times k, at most 1; NaN when undefined.

        Rounded to twelve decimals, so that it meets alpha where its own meets alpha / k.
        """
        return float(np.minimum(np.round(self.tests * self.estimate.p_value(delta), 12), 1.0))

    def verdict(self, delta: float, alpha: float) -> Verdict:
        """Violation if the lower bound exceeds delta; no violation if the upper bound does not; else neither."""
        return verdict_of(self, delta, alpha)

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound."""
        return self.estimate.lower_error(alpha / self.tests)

    def upper_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the upper bound."""
        return self.estimate.upper_error(alpha)
