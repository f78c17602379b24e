"""The worker process: started once, its children cancelled, killed, limited, and their errors told."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.base.files import FileStore
from core.wall.sandbox import landlock_version
from dashboard.jobs import queue as jobs
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.job import Failure, Job, Needs
from dashboard.jobs.table import JobTable
from dashboard.jobs.turns import PROMPT, lanes

REPOSITORY = Path(__file__).parents[3]
SECRET = "EVENHAND_SECRET_OF_A_MODEL"


class Workers:
    """Starts workers with the misbehaving tasks in one home."""

    def __init__(self, home: Path) -> None:
        self.folder, self.log = home / "jobs", home / "worker.log"
        self.processes: list[subprocess.Popen[bytes]] = []

    def command(self) -> subprocess.Popen[bytes]:
        """A worker that is told its environment as the pages tell it."""
        own = {"EVENHAND_HOME": str(self.folder.parent), "PYTHONPATH": str(REPOSITORY)}
        own |= {"EVENHAND_SCHEDULER": "tcp://127.0.0.1:1"}
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dashboard.jobs", "--tasks", "tests.dashboard.jobs.worker_tasks", "--told"],
                cwd=REPOSITORY,
                env=harmless_environment() | own,
                stdin=subprocess.PIPE,
                stderr=log,
            )
        assert process.stdin is not None
        with process.stdin:
            process.stdin.write(json.dumps({**os.environ, **own, SECRET: "Zyxwvut-4711"}).encode())
        return process

    def running(self) -> subprocess.Popen[bytes]:
        """The worker that runs; a new one where none does."""
        if self.processes and self.processes[-1].poll() is None:
            return self.processes[-1]
        self.processes.append(self.command())
        until = time.monotonic() + 60
        while (jobs.running_worker(self.folder) or {}).get("pid") != self.processes[-1].pid:
            assert time.monotonic() < until, "the worker did not start"
            time.sleep(0.02)
        return self.processes[-1]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    found = Workers(tmp_path_factory.mktemp("home"))
    yield found
    for process in found.processes:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture(autouse=True)
def worker(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> subprocess.Popen[bytes]:
    monkeypatch.setenv("EVENHAND_HOME", str(workers.folder.parent))
    monkeypatch.setattr(jobs, "ensure_worker", lambda: None)
    JobTable()
    return workers.running()


def ended(job: Job, seconds: float = 30) -> Job:
    job = jobs.wait(job, seconds)
    assert not job.unfinished, f"still {job.state} after {seconds} s"
    return job


def under_way(job: Job) -> Job:
    until = time.monotonic() + 30
    while job.done == 0:
        assert time.monotonic() < until
        time.sleep(0.01)
        job = jobs.find(job.id) or job
    return job


def test_a_job_answers_and_its_progress_is_seen_on_the_way() -> None:
    """Watched is one that goes on until it is stopped: a busy machine may look late."""
    job = under_way(jobs.submit("count", {"steps": 10_000}))
    assert job.state == "running"
    assert 0 < job.done < 1
    assert job.phase.startswith("Step")
    assert job.seconds_left is None or job.seconds_left > 0
    jobs.cancel(job.id)
    assert ended(job).state == "cancelled"
    job = ended(jobs.submit("count", {"steps": 4}))
    assert (job.state, job.done, job.answer["steps"], job.failure) == ("done", 1.0, 4, None)
    assert job.answer["pid"] != os.getpid()


def test_the_log_says_how_a_run_went_and_nothing_that_it_was_asked_or_said(workers: Workers) -> None:
    done = ended(jobs.submit("count", {"steps": 30, "column": "Zyxwvut-4711"}))
    refused, crashed = (ended(jobs.submit(kind, {"file": "Zyxwvut-4711.csv"})) for kind in ("refuse", "crash"))
    time.sleep(0.2)
    said = workers.log.read_text()
    lines = [json.loads(line) for line in said.splitlines()]
    start, end = (line for line in lines if line.get("run") == done.id[:8])
    assert (start["event"], start["kind"], start["lane"]) == ("run_started", "count", "quick")
    assert (end["event"], end["state"], end["level"]) == ("run_ended", "done", "info")
    assert 0 <= end["seconds"] < 5
    assert end["megabytes"] > 10
    failures = {line["run"]: line["failure"] for line in lines if "failure" in line}
    assert [failures.get(run.id[:8]) for run in (done, refused, crashed)] == [None, "DataError", "Unexpected"]
    assert not [mark for mark in ("Zyxwvut", "a.csv", "empty", "secret", done.id) if mark in said]


@pytest.mark.skipif(sys.platform != "linux", reason="Only there is it known.")
def test_a_secret_that_the_worker_knows_reaches_neither_what_forks_its_children_nor_them(workers: Workers) -> None:
    job = under_way(jobs.submit("doze", {}))
    worker = Path(f"/proc/{workers.processes[-1].pid}")
    below = [int(one) for one in (worker / "task" / worker.name / "children").read_text().split()]
    children = [Path(f"/proc/{one}/task/{one}/children").read_text().split() for one in below]
    for pid in (*below, *(int(one) for some in children for one in some)):
        assert SECRET.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
    assert ended(jobs.submit("surroundings", {"name": SECRET})).answer == [False, False]
    jobs.cancel(job.id)
    assert ended(job).state == "cancelled"


def test_an_identical_question_is_answered_without_a_second_run() -> None:
    first = ended(jobs.submit("count", {"steps": 2}))
    again = jobs.submit("count", {"steps": 2})
    assert (again.id, again.state, again.answer) == (first.id, "done", first.answer)
    assert jobs.submit("count", {"steps": 3}).id != first.id


def asked(question: object, about: str = "a table", kind: str = "stay") -> Job:
    return ended(jobs.submit(kind, {"source": about, "asked": question}))


def test_a_child_that_answered_is_asked_again_about_the_same() -> None:
    first, second = asked(1), asked(2)
    assert second.answer == {"pid": first.answer["pid"], "told": [1, 2]}
    assert asked(3, "another table").answer["told"] == [3]
    assert asked(4, kind="stay_too").answer["told"] == [1, 2, 4], "another task"
    assert asked(5, kind="stay_always").answer["told"] == [5], "a task that is held to less"


def test_a_child_that_came_to_hold_much_answers_one_question(workers: Workers) -> None:
    pid = asked("small", "memory").answer["pid"]
    assert asked("grow", "memory").answer == pid
    assert asked("after it", "memory").answer["told"] == ["after it"]


def test_questions_about_the_same_wait_for_each_other_and_not_for_one_that_takes_its_time() -> None:
    slow = under_way(jobs.submit("stay", {"source": "in a row", "asked": "doze"}))
    several = [jobs.submit("stay", {"source": "in a row", "asked": number}) for number in range(3)]
    found = [ended(job).answer for job in several]
    assert len({answer["pid"] for answer in found}) == 1
    assert found[2]["told"] == [0, 1, 2]
    assert (jobs.find(slow.id) or slow).state == "running"
    jobs.cancel(slow.id)
    ended(slow)


def test_one_that_refused_a_question_answers_the_next_and_one_that_crashed_is_replaced() -> None:
    pid = asked("a", "refusals").answer["pid"]
    refused = asked("refuse", "refusals")
    assert refused.failure is not None
    assert (refused.state, refused.failure.error.what) == ("failed", "The value is none.")
    assert asked("b", "refusals").answer == {"pid": pid, "told": ["a", "b"]}
    assert asked("crash", "refusals").state == "failed"
    assert asked("c", "refusals").answer["told"] == ["c"]


def test_one_visitor_never_meets_the_child_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    asked("mine", "visitors")
    monkeypatch.setattr(jobs, "visitor", lambda: "somebody else")
    assert asked("theirs", "visitors").answer["told"] == ["theirs"]


def test_a_child_that_names_a_file_of_somebody_else_neither_answers_nor_stays() -> None:
    pid = asked(1, "theft").answer["pid"]
    assert asked("steal", "theft").state == "failed"
    assert asked(2, "theft").answer["pid"] != pid


def test_a_child_that_was_killed_while_it_waited_is_replaced_and_one_that_is_stopped_goes() -> None:
    pid = asked(1, "killed").answer["pid"]
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.5)
    second = asked(2, "killed")
    assert second.answer["told"] == [2]
    job = under_way(jobs.submit("stay", {"source": "killed", "asked": "doze"}))
    jobs.cancel(job.id)
    assert ended(job).state == "cancelled"
    assert asked(3, "killed").answer["told"] == [3]


def test_a_child_that_waits_stands_still_and_goes_when_what_it_read_is_deleted(workers: Workers) -> None:
    job = asked("first", "a table that is deleted")
    assert _becomes(job.answer["pid"], "T")
    JobTable().remove([job.id])
    assert _becomes(job.answer["pid"], "")


def _becomes(pid: int, state: str) -> bool:
    """Whether a process comes into a state within ten seconds."""
    until = time.monotonic() + 10
    while _state(pid) != state and time.monotonic() < until:
        time.sleep(0.02)
    return _state(pid) == state


def _state(pid: int) -> str:
    """The state of a process, as the kernel writes it; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def test_a_job_that_never_looks_is_cancelled() -> None:
    job = under_way(jobs.submit("spin", {}))
    jobs.cancel(job.id)
    job = ended(job)
    assert job.state == "cancelled"
    assert job.failure is not None
    assert (job.failure.kind, job.failure.error.what) == ("CancelledError", "You stopped this run.")
    assert jobs.submit("spin", {}).id == job.id, "nothing starts again by itself"
    again = jobs.submit("spin", {}, again=True)
    assert again.id != job.id
    jobs.cancel(again.id)


