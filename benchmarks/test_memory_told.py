"""The memory that is told before a run, beside what the run then takes: ``pytest benchmarks/test_memory_told.py -s``.

Try and run each have a process of their own, forked by a real worker. What a run takes is the most that the worker and
everything it started hold together, each shared page counted once, beyond what they held before (Linux only).
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.audits import KINDS
from core.audits.transport.settings import CellColumn, Transport
from core.base.files import FileStore
from core.contracts.audit import AbstractAudit
from core.plan import AuditPlan
from core.sources.simulated.biographies import Biographies
from core.sources.simulated.hiring import Hiring
from core.study import Study
from core.workflows.examples import EXAMPLES, example, open_example
from core.workflows.mitigation.planning import MitigationPilot
from core.workflows.mitigation.settings import FairDummiesPenalty, MitigationPlan, Reweighing
from core.workflows.selection.planning import tried_by
from core.workflows.selection.settings import LogisticPath, SelectionPlan
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack

REPOSITORY = Path(__file__).parents[1]
SIZES = (20_000, 200_000)
CELLS = (CellColumn(name="education"), CellColumn(name="interview rating"))
SETTINGS: dict[str, dict[str, Any]] = {
    "group_fairness": {},
    "equalized_odds": {},
    "transport": {"columns": CELLS},
    "column_sensitivity": {"through": ("career gap (months)",)},
    "gradient_flow": {"metric_resamples": 0},
}
PATIENCE = 7_200.0
"""Seconds for an answer: on a machine that does other work memory is the same and time is not."""
WARM_UP = 20.0
"""Seconds in which a worker imports what its children need. Its first model file, and its first text model, start what
opens all others, 200 MB once, which no run is told: an audit of each comes first.
"""


class Held:
    """The most that a process and all that it started hold together while it is looked at."""

    def __init__(self, pid: int) -> None:
        self._pid, self._over = pid, threading.Event()
        self._before = self.most = self._now()
        self._looking = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Held":
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._looking.join()

    @property
    def taken(self) -> int:
        """Bytes beyond those at the beginning."""
        return self.most - self._before

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self.most = max(self.most, self._now())

    def _now(self) -> int:
        started: dict[int, list[int]] = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            started.setdefault(parent, []).append(int(process.name))
        total, waiting = 0, [self._pid]
        while waiting:
            pid = waiting.pop()
            waiting += started.get(pid, [])
            try:
                told = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) * 1024 for line in told if line.startswith("Pss:"))
        return total


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_HOME", str(home))
        patch.setattr(jobs, "ensure_worker", lambda: None)
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.jobs"],
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )
        [of_a_file] = open_example("compas-faith", FileStore()).plans
        answered("audit", asked_of(of_a_file.model_copy(update={"seed": 1})))
        answered("audit", asked_of(of_texts(100)))
        time.sleep(WARM_UP)
        yield process.pid
        process.terminate()
        process.wait(timeout=20)


def answered(kind: str, asked: dict[str, Any]) -> Any:
    """What a job answers."""
    job = jobs.wait(jobs.submit(kind, asked, again=True), PATIENCE)
    assert job.state == "done", job.failure
    return job.answer


def compared(what: str, told: int, worker: int, kind: str, asked: dict[str, Any]) -> None:
    """Run it and hold what it takes against what was told."""
    began = time.monotonic()
    with Held(worker) as held:
        answered(kind, asked)
    seconds = time.monotonic() - began
    print(f"\n{what}: told {told / 1e6:.0f} MB, taken {held.taken / 1e6:.0f} MB, {seconds:.0f} s")
    assert held.taken <= 1.2 * told


def told_of(plan: AuditPlan) -> int:
    """What is told of one test."""
    written = plan.model_dump(mode="json")
    about = {name: written[name] for name in ("roles", "model", "audit", "decision", "seed")}
    return int(answered("pilot", about | {"source": written["data"]})["memory"])


def asked_of(*plans: AuditPlan) -> dict[str, Any]:
    """What the task is asked that runs these tests."""
    return {"study": Study(plans=plans).model_dump(mode="json")}


def plan_of(kind: str, rows: int) -> AuditPlan:
    """The test of a simulated hiring round of so many rows, of the sample network that is audited there."""
    begun = open_example("hiring-baseline", FileStore()).plans[0]
    own = dict(begun.audit) if begun.audit.kind == kind else {}
    audit: AbstractAudit = KINDS[kind].settings.model_validate({**own, **SETTINGS[kind]})
    return AuditPlan(data=Hiring(rows=rows, part="all"), roles=begun.roles, model=begun.model, audit=audit)


def of_texts(rows: int) -> AuditPlan:
    """The test of so many biographies, which no example has."""
    plan = open_example("texts-biased", FileStore()).plans[0]
    return plan.model_copy(update={"data": Biographies(rows=rows, bias=0.0, seed=2)})


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("kind", SETTINGS)
def test_a_test_takes_no_more_than_a_fifth_more_memory_than_was_told(kind: str, rows: int, worker: int) -> None:
    plan = plan_of(kind, rows)
    compared(f"{kind}, {rows:,} rows", told_of(plan), worker, "audit", asked_of(plan))


@pytest.mark.parametrize("texts", [200, 800])
def test_a_test_of_texts_does_neither(texts: int, worker: int) -> None:
    plan = of_texts(texts)
    compared(f"{texts} texts", told_of(plan), worker, "audit", asked_of(plan))


@pytest.mark.parametrize("key", [one.key for one in EXAMPLES])
def test_an_example_takes_what_its_card_tells(key: str, worker: int) -> None:
    told = example(key).megabytes * 10**6
    compared(key, told, worker, "audit", asked_of(*open_example(key, FileStore()).plans))


@pytest.mark.parametrize("rows", SIZES)
def test_a_selection_does_neither(rows: int, worker: int) -> None:
    roles = open_example("hiring-baseline", FileStore()).plans[0].roles
    data, audit = Hiring(rows=rows, part="all"), Transport(columns=CELLS)
    plan = SelectionPlan(data=data, roles=roles, candidates=LogisticPath(points=8), audit=audit)
    tried, whole = tried_by(plan).model_dump(mode="json"), plan.model_dump(mode="json")
    told = answered("pilot_select", {"plan": tried, "source": tried["data"]})["memory"]
    compared(f"selection, {rows:,} rows", told, worker, "select", {"plan": whole, "source": whole["data"]})


@pytest.mark.parametrize("splits", [1, 5])
def test_fairer_models_do_neither(splits: int, worker: int) -> None:
    roles = open_example("hiring-baseline", FileStore()).plans[0].roles
    plan = MitigationPlan(
        data=Hiring(rows=SIZES[0], part="all"),
        roles=roles,
        attribute=roles.protected[0],
        methods=(FairDummiesPenalty(epochs=3), Reweighing()),
        strengths=(0.2, 0.5, 0.9),
        splits=splits,
    )
    short = plan.model_copy(update={"strengths": (0.5,), "splits": 1}).model_dump(mode="json")
    tried, whole = answered("pilot_fairer", {"plan": short, "source": short["data"]}), plan.model_dump(mode="json")
    told = unpack(tried["tried"], MitigationPilot).memory(tried["memory"], len(plan.models), splits)
    compared(f"fairer models, {splits} splits", told, worker, "fairer", {"plan": whole, "source": whole["data"]})
