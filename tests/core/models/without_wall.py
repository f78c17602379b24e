"""Model files that the process of the tests reads itself, in a thread: what is asked and said is the same to the byte.

A child of its own costs a file 50 ms. Tests of what a reader makes of a sound file do without; what the wall itself
does, and every file that could crash a library, stays behind it.
"""

import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import count
from threading import Thread
from typing import Any

import pytest

from core.wall import behind, child

_BEYOND_ALL_PROCESSES = 1 << 30


class Threads:
    """As :class:`core.wall.forks.Forks`, but what it starts are threads, which end when nobody holds their pipe."""

    is_ours = True

    def __init__(self) -> None:
        self._numbers = count(_BEYOND_ALL_PROCESSES)

    def fork(
        self, program: str, told: Mapping[str, Any], libraries: Sequence[str] = (), given: Sequence[socket.socket] = ()
    ) -> tuple[int, socket.socket]:
        ours, theirs = socket.socketpair()
        Thread(target=_serve, args=(dict(told), theirs), daemon=True).start()
        return next(self._numbers), ours

    def resume(self, pid: int, memory: int) -> None:
        """It never rests."""

    def rest(self, pid: int) -> None:
        """It waits anyway."""

    def end(self, pid: int) -> int:
        return 0

    def end_soon(self, pid: int) -> None:
        """It ends with its pipe."""

    def close(self) -> None:
        """Nothing is held."""


def _serve(told: dict[str, Any], pipe: socket.socket) -> None:
    with closing(pipe):
        child.serve(told, pipe)


@pytest.fixture
def without_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read by threads of this process, which may compute for as long as they like."""
    monkeypatch.setitem(behind._forks, os.getpid(), Threads())
    monkeypatch.setattr(child, "limit_computing", lambda seconds: None)
