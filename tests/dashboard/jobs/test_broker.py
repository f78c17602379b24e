"""A model behind an address is asked for a job by a process of its own, within what the job names."""

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from core.data.roles import Roles
from core.errors import ModelError
from core.files import FileStore
from core.models import MODEL_FORMATS
from core.models.endpoint.address import ALLOWED
from core.models.endpoint.rows import Rows
from core.models.endpoint.settings import EndpointSettings
from core.progress import Progress, ignore_progress
from core.sources.upload.uploaded import UploadedTable
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack
from dashboard.jobs.broker import AskerThroughBroker, Broker
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.previews import EndpointTrial, ModelPreview
from dashboard.jobs.tasks import TASKS
from tests.model_server import ModelServer, serving

FRAME = pd.DataFrame(
    {"income": [10 + n % 80 for n in range(240)], "sex": ["f", "m", "m"] * 80, "hired": ["no", "yes"] * 120}
)
ROWS = Rows.of(FRAME[["income", "sex"]], ("income", "sex"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setenv("EVENHAND_SECRET_INCOME", "Bearer hush")
    with serving(ModelServer()) as running:
        monkeypatch.setenv(ALLOWED, f"127.0.0.1:{running.port}")
        yield running


def arguments(endpoint: EndpointSettings) -> dict[str, object]:
    table = FileStore().put(FRAME.to_csv(index=False).encode(), "people.csv")
    roles = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("income", "sex"))
    return {
        "source": UploadedTable(file=table).model_dump(mode="json"),
        "roles": roles.model_dump(mode="json"),
        "model": MODEL_FORMATS["endpoint"](endpoint=endpoint).model_dump(mode="json"),
    }


def test_the_broker_asks_what_its_job_names_and_nothing_else(server: ModelServer) -> None:
    settings = server.settings("open inference", secret="EVENHAND_SECRET_INCOME", batch_rows=50)  # noqa: S106
    stranger = server.settings("mlflow")
    assert Broker.for_job({"model": {"kind": "onnx"}}) is None
    broker = Broker.for_job({"a": [{"model": settings.model_dump(mode="json")}]})
    assert broker is not None
    try:
        asker, seen = AskerThroughBroker(settings, broker.end_of_child), list[Progress]()
        found = asker.ask(ROWS, seen.append)
        assert found == [(server.answer(row),) for row in FRAME.to_dict("records")]
        assert server.requests[-1][1]["Authorization"] == "Bearer hush"
        assert seen[-1].done == 1
        assert len({part.done for part in seen}) > 3
        assert asker.conclude().others == 0
        server.answer = lambda row: float("nan")
        ((nan,),) = asker.ask(Rows(ROWS.names, ((1234, "f"),)), ignore_progress)
        assert math.isnan(nan)
        server.faults = [404]
        with pytest.raises(ModelError, match="knows no model"):
            asker.ask(Rows(ROWS.names, ((12345, "f"),)), ignore_progress)
        posts = server.posts
        with pytest.raises(ModelError, match="has ended"):
            AskerThroughBroker(stranger, broker.end_of_child).ask(ROWS, ignore_progress)
        assert server.posts == posts
    finally:
        broker.end()


def test_a_job_has_no_secrets_in_its_environment(server: ModelServer) -> None:
    assert os.environ["EVENHAND_SECRET_INCOME"] == "Bearer hush"
    assert not [name for name in harmless_environment() if "SECRET" in name]
    assert harmless_environment()["EVENHAND_HOME"] == os.environ["EVENHAND_HOME"]


def test_a_job_that_asks_has_the_patience_of_its_endpoint(server: ModelServer) -> None:
    task = TASKS["inspect_model"]
    asking, file = {"model": server.settings(minutes=7.0).model_dump(mode="json")}, {"model": {}}
    assert task.longest(asking) == task.longest(file) + 420
    assert (task.lane_for(asking), task.lane_for(file)) == ("reading", "quick")


def test_the_sandboxed_job_tries_and_inspects_a_model_behind_an_address(server: ModelServer) -> None:
    asked = arguments(server.settings(secret="EVENHAND_SECRET_INCOME", asked_as_of="trial"))  # noqa: S106
    job = jobs.wait(jobs.submit("try_endpoint", asked), 60)
    assert job.state == "done", job.failure
    trial = unpack(job.answer, EndpointTrial)
    assert (len(trial.examples), trial.rows, server.rows) == (5, 240, 5)
    assert trial.examples["yes (answer)"].tolist() == pytest.approx(
        [server.answer(row) for row in FRAME[:5].to_dict("records")]
    )
    low, high = trial.seconds_for_all(server.settings(batch_rows=10))
    assert 24 * trial.seconds == pytest.approx(low)
    assert 48 * trial.seconds == pytest.approx(high)
    asked = arguments(server.settings(asked_as_of="now"))
    job = jobs.wait(jobs.submit("inspect_model", asked), 60)
    assert job.state == "done", job.failure
    preview = unpack(job.answer, ModelPreview)
    assert preview.report.rows == 240
    assert any("gives answers and no gradients" in reason for _, reason in preview.unsuited)
    assert "hush" not in repr(job)
    server.faults = [404]
    failed = jobs.wait(jobs.submit("inspect_model", arguments(server.settings(asked_as_of="failing"))), 60)
    assert failed.failure is not None
    assert (failed.failure.kind, "knows no model" in failed.failure.what) == ("ModelError", True)
    server.faults = [3.0] * 3
    slow = jobs.submit("inspect_model", arguments(server.settings(asked_as_of="slow", batch_rows=10)))
    posts, until = server.posts, time.monotonic() + 20
    while server.posts == posts:
        assert time.monotonic() < until
        time.sleep(0.02)
    jobs.cancel(slow.id)
    assert jobs.wait(slow, 10).state == "cancelled"
    assert server.posts <= posts + 2
