"""Connections whose every byte, to and fro, counts against one limit of time.

The timeout of a socket begins anew with every byte, so that whoever sends one now and then would be waited for without
end: in a handshake, between headers, in answers that only say that one follows (100), in the sizes of chunks.
"""

import http.client
import io
import socket
import time
from functools import partial
from typing import Any

import urllib3
import urllib3.connection

_AT_ONCE = 1 << 14
"""Bytes that are sent between two looks at the clock: one record of TLS."""


class Deadline:
    """When everything on a connection has to be over."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self, seconds: float) -> None:
        """Let it be so many seconds from now."""
        self._until = time.monotonic() + seconds

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return time.monotonic() >= self._until

    def keep(self, used: socket.socket) -> None:
        """Let the next use of the socket wait no longer than what is left.

        Raises:
            TimeoutError: Nothing is left.
        """
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")  # verbatim
        used.settimeout(left)


class _Received(io.RawIOBase):
    """The bytes that a socket receives by the deadline."""

    def __init__(self, raw: Any, used: socket.socket, deadline: Deadline) -> None:
        self._raw, self._used, self._deadline = raw, used, deadline

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As of a socket.

        Raises:
            TimeoutError: The deadline has passed.
        """
        self._deadline.keep(self._used)
        return int(self._raw.readinto(buffer) or 0)

    def close(self) -> None:
        """With what it reads."""
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer that has come by the deadline, from its first line to its last chunk."""

    def __init__(self, sock: socket.socket, *args: Any, deadline: Deadline, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp: Any = io.BufferedReader(_Received(self.fp.detach(), sock, deadline))


class _Timed:
    """A connection that keeps to a deadline.

    Args:
        deadline: To keep to.
    """

    sock: Any
    response_class: Any

    def __init__(self, *args: Any, deadline: Deadline, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadline = deadline
        self.response_class = partial(_Response, deadline=deadline)

    def _new_conn(self) -> socket.socket:
        """What is left once the other side has answered is what a handshake may take."""
        made: socket.socket = super()._new_conn()  # type: ignore[misc]
        self._deadline.keep(made)
        return made

    def send(self, data: Any) -> None:
        """Send ``data`` in parts, for a server that takes it in crumbs."""
        for start in range(0, len(data), _AT_ONCE):
            if self.sock is not None:
                self._deadline.keep(self.sock)
            super().send(data[start : start + _AT_ONCE])  # type: ignore[misc]


class _Plain(_Timed, urllib3.connection.HTTPConnection):
    pass


class _Encrypted(_Timed, urllib3.connection.HTTPSConnection):
    pass


class Pool(urllib3.HTTPConnectionPool):
    """Plain connections to one host, which keep to the ``deadline`` that is given."""

    ConnectionCls = _Plain


class EncryptedPool(urllib3.HTTPSConnectionPool):
    """Encrypted ones."""

    ConnectionCls = _Encrypted
