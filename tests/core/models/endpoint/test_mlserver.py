"""An audit of a model in a real MLServer, in an environment of its own, for its pins clash with ours."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.endpoint.address import ALLOWED
from core.models.endpoint.settings import EndpointSettings
from core.models.endpoint.source import ModelEndpoint
from core.plan import AuditPlan
from core.records.repeat import keep_files
from core.sources.upload.uploaded import UploadedTable
from core.study import Study

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).parents[4]
PINS = ("mlserver==1.7.1", "mlserver-sklearn==1.7.1")
MAKE = """
import joblib, numpy as np, pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

rng = np.random.default_rng(0)
people = pd.DataFrame({"income": rng.integers(10, 90, 600), "debt": rng.normal(5, 2, 600).round(2)})
people["sex"] = np.where(rng.random(600) < 0.5, "f", "m")
merit = people["income"] + 8 * (people["sex"] == "m") - 3 * people["debt"] + rng.normal(0, 15, 600)
hired = np.where(merit > 35, "yes", "no")
numbers, texts = ("n", StandardScaler(), ["income", "debt"]), ("t", OneHotEncoder(), ["sex"])
model = make_pipeline(ColumnTransformer([numbers, texts]), LogisticRegression()).fit(people, hired)
joblib.dump(model, "model.joblib")
answers = model.predict_proba(people)[:, 1]
people.assign(hired=hired, answer=answers).to_csv("people.csv", index=False)
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with MLServer: that of EVENHAND_MLSERVER, or one that is made for these tests."""
    if made := os.environ.get("EVENHAND_MLSERVER"):
        return Path(made) / "bin"
    folder = tmp_path_factory.mktemp("mlserver")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "-q", *PINS]
    installed = subprocess.run(pip, capture_output=True, text=True, timeout=900, check=False)
    if installed.returncode:
        pytest.skip(f"No registry gave {' and '.join(PINS)}: {installed.stderr[-200:]}")
    return folder / "bin"


@pytest.fixture(scope="module")
def served(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, subprocess.Popen]]:  # type: ignore[type-arg]
    """The folder of the model and its people, the server's port, and the server, which a test may stop."""
    folder = tmp_path_factory.mktemp("served")
    subprocess.run([str(environment / "python"), "-c", MAKE], cwd=folder, check=True)
    ports = [free_port() for _ in range(3)]
    names = ("http_port", "grpc_port", "metrics_port")
    settings = {"host": "127.0.0.1", "parallel_workers": 0, **dict(zip(names, ports, strict=True))}
    (folder / "settings.json").write_text(json.dumps(settings))
    model = {"name": "income", "implementation": "mlserver_sklearn.SKLearnModel"}
    model |= {"parameters": {"uri": "./model.joblib", "version": "v1"}}
    (folder / "model-settings.json").write_text(json.dumps(model))
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([str(environment / "mlserver"), "start", "."], cwd=folder, stdout=log, stderr=log)
    until = time.monotonic() + 60
    while not is_ready(ports[0]):
        assert time.monotonic() < until, (folder / "log").read_text()[-2000:]
        time.sleep(0.2)
    yield folder, ports[0], server
    server.terminate()
    server.wait(timeout=20)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v2/models/income/ready", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def run(record: Path, out: Path, home: Path, allowed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "core", "run", str(record), "--out", str(out)],
        cwd=REPOSITORY,
        env=os.environ | {"EVENHAND_HOME": str(home), ALLOWED: allowed},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_audit_runs_through_a_real_server_and_repeats_without_it(
    served: tuple[Path, int, subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, port, server = served
    files, plan = FileStore(tmp_path / "files"), tmp_path / "plan"
    table = files.put((folder / "people.csv").read_bytes(), "people.csv")
    features = ("income", "debt", "sex")
    endpoint = EndpointSettings(url=f"http://127.0.0.1:{port}", model="income", version="v1", answer="predict_proba")
    shared = {
        "data": UploadedTable(file=table),
        "roles": Roles(
            outcome="hired", favourable="yes", protected=("sex",), features=features, predictions=("answer",)
        ),
        "model": ModelEndpoint(endpoint=endpoint, holds="class probabilities"),
    }
    study = Study(plans=tuple(AuditPlan(**shared, audit=audit) for audit in (ColumnSensitivity(), GroupFairness())))
    keep_files(study, files, plan)
    (plan / "plan.json").write_text(study.model_dump_json())
    refused = run(plan / "plan.json", tmp_path / "none", tmp_path / "home", "")
    assert refused.returncode == 2
    assert f"{ALLOWED}=127.0.0.1:{port}" in refused.stderr
    first = run(plan / "plan.json", tmp_path / "out", tmp_path / "home", f"127.0.0.1:{port}")
    assert first.returncode == 0, first.stderr
    assert "the model income version v1 at 127.0.0.1 (the server names it version v1)" in first.stdout
    by_itself = dict(shared, model={"kind": "predictions", "columns": ["answer"], "holds": "probability"})
    alone = Study(plans=(AuditPlan(**by_itself, audit=GroupFairness()),))
    (plan / "alone.json").write_text(alone.model_dump_json())
    assert run(plan / "alone.json", tmp_path / "alone", tmp_path / "home", "").returncode == 0
    confusions = [
        json.loads((tmp_path / name / "record.json").read_text())["tests"][0]["model"] for name in ("out", "alone")
    ]
    assert confusions[0]["accuracy"] == confusions[1]["accuracy"]
    server.terminate()
    server.wait(timeout=20)
    keep_files(study, files, tmp_path / "out")
    again = run(tmp_path / "out" / "record.json", tmp_path / "again", tmp_path / "elsewhere", "")
    assert again.returncode == 0, again.stderr
    assert "The numbers are the same as in the record, to the last digit." in again.stdout
