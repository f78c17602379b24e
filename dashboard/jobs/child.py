"""What one child process does: give up network, disk and spare memory, then run a task and say how it ended.

Where the task says so it waits for other questions about the same files, until the worker lets it go.
"""

import contextlib
import importlib
import json
import os
import queue
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from core.base.apart import carry
from core.base.errors import FORBIDDEN, FULL, EvenhandError, StorageError, how_it_came
from core.base.files import FileStore, home
from core.base.memory import held_at_first, is_out_of_memory, limit_memory, most_held, too_large
from core.base.progress import Progress
from core.language.told import packed, say
from core.wall.behind import fork_through
from core.wall.network import refuse_network
from core.wall.sandbox import confine, own_code
from dashboard.jobs.code import code_fingerprint
from dashboard.jobs.elsewhere import CarrierThroughPipe
from dashboard.jobs.job import Failure
from dashboard.jobs.messages import LONGEST_PHASE, Begun, Failed, Went, send, send_answer, shortened
from dashboard.jobs.outbox import JOB, LOG
from dashboard.jobs.task_inputs import keep_what_is_read
from dashboard.jobs.tasks import Task

_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
"""Text models are read from their file only, and tokenising starts no threads."""

LITTLE = 100 * 2**20
"""Bytes that a child may come to hold and still wait for another question, which may then take as many more."""

code_fingerprint()  # once, before children are forked from here


def run(told: dict[str, Any], pipe: socket.socket, *given: int) -> None:
    """Run the task that a folder describes and say over ``pipe`` how it goes (``dashboard.jobs.messages``).

    Args:
        told: ``tasks``, the module that holds the table of tasks; ``folder``, the job's own, whose file ``job.json``
            holds the name of the task and its arguments; ``memory``, bytes that it may allocate; ``given``, what each
            descriptor leads to.
        pipe: To the worker.
        given: Descriptors of sockets: to the ``broker`` that asks models behind addresses for it, where the job names
            such; to what has other machines do pieces of it, ``elsewhere``; and to the ``wall`` behind which model
            files are opened, where it names one.
    """
    folder, helpers = Path(told["folder"]), dict(zip(told["given"], given, strict=True))
    job = json.loads((folder / JOB).read_bytes())
    tables = (home() / "data", os.environ.get("EVENHAND_DATA", ""))
    readable = [*own_code(), *(Path(path) for path in (*job["readable"], *tables) if path)]
    own = {"EVENHAND_HOME": str(folder), "HOME": str(folder), "TMPDIR": str(folder / "temporary")}
    os.environ |= _OFFLINE | own
    tempfile.tempdir = own["TMPDIR"]
    tasks: dict[str, Task] = importlib.import_module(told["tasks"]).TASKS
    files, memory = FileStore(), int(told["memory"])
    if "broker" in helpers:
        _ask_through(socket.socket(fileno=helpers["broker"]))
    if "elsewhere" in helpers:
        carry(CarrierThroughPipe(socket.socket(fileno=helpers["elsewhere"])))
    if "wall" in helpers:
        fork_through(socket.socket(fileno=helpers["wall"]))
    _speak_into(folder / LOG)
    held_at_first()
    keep_what_is_read()
    questions = None
    while True:
        task, arguments = tasks[job["kind"]], job["arguments"]
        send(pipe, Begun())
        try:
            if questions is None:
                task.fetch(arguments, files)
                refuse_network()
                confine(folder, readable)
                questions = Questions(pipe)
                limit_memory(memory + (0 if task.stays == "never" else LITTLE))
            answer = task.run(arguments, files, Reporter(pipe))
            stays = _may_stay(task)
            send_answer(pipe, answer, stays=stays)
        except BrokenPipeError:
            os._exit(1)
        except Exception as error:
            failure = _failure(error, memory, job["log"])
            stays = questions is not None and isinstance(error, EvenhandError) and _may_stay(task)
            send(pipe, Failed.of(failure, stays=stays))
        if questions is None or not stays:
            return
        job = questions.next()


def _may_stay(task: Task) -> bool:
    return task.stays == "always" or (task.stays == "small" and most_held() - held_at_first() <= LITTLE)


def _failure(error: Exception, memory: int, log: str) -> Failure:
    """What is said of an error, which is written into the job's log where it is a fault of Evenhand itself."""
    if is_out_of_memory(error):
        error = too_large(memory)
    if isinstance(error, EvenhandError):
        return Failure.of(error)
    with contextlib.suppress(OSError):
        print(how_it_came(error), end="", file=sys.stderr, flush=True)
    return disk_failure(error) or _unexpected(log)


class Questions:
    """What the worker asks a child that has answered: a line of JSON each; the child dies with the worker.

    Args:
        pipe: From the worker.
    """

    def __init__(self, pipe: socket.socket) -> None:
        self._pipe = pipe
        self._asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> dict[str, Any]:
        """The next question, when it comes, as the file of a job's folder tells the first."""
        return dict(json.loads(self._asked.get()))

    def _listen(self) -> None:
        """Pass on what is asked until the other end closes, which it does when the worker dies, and die too."""
        heard = b""
        with contextlib.suppress(OSError):
            while part := self._pipe.recv(1 << 16):
                *lines, heard = (heard + part).split(b"\n")
                for line in lines:
                    self._asked.put(line)
        os.kill(os.getpid(), signal.SIGKILL)


def _ask_through(broker: socket.socket) -> None:
    """Let models behind addresses be asked by the job's broker, for this process gives its network up."""
    from core.models.endpoint.asking import ask_through
    from dashboard.jobs.broker import AskerThroughBroker

    ask_through(lambda endpoint: AskerThroughBroker(endpoint, broker))


def _speak_into(log: Path) -> None:
    """Send what this process prints, and what libraries and the interpreter do, into the job's own log."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)


class Reporter:
    """Says how far a task is: every change of phase, and otherwise twenty times a second at most.

    Args:
        pipe: To the worker.
    """

    def __init__(self, pipe: socket.socket) -> None:
        self._pipe = pipe
        self._phase = ""
        self._said = 0.0

    def __call__(self, part: Progress) -> None:
        """Say it, unless it was said just now."""
        now = time.monotonic()
        if part.phase == self._phase and now - self._said < 0.05:
            return
        self._phase, self._said = part.phase, now
        send(self._pipe, Went(done=min(max(part.done, 0.0), 1.0), phase=shortened(packed(part.phase), LONGEST_PHASE)))


def disk_failure(error: Exception) -> Failure | None:
    """The failure of a full or unwritable disk; None for any other error."""
    if not isinstance(error, OSError) or error.errno not in (*FULL, *FORBIDDEN):
        return None
    return Failure.of(StorageError.of(error))


def _unexpected(log: str) -> Failure:
    return Failure(
        "Unexpected",
        say("Something went wrong inside Evenhand; your data and settings are kept."),
        say("details in {log}", log=log),
        say("Try again; if it happens again, report it with that file."),
    )
