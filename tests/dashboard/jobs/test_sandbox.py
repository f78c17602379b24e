"""A child process writes only where it may; proved in processes of their own, since it cannot be undone."""

import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.jobs.sandbox import landlock_version

REPOSITORY = Path(__file__).parents[3]
needs_landlock = pytest.mark.skipif(landlock_version() == 0, reason="This kernel has no Landlock.")

PROGRAM = """
import sys, threading
from pathlib import Path

from dashboard.jobs.sandbox import write_only_below

allowed, forbidden, existing = map(Path, sys.argv[1:])
assert write_only_below(allowed)


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


thread = threading.Thread(target=attempts)
thread.start()
thread.join()
"""


@needs_landlock
def test_a_process_writes_below_its_folders_and_nowhere_else(tmp_path_factory: pytest.TempPathFactory) -> None:
    forbidden = tmp_path_factory.mktemp("forbidden")
    existing = forbidden / "existing"
    existing.write_text("kept")
    arguments = [str(tmp_path_factory.mktemp("home") / "made"), str(forbidden), str(existing)]
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
        "read": "done",
    }
    assert existing.read_text() == "kept"


def test_a_kernel_without_landlock_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("dashboard.jobs.sandbox.landlock_version", lambda: 0)
    from dashboard.jobs.sandbox import write_only_below

    assert write_only_below(tmp_path) is False
