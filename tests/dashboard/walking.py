"""Walks through the dashboard as a user would, without a browser."""

import functools
import os
import re
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import streamlit
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard import session
from dashboard.draft import Draft
from dashboard.jobs.table import JobTable

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60.0
PATIENCE_BETWEEN_LOOKS = 0.5


def open_app(**address: str) -> AppTest:
    """The first page, with ``address`` behind the question mark."""
    streamlit.config.set_option("client.showErrorDetails", "full")
    app = AppTest.from_file(str(REPOSITORY / "dashboard" / "script.py"), default_timeout=30)
    for name, value in address.items():
        app.query_params[name] = value
    return settled(app)


def open_page(page: str, **address: str) -> AppTest:
    """A page of its own, as its address opens it."""
    app = open_app()
    app._page_hash = calc_hash(page)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    app._page_hash = ""
    return settled(app)


def job_of(app: AppTest, page: str) -> str:
    """The id of the job in the address of a page."""
    name = app.query_params[page]
    return name[0] if isinstance(name, list) else name


def draft_of(app: AppTest) -> Draft:
    """What is chosen so far."""
    return session.load(app.session_state["draft"])


def settled(app: AppTest) -> AppTest:
    """Run until the page waits for nothing any more."""
    until = time.monotonic() + PATIENCE
    app.run()
    while any(str(button.key).startswith(("stop_",)) for button in app.button):
        assert time.monotonic() < until, f"still waiting: {texts(app)}"
        wait_for_jobs(PATIENCE_BETWEEN_LOOKS)
        app.run()
    return app


def wait_for_jobs(seconds: float) -> None:
    """Wait until no job waits or runs, but no longer than so: a look at the table costs less than a run of the page."""
    until, table = time.monotonic() + seconds, JobTable()
    time.sleep(0.02)
    with closing(table.watch()) as seen:
        while time.monotonic() < until and not (seen.changed() and not table.in_state("queued", "running")):
            time.sleep(0.02)


def click(app: AppTest, key: str) -> AppTest:
    """Press a button and wait for what follows."""
    app.button(key=key).click()
    return settled(app)


def keys(app: AppTest) -> set[str]:
    """Keys of the buttons on the page."""
    return {str(button.key) for button in app.button}


def texts(app: AppTest) -> str:
    """Everything that is written on the page, as a reader sees it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", source(app)).replace("\u2060", "")


def source(app: AppTest) -> str:
    """The same as Markdown."""
    elements = (*app.title, *app.header, *app.markdown, *app.caption, *app.info, *app.success, *app.warning)
    return "\n".join(str(element.value) for element in (*elements, *app.error, *app.code))


def assert_sound(app: AppTest) -> None:
    """No exception, no traceback, no fault of ours."""
    assert not app.exception, [element.value for element in app.exception]
    assert "Something went wrong inside Evenhand" not in texts(app)
    assert "Traceback" not in texts(app)


def sample_model() -> tuple[str, bytes]:
    """The hiring example's model file."""
    path = REPOSITORY / "sample_models" / "hiring_baseline.safetensors"
    return path.name, path.read_bytes()


def upload(app: AppTest, key: str, name: str, content: bytes) -> AppTest:
    """Bring a file and wait for what follows."""
    app.file_uploader(key=key).upload(name, content, "application/octet-stream")
    return settled(app)


def walked_once(page: str) -> Callable[[Callable[..., AppTest]], Callable[..., AppTest]]:
    """A walk that ends on ``page`` and is made once: whoever asks for the same opens it there with a copy of its draft.

    That is what a browser does after a refresh, whose session is new and whose address is not.
    """

    def of(walk: Callable[..., AppTest]) -> Callable[..., AppTest]:
        ends: dict[object, Draft] = {}

        @functools.wraps(walk)
        def walked(*args: Any, **choices: Any) -> AppTest:
            asked = home_folder(), args, *choices.items()
            if asked not in ends:
                app = walk(*args, **choices)
                ends[asked] = draft_of(app)
                return app
            name = uuid.uuid4().hex[:16]
            session.save(name, ends[asked])
            return open_page(page, draft=name)

        return walked

    return of


def with_built_in_table() -> AppTest:
    """The first step with the embedded hiring table chosen."""
    app = click(open_app(), "start")
    app.radio(key="data.way").set_value("Use a built-in table")
    return settled(app)


@walked_once("model")
def with_model() -> AppTest:
    """The second step with the hiring example's model chosen."""
    app = click(with_built_in_table(), "step_next")
    return upload(app, "model.file", *sample_model())


@walked_once("similar")
def with_tests() -> AppTest:
    """The fourth step with the hiring example's model and the test proposed for it."""
    return click(click(with_model(), "step_next"), "step_next")


@walked_once("similar")
def with_predictions(table: bytes, name: str = "predicted.csv", *, without: tuple[str, ...] = ()) -> AppTest:
    """The fourth step of somebody who brings a table with a column of predictions and presses Next.

    Args:
        table: A CSV file.
        name: Its name.
        without: Proposed tests that are unticked on the way.
    """
    app = upload(click(open_app(), "start"), "data.file", name, table)
    for _ in range(2):
        click(app, "step_next")
    for kind in without:
        named(app.checkbox, f"tests.{kind}").set_value(False)
        settled(app)
    return click(app, "step_next")


def home_folder() -> Path:
    """Where this test session keeps its files."""
    return Path(os.environ["EVENHAND_HOME"])


def named(widgets: Any, key: str) -> Any:
    """The form's widget of this key, however often its form was forgotten."""
    return next(widget for widget in widgets if str(widget.key).partition("~")[0] == key)


def say_what_high_means(app: AppTest, means: str = "favourable") -> AppTest:
    """Answer what a high value means, where that is asked."""
    for asked in app.radio:
        if str(asked.key).startswith("model.form.PredictionColumns.high_scores.") and asked.value is None:
            asked.set_value(means)
            return settled(app)
    return app


def role_select(app: AppTest, column: str) -> Any:
    """The choice of a column's role, searched for where it is not on the page."""
    if not any(str(one.key).partition("~")[0] == f"roles.role.{column}" for one in app.selectbox):
        named(app.text_input, "roles.search").set_value(column)
        settled(app)
    return named(app.selectbox, f"roles.role.{column}")


def give_role(app: AppTest, role: str, *columns: str) -> AppTest:
    """Give each of these columns the role."""
    for column in columns:
        role_select(app, column).set_value(role)
        settled(app)
    return app
