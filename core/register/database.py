"""The database of the register: a SQLite file in Evenhand's folder, or PostgreSQL where ``EVENHAND_DATABASE`` says so.

A transaction that writes is alone: entries and the log, whose lines follow each other, change together or not at all.
"""

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from core.base.errors import RecordError, SettingsError, StorageError
from core.base.files import home, make_folder
from core.language.told import say
from core.register import DATABASE, FILE
from core.register.schema import HEAD

SECONDS = 3
"""How long a page waits for a database that does not answer."""
PATIENCE = 10
"""Seconds that it waits for others who write. Each is soon done, but nobody comes in turn: of four who wrote five times
each, one waited until all others were done.
"""

_LOCK = 0x45564E48
"""The name of the lock that writers of a PostgreSQL register take in turn."""


class Database:
    """Where the register lies. Opens a connection for each transaction, so that it can be used across processes.

    Args:
        address: As SQLAlchemy writes it; the machine's own if not given.

    Raises:
        SettingsError: The address is none of SQLite or PostgreSQL.
    """

    def __init__(self, address: URL | None = None) -> None:
        self.address = address if address is not None else _address_of_machine()
        self.file = Path(self.address.database or "") if self.address.get_backend_name() == "sqlite" else None
        self._engine = create_engine(
            self.address, poolclass=NullPool, connect_args=self._arguments(), json_deserializer=_read_json
        )
        if self.file is not None:
            event.listen(self._engine, "connect", _overwrite_what_is_deleted)
            event.listen(self._engine, "begin", _begin)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that may write, the only one at its time; all of it is kept or nothing.

        Raises:
            StorageError: The database is locked, full, gone or may not be written.
            RecordError: It is damaged, or a newer version of Evenhand made it.
        """
        if self.file is not None:
            make_folder(self.file.parent)
            with self._told():
                os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))
        with self._told(), self._engine.connect().execution_options(writes=True) as connection, connection.begin():
            if self.file is None:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            bring_up_to_date(connection)
            with closing(Session(connection, autoflush=False)) as session:
                yield session
                session.flush()

    @contextmanager
    def reading(self) -> Iterator[Session | None]:
        """A transaction that only reads; None where there is no register yet.

        Raises:
            StorageError, RecordError: As :meth:`writing`.
        """
        if self.file is not None and not self.file.exists():
            yield None
            return
        with self._told(), self._engine.connect() as connection:
            found = _revision(connection)
            if not found:
                yield None
                return
            if found == HEAD:
                with closing(Session(connection, autoflush=False)) as session:
                    yield session
                return
        with self.writing() as session:
            yield session

    def _arguments(self) -> dict[str, Any]:
        if self.file is not None:
            return {"timeout": PATIENCE, "isolation_level": None}
        limits = f"-c lock_timeout={PATIENCE}s -c statement_timeout={10 * SECONDS}s"
        return {"connect_timeout": SECONDS, "options": limits}

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the database refuses, in sentences; a password in the address is not told."""
        try:
            yield
        except OSError as error:
            raise StorageError.of(error) from error
        except DBAPIError as error:
            where = f"{self.address.render_as_string()}: {str(error.orig).strip().partition(chr(10))[0]}"
            if isinstance(error, OperationalError):
                raise StorageError(
                    say("The register of audits cannot be read or written now."),
                    where=where,
                    advice=say(
                        "Results are kept, and enter the register as soon as its database answers and has room."
                    ),
                ) from error
            raise RecordError(
                say("The register of audits is damaged, or is no register of Evenhand's."),
                where=where,
                advice=say("Put a copy back that was saved earlier, or move it away to begin a new one."),
            ) from error


def bring_up_to_date(connection: Connection) -> None:
    """Make the tables, or carry those of an older version over; a writer calls it within its transaction.

    Raises:
        RecordError: A newer version of Evenhand made them.
    """
    found = _revision(connection)
    if found == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found and found not in known:
        raise RecordError(
            say("A newer version of Evenhand made this register of audits."),
            where=say("its migration is {found}, this version knows {head}", found=found, head=HEAD),
            advice=say("Use that version, or another database."),
        )
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str:
    """The last migration that was run; empty in an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _read_json(written: str) -> Any:
    """What a column holds; None, which no entry is made of, where it is no JSON."""
    try:
        return json.loads(written)
    except (ValueError, TypeError, RecursionError):
        return None


def _overwrite_what_is_deleted(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA secure_delete=ON")


def _begin(connection: Connection) -> None:
    """SQLite's own driver begins no transaction before it writes; the log has to be read within one."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")  # verbatim


def _address_of_machine() -> URL:
    given = os.environ.get(DATABASE, "")
    if not given:
        return URL.create("sqlite", database=str(home() / FILE))
    try:
        address = make_url(given)
        known = address.drivername in ("postgresql", "postgres", "postgresql+psycopg")
    except (ArgumentError, ValueError):
        known = False
    if not known:
        raise SettingsError(
            say("The environment variable {variable} is no address of a PostgreSQL database.", variable=DATABASE),
            advice=say("Write postgresql://USER@HOST/DATABASE, or leave it out for a file in Evenhand's folder."),
        )
    return address.set(drivername="postgresql+psycopg")
