"""Which code this process runs; without the pages, which the worker and its children do not need."""

import functools
import hashlib
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
CHILD = "dashboard.jobs.child"
"""The module whose ``run`` every child of the worker is."""


@functools.cache
def code_fingerprint() -> str:
    """SHA-256 of the Python files of ``core``, ``dashboard`` and ``dashboard/jobs`` as this process found them."""
    digest = hashlib.sha256()
    folders = ((REPOSITORY / "core").rglob, (REPOSITORY / "dashboard").glob, (REPOSITORY / "dashboard" / "jobs").glob)
    for path in sorted(path for look in folders for path in look("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
