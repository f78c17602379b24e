"""Readable labels in the place of the names that the table has: applied once, to what a finding is made of.

Numbers are computed of the table's own names. Only then are names and values exchanged, in every field, sentence and
table that holds one of them as a whole, so that whatever is made of it afterwards says the labels: words, charts,
tables, reports, slides. A value is exchanged where the column it belongs to is known: it is named just before it, or
none is and the value is the outcome's. A value's label says by itself who somebody is, or what happened, so that its
column is left out beside it, unless it is a mere yes or a number, or a label of two columns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any, TypeVar

import pandas as pd
from pydantic import BaseModel

from core.data.cells import as_text
from core.data.roles import Label, Roles
from core.language.phrases import LONGEST_VALUE, all_at_once, quoted, shortened
from core.language.told import Told, retold, say, told, with_parts

T = TypeVar("T")

_IS = " = "
_GROUPS = "groups"
"""Fields of this name hold groups: of the column that is named before them, or of all attributes at once."""
_CLASSES = "classes"
"""Fields of this name hold outcomes, whatever is named before them."""
_ENDS_A_SENTENCE = re.compile(r"[.!?](?:\s|$)")
_QUOTED = re.compile(r"'([^']+)'")
SAYS_NOTHING = frozenset(("yes", "no", "true", "false", "y", "n", "t", "f"))
"""Values that leave it to the name of their column to say who somebody is."""


class Alone(str):
    """A label that says without its column who somebody is, or what happened."""


def condition(column: str, value: str) -> str:
    """Whose column has a value, ``sex = Female``; only the value where it is a label that says so alone."""
    return value if isinstance(value, Alone) else f"{column}{_IS}{retold(value)}"


@told
def as_said(what: str) -> str:
    """A condition behind a noun or "with": ``hired = yes``; a value or label that stands alone in quotes."""
    return what if _IS in what and not isinstance(what, Alone) else say("“{label}”", label=what)


def conditions(pairs: Sequence[tuple[str, str]]) -> str:
    """Whose columns have these values at once: ``sex = Female and race = Black``, ``Black applicants with sex = 2``."""
    alone = [str(value) for _, value in pairs if isinstance(value, Alone)]
    held = [condition(column, value) for column, value in pairs if not isinstance(value, Alone)]
    if not alone:
        return all_at_once(held)
    who = reduce(lambda first, last: say("{first} who are also {last}", first=first, last=last), alone)
    return Alone(say("{who} with {held}", who=who, held=all_at_once(held)) if held else who)


@told
def whom(who: str) -> str:
    """Somebody amid a sentence: ``people with sex = Female``, ``Black applicants``, ``everybody else``."""
    short = shortened(who, LONGEST_VALUE)
    if _IS not in who or isinstance(who, Alone):
        return short
    column, _, value = short.partition(_IS)
    if _IS not in value and _ENDS_A_SENTENCE.search(value):
        short = f"{column}{_IS}{say('“{label}”', label=value)}"
    return say("people with {who}", who=short)


def compared_with(who: str, against: str) -> str:
    """Those whom somebody is compared with, without the column that names both: ``Male`` beside ``sex = Female``."""
    (column, _, own), (other_column, _, other) = who.partition(_IS), against.partition(_IS)
    alone = column == other_column and own and other and _IS not in own + other
    return other if alone else against


def labelled(tree: T, labels: Sequence[Label], outcome: str = "", columns: Sequence[str] = ()) -> T:
    """The same with labels in the place of names; the very same where there are none.

    Args:
        tree: Dataclasses, settings, tables, sentences, and what holds them.
        labels: The labels.
        outcome: The column that values belong to where none stands beside them.
        columns: Every column whose values may stand in the tree, whether it has a label or not.
    """
    if not labels:
        return tree
    labelled_tree: T = _Labels(labels, columns).walk(tree, outcome)
    return labelled_tree


def labelled_by(tree: T, roles: Roles) -> T:
    """The same with the labels of these roles."""
    return labelled(tree, roles.labels, roles.outcome or roles.decision, roles.columns)


def _says_something(label: str) -> bool:
    return len(label) > 1 and label.lower() not in SAYS_NOTHING and not label.lstrip("-").isdigit()


def _is_choice(annotation: Any) -> bool:
    """Whether a field holds one of some words of Evenhand's own, which a column may be called too."""
    return "Literal[" in str(annotation)


