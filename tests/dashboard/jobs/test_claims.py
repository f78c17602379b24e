"""Who waits for a job: visitors who ask the same share it, and each takes back only the own claim."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.base.errors import RecordError
from dashboard.jobs import queue as jobs
from dashboard.jobs.database import Database
from dashboard.jobs.job import Failure, Job
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable

FIRST_SCHEMA = """
CREATE TABLE jobs (
    id TEXT PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, arguments TEXT NOT NULL, state TEXT NOT NULL,
    done REAL NOT NULL DEFAULT 0, phase TEXT NOT NULL DEFAULT '', cancel INTEGER NOT NULL DEFAULT 0,
    submitted REAL NOT NULL, started REAL, finished REAL, answer TEXT, failure TEXT
);
CREATE INDEX jobs_key ON jobs (key);
CREATE INDEX jobs_state ON jobs (state);
INSERT INTO jobs (id, key, kind, arguments, state, submitted) VALUES ('old', 'k', 'count', '{}', 'running', 1.0);
"""

As = Callable[[str], None]


@pytest.fixture
def now_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> As:
    """Makes every further question one of this visitor; no worker runs."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr(jobs, "ensure_worker", lambda: None)
    return lambda name: monkeypatch.setattr(jobs, "visitor", lambda: name)


def seen(job: Job) -> tuple[str, str]:
    found = jobs.find(job.id)
    assert found is not None
    return found.state, found.failure.error.what if found.failure else ""


def stopped_by_the_worker() -> None:
    """What the worker does with jobs that were asked to stop."""
    for name in JobTable().to_cancel():
        JobTable().finish(name, "cancelled", failure=Failure("CancelledError", "This run was stopped."))


def test_one_visitors_stop_leaves_the_job_to_the_other(now_as: As) -> None:
    now_as("anna")
    job = jobs.submit("spin", {})
    now_as("ben")
    assert jobs.submit("spin", {}).id == job.id, "who asks the same waits for the same job"
    jobs.cancel(job.id)
    assert JobTable().to_cancel() == []
    assert seen(job) == ("cancelled", "You stopped waiting for this run.")
    assert jobs.submit("spin", {}).state == "cancelled", "nothing starts again by itself"
    now_as("anna")
    assert seen(job) == ("queued", "")
    jobs.cancel(job.id)
    assert JobTable().to_cancel() == [job.id], "the last one who waits ends it"
    stopped_by_the_worker()
    assert seen(job) == ("cancelled", "You stopped this run.")


def test_who_stopped_waiting_can_wait_again(now_as: As) -> None:
    now_as("anna")
    job = jobs.submit("spin", {})
    now_as("ben")
    jobs.submit("spin", {})
    jobs.cancel(job.id)
    assert (jobs.submit("spin", {}, again=True).id, seen(job)[0]) == (job.id, "queued")
    JobTable().finish(job.id, "done", {"found": 1})
    assert seen(job) == ("done", "")


def test_what_was_found_meanwhile_is_shown_to_who_stopped_waiting(now_as: As) -> None:
    now_as("anna")
    job = jobs.submit("spin", {})
    now_as("ben")
    jobs.submit("spin", {})
    jobs.cancel(job.id)
    JobTable().finish(job.id, "done", {"found": 1})
    assert jobs.submit("spin", {}).answer == {"found": 1}


@pytest.mark.parametrize("worker_has_seen_it", [False, True])
def test_a_strangers_stop_is_nobody_elses(now_as: As, worker_has_seen_it: bool) -> None:
    now_as("anna")
    job = jobs.submit("spin", {})
    jobs.cancel(job.id)
    if worker_has_seen_it:
        stopped_by_the_worker()
    now_as("ben")
    fresh = jobs.submit("spin", {})
    assert (fresh.id != job.id, fresh.state) == (True, "queued")
    now_as("carla")
    assert jobs.submit("spin", {}).id == fresh.id


