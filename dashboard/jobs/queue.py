"""Long work for the pages: ask for it, watch it, stop it, read its answer. The worker process does it."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from core.base.errors import SettingsError, StorageError
from core.base.files import home, make_folder
from core.language.told import say
from dashboard.jobs.code import LOCK, REPOSITORY, code_fingerprint, is_alive
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.job import Failure, Job, Needs
from dashboard.jobs.table import JobTable
from dashboard.logs import as_json
from dashboard.visitor import people_sign_in, visitor

_SECONDS_BETWEEN_STARTS = 5.0
_SECONDS_BETWEEN_LOOKS = 0.5
"""After which a job is looked at again though nothing changed: its worker may have died."""
_WORTH_NOTING = 3600.0
"""Seconds after which it is noted again that a job was looked at."""
_LONGEST_LOG = 10 * 2**20
"""Bytes after which a worker that starts begins a new log; one before is kept."""
_last_start: dict[Path, float] = {}
_PATIENT = {"OMP_WAIT_POLICY": "PASSIVE"}
"""Threads of torch that wait for each other sleep meanwhile, instead of keeping the processor from runs beside them."""

_RUN_IT_AGAIN = say("Run it again when you like; nothing was lost.")
_STOPPED_WAITING = Failure("CancelledError", say("You stopped waiting for this run."), "", _RUN_IT_AGAIN)
_YOU_STOPPED = Failure("CancelledError", say("You stopped this run."), "", _RUN_IT_AGAIN)


def submit(
    kind: str, arguments: dict[str, Any], *, again: bool = False, after: str = "", needs: Needs | None = None
) -> Job:
    """Ask for a task of ``dashboard.jobs.tasks.TASKS``; an identical question is found again, whatever became of it.

    Visitors who ask the same wait for the same job, and each sees of it only what concerns them.

    Args:
        kind: The task's name.
        arguments: JSON arguments.
        again: Whether to put a question again that failed, was cancelled or was killed.
        after: The entry of the register that is repeated with new data; empty for none.
        needs: What it will take, by which the worker decides what runs beside it; None where nobody knows.
    """
    job = _as_seen(_table().add(kind, arguments, code_fingerprint(), visitor(), again=again, after=after, needs=needs))
    if job.unfinished:
        ensure_worker()
    return job


def was_asked(kind: str, arguments: dict[str, Any]) -> bool:
    """Whether :func:`submit` was called with this question before, whatever became of it."""
    return _table().has(kind, arguments, code_fingerprint())


def find(name: str) -> Job | None:
    """The job as the visitor sees it now; None if there is none of this name. Starts a worker if it needs one.

    Looking makes it nobody's: who comes by the address can neither stop nor delete it. Where people sign in, a job is
    found by who asked for it, and by those who see an entry of the register that it led to.
    """
    table = _table()
    job = table.get(name)
    if job is None or not (is_own(job) or _may_see(job)):
        return None
    job = _as_seen(job)
    if job.unfinished:
        ensure_worker()
    elif time.time() - max(job.used or 0, job.finished or 0) > _WORTH_NOTING:
        with suppress(StorageError):
            table.touch(name, visitor())
    return job


def _may_see(job: Job) -> bool:
    if not people_sign_in():
        return True
    from core.register.register import Register

    return Register().of_run(job.id, visitor()) is not None


def may_repeat(job: Job) -> bool:
    """Whether this visitor may run it again or otherwise, and so read its uploads; who only reads a project may not."""
    if is_own(job) or not people_sign_in():
        return True
    from core.register.register import Register

    entry = Register().of_run(job.id, visitor())
    return entry is not None and "state" in Register().rights(entry.id, visitor())


def is_own(job: Job) -> bool:
    """Whether this visitor asked for the job, so that they may stop and delete it."""
    return visitor() in job.visitors + job.gone


def cancel(name: str) -> None:
    """Stop a job that this visitor asked for: at once, and within a second for the machine unless others wait too."""
    _table().withdraw(name, visitor())
    ensure_worker()


def _as_seen(job: Job) -> Job:
    """The job in the visitor's eyes: who stopped it is told so, though it may go on for others."""
    if visitor() not in job.gone:
        return job
    if job.unfinished:
        others = any(other != visitor() for other in job.visitors)
        failure = _STOPPED_WAITING if others else _YOU_STOPPED
        return replace(job, state="cancelled", finished=time.time(), failure=failure)
    return replace(job, failure=_YOU_STOPPED) if job.state == "cancelled" else job


