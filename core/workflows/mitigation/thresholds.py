"""A threshold for each group (Hardt, Price and Srebro 2016, "Equality of opportunity in supervised learning")."""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from core.base.errors import SettingsError
from core.base.progress import Progress
from core.language.told import say
from core.workflows.mitigation.networks import Answering, Training
from core.workflows.mitigation.settings import Thresholds


@dataclass(frozen=True)
class GroupThresholds:
    """A model whose decisions depend on the group: a threshold each, or a draw between two or a constant.

    Attributes:
        model: The model that gives the scores, of two classes.
        rules: By group what fairlearn found: the probability of each of two thresholds, and of ignoring the score.
        strength: λ, the probability that an answer is the thresholds' and not the model's own.
    """

    model: Answering
    rules: dict[int, Any]
    strength: float

    def answers_by_group(self, x: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Probability that each class is answered, shape (n, 2), of people with columns ``x`` in groups ``codes``."""
        scores = self.model.answers(x)[:, 1]
        yes = np.zeros(len(scores))
        for group, rule in self.rules.items():
            mine = codes == group
            drawn = sum(rule[f"p{k}"] * rule[f"operation{k}"](scores[mine]) for k in (0, 1))
            ignored = rule.get("p_ignore", 0.0)
            yes[mine] = ignored * rule.get("prediction_constant", 0.0) + (1 - ignored) * drawn
        yes = self.strength * yes + (1 - self.strength) * (scores > 0.5)
        return np.column_stack([1 - yes, yes])


def fit_thresholds(method: Thresholds, training: Training) -> GroupThresholds:
    """The most accurate thresholds on the baseline's scores under which both rates agree among the training rows.

    Raises:
        SettingsError: There are not two classes, or a group has one outcome only.
        CancelledError: ``on_progress`` asked to stop.
    """
    from fairlearn.postprocessing import ThresholdOptimizer

    rows = training.rows
    if rows.classes != 2:
        raise SettingsError(
            say("Thresholds for groups decide between two classes, and the outcome is something else."),
            where=say("method"),
            advice=say("Choose fair dummies, or another method."),
        )
    seen = np.zeros((rows.groups, 2), dtype=bool)
    seen[rows.codes, rows.y] = True
    if not seen.all():
        raise SettingsError(
            say("Among the rows for training a group has one outcome only, so that it has no threshold."),
            where=say("method"),
            advice=say("Bring more rows, merge small groups, or choose another method."),
        )
    training.on_progress(Progress(0.0, training.what))
    scores = training.baseline.answers(rows.x)[:, 1:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ThresholdOptimizer(
            estimator=_Scores(), constraints="equalized_odds", prefit=True, predict_method="predict"
        ).fit(scores, rows.y, sensitive_features=rows.codes)
    training.on_progress(Progress(1.0, training.what))
    rules = {int(group): dict(rule) for group, rule in found.interpolated_thresholder_.interpolation_dict.items()}
    return GroupThresholds(training.baseline, rules, training.strength)


class _Scores(BaseEstimator):  # type: ignore[misc]
    """An estimator that was fitted before: its only column is the score."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> Self:
        return self

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(x)[:, 0]

    def __sklearn_is_fitted__(self) -> bool:
        return True
