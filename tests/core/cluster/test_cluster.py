"""Pieces of work on the workers of a Dask scheduler: the same answers, whatever befalls workers and scheduler."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from dask.config import set as set_dask
from distributed import LocalCluster

from core import audit
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.base.apart import carried_by, work_apart
from core.base.errors import AuditError, CancelledError, SettingsError, StorageError
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.cluster import carrier
from core.cluster import worker as served
from core.cluster.address import Scheduler
from core.cluster.carrier import Cluster, computing_on
from core.data.roles import Roles
from core.records.audits import AUDITS
from core.records.pieces import none_failed, run_plans
from core.sources.folder import counting, looking_over
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.wall.sandbox import missing_walls
from core.workflows.comparison.run import run as compare
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan
from core.workflows.mitigation.one_split import one_split
from core.workflows.mitigation.settings import MitigationPlan, Reweighing
from core.workflows.mitigation.splits import over_splits
from core.workflows.papers.running import compute
from core.workflows.papers.table import item
from tests.core.cluster.clusters import CERTIFICATES, by_tls, people, plan_of, same_bytes, started
from tests.core.records.test_pieces import plan_with_networks

WORK = "tests.core.base.work_for_apart"
REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def secret() -> Iterator[Scheduler]:
    """A scheduler with two workers that is spoken to by TLS."""
    with by_tls(2) as scheduler:
        yield scheduler


@pytest.fixture
def plain() -> Iterator[LocalCluster]:
    """A scheduler without workers, on this machine, by TCP."""
    with started(0, protocol="tcp://") as cluster:
        yield cluster


def worker_of(address: str, folder: Path, **own: Any) -> "subprocess.Popen[bytes]":
    """A worker that is a process of its own."""
    more = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, *more],
        cwd=REPOSITORY,
        stderr=subprocess.DEVNULL,
        **own,
    )


def until_there(cluster: LocalCluster, workers: int = 1) -> None:
    until = time.monotonic() + 60
    while len(cluster.scheduler.workers) < workers and time.monotonic() < until:
        time.sleep(0.05)


def test_a_study_and_a_comparison_are_the_same_to_the_last_byte(secret: Scheduler, tmp_path: Path) -> None:
    """Here and on two workers; the table is sent to them by its fingerprint."""
    files = FileStore(tmp_path)
    table, roles = people(files)
    study = Study(plans=(plan_of(table, roles, GroupFairness()), plan_of(table, roles, EqualizedOdds(dummies=99))))
    models = [plan_of(table, roles, GroupFairness(), n) for n in range(2)]
    compared = ComparisonPlan(
        models=tuple(ComparedModel(name=f"m{n}", study=Study(plans=(one,))) for n, one in enumerate(models))
    )
    here, beside = AUDITS.run(study, files), compare(compared, files)
    seen: list[Progress] = []
    with computing_on(secret):
        there, other = AUDITS.run(study, files, seen.append), compare(compared, files)
    assert all(map(same_bytes, here, there))
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    for one, two in zip(beside.audits, other.audits, strict=True):
        assert all(map(same_bytes, one, two))
    assert np.array_equal(beside.answers, other.answers)


@pytest.mark.long
def test_fits_of_fairer_models_and_pieces_of_a_paper_are_the_same_to_the_last_digit(
    secret: Scheduler, tmp_path: Path
) -> None:
    """Splits of the rows are fitted and tried there; each is asked with the table's fingerprint only."""
    files = FileStore(tmp_path / "files")
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=600)
    frame = pd.DataFrame({"x": rng.standard_normal(600) + group, "group": np.where(group, "b", "a")})
    frame["good"] = np.where(frame["x"] + rng.standard_normal(600) > 0.5, "yes", "no")
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))
    roles = Roles(outcome="good", favourable="yes", protected=("group",), features=("x",))
    given: dict[str, Any] = {"methods": (Reweighing(),), "strengths": (1.0,), "dummies": 99, "seed": 2, "splits": 3}
    plan = MitigationPlan(data=table, roles=roles, **given)
    first = one_split(plan, files, files, ignore_progress)
    paper = item("sensitivity-appendix-a")
    here = over_splits(plan, first, files, ignore_progress), compute(paper, tmp_path / "here", quick=True, processes=1)
    with computing_on(secret):
        there = over_splits(plan, first, files, ignore_progress), compute(paper, tmp_path / "there", quick=True)
    assert here[0].splits is not None
    assert there[0].splits is not None
    assert here[0].splits.failed == there[0].splits.failed == ()
    assert here[0].splits.values.tobytes() == there[0].splits.values.tobytes()
    assert [found for _, found in here[1].found] == [found for _, found in there[1].found]


