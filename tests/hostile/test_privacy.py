"""What is deleted is gone from the disk, with all that was made of it, and nothing that somebody still needs goes."""

import json
import os
import sqlite3
import time
from pathlib import Path

import pytest

from core.base.errors import RecordError, StorageError
from core.base.files import FileRef, FileStore, make_private
from core.register.register import Register
from core.report.statement import Statement
from dashboard.__main__ import app as dashboard_app
from dashboard.jobs.job import Failure, Job
from dashboard.jobs.registering import Registrar, id_of
from dashboard.jobs.removal import DAY, Consequences, Removal
from dashboard.jobs.table import JobTable
from tests.command_line import Ran, command
from tests.test_layers import loaded_after

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
    assert removal.of_audit(first.id, "anna") == Consequences((), ("people.csv",), (second.id,), False, (path.stem,))
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
    JobTable().touch(job.id, "anna")
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


def registered(job: Job, visitor: str = "anna") -> str:
    """The id of the entry of a visitor's job, which now is in the register."""
    Registrar(JobTable()).look()
    return id_of(job.id, visitor)


def test_deleting_an_audit_deletes_its_entry_and_leaves_a_line(home: Path) -> None:
    name = registered(job := audited(upload()))
    Register().change(name, "anna", notes=MARKER, statement=Statement(auditor=MARKER))
    Removal(JobTable()).delete_audit(job.id, "anna")
    assert traces(home) == []
    assert Register().get(name, "anna") is None
    assert [line.action for line in Register().log()] == ["begun", "entered", "changed", "deleted"]
    assert Register().verify() == ()


def test_a_signed_entry_stays_when_its_audit_is_deleted_and_holds_no_row(home: Path) -> None:
    name = registered(job := audited(upload()))
    Register().sign(name, "anna", Register().send_to_review(name, "anna").revision, {"record": b"{}"})
    Removal(JobTable()).delete_audit(job.id, "anna")
    assert Register().document(name, "anna", "record") == b"{}"
    assert traces(home) == []


def test_an_audit_is_deleted_though_the_register_cannot_be_written_and_that_is_said(home: Path) -> None:
    name = registered(job := audited(upload()))
    (home / "register.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(StorageError, match=r"All was deleted but the entry.*on the page Register"):
        Removal(JobTable()).delete_audit(job.id, "anna")
    assert traces(home) == []
    assert name


def test_what_is_in_review_or_signed_is_not_retired(home: Path) -> None:
    job = audited(upload())
    Register().send_to_review(registered(job), "anna")
    aged(home, 400)
    Removal(JobTable()).retire()
    assert JobTable().get(job.id) is not None
    assert (home / "results" / ("a" * 64)).exists()
    Register().take_back(registered(job), "anna")
    Removal(JobTable()).retire()
    assert traces(home) == []
    assert Register().get(id_of(job.id, "anna"), "anna") is not None, "the line of the register stays"


def test_nothing_is_retired_while_the_register_does_not_say_what_is_in_review(home: Path) -> None:
    job = audited(upload())
    Register().send_to_review(registered(job), "anna")
    aged(home, 400)
    (home / "register.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(RecordError):
        Removal(JobTable()).retire()
    assert JobTable().get(job.id) is not None


def test_uploads_go_after_some_days_and_results_stay(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_KEEP_UPLOADS_DAYS", "7")
    job = audited(upload())
    (home / "status").mkdir()
    (home / "status" / f"{'a' * 64}.safetensors").write_text("learned from the upload")
    aged(home, 6)
    Removal(JobTable()).retire()
    assert list((home / "files").iterdir())
    waiting = JobTable().add("audit", {"study": source(again := upload(b"still needed", "needed.csv"))}, "code", "anna")
    aged(home, 8)
    Removal(JobTable()).retire()
    assert [path.name for path in (home / "files").iterdir()] == [again.sha256], "a run waits for it"
    assert [one.id for one in JobTable().everything()] == [job.id, waiting.id], "previews hold cells of the upload"
    assert (home / "results" / ("a" * 64) / "result.json").exists()
    assert not list((home / "status").iterdir())


def test_drafts_of_the_same_files_are_named_to_who_deletes_an_audit(home: Path) -> None:
    file = upload()
    job, path = audited(file), drafted(file)
    drafted(file, "ben", "1" * 16)
    drafted(upload(b"other", "other.csv"), "anna", "2" * 16)
    assert Removal(JobTable()).of_audit(job.id, "anna").drafts == (path.stem,)


def forget(*arguments: object) -> Ran:
    return command("forget", *arguments, commands=dashboard_app)


def test_whoever_runs_the_machine_forgets_an_audit_for_everybody(home: Path) -> None:
    file = upload()
    job = audited(file)
    JobTable().add(job.kind, job.arguments, "code", "ben")
    drafted(file), drafted(file, "ben", "1" * 16)
    kept = drafted(other := upload(b"other", "other.csv"), "carla", "2" * 16)
    name = registered(job)
    Register().sign(name, "anna", Register().send_to_review(name, "anna").revision, {"record": MARKER.encode()})
    assert forget(name).out.endswith("add --signed-too to delete them too.\n")
    assert JobTable().everything() == []
    assert not FileStore().holds(file)
    assert (kept.exists(), FileStore().holds(other)) == (True, True)
    assert [one.owner for one in Register().known_as(job.id)] == ["anna"]
    assert forget(job.id, "--signed-too").status == 0
    assert Register().known_as(job.id) == []
    assert [path for path in traces(home) if "drafts/carla" not in path] == []
    assert Register().verify() == ()
    assert forget(job.id).status == 2


def test_whoever_runs_the_machine_forgets_what_is_old(home: Path) -> None:
    old = audited(upload())
    drafted(upload())
    aged(home, 50)
    registered(old)
    new = asked("audit", {"study": source(upload(b"new", "new.csv"))}, {"results": []})
    registered(new)
    ran = forget("--older-than", 40)
    assert (ran.status, ran.out) == (0, "Deleted: 1 run, 1 set-up, 1 entry of the register.\n")
    assert traces(home) == []
    assert [job.id for job in JobTable().everything()] == [new.id]
    assert [one.job for one in Register().made_before(time.time() + 1)] == [new.id]
    assert forget().status == forget("x", "--older-than", "3").status == 2
    assert forget("--older-than", "-1").status == 2


@pytest.mark.long
def test_forgetting_needs_no_pages() -> None:
    assert "streamlit" not in loaded_after("import dashboard.jobs.removal")


def test_everything_that_is_kept_is_its_owners_alone(home: Path) -> None:
    before = os.umask(0)
    try:
        make_private()
        registered(audited(upload()))
        drafted(upload())
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in home.rglob("*") if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in home.rglob("*") if path.is_file()} == {0o600}


def test_the_log_of_the_register_names_nobody_and_nothing(home: Path) -> None:
    name = registered(audited(upload()))
    Register().change(name, "anna", notes=MARKER, statement=Statement(auditor=MARKER, system=MARKER))
    Register().sign(name, "anna", Register().send_to_review(name, "anna").revision, {"record": MARKER.encode()})
    written = json.dumps([vars(line) for line in Register().log()])
    assert MARKER not in written
    assert "anna" not in written
