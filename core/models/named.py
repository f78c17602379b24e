"""The preprocessing that the names of a model's inputs tell: ``age``, ``job_cook``, ``job_nurse``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import pandas as pd

from core.base.errors import ModelError
from core.data.cells import as_text, ascending
from core.data.encoder import CategoricalColumn, Column, DroppedColumn, Encoder
from core.language.options import option
from core.language.phrases import quoted
from core.language.told import say
from core.models.declared import what_differs
from core.models.encoded_names import Indicator


def encoder_of_names(names: Sequence[str], marked: Mapping[str, Indicator], frame: pd.DataFrame, name: str) -> Encoder:
    """How the table becomes numbers of these names; a single value of a column that none marks is 0 in all.

    Args:
        names: Names of the numbers that the model reads, in its order: columns of the table, or indicators.
        marked: What the indicators among them mark.
        frame: The table.
        name: What people call the model.

    Raises:
        ModelError: A column has several values that no name marks, its indicators do not stand together, or two of them
            mark the same value.
        DataError: A column cannot be encoded.
    """
    columns: list[Column] = []
    for column, group in groupby(names, key=lambda one: marked[one].column if one in marked else one):
        own = [marked[one].value for one in group if one in marked]
        if column in {one.name for one in columns}:
            raise ModelError(
                say("The model reads the values of {column} in places that are apart.", column=quoted(column)),
                where=name,
                advice=say("Save the whole pipeline, or train it with the indicators of a column side by side."),
            )
        if len(set(own)) < len(own):
            raise ModelError(
                say("Two numbers that the model reads mark the same value of {column}.", column=quoted(column)),
                where=name,
                advice=say("Save the whole pipeline, or train it with one indicator for each value."),
            )
        columns.append(_of_values(column, own, frame) if own else Encoder.fit(frame, (column,)).columns[0])
    encoder = Encoder(columns=tuple(columns))
    if encoder.width != len(names):
        read = [f"{marked[one].column} = {marked[one].value}" if one in marked else one for one in names]
        raise ModelError(
            what_differs(read, encoder),
            where=name,
            advice=say(
                "Check how the table writes these values, or declare the preprocessing ({encoding}).",
                encoding=option("encoder", "FILE"),
            ),
        )
    return encoder


def _of_values(column: str, values: list[str], frame: pd.DataFrame) -> Column:
    """A column with an indicator for each of these values, and for others of the table where there are several."""
    others = [one for one in ascending(as_text(frame[column]).dropna().unique()) if one not in values]
    if len(others) == 1:
        return DroppedColumn(name=column, categories=(others[0], *values))
    return CategoricalColumn(name=column, categories=(*values, *others))
