"""A register that somebody wrote into by hand: whatever stands in a column, it is found out, and read in sentences."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from core.base.errors import EvenhandError
from core.register import projects
from core.register.database import Database
from core.register.project import Member
from core.register.register import Register
from core.register.schema import TableBase
from core.register.search import Search, find, systems
from core.report.statement import Statement
from tests.command_line import command
from tests.core.register.made import make_entry

ANNA, BEN = "a" * 32, "b" * 32
ODD: dict[str, object] = {
    "nothing": "",
    "a word": "x",
    "another case": "ANNA",
    "a blank behind": "violation found ",
    "a number": 7,
    "a number as text": "7",
    "broken JSON": '{"a": ',
    "5,000 digits": "9" * 5_000,
    "deep JSON": "[" * 100_000 + "]" * 100_000,
    "null": "null",
    "a list": '["x"]',
    "an object": '{"x": 1}',
    "bytes": b"\xff\x00x",
    "a huge number": 1e308,
    "below zero": -1,
}


def columns() -> Iterator[tuple[str, str]]:
    for table in TableBase.metadata.sorted_tables:
        for column in table.columns:
            yield table.name, column.name


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register with a draft, a signed entry with its files, and a project with two members."""
    path = tmp_path_factory.mktemp("register") / "register.sqlite"
    register = Register(Database(make_url(f"sqlite:///{path}")))
    register.enter(make_entry("e1", ANNA, notes="Mine"))
    register.enter(make_entry("e2", ANNA))
    register.change("e2", ANNA, statement=Statement(system="Loans", auditor="Anna"))
    project = projects.begin(register, "Loans", ANNA, "Anna").id
    projects.move(register, "e2", ANNA, project)
    projects.set_member(register, project, ANNA, Member(person=BEN, role="reviewer", name="Ben"))
    revision = register.send_to_review("e2", ANNA).revision
    register.sign("e2", BEN, revision, {"report": b"<p>", "record": b"{}"})
    assert register.verify() == ()
    return path


Forge = Callable[..., Register]


@pytest.fixture
def forged(written: Path, tmp_path: Path) -> Forge:
    """A copy of the register in which a statement was run behind its back."""

    def forge(*statements: tuple[str, tuple[object, ...]]) -> Register:
        path = tmp_path / "register.sqlite"
        path.write_bytes(written.read_bytes())
        with closing(sqlite3.connect(path)) as database, database:
            for statement, values in statements:
                database.execute(statement, values)
        return Register(Database(make_url(f"sqlite:///{path}")))

    return forge


READS: dict[str, Callable[[Register], object]] = {
    "identity": lambda register: register.identity(),
    "log": lambda register: register.log(),
    "get": lambda register: [register.get(name, ANNA) for name in ("e1", "e2")],
    "run": lambda register: register.of_run("job-e1", ANNA),
    "find": lambda register: [find(register, ANNA, Search(order=order)) for order in ("newest", "worst", "system")],
    "words": lambda register: find(register, ANNA, Search(words="credit")),
    "systems": lambda register: systems(register, ANNA),
    "entries of a project": lambda register: [
        projects.entries_in(register, one.id, ANNA) for one in projects.projects_of(register, ANNA)
    ],
    "before": lambda register: register.made_before(2e9),
    "under review": lambda register: register.jobs_under_review(),
    "projects": lambda register: [projects.projects_of(register, ANNA), projects.upload_days_of_runs(register)],
    "files": lambda register: [register.document("e2", ANNA, name) for name in ("report", "record")],
}


