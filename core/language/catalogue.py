"""Translations: the files ``languages/<code>.po`` beside the sentences they translate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING

from core.language.reader import SOURCE

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

OFFERED = (SOURCE, "de")
"""Languages that readers are offered: those whose translation is complete."""

REPOSITORY = Path(__file__).parents[2]
PLACES = ("core", "dashboard", "assets")
"""Folders of the repository that hold sentences."""


def files(code: str) -> list[Path]:
    """The files of a language, in the order of their paths."""
    return sorted(path for place in PLACES for path in (REPOSITORY / place).rglob(f"languages/{code}.po"))


@cache
def catalogue(code: str) -> Catalog:
    """Every translation into a language, of all files together.

    Raises:
        ValueError: A file is no catalogue of translations.
    """
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    whole = Catalog(locale=code)
    for path in files(code):
        with path.open("rb") as content:
            for message in read_po(content, locale=code, abort_invalid=True):
                if message.id and all(message.string or [""]) and "fuzzy" not in message.flags:
                    whole[message.id] = message
    return whole


def name_of(code: str) -> str:
    """What speakers call their language: ``Deutsch``."""
    from babel import Locale

    name = Locale(code).get_display_name()
    return (name or code).capitalize()


def translated(code: str, message: str, about: str | None = None) -> str:
    """A message in another language, or as it is where that has no translation."""
    found = _found(code, message, about)
    return found.string if found and isinstance(found.string, str) else message


def translated_count(code: str, one: str, many: str, value: int) -> str:
    """The form of a message for so many in another language, or the English one where that has none."""
    found = _found(code, one)
    if found is None or not isinstance(found.string, tuple):
        return one if value == 1 else many
    return found.string[_form(code)(value)]


@cache
def _form(code: str) -> Callable[[int], int]:
    """Which form goes with a number."""
    return c2py(catalogue(code).plural_expr)


def _found(code: str, message: str, about: str | None = None) -> Message | None:
    found = None if code == SOURCE else catalogue(code).get(message, about)
    return found if found and all(found.string or [""]) else None


@cache
def separators(code: str) -> tuple[str, str]:
    """What stands before decimals and between thousands: ``(",", ".")`` in German."""
    from babel import Locale

    symbols = Locale(code).number_symbols["latn"]
    return symbols["decimal"], symbols["group"]
