"""What the name of a column says about its being a model's answer, alone and beside the name of an outcome."""

# ruff: noqa: SIM905 - lists of words read best as words

import re

from core.data.cells import as_text
from core.data.column_look import Column

_STRONG = (
    "pred preds prediction predictions predicted predict predicts prob probs proba probability probabilities yhat phat "
    "hat fitted fit logit logits decile forecast forecasted estimated estimate estimates predictor predchance "
    "vorhersage prognose prediccion prevision likelihood propensity".split()
)
_WEAK = (
    "est model models modelled mod ml ai algo algorithm auto automatic automated system machine score scores scored "
    "output outputs out p pr lik chance risk conf confidence guess guessed expected exp class classified rated "
    "classification clf classifier regressor reg flag flagged lr logreg logistic glm gbm gb xgb xgboost lgbm rf "
    "forest nn net svm tree cart ols lm lin linear boosted boosting ensemble answer decision decided call verdict "
    "result label before after new now rate rating value final adjusted calibrated sim simulated y raw recommended "
    "rated suggested screened shortlisted selected xb".split()
)
"""Marks that other columns carry too."""
_WHO = frozenset("model modell ai ki algo algorithm algorithmus machine system tool".split())
_SAYS = frozenset(
    "says said answers answered proposes proposed suggests decides recommends recommendation sagt".split()
)
"""What somebody of :data:`_WHO` does in the name of a column of its answers: ``model_says``."""
_JOINED = frozenset(
    "y p m x model pred predicted prediction preds predict prob probability proba probs hat est estimate estimated fit "
    "fitted exp expected out output score scores scored new class ml ai gbm xgb lgbm rf lr glm lm ols svm nn sim guess "
    "call flag before after risk conf lik logit pr raw cal decision forecast rate chance value label by from of the is "
    "for in to".split()
)
"""Marks that are also written without anything between them, or with numbers."""
_NUMBER = re.compile(r"v?\d+")
_MEASURED = frozenset(
    "credit test exam sat fico interview skill skills gmat gre school disaster vocabulary math reading ability".split()
)
_LEAST_SHARED = 4
MARKED = 3
"""What :func:`marked_stem` says of an outcome's name with nothing but marks."""


def strength(column: Column) -> int:
    """How much the name alone says that a column holds a model's answers: 0, 1 (a mark others carry too) or 2."""
    words = column.unnumbered
    if words & set(_STRONG) or (words & _WHO and words & _SAYS):
        return 2
    ends = column.squeezed.endswith(("hat", "pred", "prob", "proba", "fitted")) or column.squeezed.startswith(
        ("pred", "prob")
    )
    if ends and len(column.squeezed) > _LEAST_SHARED and column.squeezed[:7] not in ("problem", "predict"[:7]):
        return 1
    if words & {"score", "scores"} and not words & _MEASURED:
        return 2
    return 1 if words & set(_WEAK) and not words & _MEASURED else 0


def names_a_model(column: Column, other: frozenset[str]) -> bool:
    """Whether a mark of a model stands in its name, other than these words, which mean something else as well."""
    return bool(set(column.words) & ({*_STRONG, *_WEAK} - other))


def is_prediction(column: Column, outcome: Column | None) -> bool:
    """Whether its name alone says that it holds a model's answers: numbers, or values of ``outcome`` where known."""
    if strength(column) < 2:
        return False
    return column.number or outcome is None or set(as_text(column.distinct)) <= set(as_text(outcome.distinct))


def is_same_answer(column: Column, outcome: Column) -> bool:
    """Whether a column of one value, one of the outcome's classes, is named as a model's answers to it are."""
    held, true = set(as_text(column.distinct)), set(as_text(outcome.distinct))
    return not outcome.quantity and held <= true and (strength(column) == 2 or marked_stem(column, outcome) == MARKED)


def marked_stem(answer: Column, outcome: Column) -> int:
    """How well one name is the other with a mark: 3 (nothing but marks is left), 2 (much in common), 1, or 0."""
    long, short = answer.squeezed, outcome.squeezed
    if not short or long == short:
        return 3 if long == short and long else 0
    for rest in _rests(long, short):
        if rest.isdecimal():
            return 2
        if _is_joined(rest) or rest in _STRONG or rest in _WEAK:
            return 3
    if _parts_left(answer, outcome):
        return 3
    common = _longest_common(_without_marks(answer), _without_marks(outcome))
    if common >= _LEAST_SHARED + 1:
        return 2
    return 1 if common >= _LEAST_SHARED or (common >= 3 and common == min(len(short), len(long))) else 0


def _rests(long: str, short: str) -> list[str]:
    rests = []
    if long.startswith(short):
        rests.append(long[len(short) :])
    if long.endswith(short):
        rests.append(long[: -len(short)])
    return [rest for rest in rests if rest]


def _parts_left(answer: Column, outcome: Column) -> bool:
    """Whether the outcome's words are all in the answer's name, and the others are marks."""
    own = [word for word in answer.words if word not in outcome.words]
    inside = set(outcome.words) <= set(answer.words)
    return inside and bool(own) and all(word in _STRONG or word in _WEAK or _is_joined(word) for word in own)


def _is_joined(text: str) -> bool:
    """Whether a text is nothing but marks and numbers, one behind the other."""
    return all(map(_is_of_marks, _NUMBER.split(text)))


def _is_of_marks(text: str) -> bool:
    """Whether marks one behind the other make up a text; from left to right, each place is looked at once."""
    reached = {0}
    for place in range(len(text)):
        if place in reached:
            reached |= {place + len(mark) for mark in _JOINED if text.startswith(mark, place)}
    return len(text) in reached


def _without_marks(column: Column) -> str:
    left = [word for word in column.words if word not in _STRONG and word not in _WEAK]
    return "".join(left) or column.squeezed


def _longest_common(first: str, second: str) -> int:
    best, before = 0, [0] * (len(second) + 1)
    for sign in first:
        row = [0] * (len(second) + 1)
        for place, other in enumerate(second, 1):
            if sign == other:
                row[place] = before[place - 1] + 1
                best = max(best, row[place])
        before = row
    return best
