"""What a comparison found: the baseline and one for each strength, tried on the same rows."""

import math
from dataclasses import dataclass, field, replace
from typing import Literal, Self

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
        each: Loss of each of the t people of the test part, shape (t,), in the same order for every model.
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
        method: The kind of the method; empty for the baseline.
        answers: What it answers those held out and then the t people of the test part: class probabilities, shape
            (u, k), or numbers, shape (u, 1), float64. An answer that is drawn was drawn once, and is 0 or 1.
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
    method: str = ""
    answers: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def is_baseline(self) -> bool:
        """Whether it is the baseline."""
        return math.isnan(self.strength)


@dataclass(frozen=True)
class Splits:
    """What every model shows over random splits of the rows, of which the first is the one that is told in full.

    Attributes:
        measures: What is measured, names of :data:`core.workflows.mitigation.splits.MEASURES`.
        values: Shape (splits, models, measures), float64; NaN where it is not known.
        failed: Why splits that are not among them could not be tried, one sentence each.
    """

    measures: tuple[str, ...]
    values: np.ndarray
    failed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class MitigationResult(AbstractResult):
    """Everything a comparison found; its data are about the test part.

    Attributes:
        attribute: The protected attribute.
        groups: Its groups, length g.
        classes: The outcome's classes; empty where it is a number.
        rows: People in each part, everybody and each group, shape (3, 1 + g), int.
        spread: Standard deviation of the outcome in the test part, where it is a number; NaN for classes.
        fits: The baseline first, then method by method, by rising strength.
        exact: Whether the test permutes groups within classes; otherwise it rests on densities of the outcome.
        favourable: Index of the favourable class; -1 without one.
        outcome: Class, as an index, or number of each person of the test part, shape (t,), float64.
        codes: Their groups, shape (t,), int.
        splits: What repeated splits show; None of a single one.
    """

    attribute: str
    groups: tuple[str, ...]
    classes: tuple[str, ...]
    rows: np.ndarray
    spread: float
    fits: tuple[TriedModel, ...]
    exact: bool
    favourable: int = -1
    outcome: np.ndarray = field(default_factory=lambda: np.empty(0))
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    splits: Splits | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The kinds of the methods that were tried, in order."""
        return tuple(dict.fromkeys(fit.method for fit in self.fits if not fit.is_baseline))

    def of_method(self, method: str) -> tuple[TriedModel, ...]:
        """The models of a method that tell people apart, by rising strength."""
        return tuple(fit for fit in self.fits[1:] if fit.method == method and not fit.constant)

    def only(self, method: str) -> Self:
        """The baseline and the models of one method."""
        return replace(self, fits=tuple(fit for fit in self.fits if fit.is_baseline or fit.method == method))

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