def forget(name: str) -> None:
    """Say that the answer of a finished job is lost, so that :func:`submit` with ``again`` runs it once more."""
    _table().forget(name)


def recent(kinds: Iterable[str], limit: int) -> list[Job]:
    """The newest jobs of these kinds, done or unfinished, that this visitor asked for, newest first."""
    return _table().recent(kinds, visitor(), limit)


def retired() -> list[tuple[str, float]]:
    """What of this visitor's was deleted because nobody opened it for long (``audit``, ``draft``), and when."""
    return _table().retired(visitor())


def wait(job: Job, seconds: float) -> Job:
    """The job when it has ended, or as it stands after so many seconds."""
    now = time.monotonic()
    until, next_look = now + seconds, now
    with closing(_table().watch()) as table:
        while job.unfinished and now < until:
            time.sleep(0.01)
            now = time.monotonic()
            if table.changed() or now >= next_look:
                next_look = now + _SECONDS_BETWEEN_LOOKS
                job = find(job.id) or job
    return job


def ensure_worker() -> None:
    """Start the worker process, detached, unless one of this code runs already or the folder may not be written.

    A worker of other code is left over from before an upgrade, and ended, if the server that started it has gone.

    Raises:
        SettingsError: A server of other code uses this folder.
    """
    folder = _table().folder
    running = running_worker(folder)
    if running is not None and running.get("code") in (code_fingerprint(), None):
        return
    if running is not None and (starter := running.get("starter", 0)) not in (0, os.getpid()) and is_alive(starter):
        raise SettingsError(
            say("A dashboard of another version of Evenhand uses this folder; no run can start here."),
            where=str(home()),
            advice=say("Whoever runs this dashboard stops one of the two, or gives it a folder of its own."),
        )
    if time.monotonic() - _last_start.get(folder, float("-inf")) < _SECONDS_BETWEEN_STARTS:
        return
    _last_start[folder] = time.monotonic()
    if running is not None:
        os.kill(running["pid"], signal.SIGTERM)
    try:
        make_folder(folder)
        log = _log_of_worker(folder)
    except (OSError, StorageError):
        return
    command = [sys.executable, "-m", "dashboard.jobs", "--starter", str(os.getpid()), "--code", code_fingerprint()]
    own = {**_PATIENT, "EVENHAND_HOME": str(home().absolute()), "PYTHONPATH": str(REPOSITORY)}
    with log:
        process = subprocess.Popen(  # noqa: S603
            [*command, "--told"],
            cwd=REPOSITORY,
            env=harmless_environment() | own,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    threading.Thread(
        target=process.communicate, args=(json.dumps({**os.environ, **own}).encode(),), daemon=True
    ).start()


def _log_of_worker(folder: Path) -> BinaryIO:
    """Where the worker logs: with the server where all is logged as JSON, otherwise into a file that is kept short."""
    if as_json():
        return os.fdopen(os.dup(2), "wb")
    path = folder / "worker.log"
    if path.exists() and path.stat().st_size > _LONGEST_LOG:
        os.replace(path, path.with_suffix(".log.before"))
    return path.open("ab")


def running_worker(folder: Path) -> dict[str, Any] | None:
    """What the worker that holds the lock wrote into it, as told at ``LOCK``; None if no worker runs."""
    lock = folder / LOCK
    if not lock.exists():
        return None
    with lock.open("r") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            try:
                return dict(json.loads(stream.read()))
            except ValueError:
                return {}
    return None


def _table() -> JobTable:
    return JobTable()
