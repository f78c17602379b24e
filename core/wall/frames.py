"""What crosses the wall, both ways: a head of JSON and arrays of bytes, each of bounded length.

A child that parses a stranger's file may come to do what the stranger wants: nothing that it says is unpickled, and
nothing is longer than was agreed before.
"""

import json
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

MOST_OF_HEAD = 16 << 20
MOST_CONTAINERS = 400_000
"""Lists and objects in a head: each takes some 60 bytes of memory and two of the head."""
MOST_PARTS = 100_000
_LENGTHS = struct.Struct("!II")
_PIECE = 1 << 20


class BrokenRulesError(Exception):
    """The other side said something that nobody says; the reason is for the log."""


def send(pipe: socket.socket, head: dict[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Send a message.

    Raises:
        OSError: The other side is gone, or does not listen for as long as the socket waits.
        ValueError, TypeError: The head is no JSON, or too long.
    """
    content = json.dumps(head, allow_nan=False).encode()
    if len(content) > MOST_OF_HEAD or len(parts) > MOST_PARTS:
        raise ValueError(f"A message of {len(content):,} bytes and {len(parts)} parts is too long.")
    lengths = struct.pack(f"!{len(parts)}Q", *map(len, parts))
    pipe.sendall(_LENGTHS.pack(len(content), len(parts)) + content + lengths)
    for part in parts:
        pipe.sendall(part)


def receive(pipe: socket.socket, most: int, seconds: float | None = None) -> tuple[dict[str, Any], list[bytes]]:
    """The next message: its head and its parts.

    Args:
        pipe: Where it comes from.
        most: Bytes that its parts may have together.
        seconds: How long all of it may take; None for any time.

    Raises:
        BrokenRulesError: It is no message, or too long.
        EOFError: The other side has gone.
        TimeoutError: It took too long.
    """
    until = None if seconds is None else time.monotonic() + seconds
    length, count = _LENGTHS.unpack(_read(pipe, _LENGTHS.size, until))
    if length > MOST_OF_HEAD or count > MOST_PARTS:
        raise BrokenRulesError("a head that is too long")
    content = _read(pipe, length, until)
    lengths = struct.unpack(f"!{count}Q", _read(pipe, 8 * count, until))
    if sum(lengths) > most:
        raise BrokenRulesError("more bytes than were agreed")
    if content.count(b"[") + content.count(b"{") > MOST_CONTAINERS:
        raise BrokenRulesError("a head of too many parts")
    try:
        head = json.loads(content.decode(), parse_constant=_refuse)
        json.dumps(head, ensure_ascii=False).encode()  # halves of characters, which nothing can write
    except (ValueError, RecursionError) as error:
        raise BrokenRulesError("a head that is no JSON") from error
    if not isinstance(head, dict):
        raise BrokenRulesError("a head that is no object")
    return head, [_read(pipe, size, until) for size in lengths]


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _read(pipe: socket.socket, size: int, until: float | None) -> bytes:
    content = bytearray()
    while len(content) < size:
        if until is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            pipe.settimeout(left)
        try:
            piece = pipe.recv(min(size - len(content), _PIECE))
        except ConnectionError as error:
            raise EOFError from error
        if not piece:
            raise EOFError
        content += piece
    return bytes(content)
