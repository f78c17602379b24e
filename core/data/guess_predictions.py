"""Which columns hold a model's answers, and to which outcome: found from pairs of columns, by their values first.

Three relations of values speak for a model. A probability or an estimate is *calibrated*: regressed on it, the outcome
has slope 1, the same mean and a larger spread, which other columns are only by accident. A predicted class is a
probability *cut* at a threshold. And predicted classes *agree* with the outcome's, better than its most frequent class
does. Names add to that: an outcome's name with a mark, such as ``denyHat``.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text
from core.data.column_look import MOST_OUTCOMES, Column
from core.data.explained import Explained, explain
from core.data.prediction_names import MARKED, marked_stem, strength
from core.language.phrases import share_text
from core.language.told import say

MOST_ROWS = 4_000
_MOST_COLUMNS = 600
_SIGNIFICANT = 4.0
"""Standard errors from which a relation is taken for more than chance."""
_SAME = 0.9999
"""Correlation from which two numbers are one and the same."""
_SLOPES = (0.5, 1.7)
"""Slopes of the outcome on the answer between which it is worth looking closer."""
_PARTS = 20
_OFF = (0.1, 0.35)
"""Shares of the answers' variance by which a calibrated, and a nearly calibrated, one may be off."""
_ERRORS = (0.5, 1.6)
"""Squared errors of a probability, as a multiple of what it promises, between which it is one of this outcome."""
_SHORT = 6
"""Decimals: a measured number has no more, an estimate nearly always does."""


@dataclass(frozen=True)
class AnswerPair:
    """One column that may hold answers to another.

    Attributes:
        answer: The column of answers.
        outcome: The column that they may be about.
        points: How much speaks for it; 4 and more is much.
        values: The part of it that the values of the two say.
        ahead: The part of it that the other columns say: positive where the answers follow from them, as a model's do.
        reasons: What speaks for it, each following the name of the answer in a sentence.
    """

    answer: str
    outcome: str
    points: float
    values: float
    reasons: tuple[str, ...]
    ahead: float = 0.0


@dataclass(frozen=True)
class Pairs:
    """Every pair of a table that something speaks for.

    Attributes:
        found: The pairs.
        cut: For each column of two classes that is a number cut at a threshold, those numbers.
    """

    found: tuple[AnswerPair, ...]
    cut: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def about(self, outcome: str) -> list[AnswerPair]:
        """The pairs with this outcome, the best first."""
        return sorted((one for one in self.found if one.outcome == outcome), key=lambda one: -one.points)


def find_pairs(frame: pd.DataFrame, columns: list[Column], others: list[Column]) -> Pairs:
    """Look for answers and outcomes among these columns of the table.

    Args:
        frame: The table; of a long one some rows are looked at, always the same.
        columns: Columns that may be answers or outcomes.
        others: Further columns that a model may have read.
    """
    rows = np.unique(np.linspace(0, max(len(frame) - 1, 0), min(len(frame), MOST_ROWS)).astype(int))
    columns = columns[-_MOST_COLUMNS:]
    numbers = [
        one for one in columns if one.quantity or (one.number and len(one.distinct) > 1 and _has_long_decimals(one))
    ]
    classes = [one for one in columns if 2 <= len(one.distinct) <= MOST_OUTCOMES and one not in numbers]
    values = {one.name: as_numbers(frame[one.name].iloc[rows]) for one in numbers}
    texts = {one.name: as_text(frame[one.name].iloc[rows]) for one in classes}
    cut = _cuts(values, texts)
    found = [*_estimates(numbers, classes, values, texts), *_agreeing(classes, texts)]
    told = explain(frame.iloc[rows], columns + others)
    return Pairs(tuple(_with_direction(one, told) for one in found), cut)


def _with_direction(pair: AnswerPair, told: Explained) -> AnswerPair:
    """The pair with what the other columns say of it.

    Answers follow from them more than outcomes do; and where they do, an outcome adds little to it, other than a column
    that the model has read.
    """
    if pair.answer not in told.share or pair.outcome not in told.share:
        return pair
    own = told.direct(pair.answer, pair.outcome)
    follows = max(0.0, 1 - (1 - told.share[pair.answer]) / max(1 - own, 1e-9))
    ahead = 2 * (told.share[pair.answer] - told.share[pair.outcome]) - 6 * own * follows**2
    return replace(pair, points=pair.points + ahead, ahead=ahead)