def test_a_waiting_job_is_cancelled_too() -> None:
    first, second = jobs.submit("long", {"steps": 500}), jobs.submit("long", {"steps": 501})
    assert under_way(first).state == "running"
    waiting = jobs.find(second.id)
    assert waiting is not None
    assert waiting.state == "queued", "one long job runs at a time"
    jobs.cancel(second.id)
    assert ended(second, 2).state == "cancelled"
    quick = ended(jobs.submit("count", {"steps": 1, "beside": "a long job"}), 3)
    assert quick.state == "done", "a quick job does not wait for a long one"
    jobs.cancel(first.id)


def test_slow_questions_of_some_leave_the_quick_lane_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = []
    for number in range(6):
        monkeypatch.setattr(jobs, "visitor", lambda number=number: f"visitor {number // 2}")
        slow.append((number, jobs.submit("doze", {"number": number})))
    for _, job in slow[:2]:
        under_way(job)
    monkeypatch.setattr(jobs, "visitor", lambda: "somebody else")
    assert ended(jobs.submit("count", {"steps": 1, "beside": "slow ones"}), 2 * PROMPT + 4).state == "done"
    for number, job in slow:
        monkeypatch.setattr(jobs, "visitor", lambda number=number: f"visitor {number // 2}")
        jobs.cancel(job.id)


