"""Widgets drawn from the settings' own schema: label, tooltip, symbol, unit and limits come from the field."""

from collections.abc import Container, Mapping
from typing import Any, TypeVar, get_args

import streamlit as st
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from core.base.errors import EvenhandError
from core.base.settings import Settings
from core.language.settings_words import what_is_wrong
from core.language.told import say
from core.language.units import Unit
from dashboard import session
from dashboard.fields import (
    choice_of,
    empty_of,
    example_of,
    label_of,
    limits_of,
    longest_of,
    shape_of,
    tip_with_limits,
    without_none,
)
from dashboard.messages import show_failure
from dashboard.text import literal

S = TypeVar("S", bound=Settings)

_SHARE = 100.0
"""Factor of a unit in which shares are told, and the most that a share comes to in it."""
_LONGEST_LINE = 1_000
"""Letters of a text that is written in one line."""


def draw(
    kind: type[S],
    values: Mapping[str, Any],
    key: str,
    *,
    fields: tuple[str, ...] | None = None,
    options: Mapping[str, tuple[str, ...]] | None = None,
    units: Mapping[str, Unit] | None = None,
    required: Container[str] = (),
    unfolded: Container[str] = (),
    below: Mapping[str, str] | None = None,
) -> S | None:
    """Draw a widget per field and return the settings; None, with the reasons in words, while they are not valid.

    Args:
        kind: The class of the settings.
        values: What the fields hold; those that are not drawn keep theirs.
        key: Prefix of the widgets' keys.
        fields: Which fields to draw; by default each that can be drawn.
        options: What there is to choose from: for fields that hold a tuple of names, and for choices of which some do
            not apply.
        units: What numbers are entered in, where that is not what the field holds.
        required: Which fields are marked by a star.
        unfolded: Which choices stand below each other, all to be seen, instead of in a list that opens.
        below: What is said below some of the fields, as Markdown.
    """
    chosen, names = dict(values), drawable(kind) if fields is None else fields
    columns = st.columns(2) if len(names) > 3 else [st.container()]
    for position, name in enumerate(names):
        field = kind.model_fields[name]
        current = chosen.get(name, field.get_default(call_default_factory=True))
        label = f"{label_of(field)} *" if name in required else label_of(field)
        with columns[position * len(columns) // len(names)]:
            widget_key = key_of(f"{key}.{name}")
            if unit := (units or {}).get(name):
                chosen[name] = _number_in(unit, field, current, widget_key)
            else:
                options_here = (options or {}).get(name)
                chosen[name] = _widget(field, label, current, widget_key, options_here, unfolded=name in unfolded)
            if said := (below or {}).get(name):
                st.caption(said)
    try:
        return kind.model_validate(chosen)
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
        and shape_of(field.annotation) in ("choice", "switch", "whole", "number", "text", "date", "names", "list")
    )


def problems(kind: type[Settings], error: ValidationError) -> list[str]:
    """Pydantic's findings as sentences that name the field as the form does."""
    found = []
    for detail in error.errors():
        place = [part for part in detail["loc"] if isinstance(part, str)]
        field = kind.model_fields.get(place[0]) if place else None
        name = say("This form") if field is None else label_of(field)
        said = what_is_wrong(detail)
        if detail["type"] == "missing" or (detail["type"] == "too_short" and field is not None):
            found.append(say("{name}: choose at least one.", name=literal(name)))
        elif field is not None and detail["type"] != "value_error":
            found.append(f"{literal(name)}: {literal(said)}.")
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


def _widget(
    field: FieldInfo, label: str, current: Any, key: str, options: tuple[str, ...] | None, *, unfolded: bool
) -> Any:
    shape, tip = shape_of(field.annotation), tip_with_limits(field)
    if shape == "choice":
        return _choice(field, label, current, key, options, unfolded=unfolded)
    if shape == "switch":
        return st.toggle(label, value=bool(current), key=key, help=tip)
    if shape in ("whole", "number"):
        return _number(field, label, current, key, whole=shape == "whole")
    if shape in ("text", "date"):
        return _written(field, label, current, key)
    if shape == "names":
        known = tuple(dict.fromkeys((*(options or ()), *current)))
        free = options is None
        placeholder = empty_of(field) or (say("Add options") if free else say("Choose options"))
        return tuple(
            st.multiselect(
                label,
                known,
                current,
                format_func=str if free else session.draft().told,
                key=key,
                help=tip,
                accept_new_options=free,
                placeholder=placeholder,
            )
        )
    written = ", ".join(f"{n:g}" for n in current)
    entered = st.text_input(label, value=written, key=key, help=tip, placeholder=empty_of(field) or None)
    return current if entered == written else _numbers(entered)


def _written(field: FieldInfo, label: str, current: Any, key: str) -> Any:
    """A day, a line, or a text of several sentences."""
    tip, placeholder = tip_with_limits(field), empty_of(field) or example_of(field) or None
    if shape_of(field.annotation) == "date":
        return st.date_input(label, value=current, key=key, help=tip, format="YYYY-MM-DD")
    if (longest := longest_of(field)) > _LONGEST_LINE:
        return st.text_area(
            label, value=str(current or ""), key=key, help=tip, max_chars=longest, placeholder=placeholder
        )
    return st.text_input(
        label, value=str(current or ""), key=key, help=tip, placeholder=placeholder, autocomplete="off"
    )


def choices_of(field: FieldInfo, options: tuple[str, ...] | None = None) -> tuple[Any, ...]:
    """What a field that is a choice can hold, of those in ``options`` where not all apply."""
    inner, optional = without_none(field.annotation)
    return (*((None,) if optional else ()), *(get_args(inner) if options is None else options))


def _choice(
    field: FieldInfo, label: str, current: Any, key: str, options: tuple[str, ...] | None, *, unfolded: bool
) -> Any:
    values, tip = choices_of(field, options), tip_with_limits(field)
    index = values.index(current) if current in values else 0

    def name(value: Any) -> str:
        return choice_of(field, value)

    if unfolded:
        return st.radio(label, values, index, format_func=name, key=key, help=tip)
    return st.selectbox(label, values, index, format_func=name, key=key, help=tip)


def _number(field: FieldInfo, label: str, current: Any, key: str, *, whole: bool) -> Any:
    limits, cast = limits_of(field), int if whole else float
    arguments: dict[str, Any] = {
        "min_value": cast(limits["ge"]) if "ge" in limits else None,
        "max_value": cast(limits["le"]) if "le" in limits else None,
        "value": None if current is None else cast(current),
        "step": 1 if whole else None,
        "format": "%d" if whole else "%g",
        "placeholder": empty_of(field) or say("Decided by Evenhand"),
    }
    return st.number_input(label, key=key, help=tip_with_limits(field), **arguments)


def _number_in(unit: Unit, field: FieldInfo, current: float, key: str) -> float | None:
    """A number that is read and entered in another unit; in each by a widget of its own."""
    limits = {name: unit.shown(limit) for name, limit in limits_of(field).items()}
    if unit.factor == _SHARE:
        limits["le"] = min(limits.get("le", _SHARE), _SHARE)
    shown = unit.shown(current)
    entered = st.number_input(
        label_of(field, unit.name),
        min_value=limits.get("ge"),
        max_value=limits.get("le"),
        value=shown,
        step=None,
        format="%g",
        key=f"{key}-{unit.factor:g}" if unit.factor != 1 else key,
        help=tip_with_limits(field, limits),
    )
    if entered is None:
        return None
    return current if entered == shown else unit.entered(entered)


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
