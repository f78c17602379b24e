"""The worker process, ``python -m dashboard.jobs``: started on demand by the pages, one at a time by a lock on a file.

What forks its children is forked from it once what both need is imported, and before it hears what no child may know:
who starts it may tell it its environment (``--told``). Otherwise that is a process of its own, with what is harmless.
"""

import argparse
import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from core.base.files import home, make_folder, make_private
from core.wall.forks import Forks
from dashboard.jobs.code import CHILD, LOCK, code_fingerprint
from dashboard.jobs.environment import harmless_environment
from dashboard.logs import begin, log


def _take_lock(folder: Path, code: str, starter: int, patience: float) -> TextIO | None:
    """The open lock file, which says who holds it; None if another worker keeps it longer than ``patience`` seconds."""
    stream = (folder / LOCK).open("a+")
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > until:
                return None
            time.sleep(0.05)
    stream.truncate(0)
    stream.write(json.dumps({"pid": os.getpid(), "code": code, "starter": starter}))
    stream.flush()
    return stream


def main() -> None:
    """Take the lock and work."""
    parser = argparse.ArgumentParser(description="Runs Evenhand's audits; started by the dashboard.")
    parser.add_argument("--starter", type=int, default=os.getppid(), help="process whose end ends an idle worker")
    parser.add_argument("--idle", type=float, default=1800, help="seconds without work after which to end")
    parser.add_argument("--code", help="fingerprint of the code the starter runs")
    parser.add_argument("--tasks", default="dashboard.jobs.tasks", help="module with the table of tasks")
    parser.add_argument("--told", action="store_true", help="the environment comes as JSON over standard input")
    chosen = parser.parse_args()
    begin("worker")
    make_private()
    folder, code = home() / "jobs", chosen.code or code_fingerprint()
    make_folder(folder)
    lock = _take_lock(folder, code, chosen.starter, patience=4)
    if lock is None:
        return
    if chosen.told:
        forks = Forks.part((CHILD, chosen.tasks), network=True)
        os.environ |= json.load(sys.stdin)
    else:
        forks = Forks.start(harmless_environment(), (CHILD, chosen.tasks), network=True)

    from dashboard.jobs.table import JobTable
    from dashboard.jobs.worker import Worker

    worker = Worker(JobTable(), chosen.tasks, forks)

    def stop(*_: Any) -> None:
        worker.stop()
        log("ended")
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    with lock:
        log("started", code=code[:12])
        worker.run(chosen.starter, chosen.idle)
        worker.stop()
        log("ended")


if __name__ == "__main__":
    main()
