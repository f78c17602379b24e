"""What the verdict on one attribute rests on, whatever is measured: shares of people, or means in the outcome's units.

The largest difference between its groups has a lower bound, an upper bound, and the p-value of "it is at most the
tolerance". That it is more than nothing can be shown without saying how large it is: by the fair dummies, which see any
dependence that r̂ can learn. Both pieces of evidence are joined by a closed test (Marcus, Peritz and Gabriel 1976, "On
closed testing procedures with special reference to ordered analysis of variance"). "No difference" implies every "at
most the tolerance", so a tolerance is exceeded only where "no difference" is rejected too: by either piece, at half of
the error rate each (Bonferroni). Each p-value is then valid, and none decreases as the tolerance grows.
"""

import math
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
        only_above: Whether only the size's upper bound is to be believed: no size is shown.
    """

    size: Evidence
    none: float = math.nan
    only_above: bool = False

    @property
    def value(self) -> float:
        """See :class:`Evidence`."""
        return self.size.value

    def p_value(self, delta: float) -> float:
        """See :class:`Evidence`."""
        return max(self._different, self._larger(delta)) if delta > 0 else self._different

    def lower_bound(self, alpha: float) -> float:
        """See :class:`Evidence`; :data:`MORE_THAN_NOTHING` where the size has no lower bound of its own."""
        own = 0.0 if self.only_above else self.size.lower_bound(alpha)
        return max(own, MORE_THAN_NOTHING) if self._different <= alpha else 0.0

    def upper_bound(self, alpha: float) -> float:
        """See :class:`Evidence`."""
        return self.size.upper_bound(alpha)

    @property
    def _different(self) -> float:
        """p-value of "no difference" by both pieces of evidence."""
        by_size = self._larger(0.0)
        return by_size if math.isnan(self.none) else min(1.0, 2 * min(self.none, by_size))

    def _larger(self, delta: float) -> float:
        """p-value of "it is at most ``delta``" by the size alone."""
        return 1.0 if self.only_above else self.size.p_value(delta)
