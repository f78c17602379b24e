"""What the workers of a scheduler cost and gain, beside the same pieces of work in this process and in two of its own.

Run from the repository: ``python -m benchmarks.workers [ROWS] [TEXTS] [SPLITS]``. Scheduler and workers are processes
of this machine. Of tables each piece is a test of group fairness of one column of answers about ROWS people; of more
than a million people a file of a folder that is looked over, or counted; of texts a block of the sensitivity test of a
small LSTM; of fits of fairer models one of SPLITS further splits of a table's rows.

``python -m benchmarks.workers records [ROWS] [TEXTS]`` audits a folder of ROWS people, TEXTS texts and several models
by the command line, and has the record repeated by one worker, and by three of which one is killed.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

from benchmarks.folders import write, write_applicants
from core import audit
from core.audits.group_fairness.settings import GroupFairness
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.apart import work_apart
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.cluster.carrier import computing_on
from core.data.roles import Roles
from core.models.formats.lstm.source import LstmArchive
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.protected_status.settings import NoStatus
from core.records.pieces import none_failed, run_plans
from core.sources.simulated.biographies import Biographies
from core.sources.upload.uploaded import UploadedTable
from core.workflows.examples import SAMPLE_MODELS
from core.workflows.mitigation.one_split import one_split
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.splits import over_splits

PORT, MODELS, TASKS, LETTERS, FITTED, TURNS = "8798", 8, 200, 60, 2_000, 3
MOST_IN_MEMORY = 10**6
ADDRESS = f"tcp://127.0.0.1:{PORT}"
LSTM, NETWORK = "bios_lstm_biased.zip", "hiring_baseline.onnx"
AMID = 1.6
"""Seconds of processor after which a process of a worker has begun its piece."""
SAME = "The numbers are the same as in the record, to the last digit."


def plans_of(rows: int, files: FileStore) -> list[AuditPlan]:
    rng = np.random.default_rng(0)
    sex, region, repaid = rng.integers(2, size=rows), rng.integers(20, size=rows), rng.random(rows) < 0.5
    likely = 0.4 + 0.02 * sex + 0.2 * repaid
    columns = {f"model {n}": np.where(rng.random(rows) < likely, "yes", "no") for n in range(MODELS)}
    people = {"sex": np.where(sex, "f", "m"), "region": region.astype(str), "repaid": np.where(repaid, "yes", "no")}
    path = files.root.parent / "people.parquet"
    pd.DataFrame(people | columns).to_parquet(path, index=False)
    table = UploadedTable(file=files.put_file(path, "people.parquet"))
    roles = {"outcome": "repaid", "favourable": "yes", "protected": ("sex", "region")}
    return [
        AuditPlan(
            data=table,
            roles=Roles(**roles, predictions=(column,)),
            model=PredictionColumns(columns=(column,)),
            audit=GroupFairness(),
        )
        for column in columns
    ]


def folder_of(rows: int, place: Path) -> Callable[[], object]:
    write(place, rows)
    asked = {"outcome": "repaid", "favourable": "yes", "protected": ["sex", "race"], "predictions": "approved"}
    tests = ["group_fairness", "equalized_odds"]
    return lambda: audit(place, features=["region", "band"], tests=tests, progress=False, **asked).verdict


def biographies(texts: int, files: FileStore) -> pd.DataFrame:
    frame = Biographies(rows=texts).load(files)
    return frame.assign(text=frame["text"].str.slice(0, LETTERS))


def texts_of(texts: int, files: FileStore) -> list[AuditPlan]:
    content = biographies(texts, files).to_csv(index=False).encode()
    table = UploadedTable(file=files.put(content, "biographies.csv"))
    roles = Roles(text="text", outcome="occupation", protected=("gender",))
    model = LstmArchive(file=files.put((SAMPLE_MODELS / LSTM).read_bytes(), LSTM))
    return [AuditPlan(data=table, roles=roles, model=model, audit=TextSensitivity(status=NoStatus()))]


def fits_of(splits: int, files: FileStore) -> MitigationPlan:
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=FITTED)
    frame = pd.DataFrame({"x": rng.standard_normal(FITTED) + group, "group": np.where(group, "b", "a")})
    frame["good"] = np.where(frame["x"] + rng.standard_normal(FITTED) > 0.5, "yes", "no")
    return MitigationPlan(
        data=UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv")),
        roles=Roles(outcome="good", favourable="yes", protected=("group",), features=("x",)),
        splits=splits + 1,
    )


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main(rows: int, texts: int, splits: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = FileStore(Path(folder) / "files")

        def tested(plans: list[AuditPlan]) -> Callable[[], object]:
            timed(lambda: none_failed(run_plans(plans[:1], files)))
            return lambda: none_failed(run_plans(plans, files))

        if rows > MOST_IN_MEMORY:
            called = f"a folder of {rows:,} people, two tests by counts"
            work = folder_of(rows, Path(folder) / "people")
            work()
            compared(called, work, folder)
        elif rows:
            compared(f"{MODELS} tests of {rows:,} people", tested(plans_of(rows, files)), folder)
        if texts:
            compared(f"a test of {texts:,} texts", tested(texts_of(texts, files)), folder)
        if splits:
            plan = fits_of(splits, files)
            first = one_split(plan, files, files, ignore_progress)
            called = f"{splits} splits of {FITTED:,} people, {1 + len(plan.models)} models each"
            compared(called, lambda: over_splits(plan, first, files, ignore_progress), folder)


@contextmanager
def running(workers: int, folder: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Workers of a scheduler, each a process."""
    python, quiet = [sys.executable, "-m"], {"stderr": subprocess.DEVNULL}
    own = ("--host", "127.0.0.1", "--port", PORT, "--no-dashboard", "--no-show")
    started = [subprocess.Popen([*python, "distributed.cli.dask_scheduler", *own], **quiet)]  # noqa: S603
    more = (ADDRESS, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder)
    for _ in range(workers):
        started.append(subprocess.Popen([*python, "distributed.cli.dask_worker", *more], **quiet))  # noqa: PERF401, S603
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(PORT))):
            break
        time.sleep(0.1)
    time.sleep(2 * workers)
    try:
        yield started[1:]
    finally:
        for one in reversed(started):
            one.terminate()
            one.wait()


