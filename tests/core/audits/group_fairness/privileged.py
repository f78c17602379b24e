"""Two groups of which one is privileged: the signed differences that the FaiTH paper's Table 1 shows."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import accuracy_score, recall_score

from core.audits.group_fairness.decisions import Rates
from core.audits.group_fairness.families import Family


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
    codes = privileged.astype(np.int64)
    family = Family(("privileged",), (("no",), ("yes",)), codes, np.bincount(codes, minlength=2), fewest=1)
    rates = Rates.of(family, outcome, decision)
    selection, true, false = (
        float(values[0] - values[1]) for values in (rates.among_all[0], rates.among_good[0], rates.among_bad[0])
    )
    return SignedDifferences(
        average_odds_difference=(true + false) / 2,
        equal_opportunity_difference=true,
        statistical_parity_difference=selection,
        accuracy=float(accuracy_score(outcome, decision)),
        balanced_accuracy=float(recall_score(outcome, decision, labels=np.unique(outcome), average="macro")),
    )
