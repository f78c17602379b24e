"""A process that has the workers of a Dask scheduler do pieces of one job; ``dashboard.jobs.elsewhere`` starts it.

Whatever the job's child says, it names one of few modules and no files but the job's own, and on the workers the pieces
stand behind the same walls as the job (:mod:`core.cluster.confined`). This process reads no upload but to send it, and
goes when the child does, with all that the workers do for it. What cannot be done there, the child does.
"""

import json
import logging
import os
import queue
import resource
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from core.base.errors import EvenhandError, SourceError, how_it_came
from core.base.files import FileStore
from core.base.progress import Progress
from core.cluster.address import Scheduler
from core.language.told import packed, say
from dashboard.jobs.job import Failure
from dashboard.jobs.messages import LONGEST_ANSWER, LONGEST_PHASE, Failed, shortened
from dashboard.logs import begin, log

_MEMORY = 4 << 30
_MOST_PIECES = 100_000


class _Asked(BaseModel):
    """Pieces that the child wants done."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    module: Literal["core.records.pieces", "core.workflows.mitigation.splits"]
    pieces: list[dict[str, JsonValue]] = Field(max_length=_MOST_PIECES)


class _Server:
    """The process's own side.

    Args:
        pipe: To the child.
        files: Fingerprints of the files that it may send.
        opens: Modules with which model files of the job are opened.
        memory: Bytes that each piece takes; 0 where nobody knows.
    """

    def __init__(self, pipe: socket.socket, files: Sequence[str], opens: Sequence[str], memory: int) -> None:
        self._memory = memory
        self._pipe, self._files, self._opens = pipe, frozenset(files), opens
        self._asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._cluster: Any = None
        self._refused = False

    def serve(self) -> None:
        """Have done what is asked until the child is gone.

        Raises:
            ValidationError, ValueError: The child asks what no job asks.
        """
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            asked = _Asked.model_validate_json(self._asked.get())
            needs = {one for piece in asked.pieces for one in self._needs(piece)}
            if not needs <= self._files:
                raise ValueError("a file of nobody")  # verbatim
            try:
                self._carry(asked)
            except EvenhandError as error:
                log("workers_refused", level=logging.ERROR, error=error, why=f"{error.what} {error.where}".strip())
                self._refused = True
            self._say({"said": "done"})

    def _carry(self, asked: _Asked) -> None:
        """Have workers do the pieces that need files of the job."""
        places = [place for place, piece in enumerate(asked.pieces) if self._needs(piece)]
        if not places or self._refused:
            return
        if self._cluster is None:
            from core.cluster.carrier import Cluster

            self._say({"said": "went", "done": 0.0, "phase": packed(say("Asking the workers who they are"))})
            scheduler = Scheduler.chosen()
            if scheduler is None:
                return
            self._cluster = Cluster(scheduler, opens=self._opens)
        own: dict[str, Any] = {"files": str(FileStore().root.absolute()), "memory": self._memory}
        pieces = [{**asked.pieces[place], **own} for place in places]
        self._cluster.carry(
            asked.module, pieces, self._went, lambda place, answer: self._answered(places[place], answer)
        )

    def _needs(self, piece: dict[str, JsonValue]) -> list[str]:
        needs = piece.get("needs", [])
        return list(map(str, needs)) if isinstance(needs, list) else []

    def _went(self, part: Progress) -> None:
        self._say({"said": "went", "done": part.done, "phase": shortened(packed(part.phase), LONGEST_PHASE)})

    def _answered(self, place: int, answer: Any | EvenhandError) -> None:
        if isinstance(answer, SourceError):  # a built-in table, which is fetched: there is no network behind the wall
            return
        if isinstance(answer, EvenhandError):
            failed = Failed.of(Failure.of(answer)).model_dump(mode="json")
            self._say({"said": "answered", "place": place, "failed": failed})
        else:
            self._say({"said": "answered", "place": place, "answer": answer})

    def _say(self, told: dict[str, Any]) -> None:
        self._pipe.sendall(json.dumps(told).encode() + b"\n")

    def _listen(self) -> None:
        """Take what is asked; end at once where nobody asks any more, whatever the workers do."""
        with suppress(OSError), self._pipe.makefile("rb") as requests:
            while (line := requests.readline(LONGEST_ANSWER)).endswith(b"\n"):
                self._asked.put(line)
        os._exit(0)


def main() -> None:
    """Serve until the child is gone; what breaks the rules ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    begin("workers")
    told = json.loads(sys.stdin.buffer.read())
    try:
        with socket.socket(fileno=int(sys.argv[1])) as pipe, suppress(BrokenPipeError, ConnectionResetError):
            _Server(pipe, told["files"], told["opens"], told["memory"]).serve()
    except Exception as error:
        sys.exit(how_it_came(error))


if __name__ == "__main__":
    main()
