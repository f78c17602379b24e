"""The p-value of a Monte-Carlo test."""

from typing import SupportsInt


def monte_carlo_p(as_extreme: SupportsInt, draws: int) -> float:
    """(1 + k) / (B + 1): the observed value counts as one of the draws, so that the test is valid for any B.

    Phipson and Smyth (2010), "Permutation p-values should never be zero"; Davison and Hinkley (1997), section 4.2.1.

    Args:
        as_extreme: k, draws at least as extreme as what was observed.
        draws: B, all draws.
    """
    return (1 + int(as_extreme)) / (draws + 1)
