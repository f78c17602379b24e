"""How a choice is named to whoever asks: an option of the command line, or a keyword of :func:`core.audit`."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.language.told import say

SPELT = {"counts": "count", "labels": "label", "label": "audited-label", "encoder": "encoding", "encoding": "letters"}
"""Options that are named otherwise than the setting they stand for; others have its name."""
_MANY = frozenset({"protected", "features", "predictions", "other_system", "classes", "tests", "labels"})
"""Choices that take several values."""

_in_python: ContextVar[bool] = ContextVar("in_python", default=False)


@contextmanager
def in_python() -> Iterator[None]:
    """Name choices as keywords in the block."""
    token = _in_python.set(True)
    try:
        yield
    finally:
        _in_python.reset(token)


def option(name: str, *values: object) -> str:
    """A choice by its name, with values if there are any: ``--protected sex``, or ``protected=['sex']``.

    Args:
        name: The setting.
        values: What it is given: texts or numbers, True for a switch, or pairs of a label and what it means.
    """
    if _in_python.get():
        return _keyword(name, values)
    spelt = spelling(name)
    if not values or values == (True,):
        return spelt
    return " ".join(
        f"{spelt} {shlex.quote('='.join(map(str, one)) if isinstance(one, tuple) else str(one))}" for one in values
    )


def where_chosen(name: str) -> str:
    """Where somebody says what a column is for, amid a sentence: in the steps of a new audit, or by a keyword."""
    if _in_python.get():
        return say("by the keyword {name}", name=name)
    return say("in the roles step ({option} on the command line)", option=spelling(name))


def spelling(name: str) -> str:
    """The option of the command line for a setting."""
    return f"--{SPELT.get(name, name).replace('_', '-')}"


def _keyword(name: str, values: tuple[object, ...]) -> str:
    if not values:
        return name
    if pairs := {one[0]: one[1] for one in values if isinstance(one, tuple)}:
        return f"{name}={pairs!r}"
    return f"{name}={list(values) if name in _MANY else values[0]!r}"
