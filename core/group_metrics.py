"""Group fairness of decisions, by fairlearn: what the FaiTH paper's Table 1 shows beside its statistic."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from core.errors import DataError


@dataclass(frozen=True)
class GroupMetrics:
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


def group_metrics(outcome: np.ndarray, decision: np.ndarray, privileged: np.ndarray) -> GroupMetrics:
    """Compare the decisions for two groups.

    Args:
        outcome: Whether each person's true outcome is favourable; shape (n,), bool.
        decision: Whether each person's decision is favourable; shape (n,), bool.
        privileged: Whether each person belongs to the privileged group; shape (n,), bool.

    Raises:
        DataError: A group has no people.
    """
    from fairlearn.metrics import (  # type: ignore[import-untyped]
        MetricFrame,
        false_positive_rate,
        selection_rate,
        true_positive_rate,
    )
    from sklearn.metrics import recall_score

    if privileged.all() or not privileged.any():
        raise DataError(
            "One of the two groups has no people, so nothing can be compared.",
            advice="Choose another group as the privileged one, or bring rows of both.",
        )
    true, decided = outcome.astype(np.int64), decision.astype(np.int64)
    metrics = {
        "selection": selection_rate,
        "true positive": partial(true_positive_rate, pos_label=1),
        "false positive": partial(false_positive_rate, pos_label=1),
    }
    frame = MetricFrame(metrics=metrics, y_true=true, y_pred=decided, sensitive_features=privileged.astype(np.int64))
    by_group = frame.by_group.astype(np.float64)
    for group in (0, 1):
        members = true[privileged == bool(group)]
        if not members.any():
            by_group.loc[group, "true positive"] = np.nan
        if members.all():
            by_group.loc[group, "false positive"] = np.nan
    difference = by_group.loc[0] - by_group.loc[1]
    return GroupMetrics(
        average_odds_difference=float((difference["true positive"] + difference["false positive"]) / 2),
        equal_opportunity_difference=float(difference["true positive"]),
        statistical_parity_difference=float(difference["selection"]),
        accuracy=float((true == decided).mean()),
        balanced_accuracy=float(recall_score(true, decided, labels=np.unique(true), average="macro")),
    )
