"""Whether a model was read right: its answers beside those that are known to be the system's own.

Known are answers in columns of the table that are not audited, and those of a small file of rows. They are compared row
by row. Where they differ, ways to read the model otherwise are tried: the one that agrees is the likeliest cause.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

import numpy as np
import pandas as pd

from core.base.errors import EvenhandError, ModelError, Notice
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.column_look import words_of
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import CategoricalColumn, CoordinateColumn, NumericColumn
from core.data.missing import read_cells
from core.data.roles import Roles
from core.language.phrases import count, listed, quoted, several, whole
from core.language.told import Retelling, localized, say, say_count

_EXACT = 1e-5
"""Answers nearer than this, for large numbers relative to them, are equal: files keep them in single precision."""
_MOST_DECIMALS = 6
_WRITTEN = 1e-10
"""Numbers nearer than this are written alike."""
_ROWS_TRIED = 400
_MOST_ORDERS = 24
_FIRST = 5
_SURE = 4.0
"""Standard errors from which a column is taken to go with an outcome rather than with the other."""


@dataclass(frozen=True)
class Proof(Retelling):
    """A model's answers beside known ones.

    Attributes:
        known: The column that holds the known answers.
        rows: Rows whose answers are known.
        agree: Those on which the model gives the same.
        compared: What was compared, as it follows "on … rows, compared".
        decimals: To how many decimals the known answers are written; -1 for all of them, and for answers that are none.
        largest: How far a known number and the model's lie apart at most; NaN where no numbers were compared.
        first: Record numbers (1-based) of the first rows that differ.
        cause: What the difference comes from, found by trying, a sentence; empty where nothing that was tried agrees.
        from_rows: Whether they come from rows that somebody brought, and not from the audited table.
    """

    known: str
    rows: int
    agree: int
    compared: str
    decimals: int = -1
    largest: float = float("nan")
    first: tuple[int, ...] = ()
    cause: str = ""
    from_rows: bool = False

    @property
    def proved(self) -> bool:
        """Whether the model gives every known answer."""
        return self.agree == self.rows

    @property
    def told(self) -> str:
        """What was found, one sentence."""
        parts = {
            "known": quoted(self.known),
            "agree": whole(self.agree),
            "rows": count(self.rows, "row"),
            "compared": self.compared,
        }
        if not self.proved:
            return say(
                "The model's answers agree with {known} on only {agree} of {rows}, compared {compared}.", **parts
            )
        if self.decimals < 0:
            return say("The model's answers agree with {known} on {agree} of {rows}, compared {compared}.", **parts)
        return say_count(
            "The model's answers agree with {known} on {agree} of {rows}, compared {compared} to {n} decimal.",
            "The model's answers agree with {known} on {agree} of {rows}, compared {compared} to {n} decimals.",
            self.decimals,
            **parts,
        )

    @property
    def advice(self) -> str:
        """What to do where answers differ: the likeliest cause, or where to look."""
        return self.cause or say(
            "Neither another order of the classes, nor other units, another order of categories or another threshold "
            "explains it. Rows that differ: {rows}.",
            rows=", ".join(map(str, self.first)),
        )


@dataclass(frozen=True)
class _Compared:
    """How known answers and a model's go together, a row each."""

    agree: np.ndarray
    how: str
    decimals: int = -1
    largest: float = float("nan")


def compared_columns(source: AbstractModelSource, roles: Roles) -> tuple[str, ...]:
    """The columns with the system's own answers: those not audited, save the ones that are another system's."""
    if source.answers_in_the_table:
        return ()
    named = dict.fromkeys((*source.own_answers, *roles.predictions))
    return tuple(name for name in named if name not in source.other_system)


def prove(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, columns: Sequence[str]) -> tuple[Proof, ...]:
    """Compare a model's answers with those in columns of the table, one proof a column, over rows without a gap.

    Args:
        model: The model.
        data: The rows, n, as it reads them.
        answers: What it answers, shape (n, k), or (n, 1) for numbers; finite.
        columns: Columns of the table, whether they have a role or not.
    """
    dataset = data.dataset
    table = dataset.frame if dataset.table is None else dataset.table.brought.loc[dataset.frame.index]
    found = []
    for name in columns:
        if name not in table:
            continue
        known = table[name].notna().to_numpy()
        if known.any():
            rows = np.flatnonzero(known)
            found.append(_prove(model, data.take(rows), answers[rows], table[name].iloc[rows]))
    return tuple(found)


