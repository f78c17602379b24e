"""Pieces of one computation, wherever they are done: JSON goes in, JSON and progress come out.

Training many small networks keeps one processor busy however many threads there are, so the pieces are parted among
processes. Each is a fresh Python that imports one module and does one piece after the other; nothing is pickled. They
end with their starter, and a job's (``dashboard.jobs``) stand behind the job's own walls.

Where somebody chose so (:func:`carried_by`), another carrier has the pieces done on other machines
(:mod:`core.cluster`), in the same processes. For it, a piece that is an object may say:

- ``files``: the folder in which files lie by their fingerprints; there it is another folder.
- ``needs``: the fingerprints (SHA-256) of the files that it reads.
- ``memory``: bytes that it takes.
- ``called``: what people call it, packed.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Any, TextIO

from core.base.errors import CancelledError, EvenhandError, how_it_came
from core.base.memory import RESERVING_NOTHING, is_out_of_memory, limit_memory, too_large
from core.base.progress import OnProgress, Progress, part_of
from core.language.told import packed, unpacked

Work = Callable[[Any, OnProgress], Any]
"""``work`` of a module: what it is asked, JSON, and whom it tells how far it is; returns JSON."""

_REPOSITORY = Path(__file__).parents[2]
_PAUSE = 0.1
_LONGEST_WAIT = 60.0
"""Seconds after which a process ends that nobody asks."""
_LONGEST_LINE = 2**30
"""Letters of what a process may say at once."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_KINDS = {kind.__name__: kind for kind in EvenhandError.__subclasses__()}

OnAnswer = Callable[[int, Any], None]
"""Told the place of a piece and its answer or the error that it raised, as soon as it is there."""


class AbstractCarrier(ABC):
    """Has pieces done elsewhere."""

    @abstractmethod
    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        """What ``work`` of a module answers, by the place of the piece; pieces that are left to this machine lack.

        Args:
            module: Where ``work`` is.
            pieces: What it is asked.
            on_progress: Told how far all of them are; may raise to stop, which stops them.
            on_answer: Told each answer.

        Raises:
            EvenhandError: Nobody there may be asked.
        """


_carrier: ContextVar[AbstractCarrier | None] = ContextVar("carrier", default=None)


@contextmanager
def carried_by(carrier: AbstractCarrier | None) -> Iterator[None]:
    """Within this block pieces are done where ``carrier`` brings them; None for this machine."""
    before = _carrier.set(carrier)
    try:
        yield
    finally:
        _carrier.reset(before)


def carry(carrier: AbstractCarrier) -> None:
    """From now on have pieces done where ``carrier`` brings them."""
    _carrier.set(carrier)


def goes_elsewhere() -> bool:
    """Whether pieces are done elsewhere now; then it is worth while to part what is one piece here."""
    return _carrier.get() is not None


def processors() -> int:
    """How many processes may compute side by side: as many as libraries may start threads (``OMP_NUM_THREADS``)."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else os.cpu_count() or 1


def work_apart(
    module: str,
    pieces: Sequence[Any],
    on_progress: OnProgress,
    processes: int | None = None,
    on_answer: OnAnswer | None = None,
) -> list[Any | EvenhandError]:
    """What ``work`` of a module answers about each piece, in their order; an error that it raised in its place.

    Args:
        module: Where ``work`` is.
        pieces: What it is asked, JSON each.
        on_progress: Told how far all of them are; may raise to stop, which ends the processes.
        processes: How many at once at most; as many as :func:`processors` where None.
        on_answer: Told each answer as soon as it is there, in any order.

    Raises:
        RuntimeError: A process ended without an answer.
        EvenhandError: Pieces are done elsewhere, and nobody there may be asked.
    """
    tell = on_answer or (lambda place, answer: None)
    carrier, found = _carrier.get(), dict[int, Any | EvenhandError]()
    if carrier is not None and pieces:
        found = carrier.carry(module, pieces, on_progress, tell)
        if len(found) == len(pieces):
            return [found[place] for place in range(len(pieces))]
    left = [place for place in range(len(pieces)) if place not in found]
    rest = part_of(on_progress, 1 - len(left) / max(len(pieces), 1), 1.0)
    done = _in_processes(
        module, [pieces[place] for place in left], rest, processes, lambda place, answer: tell(left[place], answer)
    )
    found |= dict(zip(left, done, strict=True))
    return [found[place] for place in range(len(pieces))]


def _in_processes(
    module: str, pieces: Sequence[Any], on_progress: OnProgress, processes: int | None, tell: OnAnswer
) -> list[Any | EvenhandError]:
    at_once = min(len(pieces), processes or processors())
    if at_once <= 1:
        answers = []
        for place, piece in enumerate(pieces):
            answers.append(_here(module, piece, place, len(pieces), on_progress))
            tell(place, answers[-1])
        return answers
    board = _Board(module, pieces, Queue(), {}, [0.0] * len(pieces))
    for place in range(len(pieces)):
        board.waiting.put(place)
    started = [Apart(module) for _ in range(at_once)]
    threads = [threading.Thread(target=board.serve, args=(process,), daemon=True) for process in started]
    answered: dict[int, Any | EvenhandError] = {}

    def take() -> None:
        for place in sorted(board.found.keys() - answered.keys()):
            answered[place] = read_answer(board.found[place])
            tell(place, answered[place])

    try:
        for thread in threads:
            thread.start()
        while alive := [thread for thread in threads if thread.is_alive()]:
            on_progress(Progress(sum(board.done) / len(pieces), unpacked(board.phase)))
            take()
            alive[0].join(_PAUSE)
    finally:
        for process in started:
            process.end()
    take()
    if len(answered) < len(pieces):
        raise RuntimeError("A process that did a part of the work ended without an answer.")  # verbatim
    return [answered[place] for place in range(len(pieces))]


def _here(module: str, piece: Any, place: int, number: int, on_progress: OnProgress) -> Any | EvenhandError:
    def report(told: Progress) -> None:
        on_progress(Progress((place + told.done) / number, told.phase))

    with carried_by(None):
        return read_answer(json.loads(json.dumps(_answer(importlib.import_module(module).work, piece, report))))


class Apart:
    """A process that does pieces, one after the other.

    Args:
        module: Where ``work`` of the first of them is, which it imports at its start.
        memory: Bytes that it may allocate beyond what the libraries of this module take; 0 for no limit.
        told: Where what it prints goes: nowhere, or where this process prints.
        environment: Variables that it has besides.
        inherited: Variables that it has at all; all of this process where None.
        program: What it runs, and what that is told beside module and memory; it calls :func:`answer_pieces`.
    """

    def __init__(
        self,
        module: str,
        memory: int = 0,
        told: int | None = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
        *,
        inherited: Mapping[str, str] | None = None,
        program: tuple[str, ...] = ("core.base.apart",),
    ) -> None:
        name, *more = program
        kept = os.environ if inherited is None else dict(inherited)
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", name, module, str(memory), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            cwd=_REPOSITORY,
            env=kept | _ONE_THREAD | (RESERVING_NOTHING if memory else {}) | dict(environment or {}),
            text=True,
        )

    def ask(self, module: str, piece: Any, on_done: Callable[[float, str], None]) -> dict[str, Any]:
        """What it says of a piece, for :func:`read_answer`.

        Args:
            module: Where ``work`` is.
            piece: What it is asked, JSON.
            on_done: Told the share that is done, and the phase, packed.

        Raises:
            OSError, ValueError: It has ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise ValueError("the process was not started with pipes")
        self._process.stdin.write(f"{json.dumps([module, piece])}\n")
        self._process.stdin.flush()
        while True:
            said: dict[str, Any] = json.loads(self._process.stdout.readline(_LONGEST_LINE))
            if "done" not in said:
                return said
            on_done(said["done"], said["phase"])

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def end(self) -> None:
        """Stop it, whatever it does."""
        self._process.kill()
        self._process.wait()