class _Labels:
    def __init__(self, labels: Sequence[Label], columns: Sequence[str]) -> None:
        self.columns = {name: name for name in (*columns, *(one.column for one in labels)) if name}
        self.columns |= {one.column: one.label for one in labels if not one.value}
        named = {(one.column, one.value): one.label for one in labels if one.value}
        used = [*named.values(), *self.columns.values()]
        self.values = {
            of: Alone(label) if used.count(label) == 1 and _says_something(label) else label
            for of, label in named.items()
        }

    def walk(self, node: Any, of: str) -> Any:
        """The node with labels; values that no column stands beside belong to the column ``of``."""
        walked: Any = node
        if isinstance(node, Told):
            walked = self._sentence(node, of)
        elif isinstance(node, str):
            walked = self._word(node, of)
        elif isinstance(node, pd.DataFrame):
            walked = self._frame(node, of)
        elif type(node) in (tuple, list):
            walked = self._several(node, of)
        elif type(node) is dict:
            walked = {self.walk(key, of): self.walk(value, of) for key, value in node.items()}
        elif isinstance(node, BaseModel) and not isinstance(node, Label):
            kinds = {name: info.annotation for name, info in type(node).model_fields.items()}
            held = {name: getattr(node, name) for name, kind in kinds.items() if not _is_choice(kind)}
            changed = self._held(held, of)
            walked = node.model_copy(update=changed) if changed else node
        elif is_dataclass(node) and not isinstance(node, type):
            kept = (field.name for field in fields(node) if field.init and not _is_choice(field.type))
            held = {name: getattr(node, name) for name in kept}
            changed = self._held(held, of)
            walked = replace(node, **changed) if changed else node
        return walked

    def _several(self, node: Any, of: str) -> Any:
        changed = [self.walk(one, of) for one in node]
        return node if all(a is b for a, b in zip(node, changed, strict=True)) else type(node)(changed)

    def _held(self, held: Mapping[str, Any], of: str) -> dict[str, Any]:
        """The fields of a record that change: a value belongs to the column that a field before it names."""
        combined = next((value for value in held.values() if type(value) is tuple and self._are_columns(value)), ())
        changed, begun = {}, of
        for name, value in held.items():
            named: Any = getattr(value, "name", value) if isinstance(value, BaseModel) else value
            if self._is_column(named):
                of = named
            if name == _GROUPS and of == begun and combined:
                walked: Any = tuple(self._combination(one, combined) for one in value)
            else:
                walked = self.walk(value, begun if name == _CLASSES else of)
            if walked is not value:
                changed[name] = walked
        return changed

    def _are_columns(self, values: tuple[Any, ...]) -> bool:
        return bool(values) and all(map(self._is_column, values))

    def _is_column(self, value: Any) -> bool:
        return type(value) is str and value in self.columns

    def _combination(self, text: str, columns: tuple[str, ...]) -> str:
        """Groups of several attributes at once, as "Black, Female", in the order of their columns."""
        parts = text.split(", ") if len(columns) > 1 else [text]
        if len(parts) != len(columns):
            return text
        return ", ".join(self.values.get(pair, pair[1]) for pair in zip(columns, parts, strict=True))

    def _word(self, text: str, of: str) -> str:
        if text in self.columns:
            return self.columns[text]
        if (of, text) in self.values:
            return self.values[of, text]
        column, sign, value = text.partition(_IS)
        if sign and column in self.columns:
            return condition(self.columns[column], self.values.get((column, value), value))
        return text

    def _sentence(self, node: Told, of: str) -> str:
        """A sentence: a value among its parts belongs to the column that a part before it names, or the first after."""
        now = next((name for one in (*node.of, *node.given.values()) for name in self._columns_in(one)), of)

        def change(part: Any) -> Any:
            nonlocal now
            now = next(iter(self._columns_in(part)[-1:]), now)
            return self._part(part, now)

        return with_parts(node, change)

    def _part(self, part: Any, of: str) -> Any:
        """A part of a sentence, which may be a name in quotes, or several."""
        if isinstance(part, Told):
            return self._sentence(part, of)
        if isinstance(part, str):
            word = self._word(part, of)
            return word if word != part else _QUOTED.sub(lambda found: self._in_quotes(found, of), part)
        return type(part)(self._part(one, of) for one in part) if type(part) in (tuple, list) else part

    def _in_quotes(self, found: re.Match[str], of: str) -> str:
        word = self._word(found[1], of)
        return quoted(word) if word != found[1] else found[0]

    def _columns_in(self, part: Any) -> tuple[str, ...]:
        """The columns that a part of a sentence names, in order."""
        if isinstance(part, Told):
            return tuple(name for one in (*part.of, *part.given.values()) for name in self._columns_in(one))
        if isinstance(part, str):
            quotes = [name for word in _QUOTED.findall(part) for name in (word, word.partition(_IS)[0])]
            words = (part, part.partition(_IS)[0], *quotes)
            return tuple(word for word in words if word in self.columns)
        return tuple(n for one in part for n in self._columns_in(one)) if type(part) in (tuple, list) else ()

    def _frame(self, frame: pd.DataFrame, of: str) -> pd.DataFrame:
        """A table of people by its columns; one that lists columns and values in its cells row by row."""
        changed = frame.copy()
        if not any(name in self.columns for name in frame):
            words = [
                place for place in range(frame.shape[1]) if not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[place])
            ]
            rows = [self._row(row, of) for row in frame.iloc[:, words].itertuples(index=False, name=None)]
            for place, cells in zip(words, zip(*rows, strict=True), strict=False):
                plain = not any(isinstance(cell, Alone) for cell in cells)
                kept: Any = frame.dtypes.iloc[place] if plain else object
                changed.isetitem(place, pd.Series(cells, changed.index, dtype=kept))
            return changed
        for place, name in enumerate(frame.columns):
            known = {value: label for (column, value), label in self.values.items() if column == name}
            if known:
                values = frame.iloc[:, place]
                told = [known.get(text, own) for text, own in zip(as_text(values), values, strict=True)]
                column: Any = pd.Series(told, changed.index, dtype=object)
                changed.isetitem(place, column)
        return changed.rename(columns={name: self._word(str(name), "") for name in frame})

    def _row(self, cells: tuple[Any, ...], of: str) -> list[Any]:
        row = []
        for cell in cells:
            of = cell if isinstance(cell, str) and cell in self.columns else of
            row.append(self.walk(cell, of) if isinstance(cell, str) else cell)
        return row