def records(rows: int, texts: int) -> None:
    """Print for each audit how long it took here, by one worker, and by three of which one was killed."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        write(root / "people", rows)
        write_applicants(root / "applicants", rows)
        plans_of(200_000, FileStore(root / "files"))
        biographies(texts, FileStore(root / "files")).to_csv(root / "texts.csv", index=False)
        people = ["--outcome", "repaid", "--favourable", "yes", "--protected", "sex"]
        roles = [*people, "--protected", "race", "--features", "region", "--features", "band"]
        answers = [one for n in range(MODELS) for one in ("--predictions", f"model {n}")]
        lstm = ["--model", SAMPLE_MODELS / LSTM, "--text", "text", "--outcome", "occupation", "--protected", "gender"]
        by_counts = ["--predictions", "approved", "--tests", "group_fairness", "--tests", "equalized_odds"]
        hired = ["--model", SAMPLE_MODELS / NETWORK, "--numbers", "standardised", "--outcome", "hired"]
        hired += ["--favourable", "yes", "--protected", "gender", "--protected", "ethnicity"]
        asked: dict[str, list[object]] = {
            f"{rows:,} people": ["audit", "--table", root / "people", *roles, *by_counts],
            f"{rows:,} applicants of a model": ["audit", "--table", root / "applicants", *hired, *by_counts[2:]],
            f"{texts:,} texts": ["audit", "--table", root / "texts.csv", *lstm, "--tests", "text_sensitivity"],
            f"{MODELS} models": ["compare", "--table", root / "people.parquet", *people, *answers],
        }
        for called, command in asked.items():
            out = root / called
            ran(*command, "--out", out)
            repeat = ["run", out / "record.json", "--out", root / "again"]
            elsewhere = [*repeat, "--scheduler", ADDRESS]
            with running(1, place):
                first, said = ran(*elsewhere)
                print(f"{called}: {first:.1f} s by a fresh worker: {said}", end="", flush=True)
                here, there = zip(*[(ran(*repeat)[0], ran(*elsewhere)[0]) for _ in range(TURNS)], strict=True)
            ratios = [one / other for one, other in zip(there, here, strict=True)]
            print(f"; {median(here):.1f} s here, {median(there):.1f} s by the worker", end="")
            print(f" ({median(ratios):.2f}; {min(ratios):.2f} to {max(ratios):.2f})", end="", flush=True)
            with running(3, place) as workers:
                there, said = ran(*elsewhere, killing=workers[:1])
            print(f"; {there:.1f} s by three, one killed: {said}", flush=True)


def ran(*command: object, killing: Sequence[subprocess.Popen[bytes]] = ()) -> tuple[float, str]:
    """Seconds that a command took, and whether its numbers are those of the record; workers are killed amid a piece."""
    started, waiting = time.perf_counter(), list(killing)
    asked = [sys.executable, "-m", "core", *map(str, command)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:  # noqa: S603
        while process.poll() is None:
            for one in [one for one in waiting if works(one.pid)]:
                one.kill()
                waiting.remove(one)
            time.sleep(0.05)
        said = process.communicate()[0]
    if process.returncode or waiting:
        sys.exit(said)
    return time.perf_counter() - started, "same" if SAME in said else "other"


def works(worker: int) -> bool:
    """Whether a process of this worker is amid a piece."""
    ticks = AMID * os.sysconf("SC_CLK_TCK")
    with suppress(OSError):  # what ends meanwhile is looked for again
        for path in Path(f"/proc/{worker}/task").glob("*/children"):
            for child in path.read_text().split():
                state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                if state[0] == "R" and int(state[11]) + int(state[12]) > ticks:
                    return True
    return False


def compared(called: str, work: Callable[[], object], folder: str) -> None:
    here = timed(work)
    print(f"{called} here: {here:.1f} s", flush=True)
    for workers in (1, 2, 4):
        with running(workers, folder) as started, computing_on(ADDRESS):
            first, there = timed(work), timed(work)
            begun = time.perf_counter()
            work_apart("tests.core.base.work_for_apart", list(range(TASKS)), ignore_progress)
            each = (time.perf_counter() - begun) / TASKS
            held = [
                int(line.split()[1]) / 1024
                for one in started
                for line in Path(f"/proc/{one.pid}/status").read_text().splitlines()
                if line.startswith("VmRSS")
            ]
        print(
            f"{workers} workers: {there:.1f} s ({there / here:.2f} of here; {first:.1f} s with files and starts), "
            f"{1000 * each:.1f} ms a task, a worker without its piece {max(held):.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    given = [int(float(one)) for one in sys.argv[1:] if one != "records"]
    if "records" in sys.argv:
        records(*(given or [10**7]), *([] if len(given) > 1 else [4096]))
    else:
        main(*(given or [1_000_000]), *[0] * (3 - max(1, len(given))))
