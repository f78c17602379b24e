"""What a widget needs of a settings field: its kind, label, tooltip, limits, and the names of its choices."""

import datetime
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import streamlit as st
from pydantic.fields import FieldInfo

from core.base.settings import field_words, help_of, title_of
from core.language.told import localized, retold, say

_LIMITS = ("ge", "gt", "le", "lt")
_MARKS = {
    "auto": say("Find out"),
    ",": say("Comma"),
    ";": say("Semicolon"),
    "\t": say("Tab"),
    "|": say("Bar"),
    " ": say("Space"),
    ".": say("Point"),
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": say("Windows (cp1252)"),
    "latin-1": "Latin-1",
    "relu": "ReLU",
    "leaky relu": say("Leaky ReLU"),
    "elu": "ELU",
    "gelu": "GELU",
    "silu": "SiLU",
    "logits": say("One score per outcome (logits)"),
    "single logit": say("A single score (logit)"),
    "number": say("A number, the outcome itself"),
    "probabilities": say("Probabilities"),
    "log-probabilities": say("Log-probabilities"),
    "identity": say("Identity"),
    "labels": say("Labels"),
    "probability": say("Probability"),
    "score": say("Score"),
    "class probabilities": say("Class probabilities"),
    "favourable": say("Favourable"),
    "unfavourable": say("Unfavourable"),
    "other rows": say("Other rows"),
    "these rows": say("These rows"),
    "not known": say("Not known"),
    "held-out rows": say("Held-out rows"),
    "audited rows": say("Audited rows"),
    "paired rows": say("Paired rows"),
    "loss ratio": say("Loss ratio"),
    "error-rate ratio": say("Error-rate ratio"),
    "as encoded": say("As encoded"),
    "standardised": say("Standardised"),
    "accuracy": say("Accuracy"),
    "balanced accuracy": say("Balanced accuracy"),
    "leave out": say("Leave out"),
    "median and most frequent": say("Median and most frequent"),
    "own category": say("Own category"),
    "all": say("All"),
    "train": say("Train"),
    "test": say("Test"),
    "gradient-flow paper": say("Gradient-flow paper"),
    "FaiTH paper": say("FaiTH paper"),
    "none": say("None"),
    "fair": say("Fair"),
    "biased": say("Biased"),
}
"""Choices whose settings name them by their keys alone, as people read them."""


def shape_of(annotation: Any) -> str:
    """Which widget holds values of this type; empty if none does."""
    inner, _ = without_none(annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        return "choice"
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        item = plain_type(arguments[0])
        return "names" if item is str else "list" if item in (int, float) else ""
    plain = {bool: "switch", int: "whole", float: "number", str: "text", datetime.date: "date"}
    return plain.get(inner, "")


def without_none(annotation: Any) -> tuple[Any, bool]:
    """The type, and whether None is allowed beside it."""
    annotation = plain_type(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        if len(rest) == 1:
            return plain_type(rest[0]), True
    return annotation, False


def plain_type(annotation: Any) -> Any:
    """The type without what is noted beside it."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def limits_of(field: FieldInfo) -> dict[str, float]:
    """The bounds of its values, by pydantic's names."""
    return {name: getattr(limit, name) for limit in field.metadata for name in _LIMITS if hasattr(limit, name)}


def longest_of(field: FieldInfo) -> int:
    """How many letters or entries it may have; 0 where nothing limits it."""
    return max((limit.max_length for limit in field.metadata if hasattr(limit, "max_length")), default=0)


def symbols() -> bool:
    """Whether the papers' symbols are to be shown."""
    return bool(st.session_state.get("symbols", False))


def offer_symbols() -> None:
    """The switch that shows them."""
    st.toggle(
        say("Show symbols"),
        key="symbols",
        bind="query-params",
        help=say("Adds the papers' symbols (δ, α, T, ε) to the names."),
    )


def named(field: FieldInfo) -> str:
    """The plain-language name, with its symbol where symbols are shown."""
    title, symbol = title_of(field), field_words(field).symbol
    return f"{title} {symbol}" if symbol and symbols() else title


def label_of(field: FieldInfo, unit: str = "") -> str:
    """The same with its unit, or the one given."""
    unit, title = retold(unit).strip() or field_words(field).unit, named(field) or say("Value")
    return f"{title} ({unit})" if unit else title


def tip_of(field: FieldInfo) -> str:
    """What the field does, its symbol, and an example."""
    symbol = field_words(field).symbol
    parts = (help_of(field), symbol and say("Symbol: {symbol}.", symbol=symbol), example_of(field))
    return " ".join(part for part in parts if part)


def example_of(field: FieldInfo) -> str:
    """What somebody might fill in; empty if no example is given."""
    example = field_words(field).example
    return say("For example: {example}", example=example) if example else ""


def tip_with_limits(field: FieldInfo, limited: Mapping[str, float] | None = None) -> str:
    """What the field does, its symbol, and between what its values lie: those that are ``limited``, or its own."""
    known = limits_of(field) if limited is None else limited
    limits = ", ".join(_limit(name, localized(f"{value:,g}")) for name, value in known.items())
    return f"{tip_of(field)} {limits[0].upper()}{limits[1:]}.".strip() if limits else tip_of(field)


def _limit(name: str, value: str) -> str:
    said = {
        "ge": say("at least {value}", value=value),
        "gt": say("more than {value}", value=value),
        "le": say("at most {value}", value=value),
        "lt": say("less than {value}", value=value),
    }
    return said[name]


def empty_of(field: FieldInfo) -> str:
    """What an empty field means, as a placeholder; empty if that is not said."""
    meaning = field_words(field).empty
    return f"{meaning[:1].upper()}{meaning[1:]}"


def choice_of(field: FieldInfo, value: Any) -> str:
    """What people read for a choice of a field."""
    if value is None:
        return empty_of(field) or say("As found")
    name = field_words(field).names.get(value, value)
    return name_of_mark(value) if name == value else retold(name)


def name_of_mark(value: Any) -> str:
    """A choice as people read it."""
    return retold(_MARKS.get(value, f"{str(value)[0].upper()}{str(value)[1:]}"))