def prove_by_rows(model: AbstractModel, known: pd.DataFrame, dataset: Dataset) -> tuple[Proof, ...]:
    """Ask a model about rows whose answers are known, and compare, one proof for each column of answers.

    Args:
        model: The model.
        known: A table with the columns that the model reads and others that hold the system's answers.
        dataset: The audited table, whose roles say how columns are read.

    Raises:
        ModelError: A column is missing, there is none with answers, or the model cannot read a row.
        DataError: A cell cannot be read.
    """
    where = say("rows with known answers")
    if missing := [name for name in model.reads if name not in known.columns]:
        raise ModelError(
            say("The rows with known answers have no column {names}.", names=several(missing)),
            where=where,
            advice=say("Bring the columns that the model reads, and one with the system's answers."),
        )
    roles = dataset.all_roles
    others = [name for name in known.columns if name not in model.reads]
    columns = [name for name in others if name not in roles.columns or name in roles.predictions]
    if not columns:
        raise ModelError(
            say("The rows with known answers have no column beside those the model reads."),
            where=where,
            advice=say("Add a column with the system's answer to each row."),
        )
    own = roles.model_copy(
        update={
            "outcome": "",
            "outcome_type": "classes",
            "protected": (),
            "predictions": (),
            "annotation": "",
            "belongs_to": "",
            "features": () if roles.text else model.reads,
        }
    )
    cells = read_cells(known.reset_index(drop=True).loc[:, list(model.reads)], own)[0].dropna()
    if cells.empty:
        raise ModelError(
            say("Every row with a known answer has a gap in a column that the model reads."),
            where=where,
            advice=say("Bring rows without gaps."),
        )
    rows = Dataset(cells, own, rows_read=len(known))
    data = model.encode(rows)
    answers = model.predict_proba(data) if model.classes else model.predict(data)[:, None]
    found = []
    for name in columns:
        values = known.reset_index(drop=True).loc[cells.index, name]
        filled = np.flatnonzero(values.notna().to_numpy())
        if len(filled):
            one = _prove(model, data.take(filled), answers[filled], values.iloc[filled])
            found.append(replace(one, from_rows=True))
    return tuple(found)


def require(proofs: Sequence[Proof], model: AbstractModel, declare: str) -> None:
    """Refuse a model whose answers are not the known ones.

    Args:
        proofs: What was compared.
        model: The model.
        declare: How somebody says that a column holds answers of another system, one sentence.

    Raises:
        ModelError: A known answer differs.
    """
    for one in proofs:
        if not one.proved:
            raise ModelError(one.told, where=model.name, advice=f"{one.advice} {declare}")


def notices(proofs: Sequence[Proof]) -> Iterator[Notice]:
    """What a reader of a result has to know: on how many rows known answers were met."""
    for one in proofs:
        yield Notice("info" if one.proved else "serious", one.told, "" if one.proved else one.advice)


def _prove(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, values: pd.Series) -> Proof:
    found = _compare(model.classes, answers, values, data.y)
    differs = np.flatnonzero(~found.agree)
    return Proof(
        known=str(values.name),
        rows=len(values),
        agree=int(found.agree.sum()),
        compared=found.how,
        decimals=found.decimals,
        largest=found.largest,
        first=tuple(int(data.dataset.frame.index[row]) + 1 for row in differs[:_FIRST]),
        cause=_cause(model, data, answers, values) if len(differs) else "",
    )


