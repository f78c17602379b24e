"""What befalls a database: it is locked, full, gone, damaged, of yesterday or of tomorrow. Never a traceback."""

import os
import sqlite3
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, Table, event, text
from sqlalchemy.engine import make_url

from core.base.errors import RecordError, SettingsError, StorageError
from core.register import DATABASE, database
from core.register.database import Database, bring_up_to_date
from core.register.register import Register
from core.register.rows import fingerprint
from core.register.schema import HEAD, TableBase
from core.register.search import Search, find
from tests.core.register.made import make_entry


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(DATABASE, raising=False)
    return tmp_path / "home"


def test_nobody_but_its_owner_reads_the_file(home: Path) -> None:
    before = os.umask(0)
    try:
        Register().enter(make_entry())
    finally:
        os.umask(before)
    assert (home / "register.sqlite").stat().st_mode & 0o777 == 0o600


def test_before_anything_is_entered_reading_makes_no_file(home: Path) -> None:
    register = Register()
    assert register.get("e1", "anna") is None
    assert (register.identity(), register.log(), register.verify()) == ("", (), ())
    assert find(register, "anna", Search()).total == 0
    assert not home.exists()


def test_a_locked_database_is_told_and_left_as_it_was(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Register().enter(make_entry())
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    with sqlite3.connect(home / "register.sqlite", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        for act in (lambda: Register().enter(make_entry("e2")), lambda: Register().get("e1", "anna")):
            with pytest.raises(StorageError, match=r"cannot be read or written now.*database is locked"):
                act()
        other.execute("ROLLBACK")
    other.close()
    assert Register().enter(make_entry("e2"))
    assert Register().verify() == ()


def test_a_full_database_keeps_what_it_has_and_takes_more_once_there_is_room(home: Path) -> None:
    register = Register()
    register.enter(make_entry())
    engine = register.database._engine

    @event.listens_for(engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count=1")  # it shrinks to no less than what is there

    with pytest.raises(StorageError, match=r"database or disk is full.*as soon as its database answers and has room"):
        register.enter(make_entry("e2", plan={"long": "x" * 100_000}))
    assert [one.id for one in find(register, "anna", Search()).entries] == ["e1"]
    assert Register().enter(make_entry("e2"))
    assert Register().verify() == ()


def test_a_database_that_is_gone_is_begun_anew_under_another_name(home: Path) -> None:
    register = Register()
    register.enter(make_entry())
    first = register.identity()
    (home / "register.sqlite").unlink()
    assert register.identity() == ""
    register.enter(make_entry())
    assert register.identity() not in ("", first)


def test_a_file_that_is_no_database_is_told_and_not_touched(home: Path) -> None:
    home.mkdir()
    (home / "register.sqlite").write_bytes(b"something else, which is long enough to be read" * 50)
    for act in (lambda: Register().enter(make_entry()), lambda: Register().verify()):
        with pytest.raises(RecordError, match="damaged, or is no register"):
            act()
    assert (home / "register.sqlite").read_bytes().startswith(b"something else")


def test_a_server_that_does_not_answer_is_told_without_its_password(tmp_path: Path) -> None:
    gone = Database(make_url(f"postgresql+psycopg://me:s3cret@/evenhand?host={tmp_path}"))
    with pytest.raises(StorageError) as told:
        Register(gone).enter(make_entry())
    assert "s3cret" not in str(told.value)
    assert "enter the register as soon as its database answers" in str(told.value)


@pytest.mark.parametrize(
    "address", ["mysql://localhost/x", "sqlite:///x", "nonsense", "postgresql+asyncpg://h/d", "://"]
)
def test_an_address_that_is_no_postgresql_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATABASE, address)
    with pytest.raises(SettingsError, match="no address of a PostgreSQL database"):
        Database()


def test_the_address_may_be_written_as_people_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATABASE, "postgresql://me@db.example/evenhand")
    assert Database().address.drivername == "postgresql+psycopg"


def test_a_register_of_yesterday_is_carried_over_with_its_entries(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = make_entry(made=5.5)
    with register.database._engine.connect().execution_options(writes=True) as connection, connection.begin():
        from alembic import command

        only_first = command.upgrade
        monkeypatch.setattr(command, "upgrade", lambda config, _: only_first(config, "0001"))
        bring_up_to_date(connection)
        old = Table("entries", MetaData(), autoload_with=connection)
        kept = entry.model_dump(mode="json") | {"verdict": entry.summary.verdict, "system": "s", "found_by": "s"}
        connection.execute(old.insert().values({column.name: kept[column.name] for column in old.columns}))
    monkeypatch.undo()
    assert register.get("e1", "anna") == entry
    register.send_to_review("e1", "anna")
    with register.database.reading() as session:
        assert session is not None
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD


def test_a_register_of_tomorrow_is_left_alone(register: Register) -> None:
    register.enter(make_entry())
    with register.database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for act in (lambda: register.enter(make_entry("e2")), lambda: register.get("e1", "anna"), register.verify):
        with pytest.raises(RecordError, match=r"newer version of Evenhand.*its migration is 9999"):
            act()


def test_the_migrations_make_the_tables_that_the_program_uses(register: Register) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    register.enter(make_entry())
    with register.database._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), TableBase.metadata) == []
    scripts = ScriptDirectory(str(Path(database.__file__).with_name("migrations")))
    assert scripts.get_heads() == [HEAD]


def test_what_later_versions_add_changes_no_fingerprint() -> None:
    """Those of yesterday's entries stay what the log says of them."""
    assert fingerprint(make_entry()) == "1bef9560385e5a89ea15931c614bbc5799493d10c17e43130d200e6b47ead611"
