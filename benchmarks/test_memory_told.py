"""The memory that is told before a run, beside what the run then takes: ``pytest benchmarks/test_memory_told.py -s``.

Try and run each have a process of their own, forked by a real worker with the tasks of this module.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.audits import KINDS
from core.audits.transport.settings import CellColumn
from core.base.files import FileStore
from core.base.memory import most_held
from core.base.progress import OnProgress
from core.contracts.audit import AbstractAudit
from core.plan import AuditPlan
from core.sources.simulated.hiring import Hiring
from core.study import Study
from core.workflows.examples import open_example
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job
from dashboard.jobs.tasks import TASKS as DASHBOARDS
from dashboard.jobs.tasks import WARM as WARM  # noqa: PLC0414
from dashboard.jobs.tasks import Task, fetch_nothing

REPOSITORY = Path(__file__).parents[1]
SIZES = (20_000, 200_000)
SETTINGS: dict[str, dict[str, Any]] = {
    "group_fairness": {},
    "equalized_odds": {},
    "transport": {"columns": (CellColumn(name="education"), CellColumn(name="interview rating"))},
    "column_sensitivity": {"through": ("career gap (months)",)},
    "gradient_flow": {"metric_resamples": 0},
}


def measured(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, int]:
    """Run an audit and say how many bytes it took."""
    held = most_held()
    DASHBOARDS["audit"].run(arguments, files, on_progress)
    return {"taken": most_held() - held}


TASKS = {
    "pilot": DASHBOARDS["pilot"],
    "measured": Task(measured, fetch_nothing, lane="long", results=DASHBOARDS["audit"].results),
}


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_HOME", str(home))
        patch.setattr(jobs, "ensure_worker", lambda: None)
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.jobs", "--tasks", "benchmarks.test_memory_told"],
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )
        yield
        process.terminate()
        process.wait(timeout=20)


def plan_of(kind: str, rows: int) -> AuditPlan:
    """The test of a simulated hiring round of so many rows, of the sample network that is audited there."""
    example = open_example("hiring-baseline", FileStore()).plans[0]
    audit: AbstractAudit = KINDS[kind].settings.model_validate({**_begun(kind, example), **SETTINGS[kind]})
    return AuditPlan(data=Hiring(rows=rows, part="all"), roles=example.roles, model=example.model, audit=audit)


def _begun(kind: str, example: AuditPlan) -> dict[str, Any]:
    return dict(example.audit) if example.audit.kind == kind else {}


def answered(job: Job) -> Any:
    """What a job answers."""
    job = jobs.wait(job, 900)
    assert job.state == "done", job.failure
    return job.answer


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.usefixtures("worker")
def test_a_run_takes_no_more_than_a_fifth_more_memory_than_was_told(kind: str, rows: int) -> None:
    plan, began = plan_of(kind, rows), time.monotonic()
    written = plan.model_dump(mode="json")
    about = {name: written[name] for name in ("roles", "model", "audit", "decision", "seed")} | {
        "source": written["data"]
    }
    told = answered(jobs.submit("pilot", about))["memory"]
    taken = answered(jobs.submit("measured", {"study": Study(plans=(plan,)).model_dump(mode="json")}))["taken"]
    seconds = time.monotonic() - began
    print(f"\n{kind}, {rows:,} rows: told {told / 1e6:.0f} MB, taken {taken / 1e6:.0f} MB, {seconds:.0f} s")
    assert taken <= 1.2 * told
    assert told <= 2 * taken, "who is told too much waits for nothing"