def write_odd_values(forged: Forge, table: str, column: str, odds: list[str]) -> None:
    last = f"FROM {table} WHERE rowid IN (SELECT max(rowid) FROM {table})"  # noqa: S608
    for odd in odds:
        value = ODD[odd]
        with closing(sqlite3.connect(str(forged().database.file))) as database:
            (before,) = database.execute(f"SELECT {column} {last}").fetchone()
        try:
            register = forged((f"UPDATE {table} SET {column} = ? {last.removeprefix(f'FROM {table} ')}", (value,)))  # noqa: S608
        except sqlite3.IntegrityError:
            continue
        with closing(sqlite3.connect(str(register.database.file))) as database:
            (after,) = database.execute(f"SELECT {column} {last}").fetchone()
        if (before, type(before)) == (after, type(after)):
            continue
        found: object
        try:
            found = register.verify()
        except EvenhandError as error:
            found = error
        except Exception as error:
            error.add_note(odd)
            raise
        assert found, f"{odd}: nobody noticed"
        for name, read in READS.items():
            try:
                read(register)
            except EvenhandError:
                continue
            except Exception as error:
                error.add_note(f"{odd}, {name}")
                raise


COLUMNS = list(columns())


@pytest.mark.parametrize("place", range(len(COLUMNS)), ids=[".".join(one) for one in COLUMNS])
def test_what_is_written_into_a_column_is_found_out_and_read_in_sentences(forged: Forge, place: int) -> None:
    odds = list(ODD)
    write_odd_values(forged, *COLUMNS[place], [odds[place % len(odds)], odds[(place * 4 + 6) % len(odds)]])


@pytest.mark.long
@pytest.mark.parametrize("place", range(len(COLUMNS)), ids=[".".join(one) for one in COLUMNS])
def test_whatever_is_written_into_a_column_is_found_out_and_read_in_sentences(forged: Forge, place: int) -> None:
    write_odd_values(forged, *COLUMNS[place], list(ODD))


BROKEN_JSON = ("plan", "summary", "statement", "stated_by", "links")


@pytest.mark.parametrize("column", BROKEN_JSON)
def test_broken_json_in_a_row_is_a_sentence(forged: Forge, column: str) -> None:
    write_odd_values(forged, "entries", column, ["broken JSON", "5,000 digits", "deep JSON"])


STRAY = {
    "a file of nothing": "INSERT INTO documents SELECT 'e9', name, sha256, content FROM documents LIMIT 1",
    "one file more": "INSERT INTO documents SELECT 'e2', 'third', sha256, content FROM documents LIMIT 1",
    "a file of a draft": "INSERT INTO documents SELECT 'e1', name, sha256, content FROM documents LIMIT 1",
    "something behind a file": "UPDATE documents SET content = CAST(content || x'00' AS BLOB)",
    "a member of nothing": "INSERT INTO members SELECT 'project-x', person, role, name FROM members LIMIT 1",
    "a project": "INSERT INTO projects SELECT 'project-x', name, upload_days FROM projects LIMIT 1",
    "words to be found by": "UPDATE entries SET found_by = '' WHERE id = 'e1'",
    "the first line of the log": "DELETE FROM log WHERE number = 1",
}


@pytest.mark.parametrize("stray", STRAY)
def test_what_is_put_in_or_taken_out_elsewhere_is_found_out(forged: Forge, stray: str) -> None:
    assert forged((STRAY[stray], ())).verify()


def test_a_register_that_was_emptied_says_so(forged: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [table.name for table in TableBase.metadata.sorted_tables]
    register = forged(*((f"DELETE FROM {table}", ()) for table in tables))  # noqa: S608
    assert [one.what for one in register.verify()] == ["The log has no line any more: the register was emptied."]
    assert register.database.file is not None
    monkeypatch.setenv("EVENHAND_HOME", str(register.database.file.parent))
    ran = command("register", "verify")
    assert ran.status == 2
    assert "the register was emptied" in ran.err


def test_a_register_in_which_nothing_was_done_yet_is_not_taken_for_an_emptied_one(tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    path.touch()
    register = Register(Database(make_url(f"sqlite:///{path}")))
    for read in READS.values():
        try:
            read(register)
        except EvenhandError:
            continue
    assert register.verify() == ()
