"""The log of the register: every line holds the hash of the line before it, so that none can be changed unseen.

A line says what was done with which entry, when, and the SHA-256 of the entry as it then stood; of a deleted audit, its
verdict. It holds no name of a person, table or model, and so can stay when an entry is deleted.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from core.language.told import say

Action = Literal[
    "begun",
    "entered",
    "changed",
    "sent",
    "returned",
    "signed",
    "withdrawn",
    "shared",
    "revoked",
    "commented",
    "moved",
    "founded",
    "deleted",
]

NOTHING = "0" * 64
"""What stands before the first line."""


def canonical(tree: Any) -> bytes:
    """JSON in one way only: keys sorted, no blanks, ASCII; bytes, which only a hand puts there, as Python has them."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), default=repr).encode()


def sha256(content: bytes) -> str:
    """The fingerprint of some bytes, 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def left_of(verdict: str, kept_by: str, subject: str) -> str:
    """What the log keeps of a deleted audit: its verdict, and of which model and table only for who had it.

    Args:
        verdict: How it ended; empty for work that ends in none.
        kept_by: The project it belonged to, or its owner; nobody else can guess what follows from that.
        subject: SHA-256 of table and model; empty where unknown.
    """
    return f"{sha256(canonical([kept_by, subject]))[:30]} {verdict}" if verdict and subject else ""


@dataclass(frozen=True)
class LogLine:
    """A line of the log.

    Attributes:
        number: Its place, from 1.
        at: When it was written, ISO 8601 in UTC.
        action: What was done.
        entry: Id of the entry or the project; of the first line, a random name of the register.
        content: SHA-256 of it afterwards; what :func:`left_of` leaves of a deleted one.
        previous: Hash of the line before.
        hash: SHA-256 of all this as canonical JSON.
    """

    number: int
    at: str
    action: str
    entry: str
    content: str
    previous: str
    hash: str = ""

    @classmethod
    def after(cls, last: "LogLine | None", action: Action, entry: str, content: str) -> "LogLine":
        """The line that follows ``last``."""
        number, previous = (1, NOTHING) if last is None else (last.number + 1, last.hash)
        line = cls(number, datetime.now(UTC).isoformat(), action, entry, content, previous)
        return replace(line, hash=line.true_hash)

    @property
    def true_hash(self) -> str:
        """What its hash has to be."""
        return sha256(canonical([self.number, self.at, self.action, self.entry, self.content, self.previous]))


@dataclass(frozen=True)
class Problem:
    """Something in the register that is not as it was written.

    Attributes:
        what: One sentence.
        entry: Id of the entry it concerns; empty where it concerns the log itself.
        line: Number of the line of the log; 0 where it concerns none.
    """

    what: str
    entry: str = ""
    line: int = 0


def broken_lines(lines: Iterable[LogLine]) -> Iterator[Problem]:
    """Lines that were changed, left out or put in; ``lines`` in the order of their numbers."""
    number, previous = 0, NOTHING
    for line in lines:
        number += 1
        if line.number != number:
            yield Problem(
                say("Before line {number} of the log, lines were removed.", number=line.number), line.entry, line.number
            )
        elif line.previous != previous:
            yield Problem(
                say("Line {number} of the log does not follow the line before it.", number=number), line.entry, number
            )
        if line.hash != line.true_hash:
            yield Problem(
                say("Line {number} of the log was changed after it was written.", number=line.number),
                line.entry,
                line.number,
            )
        number, previous = line.number, line.hash


def emptied(lines: Sequence[LogLine]) -> Iterator[Problem]:
    """A register whose tables were made and whose log has no line: the first entry and the first line go together."""
    if not lines:
        yield Problem(say("The log has no line any more: the register was emptied."))


def strange_entries(
    lines: Iterable[LogLine], contents: Mapping[str, str], stray: Iterable[str] = ()
) -> Iterator[Problem]:
    """Entries and projects that are not as the log left them.

    Args:
        lines: The log.
        contents: SHA-256 of every entry and project that is there, by its id.
        stray: Ids of entries and projects that are not there, of which files or members are.
    """
    last = {line.entry: line for line in lines if line.action != "begun"}
    for name, line in last.items():
        found, deleted = contents.get(name, ""), line.action == "deleted"
        if found == ("" if deleted else line.content):
            continue
        done = "removed" if not found else "put back" if deleted else "changed"  # verbatim
        yield Problem(_without_a_line(name, done), name, line.number)
    for name in contents.keys() - last.keys():
        yield Problem(_without_a_line(name, "put in"), name)  # verbatim
    for name in sorted(stray, key=str):
        yield Problem(say("Files or members were put in of what is not in the register."), name)


def _without_a_line(name: str, done: str) -> str:
    """What was done with an entry or a project and stands nowhere in the log."""
    if str(name).startswith("project-"):
        return {
            "removed": say("This project was removed without a line in the log."),
            "put back": say("This project was deleted, and put back without a line in the log."),  # verbatim
            "changed": say("This project was changed without a line in the log."),
            "put in": say("This project was put in without a line in the log."),  # verbatim
        }[done]
    return {
        "removed": say("This entry was removed without a line in the log."),
        "put back": say("This entry was deleted, and put back without a line in the log."),  # verbatim
        "changed": say("This entry was changed without a line in the log."),
        "put in": say("This entry was put in without a line in the log."),  # verbatim
    }[done]
