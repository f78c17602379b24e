"""The register keeps what is entered, for its owner only; what is signed does not change; the log shows tampering."""

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.base.errors import RecordError
from core.register.entry import Status
from core.register.register import Register
from core.register.search import Search, find, systems
from core.report.statement import Statement
from tests.core.register.made import NONE, UNCLEAR, VIOLATION, make_entry

FILES = {"record": b'{"format": "evenhand-record"}', "report": b"<html>" + b"x" * 10_000}


def change_behind_its_back(register: Register, statement: str, **values: Any) -> None:
    with register.database.writing() as session:
        session.execute(text(statement), values)


def signed(register: Register, name: str = "e1") -> None:
    register.enter(make_entry(name))
    entry = register.send_to_review(name, "anna")
    register.sign(name, "anna", entry.revision, FILES)


def test_what_is_entered_comes_back_and_is_entered_once(register: Register) -> None:
    title = "<b>Müller</b> \u202eevil\u202c $x$ =1+1 \0"
    entry = make_entry(model=title, notes=title, plan={"deep": [1.5, None, {"π": 1e-300}]})
    assert register.enter(entry)
    assert not register.enter(entry.model_copy(update={"notes": "other"}))
    assert register.get("e1", "anna") == entry
    assert entry.summary.model.endswith("\ufffd"), "no database keeps a NUL"
    assert [line.action for line in register.log()] == ["begun", "entered"]
    assert register.verify() == ()
    assert register.identity() == register.log()[0].entry != ""


def test_nobody_sees_or_changes_what_is_another_visitors(register: Register) -> None:
    signed(register)
    assert register.get("e1", "ben") is None
    assert find(register, "ben", Search()).total == 0
    assert systems(register, "ben") == ()
    assert not register.delete("e1", "ben", signed_too=True)
    for act in (
        lambda: register.change("e1", "ben", notes="mine"),
        lambda: register.send_to_review("e1", "ben"),
        lambda: register.sign("e1", "ben", 1, FILES),
        lambda: register.withdraw("e1", "ben"),
        lambda: register.document("e1", "ben", "report"),
    ):
        with pytest.raises(RecordError, match="There is no such"):
            act()


def test_what_is_signed_is_frozen_with_its_files(register: Register) -> None:
    signed(register)
    entry = register.get("e1", "anna")
    assert entry is not None
    assert entry.status is Status.SIGNED
    assert sorted(entry.documents) == ["record", "report"]
    assert register.document("e1", "anna", "report") == FILES["report"]
    for act in (
        lambda: register.change("e1", "anna", notes="late"),
        lambda: register.take_back("e1", "anna"),
        lambda: register.sign("e1", "anna", entry.revision, FILES),
    ):
        with pytest.raises(RecordError, match=r"was signed on .* can no longer be changed"):
            act()
    assert not register.delete("e1", "anna")
    assert register.withdraw("e1", "anna").documents == entry.documents
    with pytest.raises(RecordError, match="withdrawn and can no longer"):
        register.change("e1", "anna", notes="late")
    assert [line.action for line in register.log()] == ["begun", "entered", "sent", "signed", "withdrawn"]
    assert register.verify() == ()


def test_a_draft_that_is_signed_was_in_no_review(register: Register) -> None:
    register.enter(make_entry())
    assert register.sign("e1", "anna", 1, FILES).status is Status.SIGNED
    assert [line.action for line in register.log()] == ["begun", "entered", "signed"]
    assert register.verify() == ()


def test_what_was_changed_since_it_was_read_is_not_signed(register: Register) -> None:
    register.enter(make_entry())
    seen = register.send_to_review("e1", "anna").revision
    register.change("e1", "anna", notes="one more thing")
    with pytest.raises(RecordError, match="you would sign what you have not read"):
        register.sign("e1", "anna", seen, FILES)


