"""Records as JSON: reading one that somebody brings, its settings, and where two of them differ."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from core.audits import KINDS
from core.base.errors import RecordError
from core.base.settings import Settings
from core.language.phrases import whole
from core.language.settings_words import what_is_wrong
from core.language.told import retold, say, say_as, say_count
from core.records.codec_frames import encode_number

MOST_VALUES = 2_000_000
"""Values a JSON file may hold; a record has some thousands. To say what is wrong with each would fill the memory."""
DEEPEST = 100
"""Levels of such a file; a record has some twenty. Whatever walks it later is spared the end of the stack."""
_SENTENCES = frozenset({"headline", "sentence", "sentences", "what", "advice", "why"})
"""What sentences are called in a record; names of people and verdicts are none."""
_INDEX = re.compile(r"\[\d+\]$")
ADVICE = say("Choose a record or a plan, as Evenhand writes them.")

S = TypeVar("S", bound=Settings)


@dataclass(frozen=True)
class Difference:
    """What a record holds and what came out otherwise when it was repeated.

    Attributes:
        place: Where in the record.
        recorded: What stands there.
        found: What came out.
        worded: Whether it is a sentence, which versions of Evenhand tell in other words; the numbers it tells stand in
            the record by themselves.
    """

    place: str
    recorded: str
    found: str
    worded: bool = False


def document_of(text: str | bytes) -> dict[str, Any]:
    """The JSON object in a record's text.

    Raises:
        RecordError: It is not JSON, was cut off, or is no object.
    """
    try:
        document = json.loads(text)
    except UnicodeDecodeError as error:
        raise RecordError(
            say("The record's letters are not stored as UTF-8."),
            where=say("byte {place}", place=whole(error.start + 1)),
            advice=say("Save it as UTF-8, or take the record anew from where it was made."),
        ) from error
    except json.JSONDecodeError as error:
        where = say("line {line}, column {column}", line=error.lineno, column=error.colno)
        raise RecordError(say("The record is not JSON, or was cut off."), where=where, advice=retold(ADVICE)) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(say("The record is not a JSON file that can be read."), advice=retold(ADVICE)) from error
    if not isinstance(document, dict):
        raise RecordError(say("This JSON file is neither a record nor a plan."), advice=retold(ADVICE))
    for number, depth in enumerate(_depths(document)):
        if number >= MOST_VALUES or depth > DEEPEST:
            raise RecordError(
                say("This JSON file holds more values, or nests them deeper, than any record."), advice=retold(ADVICE)
            )
    return document


def text_of(document: dict[str, Any]) -> str:
    """A record as JSON text. Floats are written with the digits that give them back exactly."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def listed(array: np.ndarray) -> Any:
    """An array as nested lists that strict JSON can hold."""
    return [listed(row) for row in array] if array.ndim > 1 else [encode_number(value) for value in array.tolist()]


def parsed(tree: Any, kind: type[S]) -> S:
    """Settings of a record.

    Raises:
        RecordError: A setting is wrong (says which).
    """
    try:
        return kind.model_validate_json(json.dumps(tree))
    except ValidationError as error:
        first, *rest = error.errors()
        place = " › ".join(_readable(first["loc"])) or say_as("a place in a record", "plan")
        others = sum(one["loc"] != first["loc"][: len(one["loc"])] for one in rest)
        what = say("A setting in the record is wrong: {reason}.", reason=what_is_wrong(first))
        raise RecordError(
            say_count(
                "{what} {n} other setting is wrong too.", "{what} {n} other settings are wrong too.", others, what=what
            )
            if others
            else what,
            where=place,
            advice=say("Correct it, or take the record anew from where it was made."),
        ) from error


def differences(recorded: Any, found: Any, place: str = "", *, older: bool = False) -> tuple[Difference, ...]:
    """Where two JSON trees differ, to the last digit; empty when they are the same.

    Args:
        recorded: What a record holds.
        found: What came out when it was repeated.
        place: Where in the record both stand.
        older: Whether an older version of the format wrote the record, so that what it lacks is no difference: in a
            list, at its end.
    """
    if isinstance(recorded, dict) and isinstance(found, dict):
        keys = recorded if older else dict.fromkeys((*recorded, *found))
        pairs = [(recorded.get(key, "nothing"), found.get(key, "nothing"), f"{place}.{key}") for key in keys]
    elif (
        isinstance(recorded, list)
        and isinstance(found, list)
        and (len(recorded) == len(found) or (older and len(recorded) < len(found)))
    ):
        pairs = [(a, b, f"{place}[{index + 1}]") for index, (a, b) in enumerate(zip(recorded, found, strict=False))]
    else:
        if recorded == found:
            return ()
        return (Difference(place.lstrip("."), _short(recorded), _short(found), _is_worded(place, recorded, found)),)
    return tuple(one for pair in pairs for one in differences(*pair, older=older))


def _is_worded(place: str, recorded: Any, found: Any) -> bool:
    """Whether both are sentences, or words where none were."""
    name = _INDEX.sub("", place).rpartition(".")[2]
    return isinstance(recorded, str) and isinstance(found, str) and (name in _SENTENCES or not recorded)


def _depths(document: Any) -> Iterator[int]:
    """How deep each value of a JSON tree lies in it."""
    waiting = [iter([document])]
    while waiting:
        for value in waiting[-1]:
            yield len(waiting)
            if isinstance(value, dict | list):
                waiting.append(iter(value.values() if isinstance(value, dict) else value))
                break
        else:
            waiting.pop()


def _readable(place: tuple[str | int, ...]) -> Iterator[str]:
    """The place of a wrong setting as people read it: tests counted from 1, without the names of union members."""
    if place[:1] == ("plans",) and len(place) > 1:
        yield say("test {place}", place=int(place[1]) + 1)
        place = place[2:]
    for before, part in zip(("", *place), place, strict=False):
        if not (before in ("audit", "decision") and part in KINDS):
            yield str(part)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