def test_visitors_take_turns_and_see_how_many_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit_as(visitor: str, number: int) -> Job:
        monkeypatch.setattr(jobs, "visitor", lambda: visitor)
        return jobs.submit("doze_long", {"of": visitor, "number": number}, needs=Needs(seconds=60, memory=2**28))

    def seen(job: Job) -> tuple[str, int]:
        found = JobTable().get(job.id)
        assert found is not None
        return found.state, found.ahead

    def until(expected: list[tuple[str, int]]) -> None:
        end = time.monotonic() + 10
        while [seen(job) for job in asked] != expected:
            assert time.monotonic() < end, [seen(job) for job in asked]
            time.sleep(0.05)

    asked = [submit_as("anna", number) for number in range(3)]
    running = ("running", 0)
    until([running, ("queued", 0), ("queued", 1)])
    asked.append(submit_as("ben", 0))
    if lanes()["long"].at_once > 1:
        until([running, ("queued", 0), ("queued", 1), running])
    else:
        until([running, ("queued", 1), ("queued", 2), ("queued", 0)])
    starts = [(JobTable().get(job.id) or job).starts or 0.0 for job in asked[1:3]]
    assert time.time() < starts[0] < starts[1] < time.time() + 200
    for visitor, job in zip(("anna", "anna", "anna", "ben"), asked, strict=True):
        monkeypatch.setattr(jobs, "visitor", lambda visitor=visitor: visitor)
        jobs.cancel(job.id)