def test_of_two_who_sign_at_once_one_wins_and_the_other_is_told(register: Register) -> None:
    register.enter(make_entry())
    seen = register.send_to_review("e1", "anna").revision
    together, ended = threading.Barrier(4), []

    def sign(who: int) -> None:
        together.wait()
        try:
            register.sign("e1", "anna", seen, {"record": str(who).encode()})
            ended.append(f"{who} signed")
        except RecordError as error:
            ended.append(error.what)

    threads = [threading.Thread(target=sign, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (won,) = [one for one in ended if one.endswith("signed")]
    assert sum("was signed on" in one for one in ended) == 3
    assert register.document("e1", "anna", "record") == won[0].encode()
    assert register.verify() == ()


def test_many_who_write_at_once_leave_one_chain(register: Register, tmp_path: Path) -> None:
    """Whoever comes first makes the tables."""
    (tmp_path / "register.sqlite").unlink(missing_ok=True)

    def enter(who: int) -> None:
        for number in range(5):
            register.enter(make_entry(f"{who}-{number}"))

    threads = [threading.Thread(target=enter, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.number for line in register.log()] == list(range(1, 22))
    assert register.verify() == ()


@pytest.mark.parametrize(
    ("tampering", "told", "entry"),
    [
        ("UPDATE entries SET verdict='', summary = REPLACE(CAST(summary AS TEXT), 'sex', 'age')", "changed", "e1"),
        ("UPDATE entries SET verdict = 'no violation found'", "This entry was changed without a line", "e1"),
        ("UPDATE entries SET status = 'approved'", "This entry was changed without a line", "e1"),
        ("UPDATE entries SET status = 'draft'", "This entry was changed without a line", "e1"),
        ('UPDATE entries SET links = \'[{"sha256": "f", "made": 1, "ends": 9}]\'', "was changed without a line", "e1"),
        ("UPDATE entries SET signed = 5", "This entry was changed without a line", "e1"),
        ("DELETE FROM entries", "This entry was removed without a line", "e1"),
        ("UPDATE log SET content = :other WHERE number = 4", "Line 4 of the log was changed", "e1"),
        ("UPDATE log SET at = '2020' WHERE number = 2", "Line 2 of the log was changed", "e1"),
        ("DELETE FROM log WHERE number = 3", "Before line 4 of the log, lines were removed", "e1"),
        ("DELETE FROM log WHERE number = 4", "This entry was changed without a line", "e1"),
        ("UPDATE documents SET sha256 = :other WHERE name = 'report'", "The signed file report was changed", "e1"),
        ("UPDATE documents SET content = :junk WHERE name = 'record'", "The signed file record was changed", "e1"),
    ],
)
def test_whoever_changes_the_database_by_hand_is_found_out(
    register: Register, tampering: str, told: str, entry: str
) -> None:
    signed(register)
    if register.database.file is None:
        tampering = tampering.replace("'age')", "'age')::json")
    known = {"other": "f" * 64, "junk": b"junk"}
    change_behind_its_back(
        register, tampering, **{name: value for name, value in known.items() if f":{name}" in tampering}
    )
    found = register.verify()
    assert any(told in one.what and one.entry == entry for one in found), found


def test_an_entry_that_cannot_be_read_is_named_in_a_sentence(register: Register) -> None:
    register.enter(make_entry())
    change_behind_its_back(register, "UPDATE entries SET status = 'approved'")
    for act in (lambda: register.get("e1", "anna"), lambda: find(register, "anna", Search())):
        with pytest.raises(RecordError, match=r"An entry of the register is damaged.*entry e1"):
            act()


def test_an_entry_that_was_slipped_in_is_found(register: Register) -> None:
    signed(register)
    copied = (
        "INSERT INTO entries (id, {0}) SELECT 'e2', {0} FROM entries",
        "owner, job, workflow, made, status, verdict, system, found_by, plan, summary, statement, notes, revision",
    )
    change_behind_its_back(register, copied[0].format(copied[1]))
    assert ("This entry was put in without a line in the log.", "e2") in [
        (one.what, one.entry) for one in register.verify()
    ]


def test_what_is_deleted_is_gone_and_leaves_a_line(register: Register) -> None:
    register.enter(make_entry(notes="Zyxwvut"))
    signed(register, "e2")
    assert register.delete("e1", "anna")
    assert register.delete("e2", signed_too=True), "whoever runs the machine may"
    assert not register.delete("e1", "anna")
    assert find(register, "anna", Search()).total == 0
    assert [line.action for line in register.log()][-3:] == ["signed", "deleted", "deleted"]
    assert register.verify() == ()
    if register.database.file is not None:
        assert b"Zyxwvut" not in register.database.file.read_bytes()


def test_entries_are_found_by_words_status_verdict_and_system(register: Register) -> None:
    register.enter(make_entry("a", verdict=NONE, model="Loan model", made=1.0))
    register.enter(make_entry("b", verdict=VIOLATION, model="hiring 100%", made=2.0))
    register.enter(make_entry("c", verdict=UNCLEAR, model="hiring_v2", made=3.0, statement=Statement(system="Hiring")))
    register.send_to_review("a", "anna")

    def names(**looked_for: Any) -> str:
        return "".join(one.id for one in find(register, "anna", Search(**looked_for)).entries)

    assert names() == "cba"
    assert names(order="oldest") == "abc"
    assert names(order="worst") == "bca"
    assert names(order="system") == "cba"
    assert names(words="HIRING transport") == "cb"
    assert names(words="100%") == "b", "the percent sign is no wildcard"
    assert names(words="hiring_v") == "c"
    assert names(status=Status.IN_REVIEW) == "a"
    assert names(verdict=UNCLEAR) == "c"
    assert names(system="Hiring") == "c"
    assert find(register, "anna", Search(), first=1, most=1).entries[0].id == "b"
    assert find(register, "anna", Search(), first=1, most=1).total == 3
    assert systems(register, "anna") == tuple(sorted(("Hiring", "Loan model", "hiring 100%"), key=str))
