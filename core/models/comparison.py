"""Known answers and a model's, row by row: as decisions, probabilities, numbers, or by the order they put rows in."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_number_column
from core.data.column_look import words_of
from core.language.phrases import quoted
from core.language.told import say

_EXACT = 1e-5
"""Answers nearer than this, for large numbers relative to them, are equal: files keep them in single precision."""
_MOST_DECIMALS = 6
_WRITTEN = 1e-10
"""Numbers nearer than this are written alike."""
_SURE = 4.0
"""Standard errors from which a column is taken to go with an outcome rather than with the other."""


@dataclass(frozen=True)
class Compared:
    """How known answers and a model's go together.

    Attributes:
        agree: Which rows agree, shape (n,), bool.
        how: What was compared, as it follows "on … rows, compared".
        decimals: To how many decimals the known answers are written; -1 for all of them, and for answers that are none.
        largest: How far a known number and the model's lie apart at most; NaN where no numbers were compared.
    """

    agree: np.ndarray
    how: str
    decimals: int = -1
    largest: float = float("nan")


def compare(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> Compared:
    """Compare a model's answers with known ones in whatever way these are written.

    Args:
        classes: The model's classes, k; none for numbers.
        answers: What it answers, shape (n, k), or (n, 1) for numbers; finite.
        values: The known answers, n, without a gap.
        y: The rows' outcomes, which may tell what a probability is of, shape (n,).
    """
    if not classes:
        return _numbers(answers[:, 0], values, say("as numbers"))
    held = set(as_text(values))
    if held <= set(classes):
        return _labels(classes, answers, as_text(values))
    if is_number_column(values) and len(held) > 2:
        numbers = as_numbers(values)
        if numbers.min() >= 0 and numbers.max() <= 1:
            return _shares(classes, answers, values, y)
        return _scores(classes, answers, values)
    if len(held) <= 2 == len(classes):
        first, second = (
            _labels(classes, answers, as_text(values).map(dict(zip(sorted(held), order, strict=False))))
            for order in permutations(classes)
        )
        best = first if first.agree.sum() >= second.agree.sum() else second
        return replace(best, how=say("as decisions, whatever they are called"))
    return Compared(np.zeros(len(values), dtype=bool), say("as decisions, of which it holds others"))


def _labels(classes: Sequence[str], answers: np.ndarray, labels: pd.Series) -> Compared:
    """Decisions; where two classes are as probable, either is right."""
    codes = pd.Index(classes).get_indexer(pd.Index(labels))
    given = answers[np.arange(len(codes)), codes]
    return Compared(given >= answers.max(axis=1) - _EXACT, say("as decisions"))


def _shares(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> Compared:
    """Probabilities of the class of which they are most nearly those, or which the column names or goes with."""
    found = [
        _numbers(answers[:, place], values, say("as the probability of {outcome}", outcome=quoted(name)))
        for place, name in enumerate(classes)
    ]
    about = _about(classes, values, y)
    if about is not None:
        return found[about]
    return max(found, key=lambda one: (int(one.agree.sum()), -one.largest))


def _about(classes: Sequence[str], values: pd.Series, y: np.ndarray) -> int | None:
    """Which of two classes a probability is of, by the column's name or the outcomes it goes with; None if unclear."""
    if len(classes) != 2:
        return None
    words = {*words_of(str(values.name))}
    named = [place for place, name in enumerate(classes) if words & {word for word in words_of(name) if len(word) > 1}]
    if len(named) == 1:
        return named[0]
    if not (y >= 0).all() or len(np.unique(y)) < 2:
        return None
    numbers = as_numbers(values)
    first, second = numbers[y == 0], numbers[y == 1]
    error = float(np.sqrt(first.var() / len(first) + second.var() / len(second)))
    apart = float(second.mean() - first.mean())
    return int(apart > 0) if abs(apart) > _SURE * error > 0 else None


def _numbers(answers: np.ndarray, values: pd.Series, how: str) -> Compared:
    known = as_numbers(values)
    decimals = _decimals(known)
    room = 0.5 * 10.0**-decimals if decimals >= 0 else 0.0
    apart = np.abs(answers - known)
    agree = apart <= room + _EXACT * np.maximum(1.0, np.abs(known))
    return Compared(np.asarray(agree), how, decimals, float(np.nanmax(apart, initial=0.0)))


def _decimals(numbers: np.ndarray) -> int:
    """The fewest decimals with which these numbers are written; -1 for more than six."""
    room = _WRITTEN * np.maximum(1.0, np.abs(numbers))
    return next((d for d in range(_MOST_DECIMALS + 1) if (np.abs(np.round(numbers, d) - numbers) <= room).all()), -1)


def _scores(classes: Sequence[str], answers: np.ndarray, values: pd.Series) -> Compared:
    """Numbers in other units: percentages, log-odds, or whatever puts the rows in the same order."""
    percentages = values.astype(np.float64) / 100
    found = [
        _numbers(answers[:, place], percentages, say("as the percentage of {outcome}", outcome=quoted(name)))
        for place, name in enumerate(classes)
    ]
    if len(classes) == 2:
        with np.errstate(divide="ignore"):
            odds = np.log(answers[:, 1]) - np.log(answers[:, 0])
        found += [
            _numbers(sign * odds, values, say("as the log-odds of {outcome}", outcome=quoted(name)))
            for sign, name in ((-1, classes[0]), (1, classes[1]))
        ]
    exact = next((one for one in found if one.agree.all()), None)
    if exact is not None or len(classes) != 2:
        return exact or max(found, key=lambda one: int(one.agree.sum()))
    orders = [_same_order(answers[:, place], as_numbers(values)) for place in (0, 1)]
    best = max(orders, key=lambda one: int(one.sum()))
    return Compared(best, say("by the order in which they put the rows"))


def _same_order(answers: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The largest set of rows whose answers never fall where scores rise, as a mask, shape (n,)."""
    order = np.lexsort((answers, scores))
    tails: list[float] = []
    ends: list[int] = []
    before = np.full(len(order), -1)
    for place, value in enumerate(answers[order]):
        at = bisect_right(tails, float(value) + _EXACT)
        before[place] = ends[at - 1] if at else -1
        if at == len(tails):
            tails.append(float(value))
            ends.append(place)
        else:
            tails[at], ends[at] = float(value), place
    mask = np.zeros(len(order), dtype=bool)
    place = ends[-1] if ends else -1
    while place >= 0:
        mask[order[place]] = True
        place = int(before[place])
    return mask
