"""Predicted numbers by group: how large they are, and how far they miss."""

from typing import Literal, get_args

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels, families
from core.audits.group_fairness.metrics import by_group, means, scoring_rate
from core.audits.group_fairness.table import (
    GroupMeasure,
    GroupTable,
    Impact,
    Name,
    difference,
    impact,
    root,
)
from core.data.attribute import Attribute
from core.data.roles import GoodEnd
from core.models.answered import Answered

_Compared = Literal["mean prediction", "mean error", "RMSE", "mean absolute error", "scoring rate"]
_COMPARED: tuple[_Compared, ...] = get_args(_Compared)


def number_tables(
    answered: Answered, attributes: tuple[Attribute, ...], alpha: float, good_end: GoodEnd
) -> tuple[GroupTable, ...]:
    """How predicted numbers lie and err in the groups of each attribute, and of every two.

    Mean prediction and outcome, mean error (prediction less outcome), RMSE and mean absolute error; where it is said
    which end is good, the scoring rate and its impact ratio.

    Args:
        answered: What n people were answered, numbers.
        attributes: Protected attributes of the n people.
        alpha: A group's own interval misses with this probability, and so does any of a measure's comparisons in all
            families.
        good_end: Which end of the numbers is good for people.
    """
    found, outcome, predicted = families(attributes, answered.sampling), answered.outcome, answered.answers[:, 0]
    levels = SignificanceLevels.of(found, alpha)
    tables = []
    for family in found:
        measures: dict[Name, GroupMeasure] = {one.name: one for one in _measures(family, outcome, predicted, levels)}
        impacts: tuple[Impact, ...] = ()
        if good_end != "not said":
            rate = scoring_rate(family, predicted if good_end == "high" else -predicted, levels)
            measures, impacts = {rate.name: rate, **measures}, (impact(rate, family),)
        gaps = tuple(difference(name, measures[name], family) for name in _COMPARED if name in measures)
        tables.append(GroupTable(family, tuple(measures.values()), impacts, gaps))
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
    return (
        means("mean prediction", values["prediction"], predicted, family, levels),
        means("mean outcome", outcomes, outcome, family, levels),
        means("mean error", errors, error, family, levels),
        root(means("RMSE", values["squared"], error**2, family, levels, within=positive)),
        means("mean absolute error", values["absolute"], np.abs(error), family, levels, within=positive),
    )
