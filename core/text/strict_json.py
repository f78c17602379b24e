"""JSON of a stranger: bounded, without names that occur twice, and always an object."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from core.base.errors import ModelError
from core.language.told import say

_DEEPEST = 32


def read_object(content: bytes, where: str) -> dict[str, Any]:
    """The object that a JSON file holds; the caller has bounded its length.

    Args:
        content: The file's bytes, UTF-8.
        where: How errors name the file.

    Raises:
        ModelError: It is no JSON, no object, nested too deeply, names something twice, or holds NaN or Infinity.
    """
    try:
        found = json.loads(content.decode("utf-8"), object_pairs_hook=no_doubles, parse_constant=_no_constants)
        if max((depth for depth, _, _ in entries(found)), default=0) > _DEEPEST:
            raise ValueError(say("nested deeper than {deepest} levels", deepest=_DEEPEST))
    except RecursionError as error:
        raise _refused(say("nested deeper than {deepest} levels", deepest=_DEEPEST), where) from error
    except ValueError as error:
        raise _refused(str(error)[:200], where) from error
    if not isinstance(found, dict):
        raise _refused(say("it holds a {kind}, not an object", kind=type(found).__name__), where)
    return found


def entries(value: Any) -> Iterator[tuple[int, str, Any]]:
    """Every named value in nested JSON, with its depth and its path, outermost first."""
    waiting = [(1, "", value)]
    while waiting:
        depth, path, found = waiting.pop()
        inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
        for key, entry in inner:
            name = f"{path}.{key}" if path else str(key)
            yield depth, name, entry
            waiting.append((depth + 1, name, entry))


def no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for ``object_pairs_hook``.

    Raises:
        ValueError: A name occurs twice.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(say("a name occurs twice in one object"))
    return found


def _no_constants(text: str) -> NoReturn:
    raise ValueError(say("{text} is not JSON", text=text))


def _refused(what: str, where: str) -> ModelError:
    return ModelError(
        say("The file is no JSON that can be read: {what}.", what=what),
        where=where,
        advice=say("Save the model again with save_pretrained, and do not edit the file by hand."),
    )
