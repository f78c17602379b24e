"""The outcome and the columns of answers that go best together, from the pairs that were found."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.cells import as_text
from core.data.column_look import Column
from core.data.guess_outcome import outcome_prior
from core.data.guess_predictions import AnswerPair, Pairs
from core.data.prediction_names import MARKED, marked_stem, strength
from core.language.phrases import listed, quoted, share_text
from core.language.told import say

_LEAST = 3.0
"""Points of a pair from which its first column counts as a prediction."""
_ENOUGH, _AHEAD = 6.0, 2.0
"""An outcome is sure with so many points, and so many more than any other column has."""
_FOLLOWS = 0.3
"""How much the other columns have to say for answers whose name says nothing."""
_CALIBRATED = 4.0
_TELLING = 2.0
"""What the values have to say for answers that are not named after the outcome."""
_CUT = 5.0
"""What a class that is a probability cut at a threshold loses as an outcome."""

_SIGNIFICANT = 4.0
"""Standard errors from which an agreement is taken for more than chance."""
_FAR = 0.4
"""Cohen's kappa from which a column in other words, under any name, may be answers."""
_PLAIN = frozenset(["yes", "no", "y", "n", "true", "false", "t", "f", "1", "0", "1.0", "0.0", "ja", "nein"])
"""Values that any column of two may have."""


@dataclass(frozen=True)
class Answers:
    """An outcome with the columns of answers to it.

    Attributes:
        outcome: The outcome; None where the table holds answers without one.
        sure: Whether the outcome needs no question.
        reason: Why it is the outcome, following its name in a sentence.
        predictions: The columns of answers, each with the reason.
        points: How much speaks for it.
    """

    outcome: str | None
    sure: bool
    reason: str
    predictions: tuple[tuple[str, str], ...]
    points: float = 0.0


def choose_answers(pairs: Pairs, columns: list[Column]) -> Answers | None:
    """The best outcome and its answers; None where nothing speaks for a model's answers.

    Args:
        pairs: What was found between the columns.
        columns: Those that may be an outcome or answers, in the order of the table.
    """
    by_name = {column.name: column for column in columns}
    named = {column.name for column in columns if strength(column) == 2}
    points = {column.name: _points(column, pairs, columns) for column in columns}
    ranked = sorted(points, key=lambda name: -points[name])
    best = ranked[0] if ranked else None
    second = points[ranked[1]] if len(ranked) > 1 else 0.0
    alone = _without_outcome(pairs, by_name)
    if best is not None and points[best] >= _LEAST and points[best] > alone[0]:
        told = pairs.about(best)
        given = _accepted(best, told, pairs, by_name)
        if given:
            told_so = any(_speaks(one, by_name, best, pairs) for one in told if one.answer in dict(given))
            sure = told_so and points[best] >= _ENOUGH and points[best] - max(second, alone[0]) >= _AHEAD
            sure = sure and not _is_denied(best, given, told, pairs, by_name)
            return Answers(best, sure, _why(told), given, points[best] if told_so else 0.0)
    if alone[1]:
        told = [one for one in pairs.found if one.answer in dict(alone[1]) and one.outcome not in dict(alone[1])]
        sure = alone[0] >= _ENOUGH and all(one.values < _LEAST for one in told)
        return Answers(None, sure, "", alone[1], alone[0])
    return (
        Answers(None, False, "", tuple((name, say("is named like a prediction")) for name in named)) if named else None
    )


