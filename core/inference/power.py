"""How many rows a test needs, and what a test with these rows can find (normal approximation)."""

import math


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


def _sum_of_quantiles(alpha: float, power: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(1 - alpha) + norm.ppf(power))
