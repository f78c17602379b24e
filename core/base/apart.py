"""Pieces of one computation in processes of their own, several at once: JSON goes in, JSON and progress come out.

Training many small networks keeps one processor busy however many threads there are, so the pieces are parted among
processes. Each is a fresh Python that imports one module and does one piece after the other; nothing is pickled. They
end with their starter, and a job's (``dashboard.jobs``) stand behind the job's own walls.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Any, TextIO

from core.base.errors import CancelledError, EvenhandError, how_it_came
from core.base.progress import OnProgress, Progress
from core.language.told import packed, unpacked

Work = Callable[[Any, OnProgress], Any]
"""``work`` of a module: what it is asked, JSON, and whom it tells how far it is; returns JSON."""

_REPOSITORY = Path(__file__).parents[2]
_PAUSE = 0.1
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_KINDS = {kind.__name__: kind for kind in EvenhandError.__subclasses__()}


def processors() -> int:
    """How many processes may compute side by side: as many as libraries may start threads (``OMP_NUM_THREADS``)."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else os.cpu_count() or 1


def work_apart(
    module: str, pieces: Sequence[Any], on_progress: OnProgress, processes: int | None = None
) -> list[Any | EvenhandError]:
    """What ``work`` of a module answers about each piece, in their order; an error that it raised in its place.

    Args:
        module: Where ``work`` is.
        pieces: What it is asked, JSON each.
        on_progress: Told how far all of them are; may raise to stop, which ends the processes.
        processes: How many at once at most; as many as :func:`processors` where None.

    Raises:
        RuntimeError: A process ended without an answer.
    """
    at_once = min(len(pieces), processes or processors())
    if at_once <= 1:
        return [_here(module, piece, place, len(pieces), on_progress) for place, piece in enumerate(pieces)]
    board = _Board(pieces, Queue(), {}, [0.0] * len(pieces))
    for place in range(len(pieces)):
        board.waiting.put(place)
    started = [_start(module) for _ in range(at_once)]
    threads = [threading.Thread(target=board.serve, args=(process,), daemon=True) for process in started]
    try:
        for thread in threads:
            thread.start()
        while alive := [thread for thread in threads if thread.is_alive()]:
            on_progress(Progress(sum(board.done) / len(pieces), unpacked(board.phase)))
            alive[0].join(_PAUSE)
    finally:
        for process in started:
            process.kill()
            process.wait()
    if len(board.found) < len(pieces):
        raise RuntimeError("A process that did a part of the work ended without an answer.")  # verbatim
    return [_read(board.found[place]) for place in range(len(pieces))]


def _here(module: str, piece: Any, place: int, number: int, on_progress: OnProgress) -> Any | EvenhandError:
    def report(told: Progress) -> None:
        on_progress(Progress((place + told.done) / number, told.phase))

    return _read(json.loads(json.dumps(_answer(importlib.import_module(module).work, piece, report))))


def _start(module: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "core.base.apart", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_REPOSITORY,
        env=os.environ | _ONE_THREAD,
        text=True,
    )


@dataclass
class _Board:
    """What the threads that talk to the processes share.

    Attributes:
        pieces: What is asked.
        waiting: Places of pieces that nobody does yet.
        found: What was said of each piece, by its place.
        done: How far each piece is.
        phase: What one of them is doing.
    """

    pieces: Sequence[Any]
    waiting: Queue[int]
    found: dict[int, dict[str, Any]]
    done: list[float]
    phase: str = ""

    def serve(self, process: subprocess.Popen[str]) -> None:
        """Have one process do pieces until none waits or it ends."""
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process was not started with pipes")
        with suppress(OSError, ValueError, Empty):
            while True:
                place = self.waiting.get_nowait()
                process.stdin.write(f"{json.dumps(self.pieces[place])}\n")
                process.stdin.flush()
                while place not in self.found:
                    said = json.loads(process.stdout.readline())
                    if "done" in said:
                        self.done[place], self.phase = said["done"], said["phase"]
                    else:
                        self.found[place], self.done[place] = said, 1.0


def _answer(work: Work, piece: Any, report: OnProgress) -> dict[str, Any]:
    """What it answers, or why it does not; a cancellation passes."""
    try:
        return {"answer": work(piece, report)}
    except CancelledError:
        raise
    except EvenhandError as error:
        told = {name: packed(getattr(error, name)) for name in ("what", "where", "advice")}
        return {"failed": type(error).__name__, **told}


def _read(said: dict[str, Any]) -> Any | EvenhandError:
    if "failed" not in said:
        return said["answer"]
    what, where, advice = (unpacked(said[name]) for name in ("what", "where", "advice"))
    return _KINDS[said["failed"]](what, where=where, advice=advice)


def main(module: str, asked: TextIO, answers: TextIO) -> None:
    """Do one piece after the other until nobody asks any more."""
    work: Work = importlib.import_module(module).work

    def say_it(told: dict[str, Any]) -> None:
        answers.write(f"{json.dumps(told)}\n")
        answers.flush()

    for line in asked:
        say_it(_answer(work, json.loads(line), lambda told: say_it({"done": told.done, "phase": packed(told.phase)})))


if __name__ == "__main__":
    try:
        with os.fdopen(os.dup(1), "w") as answers:
            os.dup2(2, 1)  # what libraries print is no answer
            main(sys.argv[1], sys.stdin, answers)
    except BrokenPipeError:
        os._exit(1)
    except Exception as error:
        sys.stderr.write(how_it_came(error))
        sys.exit(1)
