"""Labels: what columns and values are called, one by one, from a JSON file, or as such a file says it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import Field, TypeAdapter, ValidationError

from core.base.errors import SettingsError
from core.base.settings import Settings
from core.data.cells import as_text
from core.data.roles import Label
from core.language.options import option
from core.language.phrases import listed, quoted


class _Called(Settings):
    """What a column and its values are called, as a file says it."""

    label: str = ""
    values: dict[str, str] = Field(default={})


_FILE: TypeAdapter[dict[str, str | _Called]] = TypeAdapter(dict[str, str | _Called])


def labels_of(given: Iterable[str] | Mapping[str, Any], frame: pd.DataFrame) -> tuple[Label, ...]:
    """The labels that are given for columns of a table and their values.

    Raises:
        SettingsError: One names no column, or a file holds no labels.
    """
    found: list[Label] = []
    if isinstance(given, Mapping):
        found += _of(given, option("labels"))
    else:
        for text in given:
            found += _of_a_file(Path(text)) if text.endswith(".json") and "=" not in text else [_one(text, frame)]
    for one in found:
        _require_known(one, frame)
    return tuple(found)


def _one(text: str, frame: pd.DataFrame) -> Label:
    """A column and what it, or one of its values, is called; each of them may hold the signs between them."""
    parts = text.split("=")
    for place in range(1, len(parts)):
        column, rest = "=".join(parts[:place]).strip(), "=".join(parts[place:]).strip()
        if column in frame.columns and rest:
            return _of_column(column, rest, frame)
    raise SettingsError(
        f"{quoted(text)} does not say what a column is called.",
        where=option("labels"),
        advice=f"Write COLUMN=LABEL or COLUMN=VALUE:LABEL; the columns are "
        f"{listed([quoted(one) for one in frame.columns[:30]])}.",
    )


def _of_column(column: str, rest: str, frame: pd.DataFrame) -> Label:
    values = set(as_text(frame[column].dropna()))
    parts = rest.split(":")
    for place in range(1, len(parts)):
        value, label = ":".join(parts[:place]).strip(), ":".join(parts[place:]).strip()
        if value in values and label:
            return Label(column=column, value=value, label=label)
    return Label(column=column, label=rest)


def _of_a_file(path: Path) -> Iterator[Label]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise _unreadable(str(path)) from error
    return _of(content, str(path))


def _of(content: Any, where: str) -> Iterator[Label]:
    try:
        for column, told in _FILE.validate_python(content).items():
            said = _Called(label=told) if isinstance(told, str) else told
            if said.label:
                yield Label(column=column, label=said.label)
            for value, label in said.values.items():
                yield Label(column=column, value=value, label=label)
    except ValidationError as error:
        raise _unreadable(where) from error


def _unreadable(where: str) -> SettingsError:
    return SettingsError(
        "The labels cannot be read.",
        where=where,
        advice='Write JSON such as {"phist": {"label": "bad credit record", "values": {"yes": "on record"}}}.',
    )


def _require_known(one: Label, frame: pd.DataFrame) -> None:
    if one.column not in frame.columns:
        raise SettingsError(
            f"The table has no column {quoted(one.column)}.",
            where=option("labels"),
            advice=f"Its columns are {listed([quoted(name) for name in frame.columns[:30]])}.",
        )
    values = list(dict.fromkeys(as_text(frame[one.column].dropna())))
    if one.value and one.value not in values:
        raise SettingsError(
            f"The column {quoted(one.column)} holds no {quoted(one.value)}.",
            where=option("labels"),
            advice=f"It holds {listed([quoted(value) for value in values[:30]])}.",
        )
