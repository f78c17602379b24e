"""What is deleted is gone from the disk, with all that was made of it, and nothing that somebody still needs goes."""

import json
import os
import sqlite3
import time
from pathlib import Path

import pytest

from core.files import FileRef, FileStore
from dashboard.jobs.job import Failure, Job
from dashboard.jobs.removal import DAY, Consequences, Removal
from dashboard.jobs.table import JobTable

MARKER = "Zyxwvut-4711"
TABLE = f"name,passed\n{MARKER},yes\n".encode()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    return tmp_path


def upload(content: bytes = TABLE, name: str = "people.csv") -> FileRef:
    return FileStore().put(content, name)


def source(file: FileRef) -> dict[str, object]:
    return {"kind": "uploaded", "file": file.model_dump(mode="json")}


def asked(kind: str, arguments: dict[str, object], answer: object, visitor: str = "anna") -> Job:
    """A job that has ended well."""
    table = JobTable()
    job = table.add(kind, arguments, "code", visitor)
    table.finish(job.id, "done", answer)
    return job


def audited(file: FileRef, visitor: str = "anna", result: str = "a" * 64) -> Job:
    """An audit of an upload, with the previews before it and what it found."""
    read = FileStore().put(b"PAR1" + TABLE, "people.parquet").model_dump(mode="json")
    asked("read_table", {"source": source(file)}, {"table": read, "summary": MARKER}, visitor)
    asked("examine_table", {"table": read}, {"health": MARKER}, visitor)
    folder = JobTable().folder.parent / "results" / result
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_text(json.dumps({"worst": MARKER}))
    job = asked("audit", {"study": {"plans": [{"data": source(file)}]}}, {"results": [result]}, visitor)
    (JobTable().folder / "logs").mkdir(exist_ok=True)
    (JobTable().folder / "logs" / f"{job.id}.log").write_text(MARKER)
    return job


def drafted(file: FileRef, visitor: str = "anna", name: str = "0" * 16) -> Path:
    path = JobTable().folder.parent / "drafts" / visitor / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"data": source(file), "roles": {"favourable": MARKER}}))
    return path


def traces(home: Path) -> list[str]:
    """Files that hold the marker, wherever they lie."""
    return [
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and MARKER.encode() in path.read_bytes()
    ]


def aged(home: Path, days: float) -> None:
    """Make everything look as if it had been made so many days earlier."""
    then = time.time() - days * DAY
    for path in home.rglob("*"):
        os.utime(path, (then, then))
    with sqlite3.connect(home / "jobs" / "jobs.sqlite") as connection:
        connection.execute("UPDATE jobs SET submitted = ?, finished = ?", (then, then))


def test_deleting_an_audit_leaves_no_trace_of_its_table(home: Path) -> None:
    job = audited(upload())
    assert traces(home)
    removal = Removal(JobTable())
    assert removal.of_audit(job.id, "anna") == Consequences(("people.csv",), (), (), False)
    removal.delete_audit(job.id, "anna")
    assert traces(home) == []
    assert JobTable().everything() == []
    assert [path.name for path in home.rglob("*") if path.is_file()] == ["jobs.sqlite"]


def test_a_file_stays_while_something_else_uses_it_and_goes_with_the_last(home: Path) -> None:
    file = upload()
    first, path = audited(file), drafted(file)
    second = asked("audit", {"study": {"again": source(file)}}, {"results": ["b" * 64]})
    removal = Removal(JobTable())
    assert removal.of_audit(first.id, "anna") == Consequences((), ("people.csv",), (second.id,), False)
    removal.delete_audit(first.id, "anna")
    assert FileStore().holds(file)
    assert not (home / "results" / ("a" * 64)).exists()
    removal.delete_audit(second.id, "anna")
    assert FileStore().holds(file), "the draft still uses it"
    assert removal.of_draft(path.stem, "anna").going == ("people.csv",)
    removal.delete_draft(path.stem, "anna")
    assert traces(home) == []


