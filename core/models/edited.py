"""One person of a table with some values changed: what the model answers, how far apart both are, how loss changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.base.errors import DataError, ModelError
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.data.cells import LARGEST_EXACT, as_cell, as_number_or_none, as_text
from core.data.dataset import Dataset
from core.data.encoder import categories_of
from core.data.possible import Values
from core.language.phrases import number, quoted, several, whole
from core.language.told import say

LONGEST_TEXT = 20_000
"""Letters of a text that is typed."""
_MOST_NAMES = 12


@dataclass(frozen=True, repr=False)
class Edited:
    """A person as the table has them and as they were changed, in this order.

    Attributes:
        record: The person's number in the file (1-based).
        people: What the model reads of both, in original units, two rows.
        outcome: The person's true outcome as text; empty where none is known.
        classes: Outcomes that the model's answers stand for; empty for a model that answers with a number.
        answers: Probabilities of the classes, shape (2, k), or numbers, shape (2, 1).
        x: Both, encoded, shape (2, d).
        beyond: Columns whose new number lies outside what occurs in the table.
        distance: Fair distance of the two, the square root of the metric's cost; NaN without a metric.
        floor: Smallest loss that a test counts (assumption A3); 0 for none.
    """

    record: int
    people: pd.DataFrame
    outcome: str
    classes: tuple[str, ...]
    answers: np.ndarray
    x: np.ndarray
    beyond: tuple[str, ...]
    distance: float = math.nan
    floor: float = 0.0

    @property
    def loss(self) -> np.ndarray:
        """Cross-entropy of both at the person's true outcome, in nats, shape (2,); NaN where there is none."""
        if self.outcome not in self.classes:
            return np.full(2, np.nan)
        place = self.classes.index(self.outcome)
        true, others = self.answers[:, place], np.delete(self.answers, place, axis=1).sum(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray(np.where(true > 0.5, -np.log1p(-np.minimum(others, 0.5)), -np.log(true)))

    @property
    def ratio(self) -> float:
        """How many times larger the model's error (its loss) is after the change.

        NaN without an outcome among the model's classes, and where the person's own loss is zero.
        """
        before, after = np.maximum(self.loss, self.floor)
        return float(after / before) if before > 0 else math.nan

    def __repr__(self) -> str:
        before, after = (
            ", ".join(f"{name}: {number(value)}" for name, value in zip(self.classes, row, strict=True))
            or number(row[0])
            for row in self.answers.tolist()
        )
        pairs = {name: as_text(self.people[name]).tolist() for name in self.people}
        changed = [f"{name} = {old} → {new}" for name, (old, new) in pairs.items() if old != new]
        told = say(
            "Person {record} ({changed}): the answer {before} becomes {after}",
            record=self.record,
            changed=", ".join(changed) or say("as in the table"),
            before=before,
            after=after,
        )
        if math.isfinite(self.distance):
            told = say("{told}; fair distance {distance}", told=told, distance=number(self.distance))
        return (
            say("{told}; loss ratio {ratio}", told=told, ratio=number(self.ratio))
            if math.isfinite(self.ratio)
            else told
        )

    def under(self, metric: FittedMetric | None, floor: float = 0.0) -> Edited:
        """The same with the fair distance by this metric, and a smallest loss."""
        if metric is None:
            return replace(self, floor=floor)
        squared = metric.squared_distance(self.x[1:], self.x[:1])[0]
        return replace(self, distance=math.sqrt(float(squared)), floor=floor)


def edit(
    model: AbstractModel,
    dataset: Dataset,
    record: int,
    changes: Mapping[str, object],
    *,
    metric: FittedMetric | None = None,
    floor: float = 0.0,
) -> Edited:
    """Ask a model about a person of the table, and about the same one with some values changed.

    Args:
        model: The model, one that can be asked about anybody.
        dataset: The audited rows.
        record: The person's number in the file (1-based).
        changes: New values by the column that the model reads; the text for a model that reads texts.
        metric: Who is similar; None without one.
        floor: Smallest loss that counts.

    Raises:
        DataError: There is no such person, the model reads no such column, or a value is none that it may hold.
        ModelError: The model answers only for the rows it came with, or its answer is not finite.
    """
    if model.answers_only_here:
        raise ModelError(model.answers_only_here, where=model.name)
    place = _place(dataset, record)
    both = dataset.take(np.array([place, place]))
    frame, beyond = both.frame.copy(), []
    if strange := [name for name in changes if name not in model.reads]:
        raise DataError(
            say("The model reads no column {name}.", name=quoted(strange[0])),
            advice=say("It reads {names}.", names=several(model.reads, _MOST_NAMES)),
        )
    for name, value in changes.items():
        if name == dataset.roles.text:
            new: Any = _text(value)
        else:
            held = values_of(model, dataset, name)
            new = _number(held, value) if held.are_numbers else _category(held, value)
            if held.are_numbers and held.beyond(np.array([float(new)]))[0]:
                beyond.append(name)
        frame[name] = pd.Series([frame[name].iloc[0], new], index=frame.index, dtype=_dtype(frame[name]))
    data = model.encode(replace(both, frame=frame))
    outcome = dataset.roles.outcome
    return Edited(
        record=record,
        people=frame[list(model.reads)].reset_index(drop=True),
        outcome=str(as_text(frame[outcome]).iloc[0]) if outcome else "",
        classes=model.classes,
        answers=model.checked_answers(data),
        x=data.x,
        beyond=tuple(beyond),
    ).under(metric, floor)


def values_of(model: AbstractModel, dataset: Dataset, name: str) -> Values:
    """What a column that a model reads may hold."""
    column = next((one for one in model.encoder.columns if one.name == name), None)
    return Values.of(dataset.frame[name], () if column is None else categories_of(column))


def _place(dataset: Dataset, record: int) -> int:
    found = np.flatnonzero(dataset.frame.index.to_numpy() == record - 1)
    if not len(found):
        raise DataError(
            say("Row {record} is none of the audited rows.", record=whole(record)),
            advice=say("Choose a number from {first} to {last} whose row was not left out.", **_ends(dataset)),
        )
    return int(found[0])


def _ends(dataset: Dataset) -> dict[str, str]:
    return {"first": whole(int(dataset.frame.index[0]) + 1), "last": whole(int(dataset.frame.index[-1]) + 1)}


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DataError(say("A text without a word tells nothing."), advice=say("Write at least one word."))
    if len(value) > LONGEST_TEXT:
        raise DataError(
            say("The text is longer than {most} letters.", most=whole(LONGEST_TEXT)), advice=say("Shorten it.")
        )
    return value


def _number(held: Values, value: object) -> float:
    """The number that somebody gave for a column."""
    where = say("column {name}", name=quoted(held.name))
    given = as_number_or_none(value.strip()) if isinstance(value, str) else value
    if isinstance(given, bool | np.bool_):
        given = int(given)
    if not isinstance(given, int | float | np.integer | np.floating) or not _is_finite(given):
        raise DataError(
            say("{value} is no number.", value=quoted(value)),
            where=where,
            advice=say("Give a number, such as {one}.", one=_shown(held, held.low)),
        )
    if held.occurring.tolist() == [0.0, 1.0] and given not in (0, 1):
        raise DataError(
            say("The column holds 0 and 1 only, and {value} is neither.", value=quoted(value)),
            where=where,
            advice=say("Choose 0 or 1."),
        )
    if held.whole and not float(given).is_integer():
        raise DataError(
            say("The column holds whole numbers, and {value} is none.", value=quoted(value)),
            where=where,
            advice=say(
                "Give a whole number; those of the table run from {low} to {high}.",
                low=_shown(held, held.low),
                high=_shown(held, held.high),
            ),
        )
    if held.whole and abs(float(given)) > LARGEST_EXACT:
        raise DataError(
            say("{value} is too large.", value=quoted(value)), where=where, advice=say("Give a smaller number.")
        )
    return float(given)


def _is_finite(given: float | np.number[Any]) -> bool:
    try:
        return math.isfinite(given)
    except OverflowError:
        return False


def _shown(held: Values, value: float) -> str:
    return number(value, held.decimals)


def _category(held: Values, value: object) -> str:
    given = as_cell(str(value))
    if given not in held.categories:
        raise DataError(
            say("The column knows no {value}.", value=quoted(value)),
            where=say("column {name}", name=quoted(held.name)),
            advice=say("Choose one of {names}.", names=several(held.categories, _MOST_NAMES)),
        )
    return given


def _dtype(column: pd.Series) -> Any:
    """The column's own type; of whole numbers the one that holds most."""
    return np.dtype(np.int64) if column.dtype.kind in "iu" else column.dtype
