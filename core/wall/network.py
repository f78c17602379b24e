"""A process leaves the network before it reads what a stranger wrote."""

import ctypes
import sys
from typing import Any

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SOCKET_EVENTS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname")


def refuse_network() -> None:
    """Leave the network: by the kernel where it allows, and in Python in any case. Irrevocable.

    The kernel moves only processes of one thread; libraries start theirs when they first compute, which is later.
    """
    if sys.platform == "linux":
        unshare = ctypes.CDLL(None, use_errno=True).unshare
        if unshare(_NEW_NETWORK) != 0:
            unshare(_NEW_USER | _NEW_NETWORK)

    def refuse(event: str, _: tuple[Any, ...]) -> None:
        if event in _SOCKET_EVENTS:
            raise PermissionError("This process has no network.")

    sys.addaudithook(refuse)
