"""A confined process writes and reads only where it may; proved in one of its own, since it cannot be undone."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.wall.sandbox import missing_walls

REPOSITORY = Path(__file__).parents[3]
needs_landlock = pytest.mark.skipif(bool(missing_walls()), reason="This system has not every wall.")

PROGRAM = """
import subprocess, sys, threading
from pathlib import Path

from core.wall.sandbox import confine, own_code

allowed, forbidden, existing, readable = map(Path, sys.argv[1:])
confine(allowed, [*own_code(), readable])


def attempt(name, action):
    try:
        action()
        print(name, "done")
    except OSError as error:
        print(name, type(error).__name__)


def attempts():
    attempt("inside", lambda: (allowed / "a").write_text("x"))
    attempt("replaced", lambda: (allowed / "a").replace(allowed / "b"))
    attempt("outside", lambda: (forbidden / "a").write_text("x"))
    attempt("overwritten", lambda: existing.write_text("x"))
    attempt("removed", lambda: existing.unlink())
    attempt("linked", lambda: (forbidden / "link").symlink_to(existing))
    attempt("read", lambda: existing.read_text())
    attempt("given", lambda: readable.read_text())
    attempt("given-written", lambda: readable.write_text("x"))
    attempt("program", lambda: subprocess.run(["/bin/sh", "-c", "true"]))
    attempt("python", lambda: subprocess.run([sys.executable, "-c", "import json"], check=True))


thread = threading.Thread(target=attempts)
thread.start()
thread.join()
"""


@needs_landlock
def test_a_process_writes_below_its_folders_and_nowhere_else(tmp_path_factory: pytest.TempPathFactory) -> None:
    forbidden = tmp_path_factory.mktemp("forbidden")
    existing = forbidden / "existing"
    existing.write_text("kept")
    readable = tmp_path_factory.mktemp("given") / "table.csv"
    readable.write_text("kept")
    arguments = [str(tmp_path_factory.mktemp("own")), str(forbidden), str(existing), str(readable)]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert dict(line.split() for line in ran.stdout.splitlines()) == {
        "inside": "done",
        "replaced": "done",
        "outside": "PermissionError",
        "overwritten": "PermissionError",
        "removed": "PermissionError",
        "linked": "PermissionError",
        "read": "PermissionError",
        "given": "done",
        "given-written": "PermissionError",
        "program": "PermissionError",
        "python": "done",
    }
    assert existing.read_text() == "kept"
