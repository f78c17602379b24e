"""What is known of one quantity, however its error is known, and of one of several that are judged together."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from core.inference.estimate import Estimate, Interval
from core.inference.several import each_of


class Evidence(Protocol):
    """An estimate with bounds at every error rate.

    ``p_value(delta) <= alpha`` exactly where ``lower_bound(alpha) > delta``. Neither p-values nor lower bounds decrease
    as their argument grows, and upper bounds never increase. None of it is ever stored.
    """

    @property
    def value(self) -> float:
        """The estimate; NaN where nothing can be said."""

    def lower_bound(self, alpha: float) -> float:
        """One-sided lower bound, too high with probability at most ``alpha``."""

    def upper_bound(self, alpha: float) -> float:
        """One-sided upper bound, too low with probability at most ``alpha``."""

    def p_value(self, delta: float) -> float:
        """Of "the quantity is at most ``delta``"."""


class TwoSided(Evidence, Protocol):
    """Evidence with an interval."""

    def two_sided(self, alpha: float) -> Interval:
        """Interval with coverage 1 - alpha."""


class Estimated(TwoSided, Protocol):
    """Evidence that knows how many rows it rests on, and why there is no value."""

    @property
    def n(self) -> int:
        """Rows it rests on."""

    @property
    def undefined(self) -> str:
        """Why there is no value, one sentence; empty when there is one."""


@runtime_checkable
class Drawn(Estimated, Protocol):
    """Evidence whose bounds depend on random draws or splits."""

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound: what other draws would change."""

    def upper_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the upper bound."""


@dataclass(frozen=True)
class AtLeast:
    """Evidence of a quantity of which only a part was found, beside what it may be at most.

    What was found accuses by itself. To clear, what may be there has to be small as well (intersection-union; Berger
    1982, Technometrics 24:295).

    Attributes:
        found: What was found, of which the estimate is told.
        at_most: Evidence of what may be there.
    """

    found: Estimate
    at_most: TwoSided

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.found.value

    @property
    def standard_error(self) -> float:
        """That of what was found."""
        return self.found.standard_error

    def two_sided(self, alpha: float) -> Interval:
        """From the lower end of what was found to the higher one of both."""
        found, at_most = self.found.two_sided(alpha), self.at_most.two_sided(alpha)
        return Interval(found.low, max(found.high, at_most.high), 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """That of what was found."""
        return self.found.lower_bound(alpha)

    def upper_bound(self, alpha: float) -> float:
        """The higher one of both."""
        return max(self.found.upper_bound(alpha), self.at_most.upper_bound(alpha))

    def p_value(self, delta: float) -> float:
        """That of what was found."""
        return self.found.p_value(delta)


@dataclass(frozen=True)
class Adjusted:
    """Evidence of one of several quantities that are judged together (Bonferroni); any of them accuses, all clear.

    The smallest p-value is Holm's (1979) too, and is at most alpha exactly where the largest lower bound exceeds delta.
    Upper bounds are not adjusted: the largest of the quantities is too low only if its own is (intersection-union;
    Berger 1982, "Multiparameter hypothesis testing and acceptance sampling").

    Attributes:
        one: Evidence of the quantity by itself.
        of: How many are judged together.
    """

    one: Evidence
    of: int

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.one.value

    def two_sided(self, alpha: float) -> Interval:
        """Interval that holds together with those of the others: both bounds at half of the error rate each."""
        half = each_of(alpha, self.of) / 2
        return Interval(self.one.lower_bound(half), self.one.upper_bound(half), 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """Lower bound that holds together with those of the others."""
        return self.one.lower_bound(each_of(alpha, self.of))

    def upper_bound(self, alpha: float) -> float:
        """Upper bound by itself."""
        return self.one.upper_bound(alpha)

    def p_value(self, delta: float) -> float:
        """Its own times the number of them, at most 1; NaN where nothing can be said."""
        return float(np.minimum(self.of * self.one.p_value(delta), 1.0))