def test_what_two_visitors_asked_for_goes_with_the_last(home: Path) -> None:
    file = upload()
    job = audited(file)
    JobTable().add(job.kind, job.arguments, "code", "ben")
    removal = Removal(JobTable())
    assert removal.of_audit(job.id, "anna").shared
    removal.delete_audit(job.id, "anna")
    found = JobTable().get(job.id)
    assert found is not None
    assert found.visitors == ("ben",)
    assert FileStore().holds(file)
    removal.delete_audit(job.id, "ben")
    assert traces(home) == []


def test_nobody_deletes_what_is_another_visitors(home: Path) -> None:
    file = upload()
    job, path = audited(file), drafted(file)
    Removal(JobTable()).delete_audit(job.id, "ben")
    Removal(JobTable()).delete_draft(path.stem, "ben")
    assert JobTable().get(job.id) is not None
    assert path.exists()


def test_what_nobody_opened_for_a_month_goes_by_itself_and_its_owner_is_told(home: Path) -> None:
    file = upload()
    audited(file)
    drafted(file)
    (home / "drafts" / "anna" / "damaged.unreadable").write_text(MARKER)
    aged(home, 29)
    Removal(JobTable()).retire()
    assert FileStore().holds(file)
    aged(home, 31)
    Removal(JobTable()).retire()
    assert traces(home) == []
    assert JobTable().everything() == []
    assert [what for what, _ in JobTable().retired("anna")] == ["draft", "audit"]
    assert JobTable().retired("ben") == []
    JobTable().forget_retired("anna")
    assert JobTable().retired("anna") == []


def test_what_was_opened_stays_with_all_it_needs(home: Path) -> None:
    file = upload()
    job = audited(file)
    aged(home, 100)
    JobTable().touch(job.id)
    Removal(JobTable()).retire()
    Removal(JobTable()).sweep()
    assert FileStore().holds(file)
    assert (home / "results" / ("a" * 64) / "result.json").exists()


def test_how_long_things_are_kept_is_the_machines_choice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audited(upload())
    aged(home, 400)
    monkeypatch.setenv("EVENHAND_RETENTION_DAYS", "0")
    Removal(JobTable()).retire()
    assert traces(home)
    monkeypatch.setenv("EVENHAND_RETENTION_DAYS", "365")
    Removal(JobTable()).retire()
    assert traces(home) == []


def test_what_killed_processes_left_is_swept_once_it_is_old(home: Path) -> None:
    kept = upload(b"kept", "kept.csv")
    audited(kept)
    left = [
        home / "files" / ".0a.partial",
        home / "drafts" / "anna" / ".0b.partial",
        home / "results" / f".{'a' * 64}-{'0' * 16}" / "arrays.npz",
        home / "temporary" / "tmpabc" / "weights",
        home / "jobs" / "asked" / "nobodys.json",
        home / "files" / ("f" * 64),
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MARKER)
    Removal(JobTable()).sweep()
    assert all(path.exists() for path in left), "somebody may be writing them now"
    aged(home, 2)
    Removal(JobTable()).sweep()
    assert not any(path.exists() for path in left)
    assert FileStore().holds(kept)


def test_a_run_that_is_deleted_while_it_ends_leaves_nothing(home: Path) -> None:
    table = JobTable()
    job = table.add("audit", {"study": MARKER}, "code", "anna")
    table.remove([job.id])
    table.finish(job.id, "failed", failure=Failure("DataError", MARKER))
    table.wipe()
    assert traces(home) == []


def test_weights_learned_from_a_table_go_with_it_and_no_others(home: Path) -> None:
    mine, other = upload(), upload(b"other", "other.csv")
    job = audited(mine)
    drafted(other, "ben")
    weights = {"a" * 64: [mine.sha256], "b" * 64: [other.sha256], "c" * 64: []}
    for name, uploads in weights.items():
        (home / "status").mkdir(exist_ok=True)
        (home / "status" / f"{name}.safetensors").write_text(name)
        (home / "status" / f"{name}.from.json").write_text(json.dumps(uploads))
    Removal(JobTable()).delete_audit(job.id, "anna")
    assert {path.name[0] for path in (home / "status").iterdir()} == {"b", "c"}
