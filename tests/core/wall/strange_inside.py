"""What runs inside the wall when a stranger's file has taken its library over: ``asked["does"]`` says what."""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.wall.inside import RefusedError

LIBC = ctypes.CDLL(None, use_errno=True)


class Opened:
    """Answers with the first column and twice the same, or does what it was asked to do when asked about rows."""

    def __init__(self, said: Mapping[str, Any], arrays: Mapping[str, np.ndarray], does: str = "") -> None:
        self.said, self.arrays, self._does = said, arrays, does

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        if self._does in ANSWERS:
            return ANSWERS[self._does](frame)
        first = frame.iloc[:, 0].to_numpy(dtype=np.float64)
        return np.column_stack([first, 2 * first])


def open_file(path: Path, asked: Mapping[str, Any]) -> Opened:
    does = asked.get("does", "")
    if does in OPENING:
        return OPENING[does](path, asked)
    return Opened({"read": path.read_text(), "kinds": asked.get("kinds", [])}, {"w": np.arange(3.0)}, does)


def pipe() -> int:
    """The descriptor of the pipe, found as a stranger's code would find it."""
    return next(fd for fd in range(3, 256) if is_socket(fd))


def is_socket(descriptor: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def refuse(path: Path, asked: Mapping[str, Any]) -> Opened:
    raise RefusedError("The file is refused.", "Bring another.", "line 3")


def break_down(path: Path, asked: Mapping[str, Any]) -> Opened:
    raise KeyError("a secret of the table")


def crash(path: Path, asked: Mapping[str, Any]) -> Opened:
    ctypes.string_at(0)
    raise AssertionError


def abort(path: Path, asked: Mapping[str, Any]) -> Opened:
    os.abort()


def hang(path: Path, asked: Mapping[str, Any]) -> Opened:
    time.sleep(10**6)
    raise AssertionError


def spin(path: Path, asked: Mapping[str, Any]) -> Opened:
    while True:
        pass


def leave(path: Path, asked: Mapping[str, Any]) -> Opened:
    raise SystemExit(0)


def take_memory(path: Path, asked: Mapping[str, Any]) -> Opened:
    return Opened({}, {"all": np.ones(2**32)})


def take_shared_memory(path: Path, asked: Mapping[str, Any]) -> Opened:
    held = [mmap.mmap(-1, 2**28) for _ in range(64)]
    return Opened({"taken": len(held)}, {})


def spin_later(path: Path, asked: Mapping[str, Any]) -> Opened:
    """Answer, and compute without an end from a second later on."""
    signal.signal(signal.SIGALRM, lambda *_: spin(path, asked))
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    return Opened({}, {})


def say_raw(path: Path, asked: Mapping[str, Any]) -> Opened:
    """Write bytes to whoever asks, then hang."""
    os.write(pipe(), bytes.fromhex(asked["bytes"]))
    time.sleep(10**6)
    raise AssertionError


def flood(path: Path, asked: Mapping[str, Any]) -> Opened:
    """Announce a head and parts that never end."""
    os.write(pipe(), struct.pack("!II", 2, 1) + b"{}" + struct.pack("!Q", 2**29))
    while True:
        os.write(pipe(), b"\0" * 65536)


def claim(path: Path, asked: Mapping[str, Any]) -> Opened:
    """Say something of its own as if it were an answer."""
    head = json.dumps(asked["head"]).encode()
    parts = [bytes.fromhex(part) for part in asked.get("parts", [])]
    lengths = b"".join(struct.pack("!Q", len(part)) for part in parts)
    os.write(pipe(), struct.pack("!II", len(head), len(parts)) + head + lengths + b"".join(parts))
    time.sleep(10**6)
    raise AssertionError


def reach_out(path: Path, asked: Mapping[str, Any]) -> Opened:
    """What becomes of each attempt to leave: ``done``, or the name of the error."""
    parent, owner = os.getppid(), asked.get("owner", os.getppid())
    attempts: dict[str, Callable[[], object]] = {
        f"read {one}": lambda one=one: os.open(one, os.O_RDONLY) for one in asked["read"]
    }
    attempts |= {f"list {one}": lambda one=one: os.listdir(one) for one in asked["list"]}
    for one in asked["write"]:
        attempts |= {
            f"write {one}": lambda one=one: Path(one).write_text("x"),
            f"make {one}": lambda one=one: Path(f"{one}.new").write_text("x"),
            f"chmod {one}": lambda one=one: os.chmod(one, 0o700),
            f"remove {one}": lambda one=one: os.unlink(one),
        }
    for pid in {parent, owner}:
        attempts |= {
            f"signal {pid}": lambda pid=pid: os.kill(pid, 0),
            f"limits {pid}": lambda pid=pid: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)),
            f"trace {pid}": lambda pid=pid: call(LIBC.ptrace, 16, pid, 0, 0),
            f"environment {pid}": lambda pid=pid: Path(f"/proc/{pid}/environ").read_bytes(),
            f"memory {pid}": lambda pid=pid: os.open(f"/proc/{pid}/mem", os.O_RDWR),
            f"descriptors {pid}": lambda pid=pid: os.listdir(f"/proc/{pid}/fd"),
            f"priority {pid}": lambda pid=pid: os.setpriority(os.PRIO_PROCESS, pid, 10),
        }
    attempts |= {
        "socket": lambda: call(LIBC.socket, socket.AF_INET, socket.SOCK_STREAM, 0),
        "local socket": lambda: call(LIBC.socket, socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "pair of sockets": socket.socketpair,
        "program": lambda: subprocess.run(["/bin/sh", "-c", "true"], check=True),
        "python": lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"]),  # noqa: S606
        "fork": os.fork,
        "thread": lambda: threading.Thread(target=int).start(),
        "signal to itself": lambda: os.kill(os.getpid(), 0),
        "signal to its group": lambda: os.killpg(0, 0),
        "signal to all": lambda: os.kill(-1, 0),
        "signals through a file": lambda: fcntl.fcntl(pipe(), fcntl.F_SETOWN, parent),
        "signals through a terminal": lambda: fcntl.ioctl(pipe(), 0x8901, struct.pack("i", parent)),
        "marks of a file": lambda: os.getxattr(path, "user.x"),
        "flags of a file": lambda: control(path, 0x40086602, struct.pack("l", 0x40)),
        "a file that cannot change": lambda: control(path, 0x40806685, bytes(128)),
        "a core of its own": lambda: os.sched_setaffinity(owner, {0}),
        "lock of a file": lambda: fcntl.flock(pipe(), fcntl.LOCK_SH),
        "lock of a part": lambda: fcntl.lockf(pipe(), fcntl.LOCK_SH),
        "lease": lambda: fcntl.fcntl(pipe(), fcntl.F_SETLEASE, fcntl.F_RDLCK),
        "timer": lambda: call(LIBC.timer_create, 1, 0, ctypes.byref(ctypes.c_void_p())),
        "calls newer than the list": lambda: newer(463),
        "outliving its parent": lambda: call(LIBC.prctl, 1, 0, 0, 0),
        "namespace": lambda: call(LIBC.unshare, 0x20000),
        "session": os.setsid,
        "file in memory": lambda: os.memfd_create("x"),
        "more memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**50, 2**50)),
        "temporary file": lambda: Path("/tmp/left-by-a-model").write_text("x"),  # noqa: S108
        "shared memory": lambda: Path("/dev/shm/left-by-a-model").write_text("x"),  # noqa: S108
    }
    said = {name: outcome(attempt) for name, attempt in attempts.items()}
    opened = sorted(os.readlink(f"/proc/self/fd/{one}") for one in os.listdir("/proc/self/fd") if has(one))
    return Opened({"attempts": said, "descriptors": opened, "environment": sorted(os.environ)}, {})


def has(descriptor: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{descriptor}")


def call(function: Any, *arguments: int) -> None:
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def control(path: Path, command: int, given: bytes) -> None:
    with path.open("rb") as file:
        fcntl.ioctl(file, command, given)


def newer(number: int) -> None:
    """Raises what a refused call raises if the kernel seems to have none of this number."""
    if LIBC.syscall(number, -1, 0, 0, 0, 0, 0) < 0 and ctypes.get_errno() == errno.ENOSYS:
        raise PermissionError


def outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except Exception as error:
        return type(error).__name__
    return "done"


def raise_its_limit(path: Path, asked: Mapping[str, Any]) -> Opened:
    """Give itself more time, as a stranger's code would, and compute without an end."""
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return spin(path, asked)


def run(told: dict[str, Any], pipe: socket.socket) -> None:
    """A child that waits until whoever started it goes."""
    pipe.recv(1)


OPENING: dict[str, Callable[[Path, Mapping[str, Any]], Opened]] = {
    one.__name__: one
    for one in (
        *(refuse, break_down, crash, abort, hang, spin, leave, take_memory, take_shared_memory, say_raw, flood, claim),
        *(reach_out, raise_its_limit, spin_later),
    )
}
ANSWERS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "fewer rows": lambda frame: np.zeros((len(frame) - 1, 2)),
    "another width": lambda frame: np.zeros((len(frame), 2 if len(frame) > 3 else 3)),
    "no columns": lambda frame: np.zeros((len(frame), 0)),
    "three dimensions": lambda frame: np.zeros((len(frame), 2, 1)),
    "crash later": lambda frame: ctypes.string_at(0),
    "kinds": lambda frame: np.array([[float(len(str(kind)))] for kind in frame.dtypes]),
}
