"""The SQLite file of the table of jobs, in WAL mode, so that pages and the worker read and write it at the same time.

On a disk that is full or may not be written it can still be read.
"""

import os
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from core.base.errors import RecordError, StorageError
from core.base.files import make_folder
from core.language.told import say

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, arguments TEXT NOT NULL, state TEXT NOT NULL,
    done REAL NOT NULL DEFAULT 0, phase TEXT NOT NULL DEFAULT '', cancel INTEGER NOT NULL DEFAULT 0,
    submitted REAL NOT NULL, started REAL, finished REAL, answer TEXT, failure TEXT
);
CREATE INDEX IF NOT EXISTS jobs_key ON jobs (key);
CREATE INDEX IF NOT EXISTS jobs_state ON jobs (state);
CREATE TABLE IF NOT EXISTS claims (
    job TEXT NOT NULL, visitor TEXT NOT NULL, withdrawn INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (job, visitor)
);
CREATE TABLE IF NOT EXISTS retired (visitor TEXT NOT NULL, what TEXT NOT NULL, at REAL NOT NULL);
"""

_ADDED = {
    "jobs": {
        "ahead": "INTEGER NOT NULL DEFAULT 0",
        "used": "REAL",
        "starts": "REAL",
        "seconds": "REAL NOT NULL DEFAULT 0",
        "memory": "INTEGER NOT NULL DEFAULT 0",
    },
    "claims": {"registered": "TEXT", "after": "TEXT NOT NULL DEFAULT ''", "used": "REAL"},
}
"""Columns that the first schema did not have, by table."""

_VERSION = 5
"""Of the schema, kept in the file; an older file is brought up to it when it is opened."""
_PATIENCE = 10.0
"""Seconds to wait for whoever else writes."""
_NOT_THERE = (0, 0)


class Database:
    """One SQLite file.

    Args:
        path: The file; made, with its folder, when something is first written.

    Raises:
        StorageError: By every method: the file cannot be opened, or not be written.
        RecordError: By every method: the file is damaged; it is put aside, the next call begins anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that may write, all of it or nothing."""
        make_folder(self._path.parent)
        with self._opened(str(self._path)) as connection:
            _bring_up_to_date(connection)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read; an empty table where there is none yet.

        To read in WAL mode SQLite makes a file for its locks. Where it cannot, nobody writes either: the file is then
        read as one that does not change.
        """
        with ExitStack() as stack:
            if self._path.exists():
                try:
                    connection = stack.enter_context(self._opened(str(self._path)))
                except StorageError as error:
                    if getattr(error.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                        raise
                    unchanging = f"{self._path.absolute().as_uri()}?immutable=1"
                    connection = stack.enter_context(self._opened(unchanging))
            else:
                connection = stack.enter_context(self._opened(":memory:"))
            _bring_up_to_date(connection)
            yield connection

    def watch(self) -> "Watch":
        """Tells as often as one likes whether anything was written, for far less than it takes to read."""
        return Watch(self._path)

    def wipe(self) -> None:
        """Empty the write-ahead log into the file, so that no deleted row is left in either."""
        with self._opened(str(self._path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _opened(self, address: str) -> Iterator[sqlite3.Connection]:
        try:
            uri = address.startswith("file:")
            with closing(sqlite3.connect(address, timeout=_PATIENCE, isolation_level=None, uri=uri)) as connection:
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute("PRAGMA secure_delete=ON")
                connection.execute("SELECT 1 FROM sqlite_master")
                yield connection
        except sqlite3.OperationalError as error:
            raise StorageError(
                say("The list of runs cannot be changed now."),
                where=f"{self._path}: {error}",
                advice=say("Check that the disk has room and that the folder may be written, then reload the page."),
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._put_aside() from error

    def _put_aside(self) -> RecordError:
        """Rename a damaged file; returns the error that says so."""
        damaged = self._path.with_name(f"damaged-{uuid.uuid4().hex[:8]}.sqlite")
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.replace(f"{self._path}{ending}", f"{damaged}{ending}")
        return RecordError(
            say("The list of runs on this machine is damaged and was put aside; a new one is begun."),
            where=str(damaged),
            advice=say(
                "Reload the page, and run again what you miss; results that were saved are found again at once."
            ),
        )


class Watch:
    """Whether a SQLite file was written by any other connection.

    Args:
        path: The file; it may not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._seen: tuple[int, int] | None = None

    def changed(self) -> bool:
        """Whether it may have been written since the last call; at first, and of a file in trouble, always True."""
        try:
            file = self._path.stat().st_ino
            if self._connection is None or self._seen is None or self._seen[0] != file:
                self.close()
                self._connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True)
            now = (file, self._connection.execute("PRAGMA data_version").fetchone()[0])
        except FileNotFoundError:
            self._let_go()
            now = _NOT_THERE
        except (OSError, sqlite3.Error):
            self.close()
            return True
        before, self._seen = self._seen, now
        return before != now

    def close(self) -> None:
        """Let go of the file."""
        self._let_go()
        self._seen = None

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Make the tables and columns that an older version did not have."""
    if connection.execute("PRAGMA user_version").fetchone()[0] >= _VERSION:
        return
    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)
    for table, columns in _ADDED.items():
        there = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
        for column in columns.keys() - there:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {columns[column]}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Change to WAL mode; SQLite itself waits for nobody here, and worker and pages may make the file at once."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)
