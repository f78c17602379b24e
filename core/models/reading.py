"""What written answers say: labels, probabilities, scores or numbers, whether they lie in a column or came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd

from core.base.errors import ModelError
from core.data.cells import as_numbers, as_text, record_number
from core.language.phrases import count, quoted
from core.language.told import localized, say

ROUNDING = 0.02
"""How far a row's class probabilities may be from one in sum; they are then divided by their sum."""

Holds = Literal["labels", "probability", "score", "class probabilities", "number"]
HighScores = Literal["favourable", "unfavourable"]


@dataclass(frozen=True)
class Reading:
    """How written answers are read.

    Attributes:
        holds: What they are.
        classes: The model's classes, in order; empty where it answers with a number.
        favourable: The favourable outcome.
        threshold: From which score on a score is high; for scores only.
        high_scores: Whether a high score or probability stands for the favourable outcome or for the other.
        meanings: The outcome that a label means, by label; others mean the outcome they name.
    """

    holds: Holds
    classes: tuple[str, ...]
    favourable: str
    threshold: float | None = None
    high_scores: HighScores = "favourable"
    meanings: Mapping[str, str] = field(default_factory=dict)

    def read(self, frame: pd.DataFrame) -> np.ndarray:
        """The answers in a table with one row a person, shape (n, k) or, for numbers, (n, 1), float64.

        Raises:
            ModelError: An answer is missing, out of range, no number, or names an unknown class.
        """
        if self.holds == "labels":
            return self._from_labels(frame.iloc[:, 0])
        if self.holds == "number":
            advice = say("Correct the values, or choose the column with predicted numbers.")
            return _numbers(frame.iloc[:, 0], advice)[:, None]
        advice = say("Correct the values, or say that the column holds predicted outcomes.")
        numbers = np.column_stack([_numbers(frame[name], advice) for name in frame.columns])
        if self.holds == "score":
            high = numbers[:, 0] >= (self.threshold or 0.0)
            good = (high if self.high_scores == "favourable" else ~high).astype(np.float64)
            return self._two_classes(good)
        outside = (numbers < 0) | (numbers > 1)
        if outside.any():
            row, column = map(int, np.argwhere(outside)[0])
            raise _refused(
                say(
                    "There is a probability outside 0 to 1 in {rows}: {value} is the first.",
                    rows=count(int(outside.any(axis=1).sum()), "row"),
                    value=localized(f"{numbers[row, column]:g}"),
                ),
                frame.iloc[:, column],
                row,
                say("Say that the column holds a score and set its threshold, or correct the values."),
            )
        if self.holds == "probability":
            return self._two_classes(numbers[:, 0] if self.high_scores == "favourable" else 1 - numbers[:, 0])
        totals = numbers.sum(axis=1)
        off = np.abs(totals - 1) > ROUNDING
        if off.any():
            row = int(np.flatnonzero(off)[0])
            raise _refused(
                say(
                    "Class probabilities do not add up to one in {rows}: {total} is the first sum.",
                    rows=count(int(off.sum()), "row"),
                    total=localized(f"{totals[row]:g}"),
                ),
                frame.iloc[:, 0],
                row,
                say("Choose one column for each class, all from one model."),
            )
        shares: np.ndarray = numbers / totals[:, None]
        return shares

    def _two_classes(self, favourable: np.ndarray) -> np.ndarray:
        good = np.array([outcome == self.favourable for outcome in self.classes])
        answers: np.ndarray = np.where(good, favourable[:, None], 1 - favourable[:, None])
        return answers

    def _from_labels(self, values: pd.Series) -> np.ndarray:
        named = as_text(values)
        outcomes = named.map(lambda label: self.meanings.get(label, label)) if self.meanings else named
        codes = pd.Index(self.classes).get_indexer(pd.Index(outcomes))
        unknown = np.flatnonzero(codes < 0)
        if len(unknown):
            row = int(unknown[0])
            raise _refused(
                say(
                    "There is a prediction that is no outcome in {rows}: {value} is the first; the outcomes are "
                    "{classes}.",
                    rows=count(len(unknown), "row"),
                    value=_short(values.iloc[row]),
                    classes=", ".join(self.classes[:8]),
                ),
                values,
                row,
                say(
                    "Say which outcome each answer means, or that the column holds a probability or a score; or write "
                    "predictions as the outcome column does."
                ),
            )
        answers: np.ndarray = np.eye(len(self.classes))[codes]
        return answers


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _numbers(values: pd.Series, advice: str) -> np.ndarray:
    numbers = as_numbers(values)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise _refused(
            say(
                "There is a prediction that is no finite number in {rows}: {value} is the first.",
                rows=count(len(bad), "row"),
                value=_short(values.iloc[int(bad[0])]),
            ),
            values,
            int(bad[0]),
            advice,
        )
    return numbers


def _refused(what: str, column: pd.Series, row: int, advice: str) -> ModelError:
    return ModelError(
        what,
        where=say("column {name}, row {index}", name=quoted(column.name), index=record_number(column.index, row)),
        advice=advice,
    )