@dataclass
class _Board:
    """What the threads that talk to the processes share.

    Attributes:
        module: Where ``work`` is.
        pieces: What is asked.
        waiting: Places of pieces that nobody does yet.
        found: What was said of each piece, by its place.
        done: How far each piece is.
        phase: What one of them is doing.
    """

    module: str
    pieces: Sequence[Any]
    waiting: Queue[int]
    found: dict[int, dict[str, Any]]
    done: list[float]
    phase: str = ""

    def serve(self, process: Apart) -> None:
        """Have one process do pieces until none waits or it ends."""
        with suppress(OSError, ValueError, Empty):
            while True:
                place = self.waiting.get_nowait()

                def went(done: float, phase: str, place: int = place) -> None:
                    self.done[place], self.phase = done, phase

                self.found[place], self.done[place] = process.ask(self.module, self.pieces[place], went), 1.0


def _answer(work: Work, piece: Any, report: OnProgress) -> dict[str, Any]:
    """What it answers, or why it does not; a cancellation passes."""
    try:
        return {"answer": work(piece, report)}
    except CancelledError:
        raise
    except EvenhandError as error:
        return _failed(error)


def _failed(error: EvenhandError) -> dict[str, Any]:
    told = {name: packed(getattr(error, name)) for name in ("what", "where", "advice")}
    return {"failed": type(error).__name__, **told}


def read_answer(said: dict[str, Any]) -> Any | EvenhandError:
    """The answer that a process gave, or the error that it raised."""
    if "failed" not in said:
        return said["answer"]
    what, where, advice = (unpacked(said[name]) for name in ("what", "where", "advice"))
    return _KINDS[said["failed"]](what, where=where, advice=advice)


def main(module: str, memory: int, asked: TextIO, answers: TextIO, first: Callable[[], None] = lambda: None) -> None:
    """Do one piece after the other until nobody asks for a while; end amid a piece where nobody can hear any more."""
    importlib.import_module(module)
    first()
    if memory:
        limit_memory(memory)
    waiting: Queue[str] = Queue()

    def listen() -> None:
        for line in asked:
            waiting.put(line)
        os._exit(0)

    def say_it(told: dict[str, Any]) -> None:
        answers.write(f"{json.dumps(told)}\n")
        answers.flush()

    threading.Thread(target=listen, daemon=True).start()
    while True:
        try:
            module, piece = json.loads(waiting.get(timeout=_LONGEST_WAIT))
        except Empty:
            return
        work: Work = importlib.import_module(module).work
        try:
            said = _answer(work, piece, lambda told: say_it({"done": told.done, "phase": packed(told.phase)}))
        except Exception as error:
            if not memory or not is_out_of_memory(error):
                raise
            said = _failed(too_large(memory))
        say_it(said)


def answer_pieces(module: str, memory: int, first: Callable[[], None] = lambda: None) -> None:
    """What a process of its own does (:class:`Apart`).

    Args:
        module: Where ``work`` is.
        memory: Bytes that it may allocate; 0 for no limit.
        first: What is done once the module is imported and before anything is read.
    """
    try:
        with os.fdopen(os.dup(1), "w") as answers:
            os.dup2(2, 1)  # what libraries print is no answer
            main(module, memory, sys.stdin, answers, first)
    except BrokenPipeError:
        os._exit(1)
    except Exception as error:
        sys.stderr.write(how_it_came(error))
        sys.exit(1)


if __name__ == "__main__":
    answer_pieces(sys.argv[1], int(sys.argv[2]))
