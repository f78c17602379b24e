"""A model behind an address from the first field to the verdict, in the sandbox in which every job runs."""

import os
import signal
import time
from collections.abc import Iterator

import pandas as pd
import pytest

from core.base.files import FileStore, home
from core.data.roles import Roles
from core.models import MODEL_FORMATS
from core.models.endpoint.address import ALLOWED
from core.models.endpoint.kept import place_of
from core.models.endpoint.settings import EndpointSettings
from core.sources.upload.uploaded import UploadedTable
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import EndpointTrial, ModelPreview
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable
from tests.dashboard.walking import assert_sound, click, draft_of, keys, open_app, settled, texts, upload
from tests.model_server import ModelServer, serving

FRAME = pd.DataFrame(
    {"income": [10 + n % 80 for n in range(240)], "sex": ["f", "m", "m"] * 80, "hired": ["no", "yes"] * 120}
)
TABLE = FRAME.to_csv(index=False).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """A model server that a worker of its own may ask."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch, serving(ModelServer()) as running:
        patch.setenv("EVENHAND_HOME", str(home))
        patch.setenv("EVENHAND_SECRET_INCOME", "Bearer hush")
        patch.setenv(ALLOWED, f"127.0.0.1:{running.port}")
        yield running
        if (worker := jobs.running_worker(home / "jobs")) is not None:
            os.kill(worker["pid"], signal.SIGTERM)


def arguments(endpoint: EndpointSettings) -> dict[str, object]:
    table = FileStore().put(TABLE, "people.csv")
    roles = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("income", "sex"))
    return {
        "source": UploadedTable(file=table).model_dump(mode="json"),
        "roles": roles.model_dump(mode="json"),
        "model": MODEL_FORMATS["endpoint"](endpoint=endpoint).model_dump(mode="json"),
    }


def test_the_step_tries_asks_and_leads_to_the_tests(server: ModelServer) -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", TABLE)
    click(app, "step_next")
    app.radio(key="model.way").set_value("A model behind an address")
    settled(app)
    assert "Type the address of the server" in texts(app)
    app.text_input(key="model.form.address.url").set_value("no address")
    settled(app)
    assert "the address is none; it begins with https:// or http://" in texts(app)
    app.text_input(key="model.form.address.url").set_value("https://models.example.org/score")
    settled(app)
    app.selectbox(key="model.form.address.protocol").set_value("plain")
    settled(app)
    assert f"{ALLOWED}=" in texts(app)
    assert "models.example.org:443" in texts(app)
    app.text_input(key="model.form.address.url").set_value(f"http://127.0.0.1:{server.port}/score")
    app.text_input(key="model.form.address.plain.answer").set_value("results.*.q")
    settled(app)
    click(app, "model.try")
    assert "The answer has no 'q' where the path to it says so" in texts(app)
    app.text_input(key="model.form.address.plain.answer").set_value("results.*.p")
    settled(app)
    asked = server.rows
    click(app, "model.try")
    assert_sound(app)
    assert server.rows == asked + 5
    assert "The model answered. Four rows took" in texts(app)
    assert app.dataframe[-1].value["yes (answer)"].tolist() == pytest.approx(FRAME["income"][:5] / 100)
    asked, server.faults = server.rows, [404]
    click(app, "model.ask")
    assert "The server has no model at this path" in texts(app)
    click(app, next(key for key in keys(app) if key.startswith("again_")))
    assert_sound(app)
    assert server.rows > asked + 100
    assert "are saved" in texts(app)
    assert "repeating the audit does not contact the server" in texts(app)
    click(app, "step_next")
    assert_sound(app)
    endpoint = draft_of(app).model.endpoint
    assert place_of(endpoint.identity).exists()
    Removal(JobTable()).sweep()
    assert place_of(endpoint.identity).exists()
    (visitor,) = (home() / "drafts").iterdir()
    Removal(JobTable()).delete_draft(app.session_state["draft"], visitor.name)
    assert not place_of(endpoint.identity).exists()


@pytest.mark.long
def test_the_sandboxed_job_tries_and_inspects_a_model_behind_an_address(server: ModelServer) -> None:
    before = server.rows
    asked = arguments(server.settings(secret="EVENHAND_SECRET_INCOME", asked_as_of="trial"))  # noqa: S106
    job = jobs.wait(jobs.submit("try_endpoint", asked), 60)
    assert job.state == "done", job.failure
    trial = unpack(job.answer, EndpointTrial)
    assert (len(trial.examples), trial.rows, server.rows - before) == (5, 240, 5)
    assert trial.examples["yes (answer)"].tolist() == pytest.approx(
        [server.answer(row) for row in FRAME[:5].to_dict("records")]
    )
    low, high = trial.seconds_for_all(server.settings(batch_rows=10))
    assert (24 * trial.seconds, 60 * trial.seconds) == (pytest.approx(low), pytest.approx(high))
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
    assert (failed.failure.kind, "has no model" in failed.failure.error.what) == ("ModelError", True)
    server.faults = [2.0] * 2
    slow = jobs.submit("inspect_model", arguments(server.settings(asked_as_of="slow", batch_rows=10)))
    posts, until = server.posts, time.monotonic() + 20
    while server.posts == posts:
        assert time.monotonic() < until
        time.sleep(0.02)
    jobs.cancel(slow.id)
    assert jobs.wait(slow, 10).state == "cancelled"
    assert server.posts <= posts + 2
