"""Predicted numbers by group: how large they are, and how far they miss."""

from typing import Any, Literal, get_args

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels, families
from core.audits.group_fairness.metrics import by_group, effects_of, members, scoring_rate, times_of
from core.audits.group_fairness.table import (
    GroupMeasure,
    GroupTable,
    LargestDifference,
    Name,
    difference,
    impact,
    means,
    root,
)
from core.data.attribute import Attribute

_Compared = Literal["mean prediction", "mean error", "RMSE", "mean absolute error", "scoring rate"]
_COMPARED: tuple[_Compared, ...] = get_args(_Compared)


def number_tables(
    outcome: np.ndarray,
    predicted: np.ndarray,
    attributes: tuple[Attribute, ...],
    alpha: float,
    *,
    clusters: np.ndarray | None = None,
    times: np.ndarray | None = None,
) -> tuple[GroupTable, ...]:
    """How predicted numbers lie and err in the groups of each attribute, and of every two.

    Mean prediction and outcome, mean error (prediction less outcome), RMSE, mean absolute error, the scoring rate and
    its impact ratio.

    Args:
        outcome: True number of each person, shape (n,), finite.
        predicted: Predicted number, shape (n,), finite.
        attributes: Protected attributes of the n people.
        alpha: A group's own interval misses with this probability, and so does any of a measure's comparisons in all
            families.
        clusters: Which rows belong together, codes, shape (n,), int; None where each row stands alone.
        times: People that each row stands for, shape (n,), int64; one each if None.
    """
    found = families(attributes, clusters, times)
    levels = SignificanceLevels.of(found, alpha)
    tables = []
    for family in found:
        measures: dict[Name, GroupMeasure] = {one.name: one for one in _measures(family, outcome, predicted, levels)}
        gaps: tuple[LargestDifference, ...] = tuple(difference(name, measures[name], family) for name in _COMPARED)
        tables.append(GroupTable(family, tuple(measures.values()), (impact(measures["scoring rate"], family),), gaps))
    return tuple(tables)


def _measures(
    family: Family, outcome: np.ndarray, predicted: np.ndarray, levels: SignificanceLevels
) -> tuple[GroupMeasure, ...]:
    from fairlearn.metrics import mean_prediction
    from sklearn.metrics import mean_absolute_error, mean_squared_error

    error = predicted - outcome
    metrics = {"prediction": mean_prediction, "squared": mean_squared_error, "absolute": mean_absolute_error}
    values = by_group(metrics, outcome, predicted, family)
    outcomes, errors = (by_group({"mean": mean_prediction}, outcome, one, family)["mean"] for one in (outcome, error))
    positive = (0.0, np.inf)

    def mean(name: Name, found: np.ndarray, one: np.ndarray, **kind: Any) -> GroupMeasure:
        return means(
            name, found, members(one, family), levels, effects=effects_of(one, family), times=times_of(family), **kind
        )

    return (
        scoring_rate(family, predicted, levels),
        mean("mean prediction", values["prediction"], predicted),
        mean("mean outcome", outcomes, outcome),
        mean("mean error", errors, error),
        root(mean("RMSE", values["squared"], error**2, within=positive)),
        mean("mean absolute error", values["absolute"], np.abs(error), within=positive),
    )