def test_what_one_visitor_breaks_or_stops_or_brings_touches_no_run_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit_as(visitor: str, kind: str, **arguments: Any) -> Job:
        monkeypatch.setattr(jobs, "visitor", lambda: visitor)
        return jobs.submit(kind, {"by": visitor, **arguments}, needs=Needs(seconds=3, memory=2**28))

    large = FileStore().put(bytes(190 * 10**6), "large.csv").model_dump(mode="json")
    theirs = under_way(submit_as("ben", "long", steps=150))
    bad = [submit_as("anna", kind) for kind in ("crash", "die")]
    bad += [submit_as("anna", "gorge_long", bytes=4 * 2**30), submit_as("carla", "spin", file=large)]
    states = [(ended(job).state, job.kind) for job in bad[:3]]
    assert states == [("failed", "crash"), ("killed", "die"), ("failed", "gorge_long")]
    assert (failure := ended(bad[2]).failure) is not None
    assert failure.error.what == "This needs more memory than the 2 GB it may use."
    quick = ended(submit_as("ben", "count", steps=1), 15)
    assert quick.state == "done", "beside a run that never ends"
    monkeypatch.setattr(jobs, "visitor", lambda: "carla")
    jobs.cancel(bad[3].id)
    assert ended(bad[3]).state == "cancelled"
    monkeypatch.setattr(jobs, "visitor", lambda: "ben")
    theirs = ended(theirs)
    assert theirs.answer["steps"] == 150
    assert (theirs.answer["elsewhere"], quick.answer["elsewhere"]) == (True, False), "pieces of long runs go elsewhere"


def test_what_is_found_does_not_hang_on_what_runs_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = ended(jobs.submit("descend", {"beside": "nothing"})).answer
    asked = []
    for visitor in ("anna", "ben", "carla"):
        monkeypatch.setattr(jobs, "visitor", lambda visitor=visitor: visitor)
        asked.append(jobs.submit("descend", {"for": visitor}))
    assert {ended(job).answer for job in asked} == {alone}


def test_a_typed_error_arrives_with_its_three_sentences() -> None:
    job = ended(jobs.submit("refuse", {}))
    assert job.state == "failed"
    assert job.failure is not None
    assert job.failure == Failure("DataError", "The table is empty.", "a.csv", "Bring another one.")


def test_a_fault_of_ours_is_a_sentence_and_its_traceback_stays_in_a_file(workers: Workers) -> None:
    job = ended(jobs.submit("crash", {}))
    assert job.state == "failed"
    assert job.failure is not None
    shown = " ".join(vars(job.failure).values())
    assert "secret" not in shown
    assert "Traceback" not in shown
    log = (workers.folder / "logs" / f"{job.id}.log").read_text()
    assert "in crash" in log
    assert log.endswith("RuntimeError\n")
    assert "a secret detail" not in "\n".join(line for line in log.splitlines() if "raise " not in line)


def test_a_killed_child_is_reported_and_the_job_can_be_run_again() -> None:
    job = ended(jobs.submit("die", {}), 10)
    assert job.state == "killed"
    assert job.failure is not None
    assert "Run it again" in job.failure.advice
    assert jobs.submit("die", {}, again=True).id != job.id