def may_be_answers(frame: pd.DataFrame, columns: Iterable[Column], outcome: Column, *, others: bool) -> dict[str, str]:
    """Columns that a guess must not take for what a model reads, since they may be answers of one; each with why.

    They have the outcome's own values, which are not those of any question. Or they agree with it more often than
    always saying its most frequent value does: in its words, under a name with a mark of a model, or by far.

    Args:
        frame: The table.
        columns: Columns that have no other role.
        outcome: Two classes; of more, or of a number, nothing is said.
        others: Whether the table has answers already: a column without a mark of a model is then hardly another.
    """
    true, classes = _codes(frame[outcome.name])
    if outcome.quantity or len(classes) != 2:
        return {}
    found = {}
    for column in columns:
        if len(column.distinct) != 2:
            continue
        given, values = _codes(frame[column.name])
        same = set(values) == set(classes)
        agreed, least = _agreement(given, true, least=0.0 if same or strength(column) else _FAR, turned=not same)
        if same and not set(values) & _PLAIN:
            found[column.name] = say("has the same values as {outcome}", outcome=quoted(outcome.name))
        elif agreed >= least and (strength(column) or not others):
            found[column.name] = say(
                "agrees with {outcome} in {share} of the rows",
                outcome=quoted(outcome.name),
                share=share_text(agreed, 0),
            )
    return found


