"""Widgets drawn from the settings' own schema: label, tooltip, symbol, unit and limits come from the field."""

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import streamlit as st
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from core.errors import EvenhandError
from core.settings import Settings
from dashboard.messages import show_failure
from dashboard.text import literal

S = TypeVar("S", bound=Settings)

LIMITS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def draw(
    kind: type[S],
    values: Mapping[str, Any],
    key: str,
    *,
    fields: tuple[str, ...] | None = None,
    options: Mapping[str, tuple[str, ...]] | None = None,
) -> S | None:
    """Draw a widget per field and return the settings; None, with the reasons in words, while they are not valid.

    Args:
        kind: The class of the settings.
        values: What the fields hold; those that are not drawn keep theirs.
        key: Prefix of the widgets' keys.
        fields: Which fields to draw; by default each that can be drawn.
        options: What there is to choose from: for fields that hold a tuple of names, and for choices of which some do
            not apply.
    """
    chosen, names = dict(values), drawable(kind) if fields is None else fields
    columns = st.columns(2) if len(names) > 3 else [st.container()]
    for position, name in enumerate(names):
        field = kind.model_fields[name]
        current = chosen.get(name, field.get_default(call_default_factory=True))
        with columns[position * len(columns) // len(names)]:
            chosen[name] = _widget(field, current, key_of(f"{key}.{name}"), (options or {}).get(name))
    try:
        return kind(**chosen)
    except ValidationError as error:
        for problem in problems(kind, error):
            st.error(problem, icon=":material/error:")
    except EvenhandError as error:
        show_failure(error)
    return None


def drawable(kind: type[Settings]) -> tuple[str, ...]:
    """Fields that a single widget can hold, in order; ``kind``, files and nested settings are not among them."""
    return tuple(
        name
        for name, field in kind.model_fields.items()
        if name != "kind"
        and _shape(field.annotation) in ("choice", "switch", "whole", "number", "text", "names", "list")
    )


def problems(kind: type[Settings], error: ValidationError) -> list[str]:
    """Pydantic's findings as sentences that name the field as the form does."""
    found = []
    for detail in error.errors():
        place = [part for part in detail["loc"] if isinstance(part, str)]
        field = kind.model_fields.get(place[0]) if place else None
        said = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ").rstrip(".")
        if detail["type"] == "missing" or (detail["type"] == "too_short" and field is not None):
            found.append(f"{literal(_label(field))}: choose at least one.")
        elif field is not None and detail["type"] != "value_error":
            found.append(f"{literal(_label(field))}: it should be {literal(said)}.")
        else:
            found.append(f"{literal(said)}.")
    return found


def forget(form: str) -> None:
    """Let the form's widgets start again from the settings.

    They get new keys: a browser keeps what a widget of the same key showed, even where the server has dropped it.
    """
    times = st.session_state.setdefault("forgotten", {})
    times[form] = times.get(form, 0) + 1


def key_of(name: str) -> str:
    """The key of a form's widget, new each time its form was forgotten."""
    times = sum(count for form, count in st.session_state.get("forgotten", {}).items() if name.startswith(f"{form}."))
    return f"{name}~{times}" if times else name


def _widget(field: FieldInfo, current: Any, key: str, options: tuple[str, ...] | None) -> Any:
    shape, label, tip = _shape(field.annotation), _label(field), _tip(field)
    if shape == "choice":
        return _choice(field, current, key, options)
    if shape == "switch":
        return st.toggle(label, value=bool(current), key=key, help=tip)
    if shape in ("whole", "number"):
        return _number(field, current, key, whole=shape == "whole")
    if shape == "text":
        return st.text_input(label, value=str(current or ""), key=key, help=tip, placeholder=_empty(field) or None)
    if shape == "names":
        known = tuple(dict.fromkeys((*(options or ()), *current)))
        free = options is None
        placeholder = _empty(field) or None
        return tuple(
            st.multiselect(label, known, current, key=key, help=tip, accept_new_options=free, placeholder=placeholder)
        )
    written = ", ".join(f"{n:g}" for n in current)
    return _numbers(st.text_input(label, value=written, key=key, help=tip, placeholder=_empty(field) or None))


def _choice(field: FieldInfo, current: Any, key: str, options: tuple[str, ...] | None) -> Any:
    inner, optional = _without_none(field.annotation)
    offered = get_args(inner) if options is None else options
    values = [*((None,) if optional else ()), *offered]
    return st.selectbox(
        _label(field),
        values,
        index=values.index(current) if current in values else 0,
        format_func=lambda value: _name_of_choice(field, value),
        key=key,
        help=_tip(field),
    )


def _name_of_choice(field: FieldInfo, value: Any) -> str:
    if value is None:
        return _empty(field) or "As found"
    names = _extra(field).get("names")
    return str(names[value]) if isinstance(names, dict) and value in names else name_of_mark(value)


def _empty(field: FieldInfo) -> str:
    """What an empty field means, as a placeholder."""
    meaning = str(_extra(field).get("empty") or "")
    return f"{meaning[:1].upper()}{meaning[1:]}"


def _extra(field: FieldInfo) -> dict[str, Any]:
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


def _number(field: FieldInfo, current: Any, key: str, *, whole: bool) -> Any:
    limits, cast = _limits(field), int if whole else float
    arguments: dict[str, Any] = {
        "min_value": cast(limits["ge"]) if "ge" in limits else None,
        "max_value": cast(limits["le"]) if "le" in limits else None,
        "value": None if current is None else cast(current),
        "step": 1 if whole else None,
        "format": "%d" if whole else "%g",
        "placeholder": _empty(field) or "Decided by Evenhand",
    }
    return st.number_input(_label(field), key=key, help=_tip(field), **arguments)


def _numbers(text: str) -> tuple[Any, ...]:
    """Numbers separated by commas or spaces; what is no number is left for validation to refuse."""
    parts = text.replace(";", " ").replace(",", " ").split()
    return tuple(_number_or_text(part) for part in parts)


def _number_or_text(part: str) -> float | int | str:
    try:
        value = float(part)
    except ValueError:
        return part
    return int(value) if value.is_integer() and "." not in part else value


def _shape(annotation: Any) -> str:
    """Which widget holds values of this type; empty if none does."""
    inner, _ = _without_none(annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        return "choice"
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        item = _plain(arguments[0])
        return "names" if item is str else "list" if item in (int, float) else ""
    return {bool: "switch", int: "whole", float: "number", str: "text"}.get(inner, "")


def _without_none(annotation: Any) -> tuple[Any, bool]:
    annotation = _plain(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        if len(rest) == 1:
            return _plain(rest[0]), True
    return annotation, False


def _plain(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _limits(field: FieldInfo) -> dict[str, float]:
    return {name: getattr(limit, name) for limit in field.metadata for name in LIMITS if hasattr(limit, name)}


def _label(field: FieldInfo | None) -> str:
    if field is None:
        return "This form"
    unit = _extra(field).get("unit")
    return f"{field.title or 'Value'} ({unit})" if unit else field.title or "Value"


def _tip(field: FieldInfo) -> str:
    """Help, symbol and limits, for the tooltip."""
    extra = _extra(field)
    limits = ", ".join(f"{LIMITS[name]} {value:,g}" for name, value in _limits(field).items())
    said = [field.description or ""]
    if extra.get("symbol"):
        said.append(f"Symbol: {extra['symbol']}.")
    if limits:
        said.append(f"{limits[0].upper()}{limits[1:]}.")
    return " ".join(part for part in said if part)


_MARKS = {
    "auto": "Find out",
    ",": "Comma",
    ";": "Semicolon",
    "\t": "Tab",
    "|": "Bar",
    " ": "Space",
    ".": "Point",
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows (cp1252)",
    "latin-1": "Latin-1",
    "relu": "ReLU",
    "leaky relu": "Leaky ReLU",
    "elu": "ELU",
    "gelu": "GELU",
    "silu": "SiLU",
    "logits": "One score per outcome (logits)",
    "single logit": "A single score (logit)",
    "number": "A number, the outcome itself",
}


def name_of_mark(value: Any) -> str:
    """A choice as people read it."""
    return _MARKS.get(value, f"{str(value)[0].upper()}{str(value)[1:]}")
