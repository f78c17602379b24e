"""A long job's pieces are done by the workers of a scheduler, though the job has no network; they are its own alone."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from core.audits.group_fairness.settings import GroupFairness
from core.base.apart import carried_by
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.records.pieces import run_plans
from dashboard.jobs.elsewhere import SETTING, CarrierThroughPipe, Elsewhere
from dashboard.jobs.tasks import TASKS
from tests.core.cluster.clusters import people, plan_of, same_bytes, started


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalCluster]:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    with started(1, protocol="tcp://") as running:
        monkeypatch.setenv(SETTING, running.scheduler_address)
        yield running


def test_tests_of_a_job_are_done_elsewhere_with_its_own_files_and_stop_with_it(cluster: LocalCluster) -> None:
    files = FileStore()
    table, roles = people(files)
    other = files.put(b"more", "more.csv")
    plan = plan_of(table, roles, GroupFairness())
    arguments = {"study": {"plans": [plan.model_dump(mode="json")]}, "other": other.model_dump(mode="json")}
    assert Elsewhere.for_job(TASKS["read_table"], arguments) is None
    away = Elsewhere.for_job(TASKS["audit"], arguments)
    assert away is not None
    seen: list[Progress] = []
    carrier = CarrierThroughPipe(away.end_of_child)
    (here,) = run_plans([plan], files)
    try:
        with carried_by(carrier):
            (there,) = run_plans([plan], files, seen.append)
        assert any("Asking the workers" in one.phase for one in seen)
        assert same_bytes(here, there)

        def end(told: Progress) -> None:
            if any(task.state == "executing" for task in worker.state.tasks.values()):
                away.end()

        (worker,) = cluster.workers.values()
        piece = {"files": "/", "needs": [table.file.sha256, other.sha256], "plan": {}}
        assert carrier.carry("core.records.pieces", [piece], end, lambda place, answer: None) == {}
        until = time.monotonic() + 30
        while cluster.scheduler.tasks or list(Path(worker.local_directory).glob("evenhand/tmp*")):
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        away.end()


def test_what_no_job_asks_ends_the_process_and_where_nobody_is_the_job_computes(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = {"files": "/", "needs": ["0" * 64]}
    for module, pieces in (("core.records.pieces", [stranger]), ("os", [{"needs": []}])):
        away = Elsewhere({})
        carrier = CarrierThroughPipe(away.end_of_child)
        assert carrier.carry(module, pieces, ignore_progress, lambda place, answer: None) == {}
        away.end()
    assert set(cluster.scheduler.clients) <= {"fire-and-forget"}
    monkeypatch.setenv(SETTING, "tcp://127.0.0.1:1")
    files = FileStore()
    table, roles = people(files)
    plan = plan_of(table, roles, GroupFairness())
    away = Elsewhere({"plan": plan.model_dump(mode="json")})
    try:
        with carried_by(CarrierThroughPipe(away.end_of_child)):
            (found,) = run_plans([plan], files)
        assert same_bytes(found, next(run_plans([plan], files)))
    finally:
        away.end()
