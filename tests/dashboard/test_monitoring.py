"""What a monitor is told: that all works, or which part does not, without a word of what an error says."""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.base.errors import SettingsError
from dashboard import health
from dashboard.__main__ import app
from dashboard.jobs import queue as jobs
from dashboard.jobs.code import LOCK, code_fingerprint
from dashboard.jobs.table import JobTable
from tests.command_line import command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    return tmp_path


@contextmanager
def worker(home: Path, seen: float = 0.0, **told: Any) -> Iterator[None]:
    """A worker that was seen so many seconds ago."""
    (home / "jobs").mkdir(exist_ok=True)
    with (home / "jobs" / LOCK).open("w") as lock:
        lock.write(json.dumps({"pid": os.getpid(), "code": code_fingerprint()} | told))
        lock.flush()
        os.utime(lock.fileno(), (time.time() - seen,) * 2)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_a_home_where_nothing_is_under_way_is_well() -> None:
    ran = command("health", commands=app)
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["ok"]
    assert found["worker"]["state"] == "none_needed"
    assert (found["runs"]["queued"], found["register"]["kind"]) == (0, "sqlite")


def test_a_run_that_waits_with_no_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    JobTable().add("audit", {"of": "somebody"}, "code", "anna")
    assert health.checked()["ok"], "a worker may be on its way"
    later = time.time() + 100
    monkeypatch.setattr("dashboard.health.time.time", lambda: later)
    found = health.checked()
    assert (found["ok"], found["worker"]["why"]) == (False, "none_and_runs_wait")
    assert found["runs"]["queued"] == 1
    assert found["runs"]["longest_wait"] >= 100


@pytest.mark.parametrize(
    ("seen", "told", "part"),
    [
        (0, {}, {"ok": True, "state": "runs"}),
        (100, {}, {"ok": False, "why": "hangs"}),
        (0, {"code": "other"}, {"ok": False, "why": "other_version"}),
    ],
)
def test_a_worker_that_hangs_or_is_another_is_told(
    home: Path, seen: float, told: dict[str, str], part: dict[str, Any]
) -> None:
    with worker(home, seen, **told):
        found = health.checked()["worker"]
    del found["seconds"]
    assert found == part


def unreadable() -> bool:
    raise SettingsError("The file that says how people sign in here cannot be read.", where="/home/anna/secrets.toml")


def test_a_disk_and_a_database_that_do_not_work_are_told_without_their_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EVENHAND_DATABASE", "postgresql://anna:secret@127.0.0.1:1/evenhand")
    monkeypatch.setattr("dashboard.health.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    monkeypatch.setattr(health, "people_sign_in", unreadable)
    ran = command("health", commands=app)
    assert ran.status == 1
    found = json.loads(ran.out)
    assert found["disk"]["why"] == "full"
    assert found["register"]["why"] == "StorageError"
    assert found["sign_in"]["why"] == "SettingsError"
    assert "anna" not in ran.out + ran.err
    assert "secret" not in ran.out + ran.err


def test_the_server_answers_by_a_status_and_looks_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([False, True])
    monkeypatch.setattr(health, "_PARTS", {"disk": lambda: {"ok": next(told)}})
    with TestClient(Starlette(routes=health.routes())) as client:
        assert [client.get("/health").status_code for _ in range(3)] == [503] * 3
        later = time.monotonic() + 10
        monkeypatch.setattr("dashboard.health.time.monotonic", lambda: later)
        assert client.get("/health").status_code == 200


def test_a_server_of_other_code_on_the_same_folder_is_told_and_its_worker_left_alone(home: Path) -> None:
    with worker(home, code="other", starter=os.getppid()), pytest.raises(SettingsError, match="another version"):
        jobs.ensure_worker()