def test_a_folder_is_counted_by_workers_and_tested_here(
    secret: Scheduler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker looks all rows over and counts them in one process."""
    started = list[str]()

    class Counted(served._Process):
        def __init__(self, kind: served._Kind, *given: Any) -> None:
            started.append(kind.module)
            super().__init__(kind, *given)

    monkeypatch.setattr(served, "_Process", Counted)
    for module in (counting, looking_over):
        monkeypatch.setattr(module, "WORTH_A_PIECE", 500)
    files = FileStore(tmp_path / "files")
    table = people(files)[0]
    (folder := tmp_path / "people").mkdir()
    rows = pd.read_csv(files.path(table.file))
    for place in range(3):
        rows.iloc[500 * place : 500 * (place + 1)].to_parquet(folder / f"{place}.parquet")
    given: dict[str, Any] = {"outcome": "repaid", "favourable": "yes", "protected": ["sex"], "predictions": "model 0"}
    given["tests"] = "group_fairness"
    here, there = (audit(folder, progress=False, scheduler=to, **given) for to in ("", secret))
    assert here.claims.to_frame().equals(there.claims.to_frame())
    assert here.sentence == there.sentence
    assert len(started) <= 2


def test_files_errors_and_failures_come_over_and_who_cancels_stops_the_workers(
    secret: Scheduler, tmp_path: Path
) -> None:
    files = FileStore(tmp_path)
    ref = files.put(b"some text", "text.txt")
    found: dict[int, Any] = {}
    with computing_on(secret):
        asked = {"files": str(files.root), "needs": [ref.sha256]}
        answers = work_apart(WORK, [3, -1, asked, "end"], ignore_progress, on_answer=found.__setitem__)
        assert answers[0]["square"] == 9
        assert answers[0]["process"] != os.getpid()
        assert (answers[1].what, answers[1].where) == ("Choose a table first.", "row 3")
        assert answers[2] == "some text"
        assert isinstance(answers[3], AuditError)
        assert answers[3].where == "part 4 of 4"
        assert found == dict(enumerate(answers))

        def stop(told: Progress) -> None:
            if told.done >= 0.5:
                raise CancelledError("Stopped.")

        with pytest.raises(CancelledError):
            work_apart(WORK, ["stay", "stay"], stop)
        began = time.monotonic()
        assert work_apart(WORK, [2], ignore_progress)[0]["square"] == 4
        assert time.monotonic() - began < 40


def test_workers_of_other_versions_or_with_too_little_memory_are_refused_before_the_start(
    secret: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    with computing_on(secret):
        with pytest.raises(SettingsError, match="GB of memory for a part of the work that may take"):
            work_apart(WORK, [{"memory": 10**15}], ignore_progress)
        versions = carrier.own_versions()
        monkeypatch.setattr(carrier, "own_versions", lambda: {**versions, "numpy": "1.0"})
        with pytest.raises(SettingsError, match=r"A worker has numpy [\d.]+, and this machine 1.0"):
            work_apart(WORK, [3], ignore_progress)
        monkeypatch.setattr(carrier, "own_versions", lambda: {**versions, "evenhand": "0.1.0 abc"})
        with pytest.raises(SettingsError, match=r"A worker has evenhand [\d.]+ \w+, and this machine 0.1.0 abc"):
            work_apart(WORK, [3], ignore_progress)
        monkeypatch.setattr(carrier, "own_versions", lambda: {**versions, "processor": "Zen"})
        with pytest.raises(SettingsError, match="processors of the same kind"):
            work_apart(WORK, [3], ignore_progress)


def test_a_solver_with_a_library_of_matrices_of_its_own_makes_no_other_machine() -> None:
    asked = "from core.cluster.worker import _instructions as at; first = at(); import scs; print(first, at(), sep='|')"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    before, after = said.strip().split("|")
    assert before == after != ""


def test_certificates_and_addresses_are_checked_first(
    secret: Scheduler, plain: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = {"cert": str(CERTIFICATES / "stranger.pem"), "key": str(CERTIFICATES / "stranger.key")}
    refused = [
        replace(secret, **stranger),
        replace(secret, cert=str(CERTIFICATES / "expired.pem")),
        replace(secret, ca=stranger["cert"]),
        replace(secret, address=plain.scheduler_address.replace("tcp", "tls")),
    ]
    for one in refused:
        with pytest.raises(SettingsError, match="certificates"), computing_on(one):
            pass
    for address, said in (
        ("tcp://192.0.2.7:8786", "by tls:// only"),
        ("tls://192.0.2.7", "not of the form"),
        ("tls://127.0.0.1:1", "needs three files"),
        ("tcp://127.0.0.1:1", "No scheduler answers"),
    ):
        with pytest.raises(SettingsError, match=said), computing_on(address):
            pass
    monkeypatch.setenv("EVENHAND_SCHEDULER", "tcp://192.0.2.7:8786")
    with pytest.raises(SettingsError), computing_on():
        pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingsError, match="Dask is not installed"), computing_on("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("end", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.long)])
def test_a_worker_that_is_killed_or_frozen_costs_its_pieces_only(
    end: signal.Signals, plain: LocalCluster, tmp_path: Path
) -> None:
    """Killed, another does them; frozen with nobody else there, this machine."""
    worker = worker_of(plain.scheduler_address, tmp_path)
    until_there(plain)
    cluster = Cluster(Scheduler(plain.scheduler_address), quiet=2.0)
    ended = threading.Event()

    def strike(place: int, answer: Any) -> None:
        if not ended.is_set():
            ended.set()
            worker.send_signal(end)
            if end == signal.SIGKILL:
                plain.scale(1)

    try:
        with carried_by(cluster):
            pieces = [[0.1, n] for n in range(8)]
            assert work_apart(WORK, pieces, ignore_progress, 1, on_answer=strike) == list(range(8))
    finally:
        cluster.close()
        worker.kill()
        worker.wait()


@pytest.mark.long
def test_metrics_are_learned_again_by_workers_of_whom_one_is_killed_with_the_same_bytes(
    plain: LocalCluster, tmp_path: Path
) -> None:
    """A small network says who is similar: by one worker, and by two until one dies amid its piece."""
    files = FileStore(tmp_path / "files")
    plan = plan_with_networks(files, 4)
    (here,) = none_failed(run_plans([plan], files))
    workers = [worker_of(plain.scheduler_address, tmp_path)]

    def strike(told: Progress) -> None:
        """Pieces have names of their own; each worker is asked one after who it is."""
        asked = [one for one in plain.scheduler.workers.values() if any("evenhand-" in at.key for at in one.processing)]
        if len(asked) == 2:
            workers[0].kill()

    try:
        until_there(plain)
        with computing_on(plain.scheduler_address):
            (one,) = none_failed(run_plans([plan], files))
            workers.append(worker_of(plain.scheduler_address, tmp_path))
            until_there(plain, 2)
            (two,) = none_failed(run_plans([plan], files, strike))
    finally:
        died = workers[0].poll()
        for worker in workers:
            worker.kill()
            worker.wait()
    assert died == -signal.SIGKILL
    assert same_bytes(here, one)
    assert same_bytes(here, two)


def test_a_scheduler_that_goes_in_the_middle_leaves_the_rest_to_this_machine(tmp_path: Path) -> None:
    with set_dask({"distributed.comm.timeouts.connect": "1s"}), started(1, protocol="tcp://") as gone:
        cluster = Cluster(Scheduler(gone.scheduler_address), quiet=2.0)
        closing: list[threading.Thread] = []

        def strike(place: int, answer: Any) -> None:
            if not closing:
                closing.append(threading.Thread(target=gone.close))
                closing[0].start()

        try:
            with carried_by(cluster):
                pieces = [[0.1, n] for n in range(6)]
                assert work_apart(WORK, pieces, ignore_progress, 1, on_answer=strike) == list(range(6))
        finally:
            cluster.close()
            closing[0].join(timeout=30)


def test_what_a_page_asks_stands_behind_walls_there_and_reads_the_files_of_its_pieces_only(
    plain: LocalCluster, tmp_path: Path
) -> None:
    if missing_walls():
        pytest.skip("this system has none")
    files = FileStore(tmp_path / "files")
    ref, secret = files.put(b"some text", "text.txt"), tmp_path / "secret"
    secret.write_text("hush")
    plain.scale(1)
    cluster = Cluster(Scheduler(plain.scheduler_address), opens=[])
    port = int(plain.scheduler_address.rsplit(":", 1)[1])
    piece = {"files": str(files.root), "needs": [ref.sha256], "port": port}
    try:
        with carried_by(cluster):
            read = work_apart(WORK, [piece], ignore_progress)[0]
            (worker,) = plain.workers.values()
            there = Path(worker.local_directory) / "evenhand" / ref.sha256
            reach = [str(there), str(secret), f"/proc/{os.getpid()}/environ"]
            found = work_apart(WORK, [piece | {"reach": reach}], ignore_progress)[0]
    finally:
        cluster.close()
    assert read == "some text"
    assert found == ["some text", *["PermissionError"] * 3, "4", "PermissionError"]


@pytest.mark.long
def test_a_scheduler_that_is_frozen_leaves_the_rest_to_this_machine(tmp_path: Path) -> None:
    address = "tcp://127.0.0.1:8797"
    own = ("--host", "127.0.0.1", "--port", "8797", "--no-dashboard", "--no-show")
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", *own], cwd=REPOSITORY, stderr=subprocess.DEVNULL
    )
    worker = worker_of(address, tmp_path)
    cluster, frozen = None, threading.Event()

    def strike(place: int, answer: Any) -> None:
        if not frozen.is_set():
            frozen.set()
            scheduler.send_signal(signal.SIGSTOP)

    try:
        until = time.monotonic() + 60
        while cluster is None and time.monotonic() < until:
            with suppress(SettingsError):
                cluster = Cluster(Scheduler(address), quiet=4.0)
            time.sleep(0.2)
        assert cluster is not None
        with carried_by(cluster):
            pieces = [[0.1, n] for n in range(6)]
            assert work_apart(WORK, pieces, ignore_progress, 1, on_answer=strike) == list(range(6))
        assert frozen.is_set()
        with pytest.raises(SettingsError):
            Cluster(Scheduler(address), quiet=4.0)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()


@pytest.mark.long
def test_a_worker_whose_disk_is_full_is_told_and_four_find_the_same(plain: LocalCluster, tmp_path: Path) -> None:
    ref = (files := FileStore(tmp_path / "files")).put(bytes(3 * 2**20), "large.txt")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))

    worker = worker_of(plain.scheduler_address, tmp_path / "full", preexec_fn=small)
    until_there(plain)
    piece = {"files": str(files.root), "needs": [ref.sha256]}
    try:
        with computing_on(plain.scheduler_address), pytest.raises(StorageError, match="A worker cannot keep a file"):
            work_apart(WORK, [piece], ignore_progress)
    finally:
        worker.kill()
        worker.wait()
    plain.scale(4)
    with computing_on(plain.scheduler_address):
        assert work_apart(WORK, [[0.1, n] for n in range(8)], ignore_progress, 1) == list(range(8))