def _codes(values: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """Place of each value among the sorted ones in small letters, shape (n,), -1 for none, and these."""
    codes, distinct = pd.factorize(as_text(values).str.casefold(), sort=True)
    return codes, tuple(map(str, distinct))


def _agreement(given: np.ndarray, true: np.ndarray, *, least: float, turned: bool) -> tuple[float, float]:
    """How often two codes of 0 and 1 are the same, and how often they have to be for an answer to be thinkable.

    Args:
        given: Codes of what may be answers, shape (n,), int; -1 for none.
        true: Codes of the outcome, likewise.
        least: Cohen's kappa that is needed besides.
        turned: Whether 0 may stand for 1.
    """
    both = (given >= 0) & (true >= 0)
    given, true = given[both], true[both]
    if not len(given) or not given.std() * true.std() > 0:
        return 0.0, 1.0
    if turned and np.mean(given == true) < 0.5:
        given = 1 - given
    agreed, most = float(np.mean(given == true)), float(max(true.mean(), 1 - true.mean()))
    chance = float(given.mean() * true.mean() + (1 - given.mean()) * (1 - true.mean()))
    kappa = (agreed - chance) / (1 - chance)
    return agreed, most if kappa >= max(least, _SIGNIFICANT / len(given) ** 0.5) else math.inf


def _points(outcome: Column, pairs: Pairs, columns: list[Column]) -> float:
    """How much speaks for a column as the outcome that others answer to."""
    own = pairs.about(outcome.name)
    classes = max((one.points for one in own if _is_class(one.answer, columns)), default=0.0)
    numbers = max((one.points for one in own if not _is_class(one.answer, columns)), default=0.0)
    found = max(classes, 0.0) + max(numbers, 0.0)
    if not found:
        return -1.0
    scores = {one.answer for one in own if one.values >= _LEAST + 1}
    linked = any(
        one.answer in pairs.cut
        or any(scores & set(given) for label, given in pairs.cut.items() if label != outcome.name)
        for one in own
    )
    perfect = any(
        one.answer in pairs.cut and set(pairs.cut[one.answer]) & set(pairs.cut.get(outcome.name, ())) for one in own
    )
    reverse = [one for one in pairs.found if one.answer == outcome.name and one.points >= _LEAST + 1]
    answers = max((one.values for one in reverse if one.points > max(classes, numbers)), default=0.0)
    return (
        found
        + outcome_prior(outcome, columns)
        + (2.0 if linked else 0.0)
        - (_CUT if outcome.name in pairs.cut and not perfect else 0.0)
        - 2.0 * strength(outcome)
        - answers
    )


def _is_class(name: str, columns: list[Column]) -> bool:
    return not next(column for column in columns if column.name == name).quantity


def _accepted(
    best: str, told: list[AnswerPair], pairs: Pairs, by_name: dict[str, Column]
) -> tuple[tuple[str, str], ...]:
    """The columns of answers to the outcome, in the order of the table."""
    given = {one.answer: _said(one) for one in told if _is_answer(one, by_name[one.answer], by_name[best])}
    given = {
        name: why
        for name, why in given.items()
        if strength(by_name[name])
        or marked_stem(by_name[name], by_name[best]) == MARKED
        or name == _first(given, told, by_name, by_name[name].quantity)
    }
    linked = {score for label in given for score in pairs.cut.get(label, ())}
    if linked:
        given = {
            name: why
            for name, why in given.items()
            if not by_name[name].quantity or name in linked or strength(by_name[name]) == 2
        }
    for label in list(given):
        for score in pairs.cut.get(label, ()):
            given.setdefault(score, say("is the number from which {label} follows", label=quoted(label)))
    decided = any(not by_name[name].quantity for name in given)
    for label, scores in pairs.cut.items():
        if label != best and any(score in given for score in scores) and (strength(by_name[label]) or not decided):
            given.setdefault(label, say("follows from the score at a threshold"))
    return tuple((name, given[name]) for name in by_name if name in given)


def _first(given: dict[str, str], told: list[AnswerPair], by_name: dict[str, Column], number: bool) -> str:
    """The best of the answers that are numbers, or of those that are classes."""
    return next((one.answer for one in told if one.answer in given and by_name[one.answer].quantity is number), "")


def _is_answer(pair: AnswerPair, answer: Column, outcome: Column) -> bool:
    """Whether a pair is enough for its first column to be a prediction; a name of an outcome with a number is not."""
    if strength(answer) == 2 and pair.values > 0:
        return True
    if pair.points < _LEAST:
        return False
    return marked_stem(answer, outcome) == MARKED or (
        (strength(answer) > 0 and pair.values >= _TELLING)
        or (answer.quantity and pair.values >= _CALIBRATED and pair.ahead >= _FOLLOWS)
    )


def _said(pair: AnswerPair) -> str:
    return listed(pair.reasons) or say("goes with the outcome")


def _why(told: list[AnswerPair]) -> str:
    return say("is what {prediction} seems to predict", prediction=quoted(told[0].answer))


def _speaks(pair: AnswerPair, by_name: dict[str, Column], outcome: str, pairs: Pairs) -> bool:
    """Whether more than the two columns alone says that one is a model's answer: its name, a cut, or all others."""
    answer = by_name[pair.answer]
    return bool(
        strength(answer)
        or marked_stem(answer, by_name[outcome]) == MARKED
        or answer.name in pairs.cut
        or any(answer.name in scores for scores in pairs.cut.values())
        or (pair.ahead >= 1 and pair.values > _ENOUGH - 1)
        or (pair.ahead > 0 and pair.values >= _CALIBRATED and marked_stem(answer, by_name[outcome]) > 1)
    )


def _is_denied(
    outcome: str, given: tuple[tuple[str, str], ...], told: list[AnswerPair], pairs: Pairs, by_name: dict[str, Column]
) -> bool:
    """Whether a score goes with the outcome, but the decisions that follow from it, in its own values, do not."""
    agreed, true = {one.answer for one in told}, set(as_text(by_name[outcome].distinct))
    return any(
        label not in (outcome, *agreed) and set(as_text(by_name[label].distinct)) <= true
        for label, scores in pairs.cut.items()
        if set(scores) & set(dict(given))
    )


def _without_outcome(pairs: Pairs, by_name: dict[str, Column]) -> tuple[float, tuple[tuple[str, str], ...]]:
    """How much speaks for answers without an outcome: a probability and the class that follows from it."""
    best: tuple[float, tuple[tuple[str, str], ...]] = (0.0, ())
    for label, scores in pairs.cut.items():
        for score in scores:
            points = 5.0 + strength(by_name[label]) + strength(by_name[score])
            if points > best[0]:
                reasons = {
                    score: say("is the number from which {label} follows", label=quoted(label)),
                    label: say("follows from {score} at a threshold", score=quoted(score)),
                }
                best = points, tuple((name, reasons[name]) for name in by_name if name in reasons)
    return best