def _cuts(values: dict[str, np.ndarray], texts: dict[str, pd.Series]) -> dict[str, tuple[str, ...]]:
    """For each column of two classes, the shares between 0 and 1 of which all of one class exceed all of the other."""
    shares = {name: one for name, one in values.items() if _is_share(one)}
    if not shares:
        return {}
    matrix = np.column_stack(list(shares.values()))
    found = {}
    for name, text in texts.items():
        codes, distinct = pd.factorize(text)
        if len(distinct) != 2:
            continue
        first, second = (_ends(matrix[codes == code]) for code in (0, 1))
        apart = (first[0] >= second[1]) | (second[0] >= first[1])
        if apart.any():
            found[name] = tuple(np.array(list(shares))[apart])
    return found


def _ends(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.nanmin(rows, axis=0, initial=np.inf), np.nanmax(rows, axis=0, initial=-np.inf)


def _is_share(numbers: np.ndarray) -> bool:
    known = numbers[np.isfinite(numbers)]
    return bool(len(known)) and bool(known.min() >= 0) and bool(known.max() <= 1)


def _estimates(
    numbers: list[Column], classes: list[Column], values: dict[str, np.ndarray], texts: dict[str, pd.Series]
) -> list[AnswerPair]:
    """Numbers that may be estimates of a number, or probabilities of a class."""
    answers = [one for one in numbers if not one.whole]
    if not answers:
        return []
    targets: list[tuple[Column, np.ndarray]] = [(one, values[one.name]) for one in numbers]
    for one in classes:
        known = sorted(texts[one.name].dropna().unique())
        text = texts[one.name]
        targets += [
            (one, np.where(text.isna(), np.nan, text == value).astype(float))
            for value in (known if len(known) > 2 else known[-1:])
        ]
    x, y = (_filled([values[one.name] for one in answers]), _filled([one for _, one in targets]))
    with np.errstate(divide="ignore", invalid="ignore"):
        related = (_standard(x).T @ _standard(y)) / len(x)
        slope = related * y.std(axis=0) / x.std(axis=0)[:, None]
    found = []
    for i, answer in enumerate(answers):
        share, named = _is_share(values[answer.name]), strength(answer)
        for j, (outcome, _) in enumerate(targets):
            two = j >= len(numbers)
            if outcome is answer or not abs(related[i, j]) < _SAME or (two and not share):
                continue
            sides = (y[:, j], 1 - y[:, j]) if two and slope[i, j] < 0 else (y[:, j],)
            near = _SLOPES[0] < abs(slope[i, j]) < _SLOPES[1]
            grade = _calibrated(x[:, i], sides[-1], abs(related[i, j])) if near else 0
            if not grade and not named:
                continue
            pair = _estimate(answer, outcome, grade, abs(related[i, j]), len(x))
            if pair is not None:
                found.append(pair)
    return found


def _standard(matrix: np.ndarray) -> np.ndarray:
    standard: np.ndarray = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    return standard


def _calibrated(answer: np.ndarray, outcome: np.ndarray, related: float) -> int:
    """Whether the mean of the outcome is the answer's in each part of rows with like answers: 2 yes, 1 nearly, 0 no.

    What the means differ by, beyond chance, is set against how much the answers themselves vary.
    """
    if related < _SIGNIFICANT / np.sqrt(len(answer)):
        return 0
    parts = np.array_split(np.argsort(answer, kind="stable"), _PARTS)
    sizes = np.array([len(part) for part in parts])
    given, true = (np.array([one[part].mean() for part in parts]) for one in (answer, outcome))
    noise = np.array([outcome[part].var() for part in parts]) / sizes + outcome.var() / len(outcome) / _PARTS
    off = float((sizes * np.maximum((true - given) ** 2 - 2 * noise, 0)).sum())
    off /= float((sizes * (given - answer.mean()) ** 2).sum())
    if not np.isin(outcome, (0, 1)).all():
        return _grade(off)
    promised, found = float((answer * (1 - answer)).mean()), float(((outcome - answer) ** 2).mean())
    return _grade(off) if _ERRORS[0] * promised <= found <= _ERRORS[1] * promised else 0


def _grade(off: float) -> int:
    return 2 if off <= _OFF[0] else 1 if off <= _OFF[1] else 0


def _estimate(answer: Column, outcome: Column, calibrated: int, related: float, rows: int) -> AnswerPair | None:
    stem, named = marked_stem(answer, outcome), strength(answer)
    significant = related > _SIGNIFICANT / np.sqrt(rows)
    long = _has_long_decimals(answer) and not _has_long_decimals(outcome)
    values = 2.0 * calibrated + (1.0 if long and calibrated else 0.0) + (0.5 if significant else -1.0)
    points = values + _by_name(stem, named)
    if points < 3:
        return None
    reasons = [
        *([say("matches the outcome on average")] if calibrated == 2 else []),
        *_said_by_name(stem, named),
    ]
    return AnswerPair(answer.name, outcome.name, points, values, tuple(reasons))


def _said_by_name(stem: int, named: int) -> tuple[str, ...]:
    if stem == MARKED:
        return (say("is named after the outcome"),)
    return (say("is named like a prediction"),) if named else ()


def _by_name(stem: int, named: int) -> float:
    """Points for names: the outcome's with a mark, parts of it, or a mark alone."""
    return 5.0 + named if stem == 3 and named else (1.5 if named else 0.75) * stem + named


def _has_long_decimals(column: Column) -> bool:
    numbers = as_numbers(column.distinct.head(200))
    numbers = numbers[np.isfinite(numbers)]
    return bool(len(numbers)) and float((np.round(numbers, _SHORT) != numbers).mean()) > 0.8


def _filled(columns: list[np.ndarray]) -> np.ndarray:
    """The columns side by side, shape (n, k); what is missing or infinite is the mean of its column."""
    matrix = np.column_stack(columns)
    matrix[~np.isfinite(matrix)] = np.nan
    known = np.isfinite(matrix)
    mean = np.where(known, matrix, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known, matrix, mean)


def _agreeing(classes: list[Column], texts: dict[str, pd.Series]) -> list[AnswerPair]:
    """Columns whose classes are among another's and agree with them."""
    held = {one.name: frozenset(texts[one.name].dropna().str.casefold().unique()) for one in classes}
    vocabulary = {value: place for place, value in enumerate(sorted(set().union(*held.values())))} if held else {}
    codes = {name: text.str.casefold().map(vocabulary).fillna(-1).to_numpy(dtype=int) for name, text in texts.items()}
    able = _far_from_chance(np.column_stack(list(codes.values())), len(vocabulary)) if codes else np.zeros((0, 0))
    found = []
    for i, answer in enumerate(classes):
        for j in np.arange(len(classes)) if strength(answer) else np.flatnonzero(able[i]):
            outcome = classes[j]
            if answer is not outcome and held[answer.name] <= held[outcome.name]:
                pair = _class_pair(answer, outcome, codes[answer.name], codes[outcome.name])
                if pair is not None:
                    found.append(pair)
    return found


def _far_from_chance(codes: np.ndarray, values: int) -> np.ndarray:
    """Which columns of codes, shape (n, k), agree with which beyond chance, shape (k, k), bool."""
    agreement = np.zeros((codes.shape[1], codes.shape[1]))
    chance = np.zeros_like(agreement)
    for value in range(values):
        held = np.flatnonzero((codes == value).any(axis=0))
        has = (codes[:, held] == value).astype(np.float32)
        place = np.ix_(held, held)
        agreement[place] += has.T @ has / len(codes)
        chance[place] += np.outer(has.mean(axis=0), has.mean(axis=0))
    far: np.ndarray = (agreement - chance) * np.sqrt(len(codes)) > _SIGNIFICANT * np.maximum(1 - chance, 0)
    return far


def _class_pair(answer: Column, outcome: Column, given: np.ndarray, true: np.ndarray) -> AnswerPair | None:
    both = (given >= 0) & (true >= 0)
    given, true = given[both], true[both]
    if not len(given):
        return None
    size = max(given.max(), true.max()) + 1
    shares, own = np.bincount(true, minlength=size) / len(true), np.bincount(given, minlength=size) / len(given)
    agreement, chance = float((given == true).mean()), float(shares @ own)
    kappa = (agreement - chance) / (1 - chance) if chance < 1 else 0.0
    sure = kappa * np.sqrt(len(given)) > _SIGNIFICANT
    stem, named = marked_stem(answer, outcome), strength(answer)
    values = (2.0 if sure and agreement >= shares.max() - 0.005 else 0.5 if sure else -1.0) + (
        1.0 if kappa > 0.6 else 0.0
    )
    points = values + _by_name(stem, named)
    if points < 2:
        return None
    reasons = [
        *([say("agrees with the outcome in {share} of the rows", share=share_text(agreement, 0))] if sure else []),
        *_said_by_name(stem, named),
    ]
    return AnswerPair(answer.name, outcome.name, points, values, tuple(reasons))
