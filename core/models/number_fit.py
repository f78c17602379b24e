"""How well predicted numbers fit an outcome that is a number."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.base.errors import Caveat
from core.language.phrases import number, precision
from core.language.told import say

LEAST_EXPLAINED = 0.1
"""Rescaled predictions count as doing better where they explain at least this share of the outcome's variance. In 30
rows without any connection a tenth is explained in 9 of 100 tables."""


@dataclass(frozen=True)
class NumberFit:
    """How far predicted numbers are from the outcome; all NaN for a model that answers with classes.

    Attributes:
        error: Root mean squared error, in the outcome's units.
        spread: The outcome's standard deviation (divisor n): the error of always answering its mean.
        correlation: Of outcome and prediction; NaN where everybody is predicted the same number.
    """

    error: float = float("nan")
    spread: float = float("nan")
    correlation: float = float("nan")

    @property
    def explained(self) -> float:
        """R²: one minus the share of the variance that is left, below 0 where always answering the mean does better.

        NaN where the outcome does not vary.
        """
        return 1 - (self.error / self.spread) ** 2 if self.spread > 0 else float("nan")

    @property
    def rescaled_error(self) -> float:
        """Root mean squared error of the best line through the predictions, a + b times each; NaN if they are equal."""
        return float(self.spread * np.sqrt(max(0.0, 1 - self.correlation**2)))

    def caveats(self, rows: str) -> Iterator[Caveat]:
        """What speaks against the predictions.

        Args:
            rows: Which rows these are ("the audited rows"), as said after "in" or "on".
        """
        if self.spread > 0 and np.isnan(self.correlation):
            yield Caveat(
                "warning",
                say("The model predicts the same number for everybody in {rows}.", rows=rows),
                say("Check the preprocessing: where there are no differences, no test can find any."),
            )
        if self.error > self.spread:
            yield self._worse_than_mean(rows)

    def _worse_than_mean(self, rows: str) -> Caveat:
        decimals = precision(self.spread, self.error)
        better = self.correlation > 0 and self.correlation**2 >= LEAST_EXPLAINED
        off = {"rows": rows, "error": number(self.error, decimals), "spread": number(self.spread, decimals)}
        text = (
            say(
                "On {rows} the predictions are off by {error} (root mean squared error); always answering the "
                "outcome's mean would be off by {spread}, the same predictions shifted and rescaled by "
                "{rescaled_error}.",
                **off,
                rescaled_error=number(self.rescaled_error),
            )
            if better
            else say(
                "On {rows} the predictions are off by {error} (root mean squared error); always answering the "
                "outcome's mean would be off by {spread}.",
                **off,
            )
        )
        return Caveat(
            "serious" if better else "warning",
            text,
            say(
                "Check that the model predicts the outcome in its own units, and check the preprocessing: against a "
                "wrong outcome the result means nothing."
            ),
        )


def compare_numbers(true: np.ndarray, predicted: np.ndarray) -> NumberFit:
    """How far predictions are from the outcome; all NaN for no rows.

    Args:
        true: Outcome of each row, shape (n,), finite.
        predicted: Prediction of each row in the same units, shape (n,), finite.
    """
    if not len(true):
        return NumberFit()
    around, answers = true - true.mean(), predicted - predicted.mean()
    spread, width = _root_mean_square(around), _root_mean_square(answers)
    constant = bool((true == true[0]).all() or (predicted == predicted[0]).all())
    correlation = float("nan") if constant else float(np.mean(around / spread * (answers / width)))
    return NumberFit(_root_mean_square(predicted - true), spread, float(np.clip(correlation, -1, 1)))


def _root_mean_square(values: np.ndarray) -> float:
    """Without overflow, so that numbers of any size that float64 holds are compared."""
    largest = float(np.abs(values).max())
    return largest * float(np.sqrt(np.mean((values / largest) ** 2))) if largest > 0 else 0.0
