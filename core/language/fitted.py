"""Texts cut to the room there is for them, and into sentences."""

import re
import unicodedata
from typing import Any

from core.language.told import Told, with_parts

_SENTENCE = re.compile(r"(?<=[.!?]) (?=[^a-z])")
_SPACE = re.compile(r"[^\S\u00a0\u202f]+")
"""Where a line may be broken: not before the unit of a number."""
_HELD = ".\u00a0"
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def width(text: str) -> int:
    """How much room a text takes, in letters; those of East Asia take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def plain(text: str) -> str:
    """A text on one line, without what turns the direction of the words after it."""
    return _SPACE.sub(" ", _TURNS.sub("", text)).strip()


def sentences(text: str) -> list[str]:
    """The sentences of a text; a name in it, such as that of the group *4. Other*, ends none."""
    return [one.replace(_HELD, ". ") for one in _SENTENCE.split(_SPACE.sub(" ", _held(text)).strip()) if one]


def _held(text: str) -> str:
    """A text in which full stops within names hold their words together; any other stays as it is."""
    if not isinstance(text, Told):
        return text
    messages = text.of if text.teller.startswith("say") else ()
    return with_parts(text, lambda part: part if part in messages else _part_held(part))


def _part_held(part: Any) -> Any:
    if isinstance(part, Told):
        return _held(part)
    if isinstance(part, str):
        return part.replace(". ", _HELD)
    return type(part)(map(_part_held, part)) if type(part) in (tuple, list) else part


def short(text: str, most: int) -> str:
    """As much of a text as fits into ``most`` letters, on one line, with an ellipsis where something is left out.

    It ends with a whole word, unless one word alone takes more than half of the room.
    """
    whole = line = plain(text)
    while width(line) > most:
        line = line[: len(line) - max(1, (width(line) - most) // 2) - 1].rstrip() + "…"
    kept = line[:-1]
    if line == whole or not whole[len(kept) :][:1].strip():
        return line
    words = kept.rpartition(" ")[0].rstrip(" ,;:·")
    return f"{words}…" if 2 * width(words) > most else line


def wrapped(text: str, room: int, most: int = 2) -> tuple[str, ...]:
    """A text on at most so many lines of ``room`` letters, with an ellipsis where something is left out."""
    lines = [""]
    for word in _SPACE.split(text.strip()):
        joined = f"{lines[-1]} {word}".strip()
        if not lines[-1] or width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [short(" ".join(lines[most - 1 :]), room)]
    return tuple(short(line, room) for line in lines)
