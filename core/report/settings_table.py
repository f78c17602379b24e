"""Every setting of a plan as people read it: drawn from the settings' own labels, symbols and units."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic.fields import FieldInfo

from core.base.files import FileRef
from core.base.settings import Settings, field_words, help_of, title_of
from core.contracts.decision import DecisionSettings
from core.data.encoder import Encoder
from core.data.labels import labelled_by
from core.data.roles import Roles
from core.language.phrases import whole
from core.language.told import localized, retold, say, say_as

LONGEST_LIST = 40
"""Longer lists are counted, not printed; the record holds them in full."""


@dataclass(frozen=True)
class SettingRow:
    """One setting.

    Attributes:
        label: Plain-language name.
        symbol: The paper's symbol; may be empty.
        value: The value as text, with its unit.
        help: What it does.
    """

    label: str
    symbol: str
    value: str
    help: str


@dataclass(frozen=True)
class SettingSection:
    """The settings of one part of a plan, under its heading."""

    title: str
    rows: tuple[SettingRow, ...]


def setting_sections(plan: Settings, tolerance: str = "") -> tuple[SettingSection, ...]:
    """Every labelled setting of the plan: one section for each part, nested settings as sections of their own.

    Args:
        plan: The plan.
        tolerance: How its tolerance is told, where that is known from a result.
    """
    roles = getattr(plan, "roles", None)
    if isinstance(roles, Roles):
        plan = labelled_by(plan, roles)
    decision = getattr(plan, "decision", None)
    numbers = getattr(roles, "outcome_type", "classes") == "number"
    if isinstance(decision, DecisionSettings) and not tolerance:
        tolerance = decision.unit(numbers=numbers).tolerance(decision.delta)
    top = [row for name, info in _labelled(plan) for row in _row(getattr(plan, name), info)]
    nested = [
        section
        for name, info in _labelled(plan)
        for section in _sections(getattr(plan, name), _title(info), tolerance, numbers=numbers)
    ]
    return (*nested, SettingSection(say("Repeatability"), tuple(top)))


def _sections(value: Any, title: str, tolerance: str, *, numbers: bool) -> Iterator[SettingSection]:
    if isinstance(value, tuple):
        for one in value:
            if _is_chosen_among_kinds(one):
                yield from _sections(one, title, tolerance, numbers=numbers)
        return
    if not isinstance(value, Settings) or isinstance(value, FileRef | Encoder):
        return
    rows = tuple(
        replace(row, value=tolerance) if name == "delta" and isinstance(value, DecisionSettings) else row
        for name, info in _labelled(value)
        if name not in value.idle(numbers=numbers)
        for row in _row(getattr(value, name), info)
    )
    if rows:
        yield SettingSection(title, rows)
    for name, info in _labelled(value):
        yield from _sections(getattr(value, name), _title(info), tolerance, numbers=numbers)


def _is_chosen_among_kinds(value: Any) -> bool:
    """Whether these are settings that say in words of which kind they are."""
    return isinstance(value, Settings) and any(name == "kind" for name, _ in _labelled(value))


def _row(value: Any, info: FieldInfo) -> Iterator[SettingRow]:
    if isinstance(value, Settings) and not isinstance(value, FileRef | Encoder):
        return
    if isinstance(value, tuple) and value and all(map(_is_chosen_among_kinds, value)):
        return
    words = field_words(info)
    if words.empty and (value is False or value in (None, (), "")):
        told = words.empty
    elif isinstance(value, str) and value in words.names:
        told = retold(words.names[value])
    elif words.counted:
        told = _counted(value)
    else:
        told = as_text(value, words.unit)
    yield SettingRow(_title(info), words.symbol, told, help_of(info))


def as_text(value: Any, unit: str = "") -> str:
    """A setting's value for reading; numbers keep every digit."""
    if value is None or value in ("", ()):
        return say("not set")
    if isinstance(value, bool):
        return say_as("a setting", "yes") if value else say_as("a setting", "no")
    if isinstance(value, FileRef):
        return say(
            "{name} ({bytes} bytes, SHA-256 {sha256})",
            name=value.name,
            bytes=whole(value.bytes),
            sha256=value.sha256,
        )
    if isinstance(value, Encoder):
        return say(
            "{columns} columns, {encoded} encoded (in full in the record)",
            columns=len(value.columns),
            encoded=value.width,
        )
    if isinstance(value, tuple):
        return _list_text(value)
    told = whole(value) if isinstance(value, int) else localized(str(value)) if isinstance(value, float) else value
    return f"{told} {unit}".strip()


def _list_text(values: tuple[Any, ...]) -> str:
    if len(values) > LONGEST_LIST or any(isinstance(value, tuple) and len(value) > 2 for value in values):
        return _counted(values)
    return ", ".join(map(_item_text, values))


def _counted(values: tuple[Any, ...]) -> str:
    return say("{entries} entries (in full in the record)", entries=whole(len(values)))


def _item_text(value: Any) -> str:
    """One entry of a list; of settings what is set in them, of those without labels all of it."""
    if isinstance(value, Settings):
        fields = type(value).model_fields
        if not any(True for _ in _labelled(value)):
            return ": ".join(str(getattr(value, name)) for name in fields)
        chosen = [name for name, info in _labelled(value) if getattr(value, name) != fields[name].default]
        return " · ".join(as_text(getattr(value, name)) for name in chosen)
    return ": ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _labelled(settings: Settings) -> Iterator[tuple[str, FieldInfo]]:
    return ((name, info) for name, info in type(settings).model_fields.items() if info.title)


def _title(info: FieldInfo) -> str:
    return title_of(info)
