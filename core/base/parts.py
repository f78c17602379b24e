"""Parts of one computation: one after the other, or in other processes here or elsewhere (:mod:`core.base.apart`).

Another process has none of what lies in memory here. So a piece names the whole computation (a plan) and some of its
parts; there it is begun anew, to the point where it asks for parts, does those, and ends. Whoever computes in parts
thus sends nothing and says nothing of workers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from core.base.apart import goes_elsewhere, work_apart
from core.base.errors import CancelledError, EvenhandError
from core.base.progress import OnProgress, Progress, consecutive_parts

T = TypeVar("T")

MOST_PIECES = 64
"""Pieces that the parts of one computation are sent in: each is begun anew."""
PARTS = "parts"
"""Where a piece holds the places of the parts that are asked for."""


@dataclass(frozen=True)
class Whole:
    """The computation whose parts may be done elsewhere.

    Attributes:
        module: Where ``work`` is, which calls :func:`only_parts` with what the piece holds as ``parts``.
        piece: What it is asked, of what the computation has found before its parts and need not find again.
    """

    module: str
    piece: Callable[[Any], Mapping[str, Any]]


class _ReachedError(CancelledError):
    """The parts that were asked for are done: nothing that comes after them is."""

    def __init__(self, answers: list[Any]) -> None:
        super().__init__("")
        self.answers = answers


_whole: ContextVar[Whole | None] = ContextVar("whole", default=None)
_only: ContextVar[tuple[Sequence[int], OnProgress] | None] = ContextVar("only", default=None)


@contextmanager
def parted(whole: Whole | None) -> Iterator[None]:
    """Within this block parts are those of a computation that others can begin anew; None where they cannot."""
    before = _whole.set(whole)
    try:
        yield
    finally:
        _whole.reset(before)


def only_parts(places: Sequence[int], begin: Callable[[OnProgress], object], on_progress: OnProgress) -> list[Any]:
    """Some parts of a computation, JSON each, for a piece.

    Args:
        places: Which.
        begin: The computation, which asks for its parts (:func:`in_parts`).
        on_progress: Told how far these parts are.
    """
    before = _only.set((places, on_progress))
    try:
        begin(lambda told: on_progress(Progress(0.0, told.phase)))
    except _ReachedError as reached:
        return reached.answers
    finally:
        _only.reset(before)
    raise TypeError("This computation has no parts.")  # verbatim


def in_parts(
    number: int,
    do: Callable[[int, OnProgress], T],
    take: Callable[[T], object],
    on_progress: OnProgress,
    *,
    write: Callable[[T], Any],
    read: Callable[[int, Any], T],
    found: Any = None,
    processes: int = 1,
) -> None:
    """Do all parts, wherever, and take them in order.

    Others may do those that a computation asks for first; further ones are done here. What a part finds must not depend
    on whether others were done before it.

    Args:
        number: How many parts there are.
        do: Does the part at a place.
        take: Takes what it found.
        on_progress: Told how far all of them are; may raise to stop.
        write: What a part found, as JSON.
        read: The same again.
        found: What was found before, for the piece (:class:`Whole`).
        processes: How many are worth their start on this machine, where each begins the computation anew.

    Raises:
        EvenhandError: A part ended in it.
    """
    if (only := _only.get()) is not None:
        places, told = only
        parts = consecutive_parts(told, [1] * len(places))
        raise _ReachedError([write(do(place, part)) for place, part in zip(places, parts, strict=True)])
    whole, pieces_at_most = _whole.get(), MOST_PIECES if goes_elsewhere() else min(processes, number)
    _whole.set(None)
    if whole is None or min(number, pieces_at_most) < 2:
        for place, part in enumerate(consecutive_parts(on_progress, [1] * number)):
            take(do(place, part))
        return
    each = -(-number // pieces_at_most)
    sent = [list(range(first, min(first + each, number))) for first in range(0, number, each)]
    piece = whole.piece(found)
    pieces = [{**piece, PARTS: places} for places in sent]
    for places, answers in zip(sent, work_apart(whole.module, pieces, on_progress, processes), strict=True):
        if isinstance(answers, EvenhandError):
            raise answers
        for place, answer in zip(places, answers, strict=True):
            take(read(place, answer))
