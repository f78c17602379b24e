"""What lets workers of a Dask scheduler do pieces of a job, which has no network itself (``dashboard.jobs.carrying``).

The worker starts a process for each long job where ``EVENHAND_SCHEDULER`` says so, and hands the job's child one end of
a pair of sockets.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self

from core.base.apart import AbstractCarrier, OnAnswer
from core.base.errors import EvenhandError
from core.base.progress import OnProgress, Progress
from core.language.told import unpacked
from dashboard.jobs.code import REPOSITORY
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.messages import LONGEST_ANSWER, Failed
from dashboard.jobs.outbox import references
from dashboard.jobs.task import Task, opened_behind_the_wall

SETTING = "EVENHAND_SCHEDULER"


class Elsewhere:
    """The worker's side: a running process.

    Args:
        arguments: Of the job: it sends the files that they name.
        memory: Bytes that the job was told to take; 0 where nobody knows.

    Raises:
        OSError: The process cannot be started.
    """

    def __init__(self, arguments: Any, memory: int = 0) -> None:
        ours, self.end_of_child = socket.socketpair()
        with ours:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dashboard.jobs.carrying", str(ours.fileno())],
                pass_fds=[ours.fileno()],
                cwd=REPOSITORY,
                env=harmless_environment(),
                stdin=subprocess.PIPE,
            )
        opens = list(opened_behind_the_wall(arguments))
        told = {"files": sorted({one.sha256 for one in references(arguments)}), "opens": opens, "memory": memory}
        if self._process.stdin is not None:
            with suppress(OSError), self._process.stdin as stdin:
                stdin.write(json.dumps(told).encode())

    @classmethod
    def for_job(cls, task: Task, arguments: Any, memory: int = 0) -> Self | None:
        """What a job needs; None for one that is short, or where there are no workers."""
        return cls(arguments, memory) if task.lane == "long" and os.environ.get(SETTING) else None

    def end(self) -> None:
        """Stop it, whatever it does: the scheduler sees it gone, and its workers stop."""
        self.end_of_child.close()
        self._process.kill()
        self._process.wait()


class CarrierThroughPipe(AbstractCarrier):
    """The child's side.

    Args:
        pipe: To the process.
    """

    def __init__(self, pipe: socket.socket) -> None:
        self._pipe, self._answers = pipe, pipe.makefile("rb")

    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        """See the base class."""
        found: dict[int, Any | EvenhandError] = {}
        asked = json.dumps({"module": module, "pieces": pieces}).encode() + b"\n"
        if len(asked) > LONGEST_ANSWER:
            return found
        with suppress(OSError):
            self._pipe.sendall(asked)
            while line := self._answers.readline():
                told = json.loads(line)
                if told["said"] == "went":
                    on_progress(Progress(told["done"], unpacked(told["phase"])))
                elif told["said"] == "done":
                    break
                else:
                    place = told["place"]
                    failed = told.get("failed")
                    found[place] = Failed.model_validate(failed).failure.error if failed else told["answer"]
                    on_answer(place, found[place])
        return found
