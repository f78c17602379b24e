"""What is finished enters the register for whoever asked for it, once, however long its database does not answer."""

import datetime
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import StorageError
from core.records.audits import AUDITS
from core.register import database
from core.register.entry import Summary
from core.register.register import Register
from core.register.search import Search, find
from core.register.summary import summarise
from core.report.statement import Statement
from core.study import Study
from dashboard.jobs import registering, tasks
from dashboard.jobs.job import OWN_WORK, Job
from dashboard.jobs.registering import Registrar, enter, id_of
from dashboard.jobs.table import JobTable
from tests.builders_transport import make_transport_plan
from tests.dashboard import results_made

SUMMARY = Summary(model="m.onnx", table="people.csv", verdict="violation found", headline="Violation found for women")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr(registering, "_BETWEEN_IDENTITIES", 0)
    return tmp_path


def finished(kind: str = "audit", visitor: str = "anna", state: Any = "done", after: str = "", **arguments: Any) -> Job:
    table = JobTable()
    given = arguments or {"study": Study(plans=(make_transport_plan(),)).model_dump(mode="json")}
    job = table.add(kind, given, "code", visitor, after=after)
    table.finish(job.id, state, {"summary": SUMMARY.model_dump(mode="json")} if state == "done" else None)
    return job


def listed(owner: str = "anna") -> list[str]:
    return [entry.job for entry in find(Register(), owner, Search()).entries]


def test_a_finished_audit_enters_for_everybody_who_asked_and_for_nobody_who_stopped() -> None:
    job = finished()
    for visitor in ("ben", "carla"):
        JobTable().add(job.kind, job.arguments, "code", visitor)
    JobTable().withdraw(job.id, "carla")
    finished("read_table", source="x")
    finished(study="failed", state="failed")
    Registrar(JobTable()).look()
    assert (listed("anna"), listed("ben"), listed("carla")) == ([job.id], [job.id], [])
    entry = Register().get(id_of(job.id, "anna"), "anna")
    assert entry is not None
    assert entry.summary == SUMMARY
    assert Study.model_validate(entry.plan).names == ("Transport test",)
    assert Register().get(entry.id, "ben") is None
    lines = len(Register().log())
    Registrar(JobTable()).look()
    assert len(Register().log()) == lines, "once"


@pytest.mark.parametrize(("kind", "workflow"), OWN_WORK.items())
def test_selections_and_mitigations_enter_too(kind: str, workflow: str) -> None:
    finished(kind, plan={"seed": 1})
    Registrar(JobTable()).look()
    (entry,) = find(Register(), "anna", Search()).entries
    assert (entry.workflow, entry.plan) == (workflow, {} if "study" in entry.plan else {"seed": 1})


def test_what_could_not_be_registered_is_registered_later(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = finished()
    registrar = Registrar(JobTable())
    registrar.look()
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with sqlite3.connect(home / "register.sqlite", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        second = finished(study="second")
        registrar.look()
        with pytest.raises(StorageError):
            enter(JobTable().unregistered(OWN_WORK, "x"), JobTable(), Register())
        other.execute("ROLLBACK")
    other.close()
    found = JobTable().get(second.id)
    assert found is not None
    assert found.state == "done", "the result is there all the same"
    registrar.look()
    assert sorted(listed()) == sorted([first.id, second.id])
    assert Register().verify() == ()


def test_a_register_that_is_gone_is_filled_again_from_the_jobs(home: Path) -> None:
    job = finished()
    registrar = Registrar(JobTable())
    registrar.look()
    (home / "register.sqlite").unlink()
    registrar.look()
    assert listed() == [job.id]


def test_one_that_cannot_be_entered_does_not_keep_the_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    finished("fairer", plan={"bad": True})
    good = finished()
    whole = Register.enter

    def picky(register: Register, entry: Any) -> bool:
        if entry.plan.get("bad"):
            raise registering.RecordError("This one is refused.")
        return whole(register, entry)

    monkeypatch.setattr(Register, "enter", picky)
    assert Registrar(JobTable()).look() == registering._AFTER_A_FAILURE, "it tries again later"
    assert listed() == [good.id]


def test_an_audit_of_an_older_version_enters_without_its_verdict() -> None:
    table = JobTable()
    job = table.add("audit", {"study": Study(plans=(make_transport_plan(),)).model_dump(mode="json")}, "c", "anna")
    table.finish(job.id, "done", {"results": ["a" * 64]})
    strange = table.add("audit", {"study": "of another version"}, "c", "anna")
    table.finish(strange.id, "done", {"summary": {"verdict": "x" * 10_000}})
    Registrar(table).look()
    by_job = {entry.job: entry.summary for entry in find(Register(), "anna", Search()).entries}
    assert by_job[job.id].tests == "Transport test"
    assert by_job[job.id].verdict == ""
    assert by_job[strange.id] == Summary()


def test_the_same_audit_with_new_data_remembers_what_it_repeats_and_what_was_stated() -> None:
    first = finished()
    Registrar(JobTable()).look()
    before = id_of(first.id, "anna")
    stated = Statement(system="Hiring", auditor="A", reviewer="Ben", decision="accept")
    Register().change(before, "anna", statement=stated)
    second = finished(study="with new data", after=before)
    stranger = finished(study="of another", visitor="ben", after=before)
    Registrar(JobTable()).look()
    entry = Register().get(id_of(second.id, "anna"), "anna")
    assert entry is not None
    made = datetime.date.fromtimestamp(entry.made)
    assert (entry.after, entry.statement) == (before, Statement(system="Hiring", auditor="A", date=made))
    theirs = Register().get(id_of(stranger.id, "ben"), "ben")
    assert theirs is not None
    assert (theirs.after, theirs.statement) == ("", Statement(date=made)), "nobody learns what another one stated"


def test_a_summary_says_what_the_report_says() -> None:
    study, results = results_made.several()
    found = summarise(AUDITS, study, results)
    document = AUDITS.document(study, results)["verdict"]
    assert (found.verdict, found.headline) == (document["verdict"], document["headline"])
    assert [one.verdict for one in found.outcomes] == ["violation found", "violation found"]
    assert all(len(row) == len(one.header) for one in found.outcomes for row in one.rows)
    assert found.rows_fingerprint == results[0].data.fingerprint
    assert Summary.model_validate_json(found.model_dump_json()) == found


def test_an_audit_whose_summary_fails_is_done_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.register.summary.summarise", lambda *_: 1 / 0)
    assert tasks._summary("audit", None, None) is None
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_fault_of_ours_ends_no_worker_and_tells_no_names(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = finished().id

    def fault(*_: object) -> None:
        raise RuntimeError(told)

    monkeypatch.setattr(registering, "enter", fault)
    assert Registrar(JobTable()).look() == registering._AFTER_A_FAILURE
    said = str([vars(record) for record in caplog.records])
    assert "RuntimeError" in said
    assert told not in said
