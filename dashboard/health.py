"""Whether the dashboard can work, for a monitor: ``python -m dashboard health``, and ``/health`` of the server."""

import json
import logging
import shutil
import threading
import time
from collections.abc import Callable
from typing import Any

import typer
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config

from core.base.errors import EvenhandError
from core.base.files import RESERVE, home, trouble
from dashboard.jobs.code import LOCK, code_fingerprint
from dashboard.jobs.queue import running_worker
from dashboard.jobs.table import JobTable
from dashboard.logs import log
from dashboard.visitor import people_sign_in

Part = dict[str, Any]

_HANGS = 60.0
"""Seconds without a sign of life after which a worker hangs; it gives one a second."""
_PATIENCE = 60.0
"""Seconds for which a run may wait without a worker: a page or the start of the server starts one."""
_KEPT = 5.0
"""Seconds for which the server gives the same answer, so that who asks often costs nothing."""


def checked() -> dict[str, Any]:
    """What works and what does not: ``ok``, and for each part its own ``ok`` with numbers or a reason. Never raises."""
    parts = {name: _told(look) for name, look in _PARTS.items()}
    return {"ok": all(part["ok"] for part in parts.values()), **parts}


def health() -> None:
    """Say as JSON whether disk, list of runs, worker and register work. Exit status: 0 all do, 1 one does not."""
    found = checked()
    typer.echo(json.dumps(found))
    raise typer.Exit(0 if found["ok"] else 1)


def _told(look: Callable[[], Part]) -> Part:
    """A part, or the class of what kept it from being looked at; its words may hold an address or a path."""
    before = time.monotonic()
    try:
        part = look()
    except (EvenhandError, OSError) as error:
        part = {"ok": False, "why": type(error).__name__}
    return part | {"seconds": round(time.monotonic() - before, 3)}


def _disk() -> Part:
    why = trouble()
    folder = next(path for path in (home().absolute(), *home().absolute().parents) if path.exists())
    free = shutil.disk_usage(folder).free
    if not why and free < RESERVE:
        why = "full"
    return {"ok": not why, "free_megabytes": free // 10**6} | ({"why": why} if why else {})


def _runs() -> Part:
    table = JobTable()
    queued, running = table.in_state("queued"), table.in_state("running")
    waits = max((time.time() - job.submitted for job in queued), default=0.0)
    return {"ok": True, "queued": len(queued), "running": len(running), "longest_wait": round(waits)}


def _worker() -> Part:
    table = JobTable()
    worker = running_worker(table.folder)
    if worker is None:
        unfinished = table.in_state("queued", "running")
        left = any(time.time() - job.submitted > _PATIENCE for job in unfinished)
        return {"ok": False, "why": "none_and_runs_wait"} if left else {"ok": True, "state": "none_needed"}
    if time.time() - (table.folder / LOCK).stat().st_mtime > _HANGS:
        return {"ok": False, "why": "hangs"}
    if worker.get("code", code_fingerprint()) != code_fingerprint():
        return {"ok": False, "why": "other_version"}
    return {"ok": True, "state": "runs"}


def _register() -> Part:
    from core.register.register import Register

    register = Register()
    register.identity()
    return {"ok": True, "kind": register.database.address.get_backend_name()}


def _sign_in() -> Part:
    people_sign_in()
    return {"ok": True}


_PARTS: dict[str, Callable[[], Part]] = {
    "disk": _disk,
    "runs": _runs,
    "worker": _worker,
    "register": _register,
    "sign_in": _sign_in,
}


class _Answer:
    """What the server answers, looked at once for all who ask within some seconds."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._found: dict[str, Any] = {"ok": True}
        self._until = float("-inf")

    def __call__(self, _: Request) -> JSONResponse:
        """What was found, with status 503 where something does not work."""
        with self._turn:
            if time.monotonic() > self._until:
                was = self._found["ok"]
                self._found = checked()
                self._until = time.monotonic() + _KEPT
                if self._found["ok"] != was:
                    bad = [name for name in _PARTS if not self._found[name]["ok"]]
                    level = logging.ERROR if bad else logging.INFO
                    log("health", level=level, fails=" ".join(bad) or None)
            return JSONResponse(self._found, status_code=200 if self._found["ok"] else 503)


def routes() -> list[Route]:
    """Where the server answers: under its own name, and under the path that a proxy puts before it."""
    answer = _Answer()
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return [Route(path, answer.__call__) for path in dict.fromkeys(("/health", f"/{base}/health".replace("//", "/")))]
