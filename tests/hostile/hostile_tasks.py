"""What a child process tries once a stranger's file has taken it over: tasks for a worker started with ``--tasks``."""

import os
import pickle
import stat
import struct
import time
from pathlib import Path
from typing import Any

from core.files import FileStore
from core.progress import OnProgress
from dashboard.jobs.tasks import Task, fetch_nothing

ENDLESS = 10**6


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, marker: str) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path(self.marker), "executed")


def pipe() -> int:
    """The descriptor of the pipe to the worker, found as a stranger's code would find it."""
    return next(fd for fd in range(3, 256) if _is_socket(fd))


def _is_socket(descriptor: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def bomb(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """A pickle, framed as ``multiprocessing`` frames it."""
    content = pickle.dumps(Bomb(arguments["marker"]))
    os.write(pipe(), struct.pack("!i", len(content)) + content + b"\n")
    time.sleep(ENDLESS)


def say(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Say one thing, then hang."""
    os.write(pipe(), arguments["text"].encode())
    time.sleep(ENDLESS)


def flood(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Say the same thing as often and as fast as it can be said."""
    descriptor, content = pipe(), arguments["text"].encode() * 1000
    while True:
        os.write(descriptor, content)


def greet(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    return "hello"


TASKS = {
    "bomb": Task(bomb, fetch_nothing),
    "say": Task(say, fetch_nothing, seconds=2),
    "flood": Task(flood, fetch_nothing),
    "greet": Task(greet, fetch_nothing),
}
