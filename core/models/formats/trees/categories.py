"""Which values the columns of categories have and in which order, as the file or a person says it."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from core.base.errors import ModelError
from core.data.cells import as_cell, as_numbers, as_text, is_number_column
from core.language.options import option
from core.language.phrases import count, quoted, several
from core.language.told import say
from core.models.formats.trees.said import TreesSaid

_MOST_PAIRS = 10**6
"""Places and lists that are tried with each other."""

Declared = Mapping[str, tuple[str, ...]]
"""The values of columns of categories as a person declared them, in order, by the column's name."""


def is_text(values: pd.Series) -> bool:
    """Whether a column holds words, so that a model reads it as categories or not at all."""
    return not is_number_column(values) and bool(np.isnan(as_numbers(values[values.notna()])).any())


def values_in_order(
    said: TreesSaid, columns: Sequence[str | None], declared: Declared, frame: pd.DataFrame, name: str
) -> dict[int, tuple[str, ...]]:
    """For the places of columns of categories their values in the order of their numbers; no values for those that
    hold the numbers themselves.

    Args:
        said: What the file says.
        columns: The table's column for each place; None for one that is no column of the table.
        declared: What a person said.
        frame: The table.
        name: What people call the model.

    Raises:
        ModelError: The file does not say enough and nobody declared it.
    """
    values = _place_lists(said, columns, declared, frame, name)
    codes, unknown = dict(said.codes), []
    for place in said.coded:
        column = columns[place]
        if place in values or column is None:
            continue
        if column in declared:
            values[place] = _numbered(declared[column], codes.get(place, ()), said.library, column, name)
        elif not is_text(frame[column]) and _are_numbers(said, codes.get(place, ()), frame[column]):
            values[place] = ()
        else:
            unknown.append(column)
    if unknown:
        raise ModelError(
            say(
                "The file does not say which number each value of {columns} had in training, and the answers depend on "
                "it.",
                columns=several(unknown),
            ),
            where=name,
            advice=say(
                "Declare the preprocessing ({encoding}): the column as categories in the order of their numbers, "
                "in training df['{column}'].cat.categories.",
                encoding=option("encoder", "FILE"),
                column=unknown[0],
            )
            + (
                " " + say("XGBoost 3.1 or newer keeps them in a model that it trains.")
                if said.library == "XGBoost"
                else ""
            ),
        )
    return values


def _are_numbers(said: TreesSaid, codes: tuple[int, ...], column: pd.Series) -> bool:
    """Whether a column of numbers holds the numbers of its categories: training met all of them, or some of them and
    the file says so.
    """
    met = np.isin(as_numbers(column.dropna()), codes)
    return bool(met.all()) or (said.raw and (not codes or bool(met.any())))


def _numbered(values: tuple[str, ...], codes: tuple[int, ...], library: str, column: str, name: str) -> tuple[str, ...]:
    """Declared values in the order of their numbers from 0; R's LightGBM begins with 1, where an empty value goes
    before.

    Args:
        values: As declared.
        codes: Numbers that training met, if the file says it.
        library: Who wrote the file.
        column: Of which column.
        name: Of which model.
    """
    if library == "XGBoost" or not codes or (0 in codes and len(values) not in codes) or not values[0]:
        return values
    if len(values) in codes:
        return ("", *values)
    raise ModelError(
        say("The file does not say whether the first value of {column} has the number 0 or 1.", column=quoted(column)),
        where=name,
        advice=say("If it is 1, as in R, declare an empty value before the others; if it is 0, one that training met."),
    )


def _place_lists(
    said: TreesSaid, columns: Sequence[str | None], declared: Declared, frame: pd.DataFrame, name: str
) -> dict[int, tuple[str, ...]]:
    """The lists of the file at their places: lists and places have one order, and only one way may be left to match
    them.

    A column of words has a list; a column of numbers has one only if all its values are in it.
    """
    places = [place for place, _ in said.possible if columns[place] is not None]
    if len(places) == len(said.lists):
        return dict(zip(places, said.lists, strict=True))
    least, codes = dict(said.possible), dict(said.codes)
    cells = {place: frame[columns[place]] for place in places}
    lists = [frozenset(map(as_cell, values)) for values in said.lists]
    text = {place: is_text(cells[place]) or columns[place] in declared for place in places}

    @cache
    def distinct(place: int) -> set[str]:
        return set(as_text(cells[place]).dropna().unique())

    def may_have(place: int, number: int) -> bool:
        return least[place] <= len(lists[number]) and (text[place] or distinct(place) <= lists[number])

    @cache
    def may_lack(place: int) -> bool:
        met = {str(code) for code in codes.get(place, ())}
        return not text[place] and not (met and met.isdisjoint(distinct(place)))

    few = len(places) * len(lists) <= _MOST_PAIRS
    ways = np.zeros((len(places) + 1, len(lists) + 1) if few else (1, 1), dtype=np.int64)
    ways[-1, -1] = few
    for row in reversed(range(len(places) * few)):
        for left in range(len(lists) + 1):
            ways[row, left] = ways[row + 1, left] * may_lack(places[row])
            if left < len(lists) and ways[row + 1, left + 1] and may_have(places[row], left):
                ways[row, left] += ways[row + 1, left + 1]
        ways[row] = np.minimum(ways[row], 2)
    if ways[0, 0] != 1:
        raise ModelError(
            say(
                "The file holds the values of {lists} of categories and does not say which columns these are.",
                lists=count(len(lists), "column"),
            ),
            where=name,
            advice=say(
                "Declare the preprocessing ({encoding}): each of these columns as categories with all its values. "
                "It may be {columns}.",
                encoding=option("encoder", "FILE"),
                columns=several([str(columns[place]) for place in places[:8]]),
            ),
        )
    found: dict[int, tuple[str, ...]] = {}
    for row, place in enumerate(places):
        if not (may_lack(place) and ways[row + 1, len(found)]):
            found[place] = said.lists[len(found)]
    return found
