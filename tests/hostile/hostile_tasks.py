"""What a child process tries once a stranger's file has taken it over: tasks for a worker started with ``--tasks``."""

import ctypes
import json
import os
import pickle
import resource
import socket
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.models.formats.onnx.source import OnnxFile
from core.wall.behind import open_behind
from dashboard.jobs.tasks import Task, fetch_nothing
from dashboard.jobs.tasks_before import inspect_model
from tests.core.wall.strange_inside import pipe

ENDLESS = 10**6


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, marker: str) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path(self.marker), "executed")


def bomb(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """A pickle, framed as ``multiprocessing`` frames it."""
    content = pickle.dumps(Bomb(arguments["marker"]))
    os.write(pipe(), struct.pack("!i", len(content)) + content + b"\n")
    time.sleep(ENDLESS)


def say(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Say one thing, then hang."""
    os.write(pipe(), arguments["text"].encode())
    time.sleep(ENDLESS)


def flood(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Say the same thing as often and as fast as it can be said."""
    descriptor, content = pipe(), arguments["text"].encode() * 1000
    while True:
        os.write(descriptor, content)


def reach_out(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """What becomes of each attempt to leave the job: ``done``, or the name of the error."""
    worker, libc = os.getppid(), ctypes.CDLL(None, use_errno=True)
    attempts: dict[str, Callable[[], object]] = {
        f"read {path}": lambda path=path: os.open(path, os.O_RDONLY) for path in arguments["read"]
    }
    attempts |= {f"list {path}": lambda path=path: os.listdir(path) for path in arguments["list"]}
    for path in arguments["write"]:
        attempts |= {
            f"write {path}": lambda path=path: Path(path).write_text("x"),
            f"chmod {path}": lambda path=path: os.chmod(path, 0o700),
            f"utime {path}": lambda path=path: os.utime(path, (0, 0)),
            f"remove {path}": lambda path=path: os.unlink(path),
            f"link {path}": lambda path=path: os.link(path, Path(os.environ["EVENHAND_HOME"]) / "files" / "0"),
        }
    attempts |= {
        "socket": lambda: libc_call(libc.socket, socket.AF_INET, socket.SOCK_STREAM, 0),
        "local socket": lambda: libc_call(libc.socket, socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "exec": lambda: subprocess.run(["/bin/sh", "-c", "true"], check=True),
        "signal": lambda: os.kill(worker, 0),
        "limits": lambda: resource.prlimit(worker, resource.RLIMIT_CPU, (1, 1)),
        "trace": lambda: libc_call(libc.ptrace, 16, worker, 0, 0),
        "namespace": lambda: libc_call(libc.unshare, 0x20000),
        "session": os.setsid,
        "environment": lambda: Path(f"/proc/{worker}/environ").read_bytes(),
        "memory": lambda: os.open(f"/proc/{worker}/mem", os.O_RDONLY),
    }
    held = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    opened = sorted(os.readlink(path) for path in held if os.path.lexists(path))
    return {name: outcome(attempt) for name, attempt in attempts.items()} | {
        "environment of its own": sorted(os.environ),
        "descriptors": opened,
    }


def libc_call(call: Any, *arguments: int) -> None:
    if call(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except Exception as error:
        return type(error).__name__
    return "done"


def forge(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Leave something in the folder that no task leaves, and answer as asked."""
    home = Path(os.environ["EVENHAND_HOME"])
    for name, content in arguments.get("files", {}).items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    for name, target in arguments.get("links", {}).items():
        if (home / name).is_dir() and not (home / name).is_symlink():
            (home / name).rmdir()
        (home / name).symlink_to(target)
    return json.loads(arguments.get("answer", "null"))


def burrow(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Leave a folder so deep that no path names its end, and closed ones."""
    os.chdir(os.environ["EVENHAND_HOME"])
    for _ in range(arguments["depth"]):
        os.mkdir("x" * 100)
        os.chdir("x" * 100)
    return "buried"


def litter(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Fill the own folder with more than one may hold, then hang."""
    for number in range(arguments["entries"]):
        os.mknod(f"{os.environ['EVENHAND_HOME']}/temporary/{number}", 0o600)
    time.sleep(ENDLESS)


def hold_model(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Open a model file behind the wall, say which process holds it, and hang."""
    source = OnnxFile.model_validate(arguments["model"])
    model = open_behind(source.inside, files.path(source.file), {}, name="held")
    on_progress(Progress(0.5, f"{model._pid}"))
    time.sleep(ENDLESS)


def greet(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    return "hello"


TASKS = {
    "bomb": Task(bomb, fetch_nothing),
    "say": Task(say, fetch_nothing, seconds=2),
    "flood": Task(flood, fetch_nothing),
    "look_at_weights": Task(reach_out, fetch_nothing, leaves_weights=True),
    "reach_out": Task(reach_out, fetch_nothing),
    "forge": Task(forge, fetch_nothing, results=lambda arguments: ("own",), leaves_files=True, leaves_weights=True),
    "litter": Task(litter, fetch_nothing),
    "burrow": Task(burrow, fetch_nothing),
    "greet": Task(greet, fetch_nothing),
    "hold_model": Task(hold_model, fetch_nothing),
    "inspect": Task(inspect_model, fetch_nothing, memory=2**30),
}
