"""How many rows a test needs, and what a test with these rows can find (normal approximation)."""

import math

from core.base.thresholds import FEWEST_ROWS, POWER


def rows_needed(excess: float, spread: float, alpha: float, power: float) -> int:
    """Rows needed to reject value <= delta with probability ``power`` when the true value is delta + ``excess``.

    Args:
        excess: How far the true value lies above delta; positive.
        spread: Standard deviation of one row's contribution, V_n.
        alpha: Error rate of the one-sided test.
        power: Probability of finding the violation.
    """
    return max(2, math.ceil((_sum_of_quantiles(alpha, power) * spread / excess) ** 2))


def detectable_excess(standard_error: float, alpha: float, power: float) -> float:
    """The smallest excess over delta that a test with this standard error finds with probability ``power``."""
    return _sum_of_quantiles(alpha, power) * standard_error


class PilotOfOneMean:
    """What rows tried before a run say of the rows that a test with one mean needs.

    Attributes:
        spread: Standard deviation of one row's contribution.
        audited: Rows of the whole test.
    """

    spread: float
    audited: int

    def rows_needed(self, excess: float, alpha: float, power: float = POWER) -> int:
        """Rows needed to find a violation whose true value lies ``excess`` above the tolerance; at least 30."""
        return max(FEWEST_ROWS, rows_needed(excess, self.spread, alpha, power))

    def detectable(self, delta: float, alpha: float, power: float = POWER) -> float:
        """The smallest true value that the test's own rows will find in violation with this probability."""
        return delta + detectable_excess(self.spread / self.audited**0.5, alpha, power)


def _sum_of_quantiles(alpha: float, power: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(1 - alpha) + ndtri(power))
