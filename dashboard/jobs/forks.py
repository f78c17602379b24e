"""A process that has imported what tasks need, and forks a child for each job: a job so starts in some 30 ms.

The worker talks to it in JSON over a pair of sockets that nobody else holds; each child gets one end of a pair of its
own and closes everything else. No socket has a name, nothing is pickled, and no job's arguments pass through this
process, so a child that was taken over can ask it for nothing and finds nothing of others in its memory. It starts no
thread, and goes when the worker's socket closes.
"""

import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.queue import REPOSITORY, code_fingerprint

_MOST_BYTES = 1 << 16
_PATIENCE_SECONDS = 60


class Forks:
    """The worker's side: starts the process, forks and ends children.

    Args:
        tasks: Name of the module that holds the table of tasks, and in ``WARM`` the names of modules that nearly all
            of them need; these are imported once, before any child is forked, and may start no thread.

    Raises:
        OSError: By every method: the process has ended or does not answer.
    """

    def __init__(self, tasks: str) -> None:
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_PATIENCE_SECONDS)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dashboard.jobs.forks", tasks, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=REPOSITORY,
                env=harmless_environment(),
                stdin=subprocess.DEVNULL,
            )

    def fork(
        self, folder: Path, libraries: tuple[str, ...] = (), broker: socket.socket | None = None
    ) -> tuple[int, socket.socket]:
        """Start a child for the job in ``folder``; its process id and the worker's end of its pipe.

        The modules of ``libraries`` are imported before, once for this child and all that come after it. ``broker`` is
        the child's end of its pipe to a broker (``dashboard.jobs.broker``), where it needs one.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            line = json.dumps({"fork": str(folder), "libraries": libraries}).encode()
            given = [theirs] if broker is None else [theirs, broker]
            socket.send_fds(self._control, [line], [one.fileno() for one in given])
            return self._answer(), ours

    def end(self, pid: int) -> None:
        """Kill a child that :meth:`fork` started, with every process it started, and wait until it is gone."""
        self._control.sendall(json.dumps({"end": pid}).encode())
        self._answer()

    def _answer(self) -> int:
        said = self._control.recv(_MOST_BYTES)
        if not said:
            raise BrokenPipeError("The process that forks children has ended.")  # verbatim
        return int(json.loads(said))


def _serve(control: socket.socket, tasks: str) -> None:
    children: set[int] = set()
    try:
        while True:
            said, received, _, _ = socket.recv_fds(control, _MOST_BYTES, 2)
            if not said:
                return
            request = json.loads(said)
            if "fork" in request:
                _import(request["libraries"])
                pid = os.fork()
                if pid == 0:
                    control.close()
                    _become_child(tasks, Path(request["fork"]), *received)
                with suppress(OSError):
                    os.setpgid(pid, pid)
                for descriptor in received:
                    os.close(descriptor)
                children.add(pid)
                control.sendall(json.dumps(pid).encode())
            else:
                children.discard(request["end"])
                _end(request["end"])
                control.sendall(b"0")
    except OSError:
        return
    finally:
        for pid in children:
            _end(pid)


def _import(modules: Iterable[str]) -> None:
    """Import what is not imported yet, and keep the garbage collector of children from touching it."""
    if new := [module for module in modules if module not in sys.modules]:
        for module in new:
            importlib.import_module(module)
        gc.freeze()


def _end(pid: int) -> None:
    """Kill a child and its descendants; its process id stays its own until it is waited for here."""
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _become_child(tasks: str, folder: Path, pipe: int, *broker: int) -> NoReturn:
    code = 1
    try:
        from dashboard.jobs.child import run_job

        with suppress(OSError):
            os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for before, after in pairwise((2, *sorted((pipe, *broker)), os.sysconf("SC_OPEN_MAX"))):
            os.closerange(before + 1, after)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)  # what libraries warn of may quote a table
        with socket.socket(fileno=pipe) as speaking:
            run_job(tasks, folder, speaking, *broker)
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Import, then fork until the worker is gone."""
    tasks, descriptor = sys.argv[1], int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    table = importlib.import_module(tasks)
    _import(["dashboard.jobs.child", *getattr(table, "WARM", ())])
    code_fingerprint()
    with socket.socket(fileno=descriptor) as control:
        _serve(control, tasks)


if __name__ == "__main__":
    main()
