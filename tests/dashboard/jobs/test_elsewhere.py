"""A long job's pieces are done by the workers of a scheduler, though the job has no network; they are its own alone."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from core.audits.group_fairness.settings import GroupFairness
from core.base import apart
from core.base.apart import carried_by
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.models.formats.skops.source import SklearnFile
from core.plan import AuditPlan
from core.records.pieces import run_plans
from core.workflows.examples import SAMPLE_MODELS
from dashboard.jobs.elsewhere import SETTING, CarrierThroughPipe, Elsewhere
from dashboard.jobs.tasks import TASKS
from tests.core.cluster.clusters import people, plan_of, same_bytes, started


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalCluster]:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    with started(1, protocol="tcp://") as running:
        monkeypatch.setenv(SETTING, running.scheduler_address)
        yield running


def plan_of_a_file(files: FileStore) -> AuditPlan:
    """Of a model that a library reads, which only a second wall makes safe."""
    card = json.loads((SAMPLE_MODELS / "hiring_logistic.skops.card.json").read_bytes())
    model = SklearnFile(file=files.put((SAMPLE_MODELS / card["file"]).read_bytes(), card["file"]))
    asked = {"data": {**card["plan"]["data"], "rows": 1000}, "roles": card["plan"]["roles"]}
    return AuditPlan.model_validate({**asked, "model": model, "audit": GroupFairness(), "seed": 5})


def test_tests_of_a_job_are_done_elsewhere_with_its_own_files_and_stop_with_it(cluster: LocalCluster) -> None:
    files = FileStore()
    table, _ = people(files)
    other = files.put(b"more", "more.csv")
    plan = plan_of_a_file(files)
    arguments = {"plans": [plan.model_dump(mode="json")], "table": table.file.model_dump(mode="json")}
    arguments |= {"other": other.model_dump(mode="json")}
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
        until = time.monotonic() + 120
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
    plans = [plan_of(table, roles, GroupFairness(), n) for n in range(2)]
    away = Elsewhere([plan.model_dump(mode="json") for plan in plans])
    monkeypatch.setattr(apart, "processors", lambda: 2)
    monkeypatch.setattr(apart, "Apart", lambda *_: pytest.fail("only this process has the wall for model files"))
    try:
        with carried_by(CarrierThroughPipe(away.end_of_child)):
            found = list(run_plans(plans, files))
        assert all(map(same_bytes, found, run_plans(plans, files)))
    finally:
        away.end()
