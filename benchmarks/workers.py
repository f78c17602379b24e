"""What the workers of a scheduler cost and gain, beside the same pieces of work in this process and in two of its own.

Run from the repository: ``python -m benchmarks.workers [ROWS] [TEXTS]``. Scheduler and workers are processes of this
machine. Of tables each piece is a test of group fairness of one column of answers about ROWS people, of texts a block
of the sensitivity test of a small LSTM.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

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

ADDRESS, MODELS, TASKS, LETTERS = "tcp://127.0.0.1:8798", 8, 200, 60


def plans_of(rows: int, files: FileStore) -> list[AuditPlan]:
    rng = np.random.default_rng(0)
    sex, region, repaid = rng.integers(2, size=rows), rng.integers(20, size=rows), rng.random(rows) < 0.5
    columns = {f"model {n}": np.where(rng.random(rows) < 0.5 + 0.02 * sex, "yes", "no") for n in range(MODELS)}
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


def texts_of(texts: int, files: FileStore) -> list[AuditPlan]:
    frame = Biographies(rows=texts).load(files)
    frame["text"] = frame["text"].str.slice(0, LETTERS)
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "biographies.csv"))
    name = "bios_lstm_biased.zip"
    roles = Roles(text="text", outcome="occupation", protected=("gender",))
    model = LstmArchive(file=files.put((SAMPLE_MODELS / name).read_bytes(), name))
    return [AuditPlan(data=table, roles=roles, model=model, audit=TextSensitivity(status=NoStatus()))]


def timed(plans: list[AuditPlan], files: FileStore) -> float:
    started = time.perf_counter()
    none_failed(run_plans(plans, files))
    return time.perf_counter() - started


def main(rows: int, texts: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = FileStore(Path(folder) / "files")
        if rows:
            compared(f"{MODELS} tests of {rows:,} people", plans_of(rows, files), files, folder)
        if texts:
            compared(f"a test of {texts:,} texts", texts_of(texts, files), files, folder)


def compared(called: str, plans: list[AuditPlan], files: FileStore, folder: str) -> None:
    python, quiet = [sys.executable, "-m"], {"stderr": subprocess.DEVNULL}
    timed(plans[:1], files)
    here = timed(plans, files)
    print(f"{called} here: {here:.1f} s", flush=True)
    for workers in (1, 2):
        own = ("--host", "127.0.0.1", "--port", "8798", "--no-dashboard", "--no-show")
        started = [subprocess.Popen([*python, "distributed.cli.dask_scheduler", *own], **quiet)]  # noqa: S603
        more = (ADDRESS, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder)
        for _ in range(workers):
            started.append(subprocess.Popen([*python, "distributed.cli.dask_worker", *more], **quiet))  # noqa: PERF401, S603
        time.sleep(5)
        try:
            with computing_on(ADDRESS):
                first, there = timed(plans, files), timed(plans, files)
                begun = time.perf_counter()
                work_apart("tests.core.base.work_for_apart", list(range(TASKS)), ignore_progress)
                each = (time.perf_counter() - begun) / TASKS
                held = [
                    int(line.split()[1]) / 1024
                    for one in started[1:]
                    for line in Path(f"/proc/{one.pid}/status").read_text().splitlines()
                    if line.startswith("VmRSS")
                ]
        finally:
            for one in reversed(started):
                one.terminate()
                one.wait()
        print(
            f"{workers} workers: {there:.1f} s ({there / here:.2f} of here; {first:.1f} s with files and starts), "
            f"{1000 * each:.1f} ms a task, a worker without its piece {max(held):.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]] or [1_000_000]
    main(given[0], given[1] if len(given) > 1 else 0)