def _compare(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> _Compared:
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
    return _Compared(np.zeros(len(values), dtype=bool), say("as decisions, of which it holds others"))


def _labels(classes: Sequence[str], answers: np.ndarray, labels: pd.Series) -> _Compared:
    """Decisions; where two classes are as probable, either is right."""
    codes = pd.Index(classes).get_indexer(pd.Index(labels))
    given = answers[np.arange(len(codes)), codes]
    return _Compared(given >= answers.max(axis=1) - _EXACT, say("as decisions"))


def _shares(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> _Compared:
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


def _numbers(answers: np.ndarray, values: pd.Series, how: str) -> _Compared:
    known = as_numbers(values)
    decimals = _decimals(known)
    room = 0.5 * 10.0**-decimals if decimals >= 0 else 0.0
    apart = np.abs(answers - known)
    agree = apart <= room + _EXACT * np.maximum(1.0, np.abs(known))
    return _Compared(np.asarray(agree), how, decimals, float(np.nanmax(apart, initial=0.0)))


def _decimals(numbers: np.ndarray) -> int:
    """The fewest decimals with which these numbers are written; -1 for more than six."""
    room = _WRITTEN * np.maximum(1.0, np.abs(numbers))
    return next((d for d in range(_MOST_DECIMALS + 1) if (np.abs(np.round(numbers, d) - numbers) <= room).all()), -1)


def _scores(classes: Sequence[str], answers: np.ndarray, values: pd.Series) -> _Compared:
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
    return _Compared(best, say("by the order in which they put the rows"))


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


def _cause(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, values: pd.Series) -> str:
    """The first other way to read the model that gives every known answer, one sentence; empty if none does."""
    tried = (_other_order, _other_threshold)
    cause = next((found for way in tried if (found := way(model.classes, answers, values, data.y))), "")
    if cause:
        return cause
    some = np.linspace(0, len(data) - 1, min(len(data), _ROWS_TRIED)).astype(int)
    few, known = data.take(np.unique(some)), values.iloc[np.unique(some)]

    def agrees(x: np.ndarray) -> bool:
        try:
            other = model.answers(replace(few, x=x))
        except (EvenhandError, ValueError):
            return False
        return bool(np.isfinite(other).all() and _compare(model.classes, other, known, few.y).agree.all())

    return _other_units(model, few, agrees) or _other_categories(few, agrees)


def _other_order(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> str:
    if len(classes) < 2:
        return ""
    if len(classes) == 2 and _compare(classes, answers[:, ::-1], values, y).agree.all():
        return say(
            "With the order of the classes reversed they agree on every row: the model's outputs stand for {classes}, "
            "in this order.",
            classes=listed([quoted(name) for name in classes[::-1]]),
        )
    labels = as_text(values)
    if len(classes) > 2 and set(labels) <= set(classes):
        decided = answers.argmax(axis=1)
        meant = {int(output): str(labels[decided == output].mode().iloc[0]) for output in np.unique(decided)}
        left = [name for name in classes if name not in meant.values()]
        order = [meant.get(output) or (left.pop(0) if left else "") for output in range(len(classes))]
        if len({*order}) == len(classes) and (np.array(order)[decided] == labels.to_numpy()).all():
            return say(
                "With another order of the classes they agree on every row: the model's outputs stand for {classes}, "
                "in this order.",
                classes=listed([quoted(name) for name in order]),
            )
    return ""


def _other_threshold(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> str:
    labels = as_text(values)
    if len(classes) != 2 or len(set(labels)) != 2 or not set(labels) <= set(classes):
        return ""
    for place in (1, 0):
        name = classes[place]
        inside = (labels == name).to_numpy()
        low, high = float(answers[~inside, place].max()), float(answers[inside, place].min())
        if low < high:
            return say(
                "They agree on every row if {outcome} is answered from a probability between {low} and {high} on, not "
                "from 0.5 on: the system has another threshold. Audit its decisions by their column.",
                outcome=quoted(name),
                low=localized(f"{low:.4g}"),
                high=localized(f"{high:.4g}"),
            )
    return ""


def _other_units(model: AbstractModel, data: EncodedDataset, agrees: Callable[[np.ndarray], bool]) -> str:
    """Whether the model reads numbers as in the table where they were standardised, or the other way round."""
    encoder = data.encoder
    if data.x.shape[1] != encoder.width:
        return ""
    numbers = [
        (start, column)
        for start, column in zip(_starts(data), encoder.columns, strict=True)
        if isinstance(column, NumericColumn) and not isinstance(column, CoordinateColumn)
    ]
    raw = data.x.copy()
    for start, column in numbers:
        raw[:, start] = raw[:, start] * column.scale + column.mean
    if not np.array_equal(raw, data.x) and agrees(raw):
        return say(
            "With numbers as they stand in the table they agree on every row: the model reads them so, and they were "
            "standardised."
        )
    table = data.dataset.frame if data.dataset.table is None else data.dataset.table.cells
    standard = raw.copy()
    for start, column in numbers:
        known = as_numbers(table[column.name])
        spread = float(np.nanstd(known))
        standard[:, start] = (raw[:, start] - float(np.nanmean(known))) / (spread if spread > 0 else 1.0)
    again = data.x.copy()
    given_raw = {column.name for column in model.preprocessing.columns if column.kind == "raw"}
    for start, column in numbers:
        if column.name in given_raw:
            again[:, start] = (again[:, start] - column.mean) / column.scale
    if any(not np.array_equal(x, data.x) and agrees(x) for x in (standard, again)):
        return say(
            "With numbers standardised by this table they agree on every row: the model reads them so, and they were "
            "read as they stand in the table."
        )
    return ""


def _other_categories(data: EncodedDataset, agrees: Callable[[np.ndarray], bool]) -> str:
    """Whether the indicators of one column stand in another order in the model."""
    if data.x.shape[1] != data.encoder.width:
        return ""
    for start, column in zip(_starts(data), data.encoder.columns, strict=True):
        if column.kind == "binary":
            x = data.x.copy()
            x[:, start] = 1 - x[:, start]
            if agrees(x):
                return _told_order(column.name, column.categories[::-1])
        if not isinstance(column, CategoricalColumn):
            continue
        places = range(len(column.categories))
        reverse = tuple(reversed(places))
        for order in dict.fromkeys((reverse, *islice(permutations(places), 1, _MOST_ORDERS))):
            x = data.x.copy()
            x[:, start : start + len(order)] = data.x[:, [start + place for place in order]]
            if agrees(x):
                return _told_order(column.name, tuple(column.categories[place] for place in order))
    return ""


def _told_order(name: str, categories: tuple[str, ...]) -> str:
    return say(
        "With the categories of {name} in the order {categories} they agree on every row: declare this order as the "
        "preprocessing.",
        name=quoted(name),
        categories=listed([quoted(one) for one in categories]),
    )


def _starts(data: EncodedDataset) -> list[int]:
    return list(map(int, np.searchsorted(data.encoder.sources, np.arange(len(data.encoder.columns)))))
