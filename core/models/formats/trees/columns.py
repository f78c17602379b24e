"""How the table's columns become the numbers that boosted trees read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat, ModelError
from core.data.cells import as_cell, as_numbers, as_text
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.options import option
from core.language.phrases import count, quoted, several
from core.language.told import say
from core.models.encoded_names import Indicator, indicators_among
from core.models.formats.trees.categories import Declared, is_text, values_in_order
from core.models.formats.trees.said import TreesSaid


@dataclass(frozen=True)
class Input:
    """One number that the trees read.

    Attributes:
        column: The table's column.
        categories: Its values in the order of their numbers, an empty one for a number that stands for none; none of
            them if it holds numbers.
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
        codes = {as_cell(value): place for place, value in enumerate(self.categories)}
        codes |= {value: place for place, value in enumerate(self.categories)}
        return as_text(values).map(codes).to_numpy(dtype=np.float64, na_value=np.nan)


def inputs_of(
    said: TreesSaid, preprocessing: Encoder | None, dataset: Dataset, name: str
) -> tuple[tuple[Input, ...], tuple[Caveat, ...]]:
    """What each of the model's columns is in the table, and what was assumed.

    A column of the model is found by its name, in which LightGBM writes ``_`` for a space; one that is named after a
    column and a value (``sex_Male``) marks that value. Where the file names none, the features are taken in order. Of
    a declared preprocessing the order of categories is taken, where the file does not tell it.

    Raises:
        ModelError: A column is missing, or holds text where the model reads a number; the order of its categories
            is not known; or standardised numbers are declared, which trees do not read.
    """
    caveats: list[Caveat] = []
    declared = _declared(preprocessing, name)
    frame = dataset.frame
    spelled = {str(column).replace(" ", "_"): str(column) for column in frame.columns}
    own = tuple(one if one in frame.columns else spelled.get(one, one) for one in said.features)
    named = own or _by_place(said, dataset, name, caveats)
    columns = [feature if feature in frame.columns else None for feature in named]
    marked = indicators_among(named, frame, name)
    values = values_in_order(said, columns, declared, frame, name)
    inputs = tuple(
        Input(marked[feature].column, value=marked[feature].value)
        if column is None
        else _column(values.get(place), frame[column], name)
        for place, (feature, column) in enumerate(zip(named, columns, strict=True))
    )
    _tell_declared(said, columns, declared, caveats)
    _tell_unmarked(marked, dataset, caveats)
    _tell_unknown(inputs, dataset, name, caveats)
    _tell_rare(
        {place: codes for place, codes in said.codes if codes and values.get(place) == ()}, inputs, frame, caveats
    )
    return inputs, tuple(caveats)


def _declared(preprocessing: Encoder | None, name: str) -> Declared:
    """The categories of each column for which a person declared them, written as cells are."""
    if preprocessing is None:
        return {}
    moved = [one.name for one in preprocessing.columns if one.kind == "numeric" and (one.mean, one.scale) != (0, 1)]
    if moved:
        raise ModelError(
            say(
                "Boosted trees read numbers as they stand in the table, and the declared preprocessing standardises "
                "{columns}.",
                columns=several(moved),
            ),
            where=name,
            advice=say(
                "Declare them as they stand in the table (`python -m core encoding --numbers raw` writes it). If the "
                "trees were trained on standardised numbers, bring the table with those."
            ),
        )
    return {column: tuple(map(as_cell, values)) for column, values in preprocessing.categories.items()}


