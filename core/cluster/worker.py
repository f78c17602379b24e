"""What a Dask worker is asked: who it is, to keep a file, and to do a piece, in a process of its own.

Files lie in the worker's own folder under their fingerprints, and go with the worker. Each piece is done by a process
as on one machine (:mod:`core.base.apart`): model files are opened behind their wall, memory is limited to the worker's
share, and what is no longer wanted is killed. A process that has done its piece waits for the next one. What pages ask
is done behind walls besides (:mod:`core.cluster.confined`).
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.base.apart import Apart
from core.base.versions import code_of_core, library_versions
from core.cluster.address import is_safe
from core.wall.behind import own_environment

_FOLDER = "evenhand"
_BEAT = 1.0
"""Seconds after which a worker says again that it is at work, and looks whether it still should be."""
_NUMBERS = ("OMP_", "OPENBLAS_", "MKL_", "KMP_", "NPY_")
"""How variables begin that say how libraries compute, on which last digits depend."""
_WIDEST = ("AVX2", "AVX512_SKX", "SVE")
"""Instructions for which numpy has loops of their own."""
PROCESSOR = "processor"
_idle: list[_Process] = []
_lock = threading.Lock()


def serve(asked: str, content: bytes = b"") -> str:
    """Answer one question, JSON in and JSON out.

    Args:
        asked: ``about``, with what pieces will need; ``keep``, with a part of a file; or ``do``, with a piece.
        content: The part of the file.
    """
    from distributed import get_worker

    question, worker = json.loads(asked), get_worker()
    match question["ask"]:
        case "about":
            _get_ready(worker, question)
            said = _about(worker)
        case "keep":
            said = _keep(worker, question["sha256"], content, last=question["last"])
        case _:
            said = _do(worker, question)
    return json.dumps(said)


@functools.cache
def own_versions() -> dict[str, str]:
    """What has to be the same on all machines, by name, with its version."""
    own = f"{version('evenhand')} {code_of_core()[:12]}"
    more = {"distributed": version("distributed"), PROCESSOR: _instructions()}
    return {"evenhand": own, **more, **dict(library_versions())}


def _instructions() -> str:
    """By which of the processor's instructions matrices and sums are computed: by others the last digits differ."""
    import numpy as np
    import scipy.linalg  # noqa: F401 - with a library of matrices of its own
    from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

    loaded = (one for one in threadpool_info() if one["user_api"] == "blas" and _is_ours(one["filepath"]))
    blas = {str(one.get("architecture", "")) for one in loaded}
    core: Any = getattr(np, "_core")  # noqa: B009
    known = core._multiarray_umath.__cpu_features__
    return " ".join([*sorted(blas), *(name for name in _WIDEST if known.get(name))])


def _is_ours(library: str) -> bool:
    """Whether a library of matrices is numpy's or scipy's: solvers bring more, which a process may not have loaded."""
    return any(part.split(".")[0] in {"numpy", "scipy"} for part in Path(library).parts)


def _get_ready(worker: Any, question: dict[str, Any]) -> None:
    """Start a process for the pieces that will come, so that it has imported what they need when they do.

    One that stands behind walls is started with the files that it reads.
    """
    if question["opens"] is None:
        process = _process(_Kind(question["module"], question["environment"], [], None), _memory(worker), Path())
        with _lock:
            _idle.append(process)


def _about(worker: Any) -> dict[str, Any]:
    return {
        "versions": own_versions(),
        "memory": _memory(worker),
        "safe": is_safe(worker.address) and is_safe(worker.scheduler.address),
    }


def _memory(worker: Any) -> int:
    """Bytes that each piece may take: as many pieces are done at once as the worker has threads."""
    whole = worker.memory_manager.memory_limit or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(whole) // max(int(worker.state.nthreads), 1)


def _keep(worker: Any, sha256: str, content: bytes, *, last: bool) -> dict[str, Any]:
    """Keep the next part of a file; with the last one it is whole."""
    folder = _folder(worker)
    fresh = folder / f"{sha256}.partial"
    try:
        with fresh.open("ab") as target:
            target.write(content)
        if not last:
            return {}
        with fresh.open("rb") as whole:
            same = hashlib.file_digest(whole, "sha256").hexdigest() == sha256
        if same:
            fresh.replace(folder / sha256)
        else:
            fresh.unlink()
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        return {"disk": error.strerror or type(error).__name__}
    return {} if same else {"disk": "not what was sent"}  # verbatim


