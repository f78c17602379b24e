"""Readable labels in the place of the names that the table has: applied once, to what a finding is made of.

Numbers are computed of the table's own names. Only then are names and values exchanged, in every field, sentence and
table that holds one of them as a whole, so that whatever is made of it afterwards says the labels: words, charts,
tables, reports, slides. A value is exchanged where the column it belongs to is known: it stands beside it, or it is
the outcome's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import pandas as pd
from pydantic import BaseModel

from core.data.cells import as_text
from core.data.label import Label
from core.language.told import Told, with_parts
from core.phrases import quoted

T = TypeVar("T")

_IS = " = "
_QUOTED = re.compile(r"'([^']+)'")


def labelled(tree: T, labels: Sequence[Label], outcome: str = "") -> T:
    """The same with labels in the place of names; the very same where there are none.

    Args:
        tree: Dataclasses, settings, tables, sentences, and what holds them.
        labels: The labels.
        outcome: The column that values belong to where none stands beside them.
    """
    if not labels:
        return tree
    labelled_tree: T = _Labels(labels).walk(tree, (outcome,) if outcome else ())
    return labelled_tree


class _Labels:
    def __init__(self, labels: Sequence[Label]) -> None:
        self.columns = {one.column: one.column for one in labels}
        self.columns |= {one.column: one.label for one in labels if not one.value}
        self.values = {(one.column, one.value): one.label for one in labels if one.value}

    def walk(self, node: Any, scope: tuple[str, ...], combined: tuple[str, ...] = ()) -> Any:
        """The node with labels; values belong to the first column of ``scope`` that has a label for them.

        ``combined`` are the columns of which groups are combinations, in the order in which they are written.
        """
        walked: Any = node
        if isinstance(node, Told):
            beside = (*self._columns_in(node), *scope)
            walked = with_parts(node, lambda part: self._part(part, beside))
        elif isinstance(node, str):
            walked = self._word(node, scope, combined)
        elif isinstance(node, pd.DataFrame):
            walked = self._frame(node, scope)
        elif type(node) in (tuple, list):
            changed = [self.walk(one, scope, combined) for one in node]
            same = all(a is b for a, b in zip(node, changed, strict=True))
            walked = node if same else type(node)(changed)
        elif type(node) is dict:
            walked = {self.walk(key, scope): self.walk(value, scope, combined) for key, value in node.items()}
        elif isinstance(node, BaseModel):
            walked = self._settings(node, scope)
        elif is_dataclass(node) and not isinstance(node, type):
            walked = self._record(node, scope)
        return walked

    def _record(self, node: Any, scope: tuple[str, ...]) -> Any:
        held = {field.name: getattr(node, field.name) for field in fields(node) if field.init}
        changed = self._held(held, scope)
        return replace(node, **changed) if changed else node

    def _settings(self, node: BaseModel, scope: tuple[str, ...]) -> Any:
        if isinstance(node, Label):
            return node
        held = {name: getattr(node, name) for name in type(node).model_fields if name != "kind"}
        changed = self._held(held, scope)
        return node.model_copy(update=changed) if changed else node

    def _held(self, held: Mapping[str, Any], scope: tuple[str, ...]) -> dict[str, Any]:
        """The fields of a record that change."""
        named = tuple(value for value in held.values() if type(value) is str and value in self.columns)
        several = [value for value in held.values() if type(value) is tuple and self._are_columns(value)]
        combined = several[0] if len(several) == 1 else ()
        scope = (*named, *scope)
        walked = {name: self.walk(value, scope, combined) for name, value in held.items()}
        return {name: value for name, value in walked.items() if value is not held[name]}

    def _are_columns(self, values: tuple[Any, ...]) -> bool:
        return bool(values) and all(type(one) is str for one in values) and any(one in self.columns for one in values)

    def _word(self, text: str, scope: tuple[str, ...], combined: tuple[str, ...] = ()) -> str:
        if text in self.columns:
            return self.columns[text]
        for column in scope:
            if (column, text) in self.values:
                return self.values[column, text]
        column, sign, value = text.partition(_IS)
        if sign and column in self.columns:
            return f"{self.columns[column]}{_IS}{self.values.get((column, value), value)}"
        parts = text.split(", ")
        if combined and len(parts) == len(combined):
            changed = [self.values.get(pair, pair[1]) for pair in zip(combined, parts, strict=True)]
            return ", ".join(changed) if changed != parts else text
        return text

    def _part(self, part: Any, scope: tuple[str, ...]) -> Any:
        """A part of a sentence, which may be a name in quotes, or several."""
        if isinstance(part, Told):
            return self.walk(part, scope)
        if isinstance(part, str):
            word = self._word(part, scope)
            return word if word != part else _QUOTED.sub(lambda found: self._in_quotes(found, scope), part)
        return type(part)(self._part(one, scope) for one in part) if type(part) in (tuple, list) else part

    def _in_quotes(self, found: re.Match[str], scope: tuple[str, ...]) -> str:
        word = self._word(found[1], scope)
        return quoted(word) if word != found[1] else found[0]

    def _columns_in(self, part: Any) -> tuple[str, ...]:
        """The columns that a sentence names in its parts."""
        if isinstance(part, Told):
            return tuple(name for one in (*part.of, *part.given.values()) for name in self._columns_in(one))
        if isinstance(part, str):
            words = (part, part.partition(_IS)[0], *_QUOTED.findall(part))
            return tuple(dict.fromkeys(word for word in words if word in self.columns))
        return tuple(n for one in part for n in self._columns_in(one)) if type(part) in (tuple, list) else ()

    def _frame(self, frame: pd.DataFrame, scope: tuple[str, ...]) -> pd.DataFrame:
        """A table of people by its columns; one that lists columns and values in its cells row by row."""
        known = {name: {value: label for (of, value), label in self.values.items() if of == name} for name in frame}
        changed = frame.copy()
        if not any(name in self.columns for name in frame):
            words = [
                place for place in range(frame.shape[1]) if not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[place])
            ]
            rows = [self._row(row, scope) for row in frame.iloc[:, words].itertuples(index=False, name=None)]
            for place, cells in zip(words, zip(*rows, strict=True), strict=False):
                changed.isetitem(place, pd.Series(cells, index=frame.index, dtype=frame.dtypes.iloc[place]))
            return changed
        for place, name in enumerate(frame.columns):
            if known[name]:
                texts = as_text(frame.iloc[:, place]).astype(object)
                labels = texts.map(known[name])
                changed.isetitem(place, labels.where(labels.notna(), frame.iloc[:, place].astype(object)))
        return changed.rename(columns={name: self._word(str(name), ()) for name in frame})

    def _row(self, cells: tuple[Any, ...], scope: tuple[str, ...]) -> list[Any]:
        named = tuple(cell for cell in cells if isinstance(cell, str) and cell in self.columns)
        return [self.walk(cell, (*named, *scope)) if isinstance(cell, str) else cell for cell in cells]
