"""Metrics of every group of a family, by the functions of fairlearn and scikit-learn."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels
from core.audits.group_fairness.table import GroupMeasure, shares
from core.inference.clusters import spread_of_one
from core.inference.counted import median


def by_group(
    metrics: Mapping[str, Callable[..., Any]], true: np.ndarray, predicted: np.ndarray, family: Family
) -> dict[str, np.ndarray]:
    """Each metric in each group, shape (g,), float64; NaN in groups with too few people to be judged.

    What fairlearn's ``MetricFrame`` says, to the last digit; that takes five times as long for 50,000 people in 54
    groups.

    Args:
        metrics: Functions of (y_true, y_pred), by name.
        true: Outcome of each person, shape (n,).
        predicted: Answer for each person, shape (n,).
        family: The groups.
    """
    found = {name: np.full(len(family.groups), np.nan) for name in metrics}
    order = np.argsort(family.codes, kind="stable")
    ends = np.searchsorted(family.codes[order], np.arange(len(family.groups) + 1))
    for g in np.flatnonzero(family.judged):
        rows = order[ends[g] : ends[g + 1]]
        weights = {} if family.times is None else {"sample_weight": family.times[rows]}
        for name, metric in metrics.items():
            found[name][g] = metric(true[rows], predicted[rows], **weights)
    return found


def members(values: np.ndarray, family: Family) -> list[np.ndarray]:
    """The values of each group's rows, g arrays."""
    return [values[family.codes == group] for group in range(len(family.groups))]


def times_of(family: Family) -> list[np.ndarray] | None:
    """How many people each of these rows stands for, g arrays; None where each is a person."""
    return None if family.times is None else members(family.times, family)


def rows_with(condition: np.ndarray, family: Family) -> np.ndarray:
    """People of each group of whom ``condition``, shape (n,), bool, is true; shape (g,), int64."""
    rows = condition & (family.codes >= 0)
    times = None if family.times is None else family.times[rows]
    return np.bincount(family.codes[rows], times, len(family.groups)).astype(np.int64)


def effects_of(values: np.ndarray, family: Family, among: np.ndarray | None = None) -> np.ndarray | None:
    """How many rows of each group say as much about a mean as one that stands alone, shape (g,), at least 1.

    Args:
        values: What the mean is of, shape (n,).
        family: The groups; None is given where their rows stand alone.
        among: The people the mean is over, shape (n,), bool; everybody if None.
    """
    if family.clusters is None:
        return None
    effects = np.ones(len(family.groups))
    for g in range(len(family.groups)):
        rows = family.codes == g
        rows = np.flatnonzero(rows if among is None else rows & among)
        own = values[rows].astype(np.float64)
        if len(rows) > 1 and own.std() > 0:
            effects[g] = max(1.0, (spread_of_one(own, family.clusters[rows]) / own.std(ddof=1)) ** 2)
    return effects


def scoring_rate(family: Family, scores: np.ndarray, levels: SignificanceLevels) -> GroupMeasure:
    """The share of each group with a score above the median of the whole sample (6 RCNY § 5-300).

    The median is taken as given: intervals are about the share above this number.

    Args:
        family: The groups.
        scores: Score or predicted number of each person, shape (n,).
        levels: How often intervals may miss.
    """
    from fairlearn.metrics import selection_rate

    above = (scores > median(scores, family.times)).astype(np.int64)
    values = by_group({"rate": selection_rate}, above, above, family)["rate"]
    return shares("scoring rate", values, family.rows, levels, effects=effects_of(above, family))
