"""Certify all subgroups, flag some (Cherian and Candès 2023).

Certified: the upper bound of the excess lies at or below the tolerance; any wrong certificate has probability alpha.
Flagged: the p-values of "the excess is within the tolerance" pass Benjamini and Hochberg's (1995) procedure, as in the
paper: at most a share alpha of the flags is wrong on average. A flag is firm where the lower bound exceeds the
tolerance: any wrong firm flag has probability alpha. Every other subgroup has insufficient evidence.

Benjamini and Hochberg's proof asks for independence or a positive dependence that subgroups, which overlap and exclude
each other, need not have; that the share of wrong flags keeps to alpha was found by simulation
(tests/core/audits/group_fairness/subgroups/test_subgroup_simulations.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.subgroups.scan import SubgroupScan
from core.inference.estimate import Verdict


@dataclass(frozen=True)
class Judgements:
    """What is said about each of s subgroups.

    Attributes:
        low: Lower bounds of the excess, all right together with probability 1 - alpha; shape (s,).
        high: Upper bounds, likewise.
        p_values: Of "the excess is within the tolerance", each on its own; shape (s,).
        flagged: Whether it fares worse than tolerated, shape (s,), bool.
        firm: Whether that is so beyond the doubt about all flags together, shape (s,), bool.
        certified: Whether it fares no worse than tolerated, shape (s,), bool.
    """

    low: np.ndarray
    high: np.ndarray
    p_values: np.ndarray
    flagged: np.ndarray
    firm: np.ndarray
    certified: np.ndarray

    def verdict(self, place: int) -> Verdict:
        """Violation for a flagged subgroup, no violation for a certified one, else insufficient evidence."""
        if self.flagged[place]:
            return Verdict.VIOLATION
        return Verdict.NO_VIOLATION if self.certified[place] else Verdict.INSUFFICIENT


def judge(
    scan: SubgroupScan, tolerance: float, alpha: float, bounds: tuple[np.ndarray, np.ndarray] | None = None
) -> Judgements:
    """Judge every subgroup.

    Args:
        scan: The subgroups.
        tolerance: Excess that is tolerated: a share of people, or of everybody's mean harm.
        alpha: Error rate of the lower bounds, of the upper bounds, and share of wrong flags.
        bounds: The bounds at ``alpha``, where they are known already.
    """
    from scipy.stats import false_discovery_control

    delta = tolerance * scan.scale
    low, high = bounds or scan.bounds(alpha)
    p_values = scan.p_values(delta)
    firm = low > delta
    found = false_discovery_control(p_values, method="bh") <= alpha if len(scan) else np.zeros(0, dtype=bool)
    return Judgements(low, high, p_values, found | firm, firm, high <= delta)