def _by_place(said: TreesSaid, dataset: Dataset, name: str, caveats: list[Caveat]) -> tuple[str, ...]:
    features = dataset.roles.features
    if len(features) != said.width:
        raise ModelError(
            say(
                "The model reads {width} and names none of them; the table has {features}.",
                width=count(said.width, "column"),
                features=count(len(features), "feature"),
            ),
            where=name,
            advice=say(
                "Choose exactly the columns that the model reads as features, in the order in which it was "
                "trained, or train it on a table with names and save it again."
            ),
        )
    caveats.append(
        Caveat(
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


def _column(values: tuple[str, ...] | None, cells: pd.Series, name: str) -> Input:
    feature = str(cells.name)
    if values and len(set(values)) < len(values):
        raise ModelError(
            say("A category of {column} is listed twice.", column=quoted(feature)),
            where=name,
            advice=say(
                "Declare the preprocessing ({encoding}) with every category once, in the order of numbers.",
                encoding=option("encoder", "FILE"),
            ),
        )
    if not values and is_text(cells):
        raise ModelError(
            say("The model reads {feature} as a number, and in the table it holds text.", feature=quoted(feature)),
            where=name,
            advice=say(
                "Bring the table with the numbers that the model was trained on, or train it on categories "
                "(pandas' type category), which its file then names."
            ),
        )
    return Input(feature, values or ())


def _tell_declared(said: TreesSaid, columns: Sequence[str | None], declared: Declared, caveats: list[Caveat]) -> None:
    """Whose order of categories a person declared, because the file says none."""
    told = {place for place, _ in said.possible} if said.lists else set()
    taken = [columns[place] for place in said.coded if place not in told and columns[place] in declared]
    if taken:
        caveats.append(
            Caveat("info", say("The values of {columns} were numbered in the declared order.", columns=several(taken)))
        )


def _tell_unmarked(marked: dict[str, Indicator], dataset: Dataset, caveats: list[Caveat]) -> None:
    """Values that no indicator marks: one of a column may have been left out on purpose, several may not. And
    indicators of values that do not occur.
    """
    absent = [name for name, one in marked.items() if not one.occurs]
    if absent:
        caveats.append(
            Caveat(
                "info",
                say(
                    "{columns} mark values that the table does not have, so they are 0 in every row.",
                    columns=several(absent),
                ),
                say("Check that the table writes the values as they were in training."),
            )
        )
    for column in dict.fromkeys(one.column for one in marked.values()):
        values = {one.value for one in marked.values() if one.column == column}
        others = sorted(set(as_text(dataset.frame[column]).dropna().unique()) - values)
        if len(others) > 1:
            caveats.append(
                Caveat(
                    "warning",
                    say(
                        "The model has no column for {values}, so it cannot tell them apart.",
                        values=several([f"{column} = {value}" for value in others[:8]]),
                    ),
                    say("Check that the table writes the values as they were in training."),
                )
            )


def _tell_unknown(inputs: tuple[Input, ...], dataset: Dataset, name: str, caveats: list[Caveat]) -> None:
    """Values of categories that training did not know.

    Raises:
        ModelError: A column has no others.
    """
    for one in inputs:
        if not one.categories:
            continue
        values = as_text(dataset.frame[one.column])
        unknown = values[np.isnan(one.of(dataset.frame)) & values.notna().to_numpy()]
        if not len(unknown):
            continue
        if len(unknown) == values.notna().sum():
            raise ModelError(
                say(
                    "The model was trained with other values of {column}: {known}; the table has {values}.",
                    column=quoted(one.column),
                    known=several([value for value in one.categories if value][:8]),
                    values=several(sorted(unknown.unique())[:8]),
                ),
                where=name,
                advice=say("Bring the table with the values as they were written in training."),
            )
        caveats.append(
            Caveat(
                "warning",
                say(
                    "{rows} with {values}, which the model was not trained with: it answers as if the value "
                    "were missing.",
                    rows=count(len(unknown), "row"),
                    values=several([f"{one.column} = {value}" for value in sorted(unknown.unique())[:8]]),
                ),
            )
        )


def _tell_rare(
    met: dict[int, tuple[int, ...]], inputs: Sequence[Input], frame: pd.DataFrame, caveats: list[Caveat]
) -> None:
    """Numbers of categories, as they are in the table, that training did not meet or did not keep."""
    for place, codes in met.items():
        column = inputs[place].column
        values = frame[column][~np.isin(as_numbers(frame[column]), codes) & frame[column].notna().to_numpy()]
        if len(values):
            caveats.append(
                Caveat(
                    "warning",
                    say(
                        "{rows} with {values}, which are no categories that the model knows: they were missing in "
                        "training, or too rare.",
                        rows=count(len(values), "row"),
                        values=several([f"{column} = {value}" for value in sorted(as_text(values).unique())[:8]]),
                    ),
                    say("Check that the table has the numbers that training had."),
                )
            )
