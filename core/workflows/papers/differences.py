"""Two groups of which one is privileged: accuracy and the signed differences that papers print."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SignedDifferences:
    """How decisions differ between two groups; every difference is unprivileged minus privileged.

    Below zero the unprivileged group fares worse. That is the sign of the AIF360 toolkit and of Table 1 of
    papers/faith.md; fairlearn's own differences are the largest minus the smallest group and have no sign.

    Attributes:
        average_odds_difference: Mean of the differences in true- and false-positive rate; a positive is a favourable
            decision. NaN where a group has nobody with one of the outcomes.
        equal_opportunity_difference: Difference in true-positive rate: favourable decisions among people whose outcome
            is favourable. NaN where a group has none.
        statistical_parity_difference: Difference in the share of favourable decisions.
        accuracy: Share of right decisions.
        balanced_accuracy: Mean over the outcomes that occur of the share of right decisions.
    """

    average_odds_difference: float
    equal_opportunity_difference: float
    statistical_parity_difference: float
    accuracy: float
    balanced_accuracy: float


def against_privileged(outcome: np.ndarray, decision: np.ndarray, privileged: np.ndarray) -> SignedDifferences:
    """Compare the decisions for two groups, however small.

    Args:
        outcome: Whether each person's true outcome is favourable; shape (n,), bool.
        decision: Whether each person's decision is favourable; shape (n,), bool.
        privileged: Whether each person belongs to the privileged group; shape (n,), bool. Neither group is empty.
    """

    def apart(among: np.ndarray) -> float:
        return _share(decision[among & ~privileged]) - _share(decision[among & privileged])

    good, bad = apart(outcome), apart(~outcome)
    right = outcome == decision
    return SignedDifferences(
        average_odds_difference=(good + bad) / 2,
        equal_opportunity_difference=good,
        statistical_parity_difference=apart(np.ones_like(outcome)),
        accuracy=_share(right),
        balanced_accuracy=float(np.mean([_share(right[outcome == one]) for one in np.unique(outcome)])),
    )


def _share(values: np.ndarray) -> float:
    return float(values.mean()) if values.size else float("nan")