def _folder(worker: Any) -> Path:
    folder = Path(worker.local_directory) / _FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _do(worker: Any, question: dict[str, Any]) -> dict[str, Any]:
    """What comes of a piece: what its process said, or ``other``, ``lacks`` or ``ended``."""
    at = {"worker": worker.address}
    if not (about := _about(worker))["safe"] or about["versions"] != question["versions"]:
        return {"other": about, **at}
    piece, folder = question["piece"], _folder(worker)
    if isinstance(piece, dict) and "files" in piece:
        if lacks := [one for one in piece.get("needs", ()) if not (folder / one).is_file()]:
            return {"lacks": lacks, **at}
        piece = {**piece, "files": str(folder)}
    needs = [str(folder / one) for one in piece.get("needs", ())] if isinstance(piece, dict) else []
    kind = _Kind(question["module"], question["environment"], needs, question["opens"])
    return {**_Doing(worker, question["topic"], question["place"]).answer(kind, piece), **at}


@dataclass(frozen=True)
class _Kind:
    """Which process a piece needs.

    Attributes:
        module: Where ``work`` is, which a process imports at its start.
        environment: Variables of the client's.
        files: Files that it reads.
        opens: Modules with which it opens model files; None where it stands behind no wall of its own.
    """

    module: str
    environment: dict[str, str]
    files: list[str]
    opens: list[str] | None

    def fits(self, other: _Kind) -> bool:
        """Whether a process for the other may do this piece too: behind a wall, only one of the same files."""
        same = (self.environment, self.opens) == (other.environment, other.opens)
        return same and (self.opens is None or self.files == other.files)


class _Process(Apart):
    """A process for pieces of one kind; where it stands behind a wall, with a folder of its own that goes with it.

    Args:
        kind: Of the pieces.
        memory: Bytes that it may allocate.
        folder: The worker's.
    """

    def __init__(self, kind: _Kind, memory: int, folder: Path) -> None:
        self.kind, self._scratch = kind, ""
        if kind.opens is None:
            super().__init__(kind.module, memory, None, kind.environment)
            return
        self._scratch = tempfile.mkdtemp(dir=folder)
        told = json.dumps({"scratch": self._scratch, "readable": kind.files, "opens": kind.opens})
        own = {"EVENHAND_HOME": self._scratch, "HOME": self._scratch, "TMPDIR": self._scratch}
        super().__init__(
            kind.module,
            memory,
            None,
            kind.environment | own,
            inherited={name: value for name, value in os.environ.items() if name.startswith(_NUMBERS)}
            | own_environment(),
            program=("core.cluster.confined", told),
        )

    def end(self) -> None:
        """See the base class."""
        super().end()
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)


class _Doing:
    """A piece that is being done, told of while it goes and killed where nobody wants it any more.

    Args:
        worker: The worker.
        topic: Where the client listens.
        place: The piece's.
    """

    def __init__(self, worker: Any, topic: str, place: int) -> None:
        self._worker, self._topic, self._place = worker, topic, place
        self._key = worker.get_current_task()
        self._went: tuple[float, str] = (0.0, "")
        self._ended = threading.Event()

    def answer(self, kind: _Kind, piece: Any) -> dict[str, Any]:
        """What its process says of the piece; ``ended`` where that ended without."""
        process = _process(kind, _memory(self._worker), _folder(self._worker))
        beating = threading.Thread(target=self._beat, args=(process,), daemon=True)
        beating.start()
        try:
            said = process.ask(kind.module, piece, self._heard)
        except (OSError, ValueError):
            process.end()
            return {"ended": True}
        finally:
            self._ended.set()
            beating.join()
        with _lock:
            _idle.append(process)
        return said

    def _heard(self, done: float, phase: str) -> None:
        self._went = (done, phase)

    def _beat(self, process: Apart) -> None:
        while True:
            done, phase = self._went
            told = {"place": self._place, "worker": self._worker.address, "done": done, "phase": phase}
            self._worker.log_event(self._topic, told)
            if self._ended.wait(_BEAT):
                return
            task = self._worker.state.tasks.get(self._key)
            if task is None or task.state != "executing":
                process.end()
                return


def _process(kind: _Kind, memory: int, folder: Path) -> _Process:
    """One that waits for such pieces, or a fresh one; those that wait for others are ended."""
    with _lock:
        fitting = [one for one in _idle if kind.fits(one.kind) and one.is_alive]
        others = [one for one in _idle if one not in fitting]
        fit = fitting.pop() if fitting else None
        _idle[:] = fitting
    for one in others:
        one.end()
    return fit or _Process(kind, memory, folder)
