"""A process that has imported what its children need, and forks each of them: a child so starts in some 30 ms.

Whoever starts it talks to it in JSON over a pair of sockets that nobody else holds; each child gets one end of a pair
of its own and closes everything else. No socket has a name, nothing is pickled, and nothing that a child is asked
passes through this process, so a child that was taken over can ask it for nothing and finds nothing of others in its
memory. It starts no thread of its own, and goes with all its children when its starter's socket closes.

A child is a function ``run(told, pipe, *descriptors)`` of a module: a job of the dashboard (``dashboard.jobs.child``),
a model file (:mod:`core.wall.child`), or once more such a process, confined to the files of one job
(:mod:`core.wall.forks_of_a_job`).
"""

import ctypes
import importlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from core.base.memory import available_memory, imports_stay
from core.wall.network import refuse_network

_MOST_BYTES = 1 << 16
_MOST_CHILDREN = 100
_PATIENCE_SECONDS = 180
_SECONDS_OF_THE_FIRST = 5.0
"""For which what was asked first has the processors to itself before what may be needed later is imported."""
_REPOSITORY = Path(__file__).parents[2]
_SIGNAL_AT_DEATH_OF_PARENT, _TAKE_IN_ORPHANS = 1, 36


class NoRoomError(OSError):
    """A child is not started, or does not go on."""


class Forks:
    """The starter's side: forks and ends children.

    Args:
        control: The starter's end of the pair.
        process: The process that forks, where this one started it.

    Raises:
        OSError: By every method: the process has ended or does not answer.
    """

    def __init__(self, control: socket.socket, process: "subprocess.Popen[bytes] | _Forked | None" = None) -> None:
        control.settimeout(_PATIENCE_SECONDS)
        self._control, self._process = control, process
        self._turn = threading.Lock()
        self._leaving: deque[int] = deque()

    @classmethod
    def start(cls, environment: Mapping[str, str], modules: Iterable[str] = (), *, network: bool = False) -> "Forks":
        """Start such a process.

        Args:
            environment: Its environment, and that of all its children.
            modules: What it imports at once, and what each of these names as ``WARM`` while nobody asks for a child.
                Neither these nor those that it imports later may start a thread.
            network: Whether it and its children keep the network.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "core.wall", str(theirs.fileno()), str(int(network)), *modules],
                pass_fds=[theirs.fileno()],
                cwd=_REPOSITORY,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        return cls(ours, process)

    @classmethod
    def part(cls, modules: Iterable[str] = (), *, network: bool = False) -> "Forks":
        """Fork such a process from this one, so that what both need is imported once.

        It has the memory and the environment of this process, which must hold nothing yet that no child may know, and
        must not have started a thread.

        Args:
            modules: As for :meth:`start`; this process imports them too.
            network: As for :meth:`start`.
        """
        warm = _import(modules)
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            _become_forks(theirs.detach(), warm, network=network)
        theirs.close()
        return cls(ours, _Forked(pid))

    @property
    def is_ours(self) -> bool:
        """Whether this process started it, and may start another."""
        return self._process is not None

    def fork(
        self,
        program: str,
        told: Mapping[str, Any],
        libraries: Sequence[str] = (),
        given: Sequence[socket.socket] = (),
    ) -> tuple[int, socket.socket]:
        """Start a child; its process id and this end of its pipe.

        Args:
            program: The module whose ``run`` it is.
            told: What it is told at its start, JSON of 60 KB at most.
            libraries: Modules to import before, once for this child and all that come after it.
            given: Sockets that it gets beside its pipe.

        Raises:
            NoRoomError: There are as many children as there may be.
        """
        request = json.dumps({"fork": program, "told": told, "libraries": [program, *libraries]}).encode()
        if len(request) > _MOST_BYTES:
            raise OSError("A child is told too much at its start.")
        with self._turn, self._whole():
            if given:
                socket.send_fds(self._control, [request], [one.fileno() for one in given])
            else:
                self._control.sendall(request)
            said, received, _, _ = socket.recv_fds(self._control, _MOST_BYTES, 1)
            if not said:
                raise BrokenPipeError("The process that forks children has ended.")  # verbatim
        self._see_off()
        if not received:
            raise NoRoomError
        return int(json.loads(said)), socket.socket(fileno=received[0])

    def resume(self, pid: int, memory: int) -> None:
        """Let a child that rests go on.

        Args:
            pid: The child.
            memory: Bytes that it may come to hold.

        Raises:
            NoRoomError: The machine has not so much to give beside what the child holds already; it goes on resting.
        """
        with self._turn:
            room = self._told({"resume": pid, "memory": memory})
        self._see_off()
        if not room:
            raise NoRoomError

    def rest(self, pid: int) -> None:
        """Stop a child where it is: it neither computes nor takes memory until it goes on."""
        with self._turn:
            self._told({"rest": pid})
        self._see_off()

    def end(self, pid: int) -> int:
        """Kill a child that :meth:`fork` started, with every process it started, and wait until it is gone.

        Returns:
            How it had ended, if it had, as ``subprocess`` writes it: its exit status, or less than zero for the signal
            that killed it.
        """
        with self._turn:
            status = self._end(pid)
        self._see_off()
        return status

    def end_soon(self, pid: int) -> None:
        """Have a child ended, by this thread or by the one that talks to the process now; for the garbage collector.

        It never waits for a turn, which the thread that it interrupted may hold.
        """
        self._leaving.append(pid)
        self._see_off()

    def _see_off(self) -> None:
        while self._leaving and self._turn.acquire(blocking=False):
            try:
                with suppress(OSError, ValueError, IndexError):
                    self._end(self._leaving.popleft())
            finally:
                self._turn.release()

    def _end(self, pid: int) -> int:
        return self._told({"end": pid})

    def _told(self, request: Mapping[str, int]) -> int:
        with self._whole():
            self._control.sendall(json.dumps(request).encode())
            said = self._control.recv(_MOST_BYTES)
            if not said:
                raise BrokenPipeError("The process that forks children has ended.")  # verbatim
        return int(json.loads(said))

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """A request and its answer; once they were broken off nothing more is asked, or the next would get this one."""
        try:
            yield
        except BaseException:
            self._control.close()
            raise

    def close(self) -> None:
        """Let the process and all its children go."""
        self._control.close()
        if self._process is not None:
            self._process.wait()


@dataclass(frozen=True)
class _Forked:
    """A process that this one forked."""

    pid: int

    def wait(self) -> None:
        """Wait until it has ended."""
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def serve(control: socket.socket, warm: Iterable[str] = ()) -> None:
    """Fork, rest and end children as asked, until the other end is closed; they go with it.

    Args:
        control: This end of the pair.
        warm: Modules that children may need, imported one after the other while nobody asks.
    """
    children: set[int] = set()
    later, from_when = deque(warm), 0.0
    try:
        while True:
            _import_until_asked(control, later, from_when)
            from_when = from_when or time.monotonic() + _SECONDS_OF_THE_FIRST
            said, received, _, _ = socket.recv_fds(control, _MOST_BYTES, 3)
            if not said:
                return
            request = json.loads(said)
            if "fork" in request:
                if len(children) >= _MOST_CHILDREN:
                    for descriptor in received:
                        os.close(descriptor)
                    control.sendall(json.dumps(0).encode())
                    continue
                later += _import(request["libraries"])
                ours, theirs = socket.socketpair()
                parent, pid = os.getpid(), os.fork()
                if pid == 0:
                    _become_child(request["fork"], request["told"], parent, theirs.detach(), *received)
                with suppress(OSError):
                    os.setpgid(pid, pid)
                for descriptor in received:
                    os.close(descriptor)
                children.add(pid)
                with ours, theirs:
                    socket.send_fds(control, [json.dumps(pid).encode()], [ours.fileno()])
            else:
                ((what, pid),) = ((one, request[one]) for one in ("resume", "rest", "end") if one in request)
                control.sendall(json.dumps(_do(what, pid, request) if pid in children else 0).encode())
                if what == "end":
                    children.discard(pid)
    except (OSError, ValueError, KeyError, TypeError):
        return
    finally:
        for pid in children:
            _end(pid)


def _import_until_asked(control: socket.socket, later: deque[str], from_when: float) -> None:
    """Import one of ``later`` after the other, not before ``from_when`` on the monotonic clock, until somebody asks."""
    while later and not select.select([control], [], [], max(from_when - time.monotonic(), 0.0))[0]:
        later += _import([later.popleft()])


def _import(modules: Iterable[str]) -> list[str]:
    """Import what is not imported yet and keep children's garbage collector off it; returns what it names as ``WARM``.

    What cannot be imported is left to the child, which says so.
    """
    warm: list[str] = []
    if new := [module for module in modules if module not in sys.modules]:
        with imports_stay():
            for module in new:
                with suppress(ImportError):
                    warm += getattr(importlib.import_module(module), "WARM", ())
    return warm


def _do(what: str, pid: int, request: Mapping[str, int]) -> int:
    """End a child, stop it, or let it go on where there is room for it; what is answered."""
    if what == "end":
        return _end(pid)
    if what == "resume" and request["memory"] - _held(pid) > available_memory():
        return 0
    os.kill(pid, signal.SIGCONT if what == "resume" else signal.SIGSTOP)
    return 1


def _held(pid: int) -> int:
    """Bytes of memory that a child holds and does not share with a file."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * resource.getpagesize()


