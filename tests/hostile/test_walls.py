"""What a child that was taken over can reach, and what the worker takes of what it leaves."""

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.base.files import FileRef, FileStore
from core.wall.sandbox import landlock_version, missing_walls
from core.wall.system_calls import can_filter
from dashboard.jobs.job import Job
from dashboard.jobs.outbox import MOST_ENTRIES
from dashboard.jobs.takeover import OutboxError, take_over
from dashboard.jobs.tasks import Task, fetch_nothing
from tests.hostile.hostile_tasks import greet

NOTHING: dict[str, list[str]] = {"read": [], "list": [], "write": []}
all_walls = pytest.mark.skipif(bool(missing_walls()), reason="This system has not every wall.")


@pytest.fixture
def others(home: Path, ended: Callable[..., Job], tmp_path: Path) -> dict[str, Path]:
    """What belongs to somebody else, once the worker is there and has cleared away what it takes for left over.

    It does so when its first job has ended, so a second one ends after that.
    """
    for turn in range(2):
        ended("greet", turn=turn)
    upload = home / "files" / FileStore().put(b"somebody else's", "table.csv").sha256
    kept = {
        "secret": tmp_path / "secret",
        "draft": home / "drafts" / "0123456789abcdef.json",
        "result": home / "results" / "theirs" / "result.json",
        "weights": home / "status" / f"{'0' * 64}.safetensors",
        "other job": home / "running" / "theirs" / "job.json",
    }
    for path in kept.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("somebody else's")
    return {"upload": upload, **kept}


@all_walls
def test_a_child_reaches_nothing_that_is_not_its_own(
    ended: Callable[..., Job], home: Path, others: dict[str, Path]
) -> None:
    read = [*others.values(), home / "jobs" / "jobs.sqlite", Path("/etc/passwd"), Path("/proc/1/cmdline")]
    listed = [home, home / "files", Path("/"), Path.home(), Path("/tmp"), Path("/proc")]  # noqa: S108
    job = ended(
        "reach_out", read=list(map(str, read)), list=list(map(str, listed)), write=list(map(str, others.values()))
    )
    said = job.answer
    log = str(home / "running" / job.id / "log")
    pipe, *streams = sorted(said.pop("descriptors"), key=lambda name: not name.startswith("socket:"))
    assert pipe.startswith("socket:")
    assert set(streams) == {"/dev/null", log}, "nothing that the worker or its helper holds"
    assert "SECRET_OF_THE_SERVER" not in said.pop("environment of its own")
    links = {name: said.pop(name) for name in list(said) if name.startswith("link ")}
    assert set(links.values()) == {"OSError"}, "the kernel says that the two lie on different disks"
    assert {name: outcome for name, outcome in said.items() if outcome != "PermissionError"} == {}
    assert {path.read_text() for path in others.values()} == {"somebody else's"}


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    """A pipe would keep the worker waiting; a second name of a file might be of somebody else's."""
    task = Task(greet, fetch_nothing, leaves_files=True)
    (tmp_path / "files").mkdir()
    left = tmp_path / "files" / digest("x")
    os.mkfifo(left)
    with pytest.raises(OutboxError):
        take_over(tmp_path, task, {})
    left.unlink()
    (tmp_path / "theirs").write_text("x")
    left.hardlink_to(tmp_path / "theirs")
    with pytest.raises(OutboxError):
        take_over(tmp_path, task, {})


def test_a_file_that_nothing_names_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody would know it as theirs: a run that was stopped because its table is deleted would leave it behind."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / digest("mine")).write_text("mine")
    task = Task(greet, fetch_nothing, leaves_files=True)
    take_over(tmp_path, task, {}, None)
    assert not list((tmp_path / "home").rglob(digest("mine")))
    take_over(tmp_path, task, {}, {"table": named("mine")})
    assert (tmp_path / "home" / "files" / digest("mine")).read_text() == "mine"


@all_walls
def test_a_child_reads_the_upload_that_its_job_names(ended: Callable[..., Job], home: Path) -> None:
    ref = FileStore().put(b"its own", "table.csv")
    path = home / "files" / ref.sha256
    job = ended("reach_out", **NOTHING | {"read": [str(path)], "write": [str(path)]}, table=ref.model_dump())
    assert job.answer[f"read {path}"] == "done"
    assert job.answer[f"write {path}"] == "PermissionError"
    assert path.read_bytes() == b"its own"


def digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def named(content: str) -> dict[str, Any]:
    return FileRef(name="a", sha256=digest(content), bytes=len(content)).model_dump()


def test_a_file_is_taken_by_what_is_in_it(ended: Callable[..., Job], home: Path) -> None:
    job = ended("forge", files={f"files/{digest('mine')}": "mine"}, answer=json.dumps({"table": named("mine")}))
    assert job.state == "done"
    assert (home / "files" / digest("mine")).read_text() == "mine"


@pytest.mark.parametrize(
    "left",
    [
        {"files": {f"files/{'0' * 64}": "another content than its name says"}},
        {"files": {"results/own/result.json": "{}"}},
        {"files": {"results/own/result.json": "[" * 100_000, "results/own/arrays.npz": ""}},
        {"links": {"files": "/etc"}},
        {"links": {"results": "/etc"}},
        {"links": {"status": "/etc"}},
        {"answer": json.dumps({"table": named("somebody else's")})},
    ],
    ids=lambda left: json.dumps(left)[:60],
)
def test_what_no_task_leaves_is_not_taken(
    left: dict[str, Any], ended: Callable[..., Job], home: Path, others: dict[str, Path]
) -> None:
    job = ended("forge", **left)
    assert job.state == "failed"
    assert job.failure is not None
    assert "broke the rules" in job.failure.error.what
    assert not (home / "files" / ("0" * 64)).exists()
    assert not (home / "results" / "own").exists()


def test_a_link_is_not_followed_and_other_names_are_left_behind(
    ended: Callable[..., Job], home: Path, others: dict[str, Path]
) -> None:
    links = {f"files/{digest('x')}": str(others["secret"]), "results/own": str(others["result"].parent)}
    job = ended("forge", links=links, files={"results/theirs/result.json": "forged", "files/note": "x", "notes": "x"})
    assert job.state == "done"
    assert not (home / "files" / digest("x")).exists()
    assert not (home / "files" / "note").exists()
    assert not (home / "results" / "own").exists()
    assert others["result"].read_text() == "somebody else's"


@all_walls
def test_weights_serve_only_jobs_that_have_every_upload_of_the_job_that_left_them(
    ended: Callable[..., Job], home: Path
) -> None:
    """Others train anew: what a job with another upload left may have been forged by it."""
    model, other = (FileStore().put(content, "model.zip").model_dump() for content in (b"a model", b"another"))
    name = f"status/{'a' * 64}.safetensors"
    assert ended("forge", files={name: "weights"}, models=[model]).state == "done"
    assert (home / name).read_text() == "weights"
    look = {**NOTHING, "read": [str(home / name)]}
    for uploads, outcome in (([], "PermissionError"), ([other], "PermissionError"), ([model, other], "done")):
        assert ended("look_at_weights", **look, models=uploads).answer[f"read {home / name}"] == outcome


def test_the_folder_goes_however_deep_it_is(ended: Callable[..., Job], home: Path) -> None:
    job = ended("burrow", depth=1_500)
    assert job.answer == "buried"
    until = time.monotonic() + 10
    while any(path.name.startswith(job.id) for path in (home / "running").iterdir()):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_every_missing_wall_has_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(missing_walls()) == (landlock_version() == 0) + (not can_filter())
    monkeypatch.setattr("core.wall.sandbox.landlock_version", lambda: 0)
    monkeypatch.setattr("core.wall.sandbox.can_filter", lambda: False)
    assert len(missing_walls()) == 2


def test_a_folder_that_is_overfilled_ends_its_job(ended: Callable[..., Job]) -> None:
    job = ended("litter", entries=MOST_ENTRIES + 1)
    assert job.state == "killed"
    assert job.failure is not None
    assert "broke the rules" in job.failure.error.what


def test_the_page_says_what_the_system_does_not_protect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.uploads.missing_walls", lambda: ("A wall is missing.",))
    shown = AppTest.from_function(_upload_step).run()
    assert [warning.value for warning in shown.warning] == ["A wall is missing. Upload only models that you trust."]
    monkeypatch.setattr("dashboard.uploads.are_refused", lambda: True)
    (warning,) = AppTest.from_function(_upload_step).run().warning
    assert "XGBoost, LightGBM and scikit-learn are refused here" in warning.value


def _upload_step() -> None:
    from dashboard.views.model import text_file

    text_file.bring(None, "model")