def test_a_killed_run_is_not_shown_to_who_asks_for_the_first_time(now_as: As) -> None:
    now_as("anna")
    job = jobs.submit("spin", {})
    JobTable().finish(job.id, "killed", failure=Failure("Killed", "The worker process was stopped while this ran."))
    assert seen(jobs.submit("spin", {})) == ("killed", "The worker process was stopped while this ran.")
    now_as("ben")
    assert jobs.submit("spin", {}).state == "queued"


def test_who_comes_by_the_address_sees_it_and_changes_nothing(now_as: As) -> None:
    now_as("anna")
    job = jobs.submit("audit", {})
    now_as("ben")
    assert seen(job) == ("queued", "")
    assert jobs.recent(["audit"], 9) == []
    jobs.cancel(job.id)
    Removal(JobTable()).delete_audit(job.id, "ben")
    found = jobs.find(job.id)
    assert found is not None
    assert (found.state, found.visitors, found.gone, jobs.is_own(found)) == ("queued", ("anna",), (), False)
    assert JobTable().to_cancel() == []
    now_as("anna")
    jobs.cancel(job.id)
    stopped_by_the_worker()
    now_as("ben")
    assert seen(job) == ("cancelled", "This run was stopped.")


def test_a_table_of_an_older_version_still_opens(now_as: As, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    with sqlite3.connect(tmp_path / "jobs" / "jobs.sqlite") as connection:
        connection.executescript(FIRST_SCHEMA)
    connection.close()
    now_as("anna")
    job = jobs.find("old")
    assert job is not None
    assert (job.state, job.ahead) == ("running", 0)


def test_nobody_fills_the_queue(now_as: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.jobs.table._MOST_UNFINISHED", 3)
    now_as("anna")
    for number in range(3):
        job = jobs.submit("spin", {"number": number})
    with pytest.raises(RecordError, match="3 of your runs wait"):
        jobs.submit("spin", {"number": 3})
    assert jobs.submit("spin", {"number": 2}).id == job.id
    jobs.cancel(job.id)
    assert jobs.submit("spin", {"number": 3}).state == "queued"
    now_as("ben")
    assert jobs.submit("spin", {"number": 4}).state == "queued"


def test_what_ends_while_it_is_deleted_leaves_nothing(now_as: As, monkeypatch: pytest.MonkeyPatch) -> None:
    now_as("anna")
    job, table = jobs.submit("spin", {}), JobTable()
    say = JobTable._say

    def deleted_just_before(self: JobTable, name: str, what: str, content: object) -> None:
        table.remove([name])
        say(self, name, what, content)

    monkeypatch.setattr(JobTable, "_say", deleted_just_before)
    table.finish(job.id, "done", {"first rows": "somebody's"})
    assert table.get(job.id) is None
    assert not list((table.folder / "answered").glob("*"))


def test_a_table_that_is_not_there_has_not_changed_until_it_is(tmp_path: Path) -> None:
    """Else an idle worker, which looks twenty times a second, reads an empty table twenty times a second."""
    table = JobTable(tmp_path)
    seen = table.watch()
    assert [seen.changed(), seen.changed()] == [True, False]
    table.add("one", {}, "code", "anna")
    assert [seen.changed(), seen.changed()] == [True, False]
    for file in tmp_path.glob("jobs.sqlite*"):
        file.unlink()
    assert [seen.changed(), seen.changed()] == [True, False]
    table.add("one", {}, "code", "anna")
    assert [seen.changed(), seen.changed()] == [True, False]


def test_whoever_makes_the_table_waits_for_another_who_makes_it_at_once(tmp_path: Path) -> None:
    """A page and the worker of a new home; SQLite itself gives up at once where it changes to WAL mode."""
    path = tmp_path / "jobs.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE somebody (writes INTEGER)")
    timer = threading.Timer(0.1, other.execute, ["COMMIT"])
    timer.start()
    with Database(path).writing() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    timer.join()
    other.close()
