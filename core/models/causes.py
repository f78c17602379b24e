"""Why a model's answers are not the known ones: ways to read it otherwise, of which the first that agrees is named."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, permutations

import numpy as np
import pandas as pd

from core.base.errors import EvenhandError
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text
from core.data.encoded import EncodedDataset
from core.data.encoder import CategoricalColumn, CoordinateColumn, NumericColumn
from core.language.phrases import listed, quoted
from core.language.told import localized, say
from core.models.comparison import compare

_ROWS_TRIED = 400
_MOST_ORDERS = 24


def likeliest_cause(model: AbstractModel, data: EncodedDataset, answers: np.ndarray, values: pd.Series) -> str:
    """The first other way to read the model that gives every known answer, one sentence; empty if none does.

    Args:
        model: The model.
        data: The rows, n, as it reads them.
        answers: What it answers, shape (n, k), or (n, 1) for numbers.
        values: The known answers, n.
    """
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
        return bool(np.isfinite(other).all() and compare(model.classes, other, known, few.y).agree.all())

    return _other_units(model, few, agrees) or _other_categories(few, agrees)


def _other_order(classes: Sequence[str], answers: np.ndarray, values: pd.Series, y: np.ndarray) -> str:
    if len(classes) < 2:
        return ""
    if len(classes) == 2 and compare(classes, answers[:, ::-1], values, y).agree.all():
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
