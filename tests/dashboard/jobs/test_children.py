"""Which child may be asked again, who goes first, and that what was kept changes no answer; no process runs."""

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.workflows.examples import open_example
from dashboard.jobs import children, task_inputs
from dashboard.jobs.children import Child, Staying, key_of_child
from dashboard.jobs.job import Job
from dashboard.jobs.messages import Listener
from dashboard.jobs.tasks import TASKS

FILE = {"name": "a.csv", "sha256": "a" * 64, "bytes": 10}
TABLE = {"source": {"kind": "table", "file": FILE}, "roles": {"outcome": "hired"}}
ENDPOINT = {"kind": "endpoint", "url": "http://127.0.0.1:1/"}


def job(kind: str, arguments: dict[str, Any], visitor: str = "a") -> Job:
    return Job(kind, kind, arguments, "running", 0.0, "", 0.0, 0.0, None, None, None, visitors=(visitor,))


def key(kind: str, arguments: dict[str, Any], visitor: str = "a") -> str:
    return key_of_child(job(kind, arguments, visitor), TASKS[kind])


def test_one_child_answers_what_one_visitor_asks_about_the_very_same_files() -> None:
    first = key("read_table", {"source": TABLE["source"]})
    assert first
    assert key("pilot", {**TABLE, "seed": 3, "model": {"kind": "predictions"}}) == first
    assert key("pilot", TABLE, "b") != first, "somebody else"
    model = {"kind": "onnx", "file": {**FILE, "sha256": "b" * 64}}
    assert key("pilot", {**TABLE, "model": model}) != first, "it may not read the model"
    assert key("examine_table", {"table": FILE}) != first, "it read a table that this one does not name"
    assert key("edit_person", TABLE) != first, "how much it may hold meanwhile"
    corpus = {"kind": "trained", "corpus": {"data": {"kind": "bias_in_bios"}}}
    assert key("pilot", {**TABLE, "audit": {"status": corpus}}) != first, "what nobody fetched for it"


def test_what_leaves_results_or_asks_over_the_network_has_a_child_of_its_own() -> None:
    study = {"study": {"plans": [{"data": TABLE["source"]}]}}
    assert not any(
        task.stays != "never" and (task.lane != "quick" or task.leaves_weights or task.results(study))
        for name, task in TASKS.items()
        if name in ("read_table", "edit_person", "pilot", "train_status") or task.stays != "never"
    )
    assert key("audit", study) == key("train_status", TABLE) == ""


class _Forks:
    """Says what it was told instead of doing it."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []

    def rest(self, pid: int) -> None:
        self.told.append(("rest", pid))

    def resume(self, pid: int, memory: int) -> None:
        self.told.append(("resume", pid))


@pytest.fixture
def pipes() -> Iterator[list[socket.socket]]:
    opened: list[socket.socket] = []
    yield opened
    for one in opened:
        one.close()


def child(number: int, pipes: list[socket.socket], folder: Path) -> Child:
    ours, theirs = socket.socketpair()
    pipes += [ours, theirs]
    asked = job("pilot", {"source": number})
    return Child(asked, TASKS["pilot"], "quick", number, Listener(ours), folder)


def test_the_oldest_go_first_when_places_or_memory_are_short(
    monkeypatch: pytest.MonkeyPatch, pipes: list[socket.socket], tmp_path: Path
) -> None:
    monkeypatch.setattr(children, "MOST_STAYING", 3)
    monkeypatch.setattr(children, "available_memory", lambda: 2**40)
    ended: list[int] = []
    staying = Staying(_Forks(), lambda one: ended.append(one.pid), lambda _: set())  # type: ignore[arg-type]
    for number in range(1, 6):
        staying.keep(child(number, pipes, tmp_path))
    assert ended == [1, 2]
    staying.keep(replace(child(3, pipes, tmp_path), pid=33))
    assert ended == [1, 2, 3], "one for the same questions is enough"
    monkeypatch.setattr(children, "available_memory", lambda: 0)
    monkeypatch.setattr(children, "BETWEEN_MEASURES", -1.0)
    staying.see()
    assert ended == [1, 2, 3, 4, 5, 33]


def test_a_child_goes_on_when_it_is_asked_and_is_ended_where_it_said_something_meanwhile(
    monkeypatch: pytest.MonkeyPatch, pipes: list[socket.socket], tmp_path: Path
) -> None:
    monkeypatch.setattr(children, "available_memory", lambda: 2**40)
    forks, ended = _Forks(), list[int]()
    staying = Staying(forks, lambda one: ended.append(one.pid), lambda _: set())  # type: ignore[arg-type]
    staying.halt(first := child(1, pipes, tmp_path))
    staying.keep(first)
    again = staying.ask(job("inspect_model", {"source": 1}), TASKS["inspect_model"], tmp_path / "log")
    assert again is not None
    assert (again.job.kind, again.task, again.again, again.begun) == (
        "inspect_model",
        TASKS["inspect_model"],
        True,
        False,
    )
    assert forks.told == [("rest", 1), ("resume", 1)]
    assert json.loads(pipes[1].recv(1000))["arguments"] == {"source": 1}
    staying.keep(again)
    pipes[1].sendall(b'{"said": "begun"}\n')
    assert staying.ask(job("pilot", {"source": 1}), TASKS["pilot"], tmp_path / "log") is None
    assert ended == [1]


def test_what_was_read_before_changes_no_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    plan = open_example("hiring-baseline", files).plans[0]
    about = {
        "source": plan.data.model_dump(mode="json"),
        "roles": plan.roles.model_dump(mode="json"),
        "model": plan.model.model_dump(mode="json"),
    }
    audit = {"audit": plan.audit.model_dump(mode="json"), "seed": 1}
    asked = [
        ("inspect_model", about),
        ("edit_person", {**about, **audit, "record": 0, "changes": {}}),
        ("edit_person", {**about, **audit, "record": 0, "changes": {"languages": 4}}),
        ("inspect_model", about),
    ]
    alone = [TASKS[kind].run(arguments, files, ignore_progress) for kind, arguments in asked]
    monkeypatch.setattr(task_inputs, "_kept", {})
    task_inputs.keep_what_is_read()
    assert [TASKS[kind].run(arguments, files, ignore_progress) for kind, arguments in asked] == alone
    model, rows = task_inputs.ready({**about, **audit}, plan.audit, files)
    assert task_inputs.ready({**about, **audit}, plan.audit, files) == (model, rows)
    fewer = {**about["roles"], "protected": about["roles"]["protected"][:1]}
    assert len(task_inputs.dataset_of({**about, "roles": fewer}, files).roles.protected) == 1
