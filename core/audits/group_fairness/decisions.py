"""Decisions by group: selection rates, impact ratios, errors, and the differences fairlearn names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels, families
from core.audits.group_fairness.metrics import by_group, effects_of, means, rows_with, scoring_rate
from core.audits.group_fairness.table import (
    GroupMeasure,
    GroupTable,
    LargestDifference,
    average,
    balanced,
    difference,
    impact,
    larger,
    shares,
)
from core.data.attribute import Attribute
from core.models.answered import Answered


def decision_tables(answered: Answered, attributes: tuple[Attribute, ...], alpha: float) -> tuple[GroupTable, ...]:
    """How decisions fall and err in the groups of each attribute, and of every two.

    Values are fairlearn's; a rate among people of whom there are none, which fairlearn calls 0, is NaN. With a
    favourable class: selection rate and impact ratio, true- and false-positive rate, predictive values, mean score and
    outcome. With more than two classes: the selection rate of each. Always: accuracy and balanced accuracy. Without
    outcomes the rates that ask for none remain: selection and scoring rate and their impact ratios. Of decisions
    without probabilities there is no scoring rate.

    Args:
        answered: What n people were answered, classes.
        attributes: Protected attributes of the n people.
        alpha: A group's own interval misses with this probability, and so does any of a measure's comparisons in all
            families.
    """
    found = families(attributes, answered.sampling)
    levels = SignificanceLevels.of(found, alpha)
    outcome, decisions = answered.outcome.astype(np.int64), answered.decisions
    known = bool((outcome >= 0).all())
    tables = []
    for family in found:
        measures: list[GroupMeasure] = []
        gaps: list[LargestDifference] = []
        impacts = []
        if known:
            accuracy, of_outcomes = _accuracies(family, outcome, decisions, levels)
            measures += [accuracy, of_outcomes]
            gaps += [
                difference("accuracy", accuracy, family),
                difference("balanced accuracy", of_outcomes, family),
            ]
        if (favourable := answered.favourable) >= 0:
            good, chosen, scores = outcome == favourable, decisions == favourable, answered.answers[:, favourable]
            rates = Rates.of(family, good, chosen)
            selection = rates.selection(levels)
            predictive = _predictive_values(family, good, chosen, levels) if known else ()
            measures = [selection, *(rates.odds(levels) if known else ()), *predictive, *measures]
            odds = _odds(family, rates, levels) if known else ()
            gaps = [difference("statistical parity", selection, family), *odds, *gaps]
            impacts.append(impact(selection, family))
            if not np.isin(scores, (0.0, 1.0)).all():
                rate = scoring_rate(family, scores, levels)
                measures += [rate, *(_calibration(family, good, scores, levels) if known else ())]
                gaps.append(difference("scoring rate", rate, family))
                impacts.append(impact(rate, family))
        if len(answered.classes) > 2:
            measures += _selection_of_each(family, decisions, answered.classes, levels)
        tables.append(GroupTable(family, tuple(measures), tuple(impacts), tuple(gaps)))
    return tuple(tables)


@dataclass(frozen=True)
class Rates:
    """Shares of favourable decisions by group: among all, among those with a favourable outcome, and among the rest.

    Each is a pair of the shares, shape (g,), NaN where there are no rows, and the rows they are shares of, shape (g,).
    """

    among_all: tuple[np.ndarray, np.ndarray]
    among_good: tuple[np.ndarray, np.ndarray]
    among_bad: tuple[np.ndarray, np.ndarray]
    effects: tuple[np.ndarray | None, ...]

    @classmethod
    def of(cls, family: Family, good: np.ndarray, chosen: np.ndarray) -> Rates:
        """Of people whose outcome is favourable or not, and who are decided favourably or not; shape (n,), bool."""
        from fairlearn.metrics import false_positive_rate, selection_rate, true_positive_rate

        metrics = {
            "all": selection_rate,
            "good": partial(true_positive_rate, pos_label=1),
            "bad": partial(false_positive_rate, pos_label=1),
        }
        found = by_group(metrics, good.astype(np.int64), chosen.astype(np.int64), family)
        with_good, with_bad = rows_with(good, family), rows_with(~good, family)
        return cls(
            (found["all"], family.rows),
            (np.where(with_good > 0, found["good"], np.nan), with_good),
            (np.where(with_bad > 0, found["bad"], np.nan), with_bad),
            tuple(effects_of(chosen, family, among) for among in (None, good, ~good)),
        )

    def selection(self, levels: SignificanceLevels) -> GroupMeasure:
        """The share of favourable decisions."""
        return shares("selection rate", *self.among_all, levels, effects=self.effects[0])

    def odds(self, levels: SignificanceLevels) -> tuple[GroupMeasure, GroupMeasure]:
        """True- and false-positive rate."""
        return (
            shares("true-positive rate", *self.among_good, levels, effects=self.effects[1]),
            shares("false-positive rate", *self.among_bad, levels, effects=self.effects[2]),
        )


def _odds(family: Family, rates: Rates, levels: SignificanceLevels) -> tuple[LargestDifference, ...]:
    """Equal opportunity, and what is made of the differences of both rates, each of which takes half the error."""
    true, false = rates.odds(levels)
    half_true, half_false = (difference("equal opportunity", one, family) for one in rates.odds(levels.shared(2)))
    return (
        difference("equal opportunity", true, family),
        difference("false-positive rate", false, family),
        average("average odds", half_true, half_false),
        larger("equalized odds", half_true, half_false),
    )


def _predictive_values(
    family: Family, good: np.ndarray, chosen: np.ndarray, levels: SignificanceLevels
) -> tuple[GroupMeasure, GroupMeasure]:
    """Shares with a favourable outcome among people decided favourably, and with another among the others."""
    found = []
    for right, decided in ((good & chosen, chosen), (~good & ~chosen, ~chosen)):
        rows = rows_with(decided, family)
        found.append((np.where(rows > 0, rows_with(right, family) / np.maximum(rows, 1), np.nan), rows))
    positive, negative = found
    return (
        shares("positive predictive value", *positive, levels, effects=effects_of(good, family, chosen)),
        shares("negative predictive value", *negative, levels, effects=effects_of(good, family, ~chosen)),
    )


def _accuracies(
    family: Family, outcome: np.ndarray, decisions: np.ndarray, levels: SignificanceLevels
) -> tuple[GroupMeasure, GroupMeasure]:
    from sklearn.metrics import accuracy_score, recall_score

    occur = np.unique(outcome)
    metrics = {
        "accuracy": accuracy_score,
        "balanced": partial(recall_score, labels=occur, average="macro", zero_division=0),
    }
    found = by_group(metrics, outcome, decisions, family)
    right = np.stack([rows_with((outcome == k) & (decisions == k), family) for k in occur], axis=1)
    rows = np.stack([rows_with(outcome == k, family) for k in occur], axis=1)
    effects = effects_of(outcome == decisions, family)
    return (
        shares("accuracy", found["accuracy"], family.rows, levels, effects=effects),
        balanced(found["balanced"], right, rows, levels, effects=effects),
    )


def _calibration(
    family: Family, good: np.ndarray, scores: np.ndarray, levels: SignificanceLevels
) -> tuple[GroupMeasure, ...]:
    """Mean probability of the favourable class, share with a favourable outcome, and the first less the second."""
    from fairlearn.metrics import mean_prediction

    observed = good.astype(np.float64)
    error = scores - observed
    found = by_group({"mean": mean_prediction}, observed, scores, family)["mean"]
    outcomes = by_group({"mean": mean_prediction}, observed, observed, family)["mean"]
    errors = by_group({"mean": mean_prediction}, observed, error, family)["mean"]
    return (
        means("mean prediction", found, scores, family, levels, within=(0.0, 1.0)),
        shares("mean outcome", outcomes, family.rows, levels, effects=effects_of(observed, family)),
        means("mean error", errors, error, family, levels, within=(-1.0, 1.0)),
    )


def _selection_of_each(
    family: Family, decisions: np.ndarray, classes: tuple[str, ...], levels: SignificanceLevels
) -> list[GroupMeasure]:
    """The share that is decided for each class; comparisons hold together for all classes."""
    from fairlearn.metrics import selection_rate

    metrics = {str(k): partial(selection_rate, pos_label=k) for k in range(len(classes))}
    found = by_group(metrics, decisions, decisions, family)
    return [
        shares(
            "selection rate",
            found[str(k)],
            family.rows,
            levels.shared(len(classes)),
            of=name,
            effects=effects_of(decisions == k, family),
        )
        for k, name in enumerate(classes)
    ]
