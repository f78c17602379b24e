"""A model behind an address is asked for a job by a process of its own, within what the job names."""

import math
import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from core.base.errors import ModelError
from core.base.progress import Progress, ignore_progress
from core.models.endpoint.address import ALLOWED
from core.models.endpoint.rows import Rows
from dashboard.jobs.broker import AskerThroughBroker, Broker
from dashboard.jobs.environment import harmless_environment
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
        with pytest.raises(ModelError, match="has no model"):
            asker.ask(Rows(ROWS.names, ((12345, "f"),)), ignore_progress)
        posts = server.posts
        with pytest.raises(ModelError, match="has ended"):
            AskerThroughBroker(stranger, broker.end_of_child).ask(ROWS, ignore_progress)
        with pytest.raises(ModelError, match="has ended"):
            asker.ask(ROWS, ignore_progress)
        assert server.posts == posts
    finally:
        broker.end()


def test_a_job_has_no_secrets_in_its_environment(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.environ["EVENHAND_SECRET_INCOME"] == "Bearer hush"
    monkeypatch.setenv("EVENHAND_DATABASE", "postgresql://me:password@db/evenhand")
    assert not [name for name in harmless_environment() if "SECRET" in name or "DATABASE" in name]
    assert harmless_environment()["EVENHAND_HOME"] == os.environ["EVENHAND_HOME"]


def test_a_job_that_asks_has_the_patience_of_its_endpoint(server: ModelServer) -> None:
    task = TASKS["inspect_model"]
    asking, file = {"model": server.settings(minutes=7.0).model_dump(mode="json")}, {"model": {}}
    assert task.longest(asking) == task.longest(file) + 420
    assert (task.lane_for(asking), task.lane_for(file)) == ("reading", "quick")
