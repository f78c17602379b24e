"""What the verdict on one attribute rests on, whatever is measured: shares of people, or means in the outcome's units.

The largest difference between its groups has a lower bound, an upper bound, and the p-value of "it is at most the
tolerance". That it is more than nothing can be shown without saying how large it is: by the fair dummies, which see any
dependence that r̂ can learn. Both pieces of evidence are joined by a closed test (Marcus, Peritz and Gabriel 1976, "On
closed testing procedures with special reference to ordered analysis of variance"). "No difference" implies every "at
most the tolerance", so a tolerance is exceeded only where "no difference" is rejected too: by either piece, at half of
the error rate each (Bonferroni). Each p-value is then valid, and none decreases as the tolerance grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

MORE_THAN_NOTHING = float(np.nextafter(0.0, 1.0))
"""Lower bound of a difference that is there, but may be as small as one likes."""


class Evidence(Protocol):
    """What is known of the largest difference between the groups of an attribute, a size of at least 0.

    ``p_value(delta) <= alpha`` exactly where ``low(alpha) > delta``, to the last digit. Neither p-values nor lower
    bounds decrease as their argument grows, and upper bounds never increase.
    """

    @property
    def value(self) -> float:
        """The largest difference found; NaN where nothing can be compared."""

    def low(self, alpha: float) -> float:
        """Lower bound, too high with probability at most ``alpha``; 0 where nothing is certain."""

    def high(self, alpha: float) -> float:
        """Upper bound, too low with probability at most ``alpha``; 1 or infinite where nothing can be compared."""

    def p_value(self, delta: float) -> float:
        """Of "the largest difference is at most ``delta``"; 1 where nothing can be compared."""


@dataclass(frozen=True)
class Joined:
    """Evidence of a size, joined with a p-value of "no difference" that knows of no size.

    Attributes:
        size: Evidence of the size.
        none: p-value of "no difference"; NaN where it proves nothing.
    """

    size: Evidence
    none: float

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.size.value

    def p_value(self, delta: float) -> float:
        """See :class:`Evidence`."""
        return max(self._different, self.size.p_value(delta)) if delta > 0 else self._different

    def low(self, alpha: float) -> float:
        """See :class:`Evidence`; :data:`MORE_THAN_NOTHING` where the size has no lower bound of its own."""
        return max(self.size.low(alpha), MORE_THAN_NOTHING) if self._different <= alpha else 0.0

    def high(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.size.high(alpha)

    @property
    def _different(self) -> float:
        """p-value of "no difference" by both pieces of evidence."""
        by_size = self.size.p_value(0.0)
        return by_size if np.isnan(self.none) else min(1.0, 2 * min(self.none, by_size))


@dataclass(frozen=True)
class UpperOnly:
    """Evidence of a size of which only the upper bound is to be believed.

    Attributes:
        size: That evidence.
    """

    size: Evidence

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.size.value

    def p_value(self, delta: float) -> float:
        """One: no size is shown."""
        return 1.0

    def low(self, alpha: float) -> float:
        """Zero: no size is shown."""
        return 0.0

    def high(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.size.high(alpha)


@dataclass(frozen=True)
class Adjusted:
    """Evidence of one of several attributes, adjusted for their number (Bonferroni), so that all bounds hold together.

    The smallest p-value is Holm's too. Upper bounds are not adjusted: that all attributes lie within a tolerance is
    shown where each of them is (intersection-union; Berger 1982, "Multiparameter hypothesis testing and acceptance
    sampling").

    Attributes:
        one: Evidence of the attribute.
        of: How many attributes were tested.
    """

    one: Evidence
    of: int

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.one.value

    def p_value(self, delta: float) -> float:
        """See :class:`Evidence`."""
        return min(1.0, self.of * self.one.p_value(delta))

    def low(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.one.low(each_of(alpha, self.of))

    def high(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.one.high(alpha)


def each_of(alpha: float, of: int) -> float:
    """The largest number of which ``of`` are no more than ``alpha``, to the last digit."""
    level = alpha / of
    while of * level > alpha:
        level = float(np.nextafter(level, 0.0))
    while of * float(np.nextafter(level, 1.0)) <= alpha:
        level = float(np.nextafter(level, 1.0))
    return level
