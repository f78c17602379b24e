"""Work done in forks: silent, in a process group of its own, and with nothing coming back but whether it went well."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Name = TypeVar("Name")


def succeeds(work: Callable[[], bool]) -> bool:
    """Whether a fork that does this work ends well."""
    return next(succeeding([(None, work)], 1))[1]


def succeeding(works: Iterable[tuple[Name, Callable[[], bool]]], at_once: int) -> Iterator[tuple[Name, bool]]:
    """Do every work in a fork of its own, some at once, and tell whether it went well, as they end."""
    names: dict[int, Name] = {}
    waiting = iter(works)
    while True:
        while len(names) < at_once and (following := next(waiting, None)) is not None:
            name, work = following
            names[begun(work)] = name
        if not names:
            return
        child, status = os.waitpid(-1, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if child in names:
            yield names.pop(child), status == 0


def begun(work: Callable[[], bool]) -> int:
    """The number of a process that does this work, and ends with 0 if it went well."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        status = 1
        with contextlib.suppress(BaseException):
            status = 0 if work() else 1
        os._exit(status)
    return child
