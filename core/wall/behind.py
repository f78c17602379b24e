"""A model file as whoever asks it sees it: behind a wall, through which only checked JSON and arrays come."""

import json
import os
import resource
import signal
import socket
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from pydantic import BaseModel, ValidationError

from core.base.arrays import read_array
from core.base.errors import ModelError
from core.base.memory import RESERVING_NOTHING, memory_to_use, too_large
from core.language.phrases import count
from core.language.told import localized, say, unpacked_from_a_stranger
from core.wall.forks import Forks, NoRoomError
from core.wall.frames import BrokenRulesError, receive, send
from core.wall.trust import require_wall

PROGRAM = "core.wall.child"
SECONDS, SECONDS_PER_MEGABYTE, SECONDS_PER_ROW = 120.0, 2.0, 0.01
"""Of computing, for opening a file and for each question about rows."""
_WAITING = 3.0
"""How much longer an answer may take than it may be computed, on a machine that does other work."""
MOST_MEMORY = 4 * 2**30
ROWS_AT_ONCE = 65_536
_CELLS_AT_ONCE = 2**23
_BLOCK = 4096
"""Rows are asked about in whole blocks of so many, so that an answer does not depend on where the table is cut."""
_MOST_OUTPUTS = 10_000
_MOST_BYTES_OF_ARRAYS = 2**29
_LONGEST_SENTENCE = 4_000

_KEPT = (
    "PATH",
    "HOME",
    "LANG",
    "TZ",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
)
_KEPT_FAMILIES = ("LC_", "COV_", "COVERAGE_", "EVENHAND_HOME")
_ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "JOBLIB_MULTIPROCESSING": "0",
    "LOKY_MAX_CPU_COUNT": "1",
}
"""A child may start no thread, so its libraries are told not to try."""

_OTHERWISE = say("Export the model again, bring it in another format, or bring its answers as a column of the table.")
M = TypeVar("M", bound=BaseModel)

_lock = threading.Lock()
_forks: dict[int, Forks] = {}
"""What forks the children of this process, by its own number: what it forked itself has none yet."""


def own_environment() -> dict[str, str]:
    """The environment of the process that forks children of model files: neither secrets nor settings."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_FAMILIES)}
    return kept | _ONE_THREAD | RESERVING_NOTHING


def fork_through(control: socket.socket) -> None:
    """Have another process fork the children, whose starter's end of the pair this is; for a process that may not."""
    _forks[os.getpid()] = Forks(control)


def start_forks() -> None:
    """Start what forks the children, unless it is there; it gets ready while this process does other work."""
    with _lock:
        if os.getpid() not in _forks:
            _forks[os.getpid()] = _started()


def _started() -> Forks:
    return Forks.start(own_environment(), (PROGRAM,))


def open_behind(module: str, path: Path, asked: Mapping[str, Any], *, name: str, needs_wall: bool = True) -> "Behind":
    """Open a model file in a confined child of its own.

    Args:
        module: Of the format, with ``open_file`` (:mod:`core.wall.inside`); the library is imported with it.
        path: The file.
        asked: What ``open_file`` is told beside the path, JSON.
        name: What people call the file.
        needs_wall: Whether the file is refused where the system has no wall.

    Raises:
        ModelError: The file is refused, kills its library, takes too long or too much memory, or the system has no
            wall.
    """
    if needs_wall:
        require_wall(path, name)
    return Behind(module, path, asked, name)