@pytest.mark.parametrize("kind", ["gorge", "gorge_torch"])
def test_a_job_gets_no_more_memory_than_its_share(kind: str) -> None:
    assert ended(jobs.submit(kind, {"bytes": 2**26})).state == "done"
    job = ended(jobs.submit(kind, {"bytes": 2**32}))
    assert job.state == "failed"
    assert job.failure is not None
    assert "memory" in job.failure.error.what


def test_a_job_that_takes_too_long_is_stopped() -> None:
    job = ended(jobs.submit("brief", {}), 5)
    assert job.state == "failed"
    assert job.failure is not None
    assert job.failure.error.what == "This took longer than the 1 second it may take, and was stopped."


def test_a_child_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        job = ended(jobs.submit("dial", {"port": port}))
    assert job.answer["python"] in ("This process has no network.", "[Errno 1] Operation not permitted")
    if sys.platform == "linux":
        assert job.answer["devices"] in (["lo"], []), "the kernel left it other devices than its own loopback"


def test_a_warm_child_computes_with_torch_at_once() -> None:
    job = ended(jobs.submit("compute", {}))
    assert job.answer["sum"] == 300.0**3
    assert job.answer["warm"], "the child had to import torch"


@pytest.mark.skipif(landlock_version() == 0, reason="This kernel has no Landlock.")
def test_a_child_writes_into_its_own_folder_only_which_goes_with_it(workers: Workers, tmp_path: Path) -> None:
    home = workers.folder.parent
    forbidden = [tmp_path / "note", *(home / folder / "note" for folder in ("files", "results", "status", "jobs"))]
    for path in forbidden:
        path.parent.mkdir(exist_ok=True)
    job = ended(jobs.submit("write", {"paths": [*map(str, forbidden), "$EVENHAND_HOME/note", "$TMPDIR/note"]}))
    assert job.answer == ["PermissionError"] * len(forbidden) + ["done", "done"]
    assert not any(path.exists() for path in forbidden)
    until = time.monotonic() + 5
    while (home / "running" / job.id).exists():
        assert time.monotonic() < until, "the job's folder outlived it"
        time.sleep(0.02)


def test_a_second_worker_leaves_the_work_to_the_first(workers: Workers, worker: subprocess.Popen[bytes]) -> None:
    second = workers.command()
    assert second.wait(timeout=60) == 0
    assert worker.poll() is None


def test_a_killed_worker_takes_its_children_along_and_the_next_one_reports_them(workers: Workers) -> None:
    """So it takes what has other machines do pieces of them."""
    job = under_way(jobs.submit("spin", {"until": "the worker dies"}))
    under_way(jobs.submit("doze_long", {"until": "the worker dies"}))
    child = [int(p.name) for p in Path("/proc").glob("[0-9]*") if _ancestor(p, workers.processes[-1].pid)]
    assert len(child) >= 3, "a fork server and two children"
    assert any(b"dashboard.jobs.carrying" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in child)
    workers.processes[-1].send_signal(signal.SIGKILL)
    workers.processes[-1].wait()
    workers.running()
    job = ended(job)
    assert job.state == "killed"
    assert job.failure is not None
    assert "worker" in job.failure.error.what
    until = time.monotonic() + 5
    while any(Path(f"/proc/{pid}/exe").exists() for pid in child):
        assert time.monotonic() < until, "a child outlived its worker"
        time.sleep(0.05)


def test_a_worker_that_is_asked_to_end_reports_its_jobs(workers: Workers) -> None:
    job = under_way(jobs.submit("spin", {"until": "the worker is asked"}))
    workers.processes[-1].terminate()
    assert workers.processes[-1].wait(timeout=60) == 0
    found = JobTable().get(job.id)
    assert found is not None
    assert found.state == "killed"


def _ancestor(process: Path, pid: int) -> bool:
    """Whether ``pid`` is among the ancestors of a process under /proc."""
    try:
        while True:
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == pid:
                return True
            if parent <= 1:
                return False
            process = Path(f"/proc/{parent}")
    except OSError:
        return False
