"""Sentences that remember how they were said, so that they can be said again in another language.

``say("{rows} were left out", rows=count(12, "row"))`` is a string in the reader's language. What is kept longer than
it is shown (a caveat in a result, a constant of a module, a field's title) is said again by :func:`retold` when
somebody reads it.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec

from core.language.catalogue import separators, translated, translated_count
from core.language.reader import SOURCE, language

P = ParamSpec("P")

_TELLERS: dict[str, Callable[..., str]] = {}
_FIELD = re.compile(r"\{(\w+)\}")


class Told(str):
    """A string with the function and the arguments that made it, and the language it is in."""

    teller: str
    of: tuple[Any, ...]
    given: dict[str, Any]
    language: str

    def again(self) -> str:
        """The same in the language that is spoken now."""
        of = [_again(part) for part in self.of]
        return _TELLERS[self.teller](*of, **{name: _again(part) for name, part in self.given.items()})


def told(function: Callable[P, str]) -> Callable[P, str]:
    """Make what a function says a :class:`Told`; its arguments are plain values, others' ``Told`` among them."""
    if _TELLERS.get(function.__name__, function).__module__ != function.__module__:
        raise TypeError(f"Two functions called {function.__name__} cannot both tell.")

    @wraps(function)
    def telling(*of: P.args, **given: P.kwargs) -> str:
        text = Told(function(*of, **given))
        text.teller, text.of, text.given, text.language = function.__name__, of, given, language()
        return text

    _TELLERS[function.__name__] = telling
    return telling


@told
def say(message: str, /, **parts: object) -> str:
    """A sentence in the reader's language.

    Args:
        message: The English sentence, a literal, so that it can be found and translated; ``{name}`` stands for a part.
            Without parts, braces are only braces.
        parts: What takes the place of each name: strings that are words in the reader's language or a user's own,
            and whole numbers.
    """
    return _filled(translated(language(), message), parts)


@told
def say_as(about: str, message: str, /, **parts: object) -> str:
    """:func:`say` for words that have other translations elsewhere; ``about`` says which are meant."""
    return _filled(translated(language(), message, about), parts)


@told
def say_count(one: str, many: str, n: int, /, **parts: object) -> str:
    """:func:`say` with the form that goes with a number: ``{n}`` in both messages, written with its thousands apart."""
    return _filled(translated_count(language(), one, many, n), {**parts, "n": localized(f"{n:,}")})


def _filled(message: str, parts: Mapping[str, object]) -> str:
    return _FIELD.sub(lambda field: str(parts[field[1]]), message) if parts else message


@told
def localized(text: str) -> str:
    """A number as Python writes it (``-1,204.5``), with the reader's minus and marks for thousands and decimals."""
    code = language()
    if code == SOURCE:
        return text
    decimal, group = separators(code)
    return text.translate({ord(","): group, ord("."): decimal, ord("-"): "−"})


def retold(text: str) -> str:
    """A sentence in the language that is spoken now, if it was said in another; any other string as it is."""
    return text.again() if isinstance(text, Told) and text.language != language() else text


def with_parts(text: Told, change: Callable[[Any], Any]) -> str:
    """The same sentence with every part changed; the very same where none changes."""
    of, given = tuple(map(change, text.of)), {name: change(part) for name, part in text.given.items()}
    same = all(a is b for a, b in zip((*of, *given.values()), (*text.of, *text.given.values()), strict=True))
    if same or (of == text.of and given == text.given):
        return text
    return _TELLERS[text.teller](*of, **given)


class Retelling:
    """A record whose sentences are in the reader's language whenever they are read; for constants of modules."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if type(value) is tuple and value and type(value[0]) is Told:
            return tuple(map(retold, value))
        return retold(value) if type(value) is Told else value


def _again(part: Any) -> Any:
    if isinstance(part, str):
        return retold(part)
    return type(part)(map(_again, part)) if type(part) in (tuple, list) else part


def written(text: str) -> Any:
    """A string for a file: a sentence as what was said with which parts, in no language; any other as it is."""
    if not isinstance(text, Told):
        return str(text)
    try:
        return {
            "told": text.teller,
            "of": [_written(part) for part in text.of],
            "with": {name: _written(part) for name, part in text.given.items()},
        }
    except TypeError:
        return str(text)


def read(tree: Any) -> str:
    """The string that :func:`written` wrote, in the language that is spoken now.

    Raises:
        ValueError, KeyError, TypeError: There is none.
    """
    if isinstance(tree, str):
        return tree
    return _TELLERS[tree["told"]](*map(_read, tree["of"]), **{name: _read(part) for name, part in tree["with"].items()})


def plain(tree: Any) -> Any:
    """JSON with every sentence in it, said or :func:`written`, in the language that is spoken now."""
    if isinstance(tree, dict):
        return read(tree) if set(tree) == {"told", "of", "with"} else {name: plain(part) for name, part in tree.items()}
    if isinstance(tree, list):
        return [plain(part) for part in tree]
    return retold(tree) if isinstance(tree, str) else tree


def packed(text: str) -> str:
    """A sentence as one string that crosses to another process and is read there by :func:`unpacked`."""
    return json.dumps(written(text)) if isinstance(text, Told) else text


def unpacked(text: str) -> str:
    """What :func:`packed` made, in the language that is spoken now; any other string as it is."""
    if not text.startswith('{"told": '):
        return text
    try:
        return read(json.loads(text))
    except (ValueError, KeyError, TypeError, RecursionError):
        return text


def unpacked_from_a_stranger(text: str) -> str:
    """What :func:`packed` made of a plain sentence, from whoever cannot be trusted to have called it.

    Raises:
        ValueError: It is no sentence with a few words and whole numbers in it, or not one that UTF-8 can hold.
    """
    text.encode()
    if not text.startswith('{"told": '):
        return text
    try:
        tree = json.loads(text)
        _require_plain(tree, _DEEPEST)
        said = read(tree)
    except Exception as error:
        raise ValueError("no plain sentence") from error
    said.encode()
    return said


_PLAIN = frozenset({"say", "say_as", "say_count", "whole", "count", "several", "listed"})
_DEEPEST, _MOST_PARTS, _MOST_BITS = 3, 8, 63


def _require_plain(part: Any, deeper: int) -> None:
    match part:
        case {"told": str(teller), "of": list(of), "with": dict(given), **rest} if not rest and deeper:
            if teller not in _PLAIN or len(given) > _MOST_PARTS:
                raise ValueError(teller)
            for one in (*of, *given.values()):
                _require_plain(one, deeper - 1)
        case list() if len(part) <= _MOST_PARTS:
            for one in part:
                _require_plain(one, deeper)
        case str() if len(_FIELD.findall(part)) <= _MOST_PARTS:
            return
        case int() if part.bit_length() <= _MOST_BITS:
            return
        case _:
            raise ValueError(type(part).__name__)


def _written(part: Any) -> Any:
    if isinstance(part, str):
        return written(part)
    if type(part) in (tuple, list):
        return [_written(item) for item in part]
    if isinstance(part, float) and part - part != 0:
        return {"number": repr(part)}
    if part is None or isinstance(part, bool | int | float):
        return part
    raise TypeError(f"{part!r} cannot be said again.")


def _read(tree: Any) -> Any:
    if isinstance(tree, dict):
        return float(tree["number"]) if "number" in tree else read(tree)
    return tuple(map(_read, tree)) if isinstance(tree, list) else tree