class Behind:
    """An open model file; its child ends with this object.

    Attributes:
        said: What the file says of itself, JSON: a stranger's word.
        arrays: Arrays of numbers that came with it; a stranger's too.

    Raises:
        ModelError: As :func:`open_behind`, by every method.
    """

    said: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def __init__(self, module: str, path: Path, asked: Mapping[str, Any], name: str) -> None:
        self._name = name
        self._turn = threading.Lock()
        self._outputs = 0
        self._memory = _memory()
        self._seconds = SECONDS + SECONDS_PER_MEGABYTE * path.stat().st_size / 2**20
        self._why = ModelError(say("This model file was closed."), where=name)
        told = {"module": module, "path": str(path.resolve()), "memory": self._memory, "seconds": self._seconds}
        self._forks, self._pid, self._pipe = self._fork(told, module)
        self._close = weakref.finalize(self, _end, os.getpid(), self._pid, self._pipe)
        try:
            head, parts = self._ask(dict(asked), (), self._seconds, _MOST_BYTES_OF_ARRAYS)
        except ModelError:
            self._close()
            raise
        said, names = head.get("said"), head.get("arrays")
        if not isinstance(said, dict) or not isinstance(names, list) or len(names) != len(parts):
            raise self._broke("no description of the file")  # verbatim
        self.said = said
        self.arrays = {str(one): self._array(part) for one, part in zip(names, parts, strict=True)}

    def said_as(self, kind: type[M]) -> M:
        """What the file says of itself, checked: strict types, and lengths as ``kind`` bounds them."""
        try:
            return kind.model_validate_json(json.dumps(self.said), strict=True)
        except (ValidationError, ValueError) as error:
            raise self._broke("a description that is none") from error  # verbatim

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """The model's answers for the rows of ``frame``, as they are, shape (n, k), float64; they may not be finite.

        Args:
            frame: The columns that the model reads, and no others.
        """
        return in_blocks(frame, self._block)

    def close(self) -> None:
        """End the child."""
        self._close()

    def _block(self, rows: pd.DataFrame) -> np.ndarray:
        seconds = self._seconds + SECONDS_PER_ROW * len(rows)
        most = 8 * len(rows) * (self._outputs or _MOST_OUTPUTS) + 10_000
        question = _written(rows, self._name)
        _, parts = self._ask({"seconds": seconds}, (question,), seconds, min(most, _MOST_BYTES_OF_ARRAYS))
        if len(parts) != 1:
            raise self._broke("no answers")  # verbatim
        answers = self._array(parts[0])
        if answers.dtype != np.float64 or answers.ndim != 2 or len(answers) != len(rows):
            raise self._broke("answers of another shape")  # verbatim
        if not 0 < answers.shape[1] <= _MOST_OUTPUTS or self._outputs not in (0, answers.shape[1]):
            raise self._broke("answers of another width")  # verbatim
        self._outputs = answers.shape[1]
        return answers

    def _fork(self, told: Mapping[str, Any], module: str) -> tuple[Forks, int, socket.socket]:
        for first in (True, False):
            try:
                start_forks()
                return (forks := _forks[os.getpid()]), *forks.fork(PROGRAM, told, (module,))
            except NoRoomError as error:
                raise self._ended(
                    say("As many model files are open as can be open at once."),
                    say("Compare fewer models at a time, or close those that are no longer needed."),
                ) from error
            except OSError as error:
                with _lock:
                    gone = _forks.pop(os.getpid(), None)
                if gone is not None and gone.is_ours:
                    gone.close()
                    if first:
                        continue
                raise self._ended(say("The process that reads model files cannot be started.")) from error
        raise AssertionError

    def _ask(
        self, head: dict[str, Any], parts: tuple[bytes, ...], seconds: float, most: int
    ) -> tuple[dict[str, Any], list[bytes]]:
        with self._turn:
            if not self._close.alive:
                raise self._why
            waits = _WAITING * seconds
            try:
                self._forks.resume(self._pid, self._memory)
                self._pipe.settimeout(waits)
                send(self._pipe, head, parts)
                said, received = receive(self._pipe, most, waits)
                self._forks.rest(self._pid)
            except NoRoomError as error:
                raise self._no_room() from error
            except TimeoutError as error:
                raise self._took_too_long(seconds) from error
            except (OSError, EOFError) as error:
                raise self._died(seconds) from error
            except BrokenRulesError as error:
                raise self._broke(str(error)) from error
            except BaseException:
                self._close()  # lest the next question got this one's answer
                raise
        if isinstance(done := said.get("done"), dict):
            return done, received
        raise self._why_not(said)

    def _array(self, content: bytes) -> np.ndarray:
        """An array of numbers, as the child sent it."""
        try:
            array = read_array(content)
        except ValueError as error:
            raise self._broke(str(error)) from error
        if array.dtype.kind not in "biuf" or not array.dtype.isnative:
            raise self._broke(f"an array of {array.dtype}")  # verbatim
        return array

    def _why_not(self, said: dict[str, Any]) -> ModelError:
        match said:
            case {"refused": [str(what), str(advice), str(where)]} if max(map(len, (what, advice, where))) <= (
                _LONGEST_SENTENCE
            ):
                try:
                    what, advice, where = map(unpacked_from_a_stranger, (what, advice, where))
                except ValueError:
                    return self._broke("a reason that is no plain sentence")  # verbatim
                return ModelError(what, where=f"{self._name}: {where}" if where else self._name, advice=advice)
            case {"failed": "memory"}:
                return self._too_large()
            case {"failed": "unexpected", "how": str(how)}:
                error = self._ended(say("The library that reads this file cannot make sense of it."), _OTHERWISE)
                error.__cause__ = InsideError(how[:_LONGEST_SENTENCE])
                return error
        return self._broke("neither an answer nor a reason")  # verbatim

    def _took_too_long(self, seconds: float) -> ModelError:
        return self._ended(
            say("The model took longer than the {allowed} it may take.", allowed=count(round(seconds), "second")),
            say("Bring a smaller model or fewer rows, or its answers as a column of the table."),
        )

    def _too_large(self) -> ModelError:
        said = too_large(self._memory)
        return self._ended(said.what, said.advice)

    def _no_room(self) -> ModelError:
        size = localized(f"{self._memory / 2**30:.2g}")
        return ModelError(
            say("A model file may need {size} GB of memory, and the machine has less to give at present.", size=size),
            where=self._name,
            advice=say("Try again when other runs have ended."),
        )

    def _died(self, seconds: float) -> ModelError:
        status = _end_child(self._pid)
        if status == -signal.SIGXCPU:
            return self._took_too_long(seconds)
        return self._ended(say("This file makes the library that reads it crash."), _OTHERWISE)

    def _broke(self, reason: str) -> ModelError:
        error = self._ended(
            say(
                "The process that reads this file broke the rules it is held to, and was stopped; nothing that it said "
                "was kept."
            ),
            say("Check where the file comes from. If you trust it, report this."),
        )
        error.__cause__ = BrokenRulesError(reason)
        return error

    def _ended(self, what: str, advice: str = "") -> ModelError:
        """End the child, and keep why; later questions get the same answer."""
        if hasattr(self, "_close"):
            self._close()
        self._why = ModelError(what, where=self._name, advice=advice)
        return self._why


