"""What the verdict on one attribute rests on, whatever is measured: shares of people, or means in the outcome's units.

The largest difference between its groups has a lower bound, an upper bound, and the p-value of "it is at most the
tolerance". That it is more than nothing can be shown without saying how large it is: by the fair dummies, which see any
dependence that r̂ can learn. Both pieces of evidence are joined by a closed test (Marcus, Peritz and Gabriel 1976, "On
closed testing procedures with special reference to ordered analysis of variance"). "No difference" implies every "at
most the tolerance", so a tolerance is exceeded only where "no difference" is rejected too: by either piece, at half of
the error rate each (Bonferroni). Each p-value is then valid, and none decreases as the tolerance grows.
"""

from dataclasses import dataclass

import numpy as np

from core.inference.evidence import Evidence

MORE_THAN_NOTHING = float(np.nextafter(0.0, 1.0))
"""Lower bound of a difference that is there, but may be as small as one likes."""


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

    def lower_bound(self, alpha: float) -> float:
        """See :class:`Evidence`; :data:`MORE_THAN_NOTHING` where the size has no lower bound of its own."""
        return max(self.size.lower_bound(alpha), MORE_THAN_NOTHING) if self._different <= alpha else 0.0

    def upper_bound(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.size.upper_bound(alpha)

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

    def lower_bound(self, alpha: float) -> float:
        """Zero: no size is shown."""
        return 0.0

    def upper_bound(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.size.upper_bound(alpha)
