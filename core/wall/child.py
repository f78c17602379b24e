"""The child that opens one model file, inside the wall, and answers rows until whoever asks has gone.

Before the file's first byte is read it has given up network, disk, processes, threads, signals and spare memory. It
reads one file, and writes none.
"""

import importlib
import math
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from core.base.arrays import write_array
from core.base.errors import EvenhandError, how_it_came
from core.base.memory import end_first, is_out_of_memory, limit_memory, lower_limit
from core.language.told import packed
from core.wall.frames import receive, send
from core.wall.inside import Inside, OpenFile, RefusedError
from core.wall.sandbox import confine, own_code

MOST_BYTES_OF_A_QUESTION = 1 << 30
LONGEST_SENTENCE = 4_000
_MOST_DESCRIPTORS = 256
"""What lies in pipes and their like counts as nobody's memory."""


def run(told: dict[str, Any], pipe: socket.socket) -> None:
    """Open a file and answer for it.

    Args:
        told: ``module`` (with ``open_file``), ``path``, ``memory`` (bytes it may take beside what it has) and
            ``seconds`` (of computing for opening; each question says its own).
        pipe: To whoever asks.
    """
    path = Path(told["path"])
    end_first()
    lower_limit(resource.RLIMIT_NOFILE, _MOST_DESCRIPTORS)
    confine(None, [*own_code(), path], alone=True)
    limit_memory(told["memory"])
    _limit_addresses(told["memory"])
    serve(told, pipe)


def serve(told: dict[str, Any], pipe: socket.socket) -> None:
    """Open the file and answer for it until whoever asks has gone; as :func:`run`, inside the wall or without one."""
    with suppress(OSError, EOFError):
        asked, _ = receive(pipe, 0)
        opened: list[Inside] = []
        if not _carry_out(pipe, told["seconds"], lambda: _open(told["module"], Path(told["path"]), asked, opened)):
            return
        while True:
            question, (content,) = receive(pipe, MOST_BYTES_OF_A_QUESTION)
            _carry_out(pipe, question["seconds"], partial(_answer, opened[0], content))


Said = tuple[dict[str, Any], list[bytes]]


def _open(module: str, path: Path, asked: dict[str, Any], opened: list[Inside]) -> Said:
    opener: OpenFile = importlib.import_module(module).open_file
    inside = opener(path, asked)
    opened.append(inside)
    return {"said": dict(inside.said), "arrays": list(inside.arrays)}, [*map(_packed, inside.arrays.values())]


def _answer(inside: Inside, content: bytes) -> Said:
    with pa.ipc.open_stream(pa.py_buffer(content), options=pa.ipc.IpcReadOptions(use_threads=False)) as stream:
        frame: pd.DataFrame = stream.read_all().to_pandas(use_threads=False)
    return {}, [_packed(np.asarray(inside.answer(frame), dtype=np.float64))]


def _packed(array: np.ndarray) -> bytes:
    return write_array(np.asarray(array, order="C"))


def _carry_out(pipe: socket.socket, seconds: float, work: Callable[[], Said]) -> bool:
    """Do the work within its seconds of computing and say what came of it; whether it succeeded."""
    limit_computing(seconds)
    try:
        head, parts = work()
        send(pipe, {"done": head}, parts)
    except RefusedError as error:
        _refuse(pipe, error.what, error.advice, error.where)
    except EvenhandError as error:
        _refuse(pipe, error.what, error.advice, error.where)
    except (Exception, SystemExit) as error:
        if is_out_of_memory(error):
            send(pipe, {"failed": "memory"})
        else:
            send(pipe, {"failed": "unexpected", "how": how_it_came(error)[-LONGEST_SENTENCE:]})
    else:
        return True
    return False


def _refuse(pipe: socket.socket, *sentences: str) -> None:
    told = [packed(text) if len(packed(text)) <= LONGEST_SENTENCE else text[:LONGEST_SENTENCE] for text in sentences]
    send(pipe, {"refused": told})


def limit_computing(seconds: float) -> None:
    """Let the kernel end this process when it has computed for so many seconds more."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _limit_addresses(extra: int) -> None:
    """Make every kind of mapping count, memory that is shared among them, of which a limit of data knows nothing."""
    if sys.platform != "linux":
        return
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    lower_limit(resource.RLIMIT_AS, held + extra)
