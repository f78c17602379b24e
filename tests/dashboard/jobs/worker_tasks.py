"""Tasks that misbehave in every way a real one might, for a worker started with ``--tasks``."""

import hashlib
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from core.base.apart import goes_elsewhere
from core.base.errors import DataError
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from dashboard.jobs.tasks import Task, fetch_nothing

WARM = ("torch",)


def count(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    for step in range(arguments["steps"]):
        on_progress(Progress(step / arguments["steps"], f"Step {step}"))
        time.sleep(0.02)
    return {"steps": arguments["steps"], "pid": os.getpid(), "elsewhere": goes_elsewhere()}


def spin(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Never looks whether it should stop."""
    on_progress(Progress(0.3, "Spinning"))
    while True:
        pass


def doze(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Takes a minute and no processor."""
    on_progress(Progress(0.3, "Dozing"))
    time.sleep(60)


def refuse(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    raise DataError("The table is empty.", where="a.csv", advice="Bring another one.")


def crash(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    raise RuntimeError("a secret detail")


def die(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def gorge(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    return len(b"x" * arguments["bytes"])


def gorge_torch(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    import torch

    return len(torch.ones(arguments["bytes"], dtype=torch.uint8))


def dial(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """What Python and what the kernel say to a connection; the second goes round the refusal in Python."""
    try:
        socket.create_connection(("127.0.0.1", arguments["port"]), timeout=2)
        python = "connected"
    except PermissionError as error:
        python = str(error)
    with open("/proc/net/dev") as devices:
        lines = devices.read().splitlines()[2:]
    return {"python": python, "devices": sorted(line.split(":")[0].strip() for line in lines)}


def compute(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    warm = "torch" in sys.modules
    import torch

    product = torch.ones(300, 300) @ torch.ones(300, 300)
    return {"warm": warm, "threads": torch.get_num_threads(), "sum": float(product.sum())}


def descend(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Gradient steps in single precision, whose last digits change with the number of threads; their fingerprint."""
    import torch

    torch.manual_seed(0)
    x, network = torch.randn(2000, 40, requires_grad=True), torch.nn.Linear(40, 30)
    for _ in range(20):
        (slope,) = torch.autograd.grad(network(x).log_softmax(1)[:, 0].sum(), x)
        x = (x + 0.1 * slope).detach().requires_grad_()
    return hashlib.sha256(x.detach().numpy().tobytes()).hexdigest()


def write(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    said = []
    for path in arguments["paths"]:
        try:
            Path(os.path.expandvars(path)).write_text("x")
            said.append("done")
        except OSError as error:
            said.append(type(error).__name__)
    return said


def surroundings(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Whether a variable is in this process's environment, as Python knows it and as the kernel does."""
    name = arguments["name"]
    return [name in os.environ, name.encode() in Path("/proc/self/environ").read_bytes()]


_told: list[Any] = []


def stay(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> Any:
    """Says whose process it is and what it was asked so far; refuses, crashes or sleeps where it is told to."""
    match arguments["asked"]:
        case "refuse":
            raise DataError("The value is none.")
        case "crash":
            raise RuntimeError("a secret detail")
        case "doze":
            on_progress(Progress(0.3, "Dozing"))
            time.sleep(60)
        case "grow":
            return len(b"x" * (200 << 20)) and os.getpid()
        case "steal":
            return {"name": "somebody's", "sha256": "a" * 64, "bytes": 1}
    _told.append(arguments["asked"])
    return {"pid": os.getpid(), "told": _told}


TASKS = {
    "stay": Task(stay, fetch_nothing, stays="small"),
    "stay_too": Task(stay, fetch_nothing, stays="small"),
    "stay_always": Task(stay, fetch_nothing, stays="always"),
    "count": Task(count, fetch_nothing),
    "long": Task(count, fetch_nothing, lane="long"),
    "spin": Task(spin, fetch_nothing),
    "doze": Task(doze, fetch_nothing),
    "doze_long": Task(doze, fetch_nothing, lane="long"),
    "brief": Task(spin, fetch_nothing, seconds=0.5),
    "refuse": Task(refuse, fetch_nothing),
    "crash": Task(crash, fetch_nothing),
    "die": Task(die, fetch_nothing),
    "gorge": Task(gorge, fetch_nothing, memory=2**30),
    "gorge_long": Task(gorge, fetch_nothing, lane="long"),
    "gorge_torch": Task(gorge_torch, fetch_nothing, memory=2**30),
    "dial": Task(dial, fetch_nothing),
    "compute": Task(compute, fetch_nothing),
    "descend": Task(descend, fetch_nothing),
    "write": Task(write, fetch_nothing),
    "surroundings": Task(surroundings, fetch_nothing),
}
