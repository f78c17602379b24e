"""What a comparison found: the baseline and one for each strength, tried on the same rows."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.base.files import FileRef
from core.claims import Claim
from core.language.told import say, say_as
from core.result import AbstractResult

PARTS = ("training", "held out", "test")  # verbatim
BASELINE = "plain"
"""What records and files call the baseline, as those written before do."""


@dataclass(frozen=True)
class TriedModel:
    """One model.

    Attributes:
        strength: λ; NaN for the baseline.
        losses: Mean loss in each part, of everybody and of each group, shape (3, 1 + g): the share of wrong answers, or
            the mean squared error of numbers; NaN without rows.
        each: Loss of each of the t people of the test part, shape (t,), in the same order for every model; where an
            answer is drawn among several models, the probability that it is wrong.
        p_value: Of "no difference between groups with the same outcome": of the fair-dummies test on the test part,
            and of the gap too where the test is exact, twice the smaller of both.
        p_error: Its Monte-Carlo standard error, of the fair-dummies test.
        gap: The largest difference between groups among people with the same outcome, on the rows held out
            and those of the test part.
        constant: Whether everybody in the test part gets the same answer.
        coverage: Share of the test part in its prediction set, by group, shape (g,); NaN without people.
        sizes: Mean size of the set, or width of the interval, by group, shape (g,); infinite where a group is too small
            to calibrate.
        model: The model's file; None where it cannot be one.
        why_not: Why there is no file; empty if there is one.
        table: Of a model without a file: the rows that no model was fitted to, with its answers.
        similar: How much worse similar people fare, by the gradient-flow test on rows no model was fitted to; None
            where the method does not ask who is similar, or there is no file.
        unlike: By how much the answers to a person and to the most similar one differ, on average of these rows: the
            share of probability that moves, or the difference of numbers; NaN where the method does not ask.
    """

    strength: float
    losses: np.ndarray
    each: np.ndarray
    p_value: float
    p_error: float
    gap: EqualizedOddsGap
    constant: bool
    coverage: np.ndarray
    sizes: np.ndarray
    model: FileRef | None
    why_not: str
    table: FileRef | None = None
    similar: Claim | None = None
    unlike: float = math.nan

    @property
    def is_baseline(self) -> bool:
        """Whether it is the baseline."""
        return math.isnan(self.strength)


@dataclass(frozen=True, kw_only=True)
class MitigationResult(AbstractResult):
    """Everything a comparison found; its data are about the test part.

    Attributes:
        attribute: The protected attribute.
        groups: Its groups, length g.
        classes: The outcome's classes; empty where it is a number.
        rows: People in each part, everybody and each group, shape (3, 1 + g), int.
        spread: Standard deviation of the outcome in the test part, where it is a number; NaN for classes.
        fits: The baseline first, then by rising strength.
        exact: Whether the test permutes groups within classes; otherwise it rests on densities of the outcome.
    """

    attribute: str
    groups: tuple[str, ...]
    classes: tuple[str, ...]
    rows: np.ndarray
    spread: float
    fits: tuple[TriedModel, ...]
    exact: bool

    @property
    def measure(self) -> Literal["share of wrong answers", "RMSE"]:
        """How errors are measured."""
        return "share of wrong answers" if self.classes else "RMSE"

    def errors(self, fit: TriedModel) -> np.ndarray:
        """Errors of a model in each part, of everybody and of each group, shape (3, 1 + g), in the measure's unit."""
        return fit.losses if self.classes else np.sqrt(fit.losses)

    def cost(self, fit: TriedModel) -> tuple[float, float]:
        """What a model's mean loss on the test part exceeds the baseline's by, and the standard error of that.

        Both models are tried on the same people, so the error comes from the differences of their losses.
        """
        differences = fit.each - self.fits[0].each
        return float(differences.mean()), float(differences.std(ddof=1) / math.sqrt(len(differences)))


def name_of_part(part: str) -> str:
    """What people call one of :data:`PARTS`."""
    return {"training": say("training"), "held out": say("held out"), "test": say_as("rows", "test")}[part]  # verbatim