def _end(pid: int) -> int:
    """Kill a child and its descendants; its process id stays its own until it is waited for here."""
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    status = 0
    with suppress(ChildProcessError):
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(ChildProcessError):
        while True:  # what it had started has come to this process
            os.waitpid(-pid, 0)
    return status


def _become_child(program: str, told: Any, parent: int, pipe: int, *given: int) -> NoReturn:
    code = 1
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH_OF_PARENT, signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _close_all_but(pipe, *given)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)  # what libraries warn of may quote a table
        os.close(nowhere)
        if os.getppid() == parent:
            with socket.socket(fileno=pipe) as speaking:
                importlib.import_module(program).run(told, speaking, *given)
            code = 0
    finally:
        os._exit(code)


def _close_all_but(*kept: int) -> None:
    """Close every descriptor but the standard ones and these."""
    for before, after in pairwise((2, *sorted(kept), os.sysconf("SC_OPEN_MAX"))):
        os.closerange(before + 1, after)


def _become_forks(control: int, warm: Sequence[str], *, network: bool) -> NoReturn:
    try:
        _close_all_but(control)
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, 0)
        os.close(nowhere)
        _serve_until_left(control, warm, network=network)
    finally:
        os._exit(0)


def _serve_until_left(control: int, warm: Sequence[str], *, network: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_TAKE_IN_ORPHANS, 1, 0, 0, 0)
    if not network:
        refuse_network()
    with socket.socket(fileno=control) as asked:
        serve(asked, warm)


def main(arguments: Sequence[str]) -> None:
    """Import, then fork until the starter is gone.

    Args:
        arguments: The descriptor of the pair's other end, ``1`` to keep the network or ``0``, and what to import.
    """
    descriptor, network, *modules = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _serve_until_left(int(descriptor), _import(modules), network=network == "1")
