"""One worker for all hostile tasks, and what tests of pages share."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.jobs import queue as jobs
from dashboard.jobs.code import REPOSITORY
from dashboard.jobs.job import Job
from dashboard.jobs.table import JobTable
from tests.dashboard.conftest import _a_run_is_waited_for, _as_it_is_served, _packages_are_searched_once  # noqa: F401

Ended = Callable[..., Job]


@pytest.fixture(scope="session")
def hostile_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of a worker that runs ``tests.hostile.hostile_tasks``."""
    home = tmp_path_factory.mktemp("home")
    process = subprocess.Popen(
        [sys.executable, "-m", "dashboard.jobs", "--tasks", "tests.hostile.hostile_tasks"],
        cwd=REPOSITORY,
        env=os.environ | {"EVENHAND_HOME": str(home), "PYTHONPATH": str(REPOSITORY), "SECRET_OF_THE_SERVER": "x"},
    )
    yield home
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture
def home(hostile_worker: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The worker's home, and this test's."""
    monkeypatch.setenv("EVENHAND_HOME", str(hostile_worker))
    monkeypatch.setattr(jobs, "ensure_worker", lambda: None)
    JobTable()
    return hostile_worker


@pytest.fixture
def ended(home: Path) -> Ended:
    """Run a hostile task to its end: (kind, **arguments) -> the job."""

    def run(kind: str, **arguments: Any) -> Job:
        job = jobs.wait(jobs.submit(kind, arguments | {"asked": time.time()}), 60)
        assert not job.unfinished, f"{kind} is still {job.state}"
        return job

    return run
