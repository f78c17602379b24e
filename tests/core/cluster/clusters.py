"""Schedulers with workers on this machine, and a table whose tests they are given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from distributed import LocalCluster
from distributed.security import Security

from core.base.files import FileStore
from core.cluster.address import Scheduler
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.codec import to_bytes
from core.sources.upload.uploaded import UploadedTable

CERTIFICATES = Path(__file__).parent / "certificates"
CA, CERT, KEY = (str(CERTIFICATES / name) for name in ("ca.pem", "own.pem", "own.key"))


def started(workers: int, **more: Any) -> LocalCluster:
    quiet = {"silence_logs": 60, "dashboard_address": None, "processes": False, "threads_per_worker": 1}
    return LocalCluster(n_workers=workers, host="127.0.0.1", **quiet, **more)


@contextmanager
def by_tls(workers: int) -> Iterator[Scheduler]:
    """A scheduler that is spoken to by TLS, with so many workers."""
    own = {
        f"tls_{who}_{what}": path
        for who in ("scheduler", "worker", "client")
        for what, path in (("cert", CERT), ("key", KEY))
    }
    security = Security(tls_ca_file=CA, require_encryption=True, **own)
    with started(workers, protocol="tls://", security=security) as cluster:
        yield Scheduler(cluster.scheduler_address, CA, CERT, KEY)


def people(files: FileStore) -> tuple[UploadedTable, Roles]:
    rng = np.random.default_rng(3)
    sex, repaid = rng.random((2, 1500)) < 0.5
    answers = {f"model {n}": np.where(rng.random(1500) < 0.3 + 0.1 * sex + 0.02 * n, "yes", "no") for n in range(2)}
    frame = pd.DataFrame({"sex": np.where(sex, "f", "m"), "repaid": np.where(repaid, "yes", "no"), **answers})
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))
    return table, Roles(outcome="repaid", favourable="yes", protected=("sex",), predictions=tuple(answers))


def plan_of(table: UploadedTable, roles: Roles, audit: Any, n: int = 0) -> AuditPlan:
    return AuditPlan(data=table, roles=roles, model=PredictionColumns(columns=(f"model {n}",)), audit=audit, seed=5)


def same_bytes(one: Any, other: Any) -> bool:
    return to_bytes(replace(one, seconds=0.0)) == to_bytes(replace(other, seconds=0.0))
