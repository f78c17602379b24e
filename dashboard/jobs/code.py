"""Which code this process runs; without the pages, which the worker and its children do not need."""

import functools
import hashlib
import os
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
CHILD = "dashboard.jobs.child"
"""The module whose ``run`` every child of the worker is."""
LOCK = "worker.lock"
"""The file beside the table of jobs that the worker holds and touches once a second, and what it holds for others to
read: ``pid``, ``code`` and ``starter``.
"""


@functools.cache
def code_fingerprint() -> str:
    """SHA-256 of the Python files of ``core``, ``dashboard`` and ``dashboard/jobs`` as this process found them."""
    digest = hashlib.sha256()
    folders = ((REPOSITORY / "core").rglob, (REPOSITORY / "dashboard").glob, (REPOSITORY / "dashboard" / "jobs").glob)
    for path in sorted(path for look in folders for path in look("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def is_alive(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
