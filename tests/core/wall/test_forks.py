"""What forks children: who asks for one comes before what children may need later."""

import json
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from core.wall import forks
from core.wall.forks import serve


@pytest.fixture
def needed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that nobody imported yet."""
    (tmp_path / "needed_later_only.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "needed_later_only", raising=False)
    return "needed_later_only"


def test_who_asks_is_answered_before_what_may_be_needed_is_imported(needed_later: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(json.dumps({"end": 1}).encode())
        ours.shutdown(socket.SHUT_WR)
        serve(theirs, (needed_later,))
        assert ours.recv(100) == b"0"
    assert needed_later not in sys.modules


def test_it_is_imported_while_nobody_asks(needed_later: str) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            serving = threading.Thread(target=serve, args=(theirs, (needed_later,)))
            serving.start()
            until = time.monotonic() + 20
            while needed_later not in sys.modules and time.monotonic() < until:
                time.sleep(0.01)
            assert needed_later in sys.modules
        serving.join(20)


def test_what_is_asked_again_and_again_does_not_keep_it_from_being_imported(
    needed_later: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From so many seconds after the first question on, every pause between two suffices."""
    monkeypatch.setattr(forks, "_SECONDS_OF_THE_FIRST", 0.2)
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            serving = threading.Thread(target=serve, args=(theirs, (needed_later,)))
            ours.sendall(json.dumps({"end": 1}).encode())
            serving.start()
            until = time.monotonic() + 20
            while needed_later not in sys.modules and time.monotonic() < until:
                assert ours.recv(100) == b"0"
                time.sleep(0.05)
                ours.sendall(json.dumps({"end": 1}).encode())
            assert needed_later in sys.modules
        serving.join(20)
