"""Columns that say the same as the outcome, or as what is audited, so that who reads them has read the answer.

What one column tells of another is measured: a value of the other is guessed from the rows of other folds that have the
same value (of many numbers: lie in the same of 50 bins). The measure is the share of the errors of always guessing the
most frequent value that this removes (Goodman and Kruskal 1954, *Journal of the American Statistical Association*
49:732, their lambda): 0 for independent columns, 1 for a function.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.data.bins import cells_of
from core.data.cells import as_numbers, as_text, code_column, one_to_one
from core.data.column_look import MOST_OUTCOMES, Column, words_of
from core.data.dataset import Dataset
from core.language.phrases import percent, quoted
from core.language.told import say

_SAME_ORDER = 0.9999
"""Rank correlation from which one number tells the other."""
_SAME_ROWS = 0.98
"""Share of rows from which a gap, or a class, tells the outcome."""
_FEWEST_GAPS = 0.02
_FEWEST_OF_A_VALUE = 10
NEARLY_A_FUNCTION = 0.9
"""A column that removes so large a share of the errors of guessing another, or whose own are removed by it, is that
column under another name."""
_NAMED_AFTER = 0.5
"""The same for a column whose name says that it was written down afterwards."""
_PURE = 0.9
_FEWEST_OF_A_PURE_VALUE = 30
_AFTERWARDS = frozenset({"event", "followup", "recid", "recidivism", "reoffend", "rearrest", "outcome"})
_BEFOREHAND = frozenset({"prior", "priors", "previous", "past", "history", "before", "earlier", "former", "last"})
_LEAST_SHARED = 4
_MOST_ROWS = 5_000
_FOLDS = 5
_BINS, _TARGET_BINS = 50, 10


def repeated(frame: pd.DataFrame) -> dict[str, str]:
    """Columns that say in every row what another of the same name says, by the number that tells them apart, with why.

    ``age.1`` is what reading makes of the second column ``age``.
    """
    found = {}
    for name in map(str, frame.columns):
        stem, _, number = name.rpartition(".")
        if number.isdecimal() and stem in frame.columns and frame[name].equals(frame[stem]):
            found[name] = say("says the same as {column} in every row", column=quoted(stem))
    return found


def says_the_outcome(frame: pd.DataFrame, column: Column, outcome: Column) -> str:
    """Why the column all but repeats the outcome, as what follows its name in a sentence; empty if it does not."""
    values, true = frame[column.name], frame[outcome.name]
    if outcome.quantity:
        same = column.quantity and _same_order(values, true)
        return say("puts everybody in the same order as the outcome, as its logarithm would") if same else ""
    if len(outcome.distinct) > MOST_OUTCOMES:
        return ""
    reasons = {
        say("is the number from which the outcome follows at a threshold"): column.quantity
        and _cut(as_numbers(values), true),
        say("says the same as the outcome in other words"): one_to_one(
            code_column(column.name, values), code_column(outcome.name, true)
        ),
        say("is filled for one outcome only, so it was written down afterwards"): _filled_for_one(values, true),
        say("has values of which each goes with one outcome only"): _each_tells(column, values, true),
        say("is the outcome in nearly every row"): len(column.distinct) == len(outcome.distinct)
        and float(np.mean(values == true)) >= _SAME_ROWS,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _same_order(values: pd.Series, true: pd.Series) -> bool:
    first, second = (pd.Series(as_numbers(one)).rank() for one in (values, true))
    both = first.notna() & second.notna()
    return bool(both.sum() > 2 and abs(first[both].corr(second[both])) >= _SAME_ORDER)


def _filled_for_one(values: pd.Series, true: pd.Series) -> bool:
    gaps = values.isna().to_numpy()
    codes, distinct = pd.factorize(true)
    if len(distinct) != 2 or not _FEWEST_GAPS < gaps.mean() < 1 - _FEWEST_GAPS:
        return False
    same = float((gaps == (codes == 0)).mean())
    return max(same, 1 - same) >= _SAME_ROWS


def _each_tells(column: Column, values: pd.Series, true: pd.Series) -> bool:
    """Whether each of a few values, all of them frequent, goes with one outcome only."""
    if not 2 < len(column.distinct) <= MOST_OUTCOMES or values.value_counts().min() < _FEWEST_OF_A_VALUE:
        return False
    return bool((true.groupby(values, observed=True).nunique() <= 1).all())


def _cut(numbers: np.ndarray, true: pd.Series) -> bool:
    """Whether all numbers of one class exceed all of the other."""
    codes, distinct = pd.factorize(true)
    if len(distinct) != 2:
        return False
    first, second = (numbers[(codes == code) & np.isfinite(numbers)] for code in (0, 1))
    return bool(len(first) and len(second) and (first.min() > second.max() or second.min() > first.max()))


@dataclass(frozen=True)
class ToldBy:
    """How well one column tells another, on rows that it did not learn from.

    Attributes:
        right: Share of the rows guessed rightly.
        most_frequent: Share of the most frequent value, which is right without looking.
    """

    right: float
    most_frequent: float

    @property
    def share(self) -> float:
        """The share of the errors of guessing the most frequent value that is removed; 0 where it is always right."""
        errors = 1 - self.most_frequent
        return (self.right - self.most_frequent) / errors if errors > 0 else 0.0


def same_under_another_name(
    frame: pd.DataFrame, columns: Iterable[str], outcome: str | None, audited: Iterable[str] = ()
) -> dict[str, str]:
    """Which columns are nearly the outcome, or an audited score, each with the reason as what follows its name.

    A column is where it removes :data:`NEARLY_A_FUNCTION` of the errors of guessing the other, or the other of guessing
    it; one whose name says that it was written down after the outcome, where it removes half of them, or where one of
    its values nearly goes with one outcome only.

    Args:
        frame: The table; of a long one some rows are looked at, always the same.
        columns: Columns to look at.
        outcome: The outcome; None or empty without one.
        audited: Columns of answers.
    """
    rows = np.unique(np.linspace(0, max(len(frame) - 1, 0), min(len(frame), _MOST_ROWS)).astype(int))
    some = frame.iloc[rows]
    fold = np.random.default_rng(0).permutation(len(some)) % _FOLDS
    names, targets = list(columns), list(dict.fromkeys([*([outcome] if outcome else []), *audited]))
    coarse = {name: cells_of(some[name], _TARGET_BINS) for name in (*targets, *names)}
    fine = {name: cells_of(some[name], _BINS) for name in (*targets, *names)}
    known = {target: some[target].notna().to_numpy() for target in targets}
    found: dict[str, str] = {}
    for name in names:
        for target in targets:
            rows_known = known[target]
            if name in found or name == target or rows_known.sum() < _FOLDS:
                continue
            there = _told(fine[name][rows_known], coarse[target][rows_known], fold[rows_known])
            back = _told(fine[target][rows_known], coarse[name][rows_known], fold[rows_known])
            why = _why(name, target, there, back, is_outcome=target == outcome)
            if not why and target == outcome and _is_named_after(name, target):
                why = _why_pure(some[name][rows_known], some[target][rows_known])
            if why:
                found[name] = why
    return found


def same_among_features(dataset: Dataset) -> dict[str, str]:
    """The features that are nearly the outcome or an audited score, as :func:`same_under_another_name` tells them."""
    roles = dataset.all_roles
    names = [name for name in roles.features if name not in roles.protected]
    return same_under_another_name(dataset.all_cells, names, roles.outcome, roles.predictions)


def about_the_same(found: dict[str, str]) -> Iterator[Caveat]:
    """What a reader has to know of features that are nearly the outcome or the audited score, one caveat each."""
    for name, why in found.items():
        yield Caveat(
            "warning",
            say("The feature {name} {why}.", name=quoted(name), why=why),
            say("Leave it out, unless the audited model reads it: who is compared by it is compared by the answer."),
        )


def _why(name: str, target: str, there: ToldBy, back: ToldBy, *, is_outcome: bool) -> str:
    limit = _NAMED_AFTER if is_outcome and _is_named_after(name, target) else NEARLY_A_FUNCTION
    of = say("the outcome {name}", name=quoted(target)) if is_outcome else quoted(target)
    if there.share >= limit:
        return say(
            "tells {target} in {right} of the rows, where its most frequent value would be right in {frequent}",
            target=of,
            right=percent(round(there.right, 3)),
            frequent=percent(round(there.most_frequent, 3)),
        )
    if back.share >= NEARLY_A_FUNCTION:
        return say(
            "follows from {target} in {right} of the rows",
            target=of,
            right=percent(round(back.right, 3)),
        )
    return ""


def _why_pure(values: pd.Series, true: pd.Series) -> str:
    """Why a column that is named like the outcome was written down after it: one value goes with one outcome."""
    kinds, outcomes = pd.factorize(as_text(values)), pd.factorize(as_text(true))
    if len(kinds[1]) > MOST_OUTCOMES:
        return ""
    counts = np.zeros((len(kinds[1]), len(outcomes[1])))
    np.add.at(counts, (kinds[0][kinds[0] >= 0], outcomes[0][kinds[0] >= 0]), 1)
    overall = np.bincount(outcomes[0]) / len(true)
    for value, row in zip(kinds[1], counts, strict=True):
        best, rows = int(row.argmax()), row.sum()
        if rows >= _FEWEST_OF_A_PURE_VALUE and row[best] >= _PURE * rows and overall[best] < _PURE:
            return say(
                "is named after the outcome, and {share} of the rows with its value {value} have the outcome {outcome}",
                share=percent(round(float(row[best] / rows), 3)),
                value=quoted(value),
                outcome=quoted(outcomes[1][best]),
            )
    return ""


def _is_named_after(name: str, outcome: str) -> bool:
    """Whether a name shares a word with the outcome's, or says what happened afterwards, and not what went before."""
    words = {*words_of(name)}
    shared = {word for word in words & {*words_of(outcome)} if len(word) >= _LEAST_SHARED}
    return bool(shared or words & _AFTERWARDS) and not words & _BEFOREHAND


def _told(values: np.ndarray, target: np.ndarray, fold: np.ndarray) -> ToldBy:
    """How well codes, shape (n,), tell other codes, each row by the rows of other folds."""
    kinds, targets = int(values.max()) + 1, int(target.max()) + 1
    counts = np.zeros((_FOLDS, kinds, targets))
    np.add.at(counts, (fold, values, target), 1)
    others = counts.sum(axis=0) - counts
    frequent = others.sum(axis=1).argmax(axis=1)
    guess = np.where(others.sum(axis=2) > 0, others.argmax(axis=2), frequent[:, None])
    most = float((target == np.bincount(target).argmax()).mean())
    return ToldBy(float((guess[fold, values] == target).mean()), most)
