"""A process that asks models behind addresses for one job, which has no network itself.

The worker starts it where a job's arguments name such a model, and hands the job's child one end of a pair of sockets.
It asks only the endpoints that the arguments name, whatever the child says; it holds their secrets, which the child
never sees; and it keeps their answers. Both sides write lines of JSON of bounded length; nothing is unpickled. It reads
no upload, and goes when the child does.
"""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.base.errors import EvenhandError, ModelError, how_it_came
from core.base.progress import OnProgress, Progress, consecutive_parts
from core.language.told import packed, say
from core.models.endpoint.asking import AbstractAsker, Asker
from core.models.endpoint.kept import History
from core.models.endpoint.rows import Answer, Rows
from core.models.endpoint.settings import EndpointSettings, endpoints_in
from dashboard.jobs.code import REPOSITORY
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.job import Failure
from dashboard.jobs.messages import LONGEST_ANSWER, LONGEST_PHASE, Failed, shortened

_ROWS_AT_ONCE = 1000
_MEMORY = 4 << 30


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    endpoint: str = Field(max_length=64)


class Ask(_Said):
    """The child asks about rows of an endpoint, which it names by its fingerprint."""

    said: Literal["ask"] = "ask"
    names: tuple[str, ...]
    cells: tuple[tuple[bool | int | float | str, ...], ...] = Field(max_length=_ROWS_AT_ONCE)


class Conclude(_Said):
    """The child asks whether the model is still the same."""

    said: Literal["conclude"] = "conclude"


_REQUEST: TypeAdapter[Ask | Conclude] = TypeAdapter(Annotated[Ask | Conclude, Field(discriminator="said")])
_HISTORY: TypeAdapter[History] = TypeAdapter(History)


class Broker:
    """The worker's side: a running broker.

    Args:
        endpoints: Whom it may ask, at least one.

    Raises:
        OSError: The process cannot be started.
    """

    def __init__(self, endpoints: list[EndpointSettings]) -> None:
        ours, self.end_of_child = socket.socketpair()
        secrets = {one.secret: os.environ[one.secret] for one in endpoints if one.secret in os.environ}
        with ours:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dashboard.jobs.broker", str(ours.fileno())],
                pass_fds=[ours.fileno()],
                cwd=REPOSITORY,
                env=harmless_environment() | secrets,
                stdin=subprocess.PIPE,
            )
        told = json.dumps([one.model_dump(mode="json") for one in endpoints]).encode()
        if self._process.stdin is not None:
            with suppress(OSError), self._process.stdin as stdin:
                stdin.write(told)

    @classmethod
    def for_job(cls, arguments: Any) -> Self | None:
        """The broker that a job needs; None for one that asks no endpoint."""
        endpoints = list(dict.fromkeys(endpoints_in(arguments)))
        return cls(endpoints) if endpoints else None

    def end(self) -> None:
        """Stop it, whatever it does."""
        self.end_of_child.close()
        self._process.kill()
        self._process.wait()


class AskerThroughBroker(AbstractAsker):
    """The child's side of one endpoint.

    Args:
        endpoint: Whom to ask.
        pipe: To the broker.
    """

    def __init__(self, endpoint: EndpointSettings, pipe: socket.socket) -> None:
        self._fingerprint, self._pipe = endpoint.fingerprint, pipe
        self._answers = pipe.makefile("rb")

    def ask(self, rows: Rows, on_progress: OnProgress) -> list[Answer]:
        """See the base class."""
        starts = range(0, len(rows), _ROWS_AT_ONCE)
        found: list[Answer] = []
        for start, part in zip(starts, consecutive_parts(on_progress, [1] * len(starts)), strict=True):
            some = rows.cells[start : start + _ROWS_AT_ONCE]
            asked = Ask(endpoint=self._fingerprint, names=rows.names, cells=some)
            found += map(tuple, self._answer(asked, part))
        return found

    def conclude(self) -> History:
        """See the base class."""
        told = self._answer(Conclude(endpoint=self._fingerprint), lambda _: None)
        return _HISTORY.validate_python(told)

    def _answer(self, asked: Ask | Conclude, on_progress: OnProgress) -> Any:
        with suppress(OSError):
            self._pipe.sendall(asked.model_dump_json().encode() + b"\n")
            while line := self._answers.readline():
                told = json.loads(line)
                if told["said"] == "went":
                    on_progress(Progress(told["done"], told["phase"]))
                elif told["said"] == "failed":
                    raise Failed.model_validate(told).failure.error
                else:
                    return told["answer"]
        raise ModelError(
            say("The process that asks the model has ended."),
            advice=say("Try again; answers received so far are saved."),
        )


def _serve(pipe: socket.socket, endpoints: list[EndpointSettings]) -> None:
    askers = {one.fingerprint: Asker(one) for one in endpoints}

    def answer(told: dict[str, Any]) -> None:
        pipe.sendall(json.dumps(told).encode() + b"\n")

    def went(part: Progress) -> None:
        answer({"said": "went", "done": part.done, "phase": shortened(packed(part.phase), LONGEST_PHASE)})

    with pipe.makefile("rb") as requests:
        while line := requests.readline(LONGEST_ANSWER):
            request = _REQUEST.validate_json(line)
            asker = askers[request.endpoint]
            try:
                if isinstance(request, Ask):
                    answer({"said": "done", "answer": asker.ask(Rows(request.names, request.cells), went)})
                else:
                    answer({"said": "done", "answer": asdict(asker.conclude())})
            except EvenhandError as error:
                answer(Failed.of(Failure.of(error)).model_dump(mode="json"))


def main() -> None:
    """Ask until the child is gone; what breaks the rules ends it, and no row of anybody gets into the log."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    endpoints = TypeAdapter(list[EndpointSettings]).validate_json(sys.stdin.buffer.read())
    try:
        with socket.socket(fileno=int(sys.argv[1])) as pipe, suppress(BrokenPipeError, ConnectionResetError):
            _serve(pipe, endpoints)
    except Exception as error:
        sys.exit(how_it_came(error))


if __name__ == "__main__":
    main()
