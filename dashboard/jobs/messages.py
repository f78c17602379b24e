"""What a child says to the worker: lines of JSON, each checked against a schema.

A child that parses a stranger's file may come to do what the stranger wants. So nothing that it says is unpickled,
every line and text has a longest length, it may not say more than a person could follow, and nobody waits for it.
"""

import json
import socket
import time
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from dashboard.jobs.job import Failure

LONGEST_ANSWER = 64 << 20
"""Bytes of a whole line."""
MOST_CONTAINERS = 4_000_000
"""Lists and objects in a line: each takes some 60 bytes of memory and two of the line."""
LONGEST_TEXT = 4_000
LONGEST_PHASE = 1_000
MOST_A_SECOND = 300
_ATTENTION = 1 << 20
"""Bytes that are read before the other children are listened to."""


class BrokenRulesError(Exception):
    """A child said something that no task says; the reason is for the log."""


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Begun(_Message):
    """The child is there and works."""

    said: Literal["begun"] = "begun"


class Went(_Message):
    """How far it is.

    Attributes:
        done: Share of the whole.
        phase: What is being done.
    """

    said: Literal["went"] = "went"
    done: float = Field(ge=0, le=1, allow_inf_nan=False)
    phase: str = Field(max_length=LONGEST_PHASE)


class Done(_Message):
    """It ended well.

    Attributes:
        answer: What it found.
        stays: Whether the child waits for another question.
    """

    said: Literal["done"] = "done"
    answer: JsonValue
    stays: bool = False


class Failed(_Message):
    """It ended with an error; the fields are those of a ``Failure``, and ``stays`` as where it ended well."""

    said: Literal["failed"] = "failed"
    kind: Literal[
        "DataError",
        "SourceError",
        "ModelError",
        "MetricError",
        "SettingsError",
        "AuditError",
        "RecordError",
        "StorageError",
        "CancelledError",
        "EvenhandError",
        "Unexpected",
    ]
    what: str = Field(max_length=LONGEST_TEXT)
    where: str = Field(max_length=LONGEST_TEXT)
    advice: str = Field(max_length=LONGEST_TEXT)
    stays: bool = False

    @classmethod
    def of(cls, failure: Failure, *, stays: bool = False) -> "Failed":
        """The message of a failure, its texts cut to what a message may hold."""
        texts = {name: shortened(getattr(failure, name), LONGEST_TEXT) for name in ("what", "where", "advice")}
        return cls.model_validate({"kind": failure.kind, **texts, "stays": stays})

    @property
    def failure(self) -> Failure:
        """The failure it tells of."""
        return Failure(self.kind, self.what, self.where, self.advice)


Message = Begun | Went | Done | Failed
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="said")])


def shortened(text: str, longest: int) -> str:
    """The text as UTF-8 can write it, with an ellipsis for what is too long of it."""
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def send(pipe: socket.socket, message: Begun | Went | Failed) -> None:
    """Say something; for the child.

    Raises:
        OSError: The worker is gone.
    """
    pipe.sendall(message.model_dump_json().encode() + b"\n")


def send_answer(pipe: socket.socket, answer: Any, *, stays: bool = False) -> None:
    """Say what was found, and whether this process waits for another question; for the child.

    Raises:
        TypeError, ValueError: It cannot be written as JSON, or holds a number that is not finite, or is too long.
        OSError: The worker is gone.
    """
    told = json.dumps(answer, allow_nan=False), json.dumps(stays)
    line = b'{"said": "done", "answer": %b, "stays": %b}\n' % tuple(map(str.encode, told))
    if len(line) > LONGEST_ANSWER:
        raise ValueError(f"The answer is {len(line):,} bytes long.")
    pipe.sendall(line)


def read(line: bytes) -> Message:
    """The message in a line.

    Raises:
        BrokenRulesError: It holds none.
    """
    if line.count(b"[") + line.count(b"{") > MOST_CONTAINERS:
        raise BrokenRulesError("a message of too many parts")
    try:
        return _MESSAGE.validate_json(line)
    except (ValidationError, ValueError, RecursionError) as error:
        raise BrokenRulesError("no message") from error


class Listener:
    """Hears one child, without ever waiting for it.

    Args:
        pipe: Where it speaks.
    """

    def __init__(self, pipe: socket.socket) -> None:
        pipe.setblocking(False)
        self.pipe = pipe
        self._heard = bytearray()
        self._lines = 0
        self._searched = 0
        self._since = time.monotonic()

    def messages(self) -> Iterator[Message]:
        """What it has said since, as far as it is whole.

        Raises:
            BrokenRulesError: A line is too long or no message, or there are too many.
            EOFError: It has closed the pipe, as it does when it ends.
        """
        for _ in range(_ATTENTION >> 16):
            try:
                part = self.pipe.recv(1 << 16)
            except BlockingIOError:
                return
            except OSError as error:
                raise EOFError from error
            if not part:
                raise EOFError
            self._heard += part
            while (end := self._heard.find(b"\n", self._searched)) >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                self._searched = 0
                self._count()
                yield read(line)
            self._searched = len(self._heard)
            if self._searched > LONGEST_ANSWER:
                raise BrokenRulesError("a message that is too long")

    def _count(self) -> None:
        self._lines += 1
        if self._lines > MOST_A_SECOND * (1 + time.monotonic() - self._since):
            raise BrokenRulesError("too many messages")
