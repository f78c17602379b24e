"""Which language is spoken now: the reader's, who is the person at the browser or at the terminal."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

SOURCE = "en"
"""The language sentences are written in."""

_SPOKEN: ContextVar[str | None] = ContextVar("language", default=None)


def of_environment() -> str:
    """The language that whoever started this process asked for by ``EVENHAND_LANGUAGE``; English if they did not."""
    return os.environ.get("EVENHAND_LANGUAGE", SOURCE)


_asked: list[Callable[[], str]] = [of_environment]


def language() -> str:
    """The code of the language that is spoken now: ``en``, ``de``.

    It is that of the block (:func:`speaking`), or of the reader (:func:`ask_for_language`), or ``EVENHAND_LANGUAGE``.
    """
    return _SPOKEN.get() or _asked[-1]()


def speak(code: str) -> None:
    """Speak this language from now on in this thread."""
    _SPOKEN.set(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak this language in the block, whoever reads."""
    token = _SPOKEN.set(code)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken_later(tell: Callable[[], T]) -> Callable[[], T]:
    """``tell`` in the language that is spoken now, whichever thread calls it when."""
    code = language()

    def telling() -> T:
        with speaking(code):
            return tell()

    return telling


def ask_for_language(answer: Callable[[], str]) -> None:
    """Let ``answer`` say which language is spoken wherever :func:`speaking` does not; for a server of many readers."""
    _asked[:] = [answer]