def in_blocks(frame: pd.DataFrame, ask: Callable[[pd.DataFrame], np.ndarray]) -> np.ndarray:
    """The answers for all rows, asked for in blocks of bounded size; shape (n, k)."""
    at_once = min(ROWS_AT_ONCE, max(1, _CELLS_AT_ONCE // max(frame.shape[1], 1)))
    at_once -= at_once % _BLOCK if at_once > _BLOCK else 0
    starts = range(0, max(len(frame), 1), at_once)
    return np.concatenate([ask(frame.iloc[start : start + at_once]) for start in starts])


class InsideError(Exception):
    """Where and of which type an error inside the wall was; neither its message nor anything else of the file."""


def _memory() -> int:
    """Bytes a child may take: no more than this process may, and no more than leaves room for others that rest."""
    own, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return min(MOST_MEMORY, memory_to_use() // 3, *(() if own == resource.RLIM_INFINITY else (own,)))


def _written(rows: pd.DataFrame, name: str) -> bytes:
    """Rows as Arrow's stream."""
    import pyarrow as pa

    try:
        table = pa.Table.from_pandas(rows, preserve_index=False, nthreads=1)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise ModelError(
            say("A column that the model reads holds values of several kinds."),
            where=name,
            advice=say("Write every cell of a column as a number, or every one as text."),
        ) from error
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def _end(owner: int, pid: int, pipe: socket.socket) -> None:
    """End a child; nothing in a process that was forked from its owner, whose child it is not."""
    pipe.close()
    if owner == os.getpid() and owner in _forks:
        _forks[owner].end_soon(pid)


def _end_child(pid: int) -> int:
    with suppress(OSError, KeyError, ValueError):
        return _forks[os.getpid()].end(pid)
    return 0
