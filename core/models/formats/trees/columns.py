"""How the table's columns become the numbers that boosted trees read."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_number_column
from core.data.dataset import Dataset
from core.errors import ModelError, Notice
from core.language.told import say
from core.models.formats.trees.booster import Booster
from core.phrases import count, quoted, several

_BETWEEN = ("_", "=", " = ", "-", ".", ": ", " ")
"""What stands between a column's name and a value in the name of an indicator: ``sex_Male``."""


@dataclass(frozen=True)
class Input:
    """One number that the trees read.

    Attributes:
        column: The table's column.
        categories: Its values in the order of their numbers; none if it holds numbers.
        value: The value that is marked by 1, others by 0; None if it is no indicator.
    """

    column: str
    categories: tuple[str, ...] = ()
    value: str | None = None

    def of(self, frame: pd.DataFrame) -> np.ndarray:
        """The numbers, shape (n,), float64; NaN for a value that the model does not know."""
        values = frame[self.column]
        if self.value is not None:
            return (as_text(values) == self.value).to_numpy(dtype=np.float64)
        if not self.categories:
            return as_numbers(values)
        codes = pd.Index(self.categories).get_indexer(pd.Index(as_text(values))).astype(np.float64)
        return np.where(codes < 0, np.nan, codes)


def inputs_of(booster: Booster, dataset: Dataset, name: str) -> tuple[tuple[Input, ...], tuple[Notice, ...]]:
    """What each of the model's columns is in the table, and what was assumed.

    A column of the model is found by its name, in which LightGBM writes ``_`` for a space; one that is named after a
    column and a value (``sex_Male``) marks that value. Where the file names none, the features are taken in order.

    Raises:
        ModelError: A column is missing, or holds text where the model reads a number.
    """
    notices: list[Notice] = []
    spelled = {str(column).replace(" ", "_"): str(column) for column in dataset.frame.columns}
    own = tuple(one if one in dataset.frame.columns else spelled.get(one, one) for one in booster.features)
    named = own or _by_place(booster, dataset, name, notices)
    inputs: list[Input | None] = []
    for place, feature in enumerate(named):
        found = feature in dataset.frame.columns
        known = booster.categories.get(place)
        inputs.append(_column(known, dataset.frame[feature], name, notices) if found else None)
    marked = _marked([feature for feature, found in zip(named, inputs, strict=True) if found is None], dataset)
    missing = [feature for feature, found in zip(named, inputs, strict=True) if found is None and feature not in marked]
    if missing:
        raise ModelError(
            say("The table has no column {missing}, which the model reads.", missing=several(missing[:8])),
            where=name,
            advice=say("Bring the table with the columns that the model was trained on, under the same names."),
        )
    _tell_unmarked(tuple(marked.values()), dataset, notices)
    whole = tuple(found or marked[feature] for feature, found in zip(named, inputs, strict=True))
    _tell_unknown(whole, dataset, notices)
    return whole, tuple(notices)


def _by_place(booster: Booster, dataset: Dataset, name: str, notices: list[Notice]) -> tuple[str, ...]:
    features = dataset.roles.features
    if len(features) != booster.width:
        raise ModelError(
            say(
                "The model reads {width} and names none of them; the table has {features}.",
                width=count(booster.width, "column"),
                features=count(len(features), "feature"),
            ),
            where=name,
            advice=say(
                "Choose exactly the columns that the model reads as features, in the order in which it was "
                "trained, or train it on a table with names and save it again."
            ),
        )
    notices.append(
        Notice(
            "warning",
            say(
                "The file does not name the model's columns, so the features were taken in the table's order: "
                "{features}.",
                features=several(features),
            ),
            say("Compare some predictions with the model's own; they differ if the order was another."),
        )
    )
    return features


def _column(known: tuple[str, ...] | None, values: pd.Series, name: str, notices: list[Notice]) -> Input:
    feature = str(values.name)
    if known is not None:
        if known:
            return Input(feature, known)
        if is_number_column(values):
            return Input(feature)
        written = tuple(sorted(as_text(values).dropna().unique()))
        notices.append(
            Notice(
                "warning",
                say(
                    "The file does not say which number each value of {feature} had in training, so they were "
                    "numbered in alphabetical order: {values}.",
                    feature=quoted(feature),
                    values=several(written),
                ),
                say(
                    "Compare some predictions with the model's own, or save the model with XGBoost 3.1 or newer, "
                    "which keeps the values."
                ),
            )
        )
        return Input(feature, written)
    if not is_number_column(values) and np.isnan(as_numbers(values)).any():
        raise ModelError(
            say("The model reads {feature} as a number, and in the table it holds text.", feature=quoted(feature)),
            where=name,
            advice=say(
                "Bring the table with the numbers that the model was trained on, or train it on categories "
                "(pandas' type category), which its file then names."
            ),
        )
    return Input(feature)


def _marked(features: list[str], dataset: Dataset) -> dict[str, Input]:
    """Indicators: a column's name and one of its values; once one is found, others of the column may mark any value."""
    frame, found, known = dataset.frame, {}, set()
    columns = sorted(map(str, frame.columns), key=len, reverse=True)
    for feature in features:
        for column, between in ((column, between) for column in columns for between in _BETWEEN):
            start = column + between
            if feature.startswith(start) and (as_text(frame[column]) == feature[len(start) :]).any():
                found[feature] = Input(column, value=feature[len(start) :])
                known.add(start)
                break
    for feature in features:
        starts = [start for start in known if feature.startswith(start)]
        if feature not in found and starts:
            start = max(starts, key=len)
            column = next(one.column for name, one in found.items() if name.startswith(start))
            found[feature] = Input(column, value=feature[len(start) :])
    return found


def _tell_unmarked(marked: tuple[Input, ...], dataset: Dataset, notices: list[Notice]) -> None:
    """Values that no indicator marks: one of a column may have been left out on purpose, several may not."""
    for column in dict.fromkeys(one.column for one in marked):
        values = {one.value for one in marked if one.column == column}
        others = sorted(set(as_text(dataset.frame[column]).dropna().unique()) - values)
        if len(others) > 1:
            notices.append(
                Notice(
                    "warning",
                    say(
                        "The model has no column for {values}, so it cannot tell them apart.",
                        values=several([f"{column} = {value}" for value in others[:8]]),
                    ),
                    say("Check that the table writes the values as they were in training."),
                )
            )


def _tell_unknown(inputs: tuple[Input, ...], dataset: Dataset, notices: list[Notice]) -> None:
    for one in inputs:
        if one.categories:
            values = as_text(dataset.frame[one.column])
            unknown = values[~values.isin(one.categories) & values.notna()]
            if len(unknown):
                told = several([f"{one.column} = {value}" for value in sorted(unknown.unique())[:8]])
                notices.append(
                    Notice(
                        "warning",
                        say(
                            "{rows} with {values}, which the model was not trained with: it answers as if the value "
                            "were missing.",
                            rows=count(len(unknown), "row"),
                            values=told,
                        ),
                    )
                )
