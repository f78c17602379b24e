"""The table of jobs: SQLite in WAL mode, so that pages and the worker read and write it at the same time."""

import hashlib
import json
import os
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core import errors
from core.errors import EvenhandError, RecordError
from core.files import home

State = Literal["queued", "running", "done", "failed", "cancelled", "killed"]
UNFINISHED: tuple[State, ...] = ("queued", "running")

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
"""

_ADDED = {"ahead": "INTEGER NOT NULL DEFAULT 0"}
"""Columns of ``jobs`` that the first schema did not have."""

_VERSION = 1
"""Of the schema, kept in the file; an older file is brought up to it when it is opened."""

_WITH_CLAIMS = (
    "SELECT jobs.*, (SELECT json_group_array(visitor) FROM claims WHERE job = id AND NOT withdrawn) AS visitors,"
    " (SELECT json_group_array(visitor) FROM claims WHERE job = id AND withdrawn) AS gone FROM jobs "
)


@dataclass(frozen=True)
class Failure:
    """An error as it travels from the child to the page.

    Attributes:
        kind: Name of the error's class in ``core.errors``; ``Unexpected`` for a fault of Evenhand itself.
        what: What is wrong, one sentence.
        where: The row, column, setting or file at fault.
        advice: What to do about it.
    """

    kind: str
    what: str
    where: str = ""
    advice: str = ""

    def as_error(self) -> EvenhandError:
        """The error that was raised in the child, or a plain ``EvenhandError``."""
        raised = getattr(errors, self.kind, EvenhandError)
        known = isinstance(raised, type) and issubclass(raised, EvenhandError)
        return (raised if known else EvenhandError)(self.what, where=self.where, advice=self.advice)


@dataclass(frozen=True)
class Job:
    """One row of the table.

    Attributes:
        id: Random name, safe in an address.
        kind: Which task of ``dashboard.jobs.tasks.TASKS``.
        arguments: The task's arguments, JSON.
        state: Where it stands.
        done: Share that is done, 0 to 1.
        phase: What is being done now, in plain words.
        submitted: When it was asked for, seconds since 1970.
        started: When its child process began to work; None while it waits.
        finished: When it ended, however it ended; None before.
        answer: What it answered, JSON; None unless done.
        failure: Why there is no answer; None unless failed, cancelled or killed.
        ahead: How many runs will start before this one, while it is queued.
        visitors: Who asked for it and did not stop it.
        gone: Who asked for it and stopped it.
    """

    id: str
    kind: str
    arguments: dict[str, Any]
    state: State
    done: float
    phase: str
    submitted: float
    started: float | None
    finished: float | None
    answer: Any
    failure: Failure | None
    ahead: int = 0
    visitors: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def unfinished(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in UNFINISHED

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take if it goes on as so far; None before that can be said."""
        if self.state != "running" or self.started is None or self.done < 0.05:
            return None
        return (time.time() - self.started) * (1 - self.done) / self.done


def key_of(kind: str, arguments: dict[str, Any], code: str) -> str:
    """SHA-256 of what decides a job's answer: the task, its arguments and the code that runs it."""
    return hashlib.sha256(json.dumps([kind, arguments, code], sort_keys=True).encode()).hexdigest()


class JobTable:
    """Jobs in one SQLite file.

    Args:
        folder: Where the file lies; ``<home>/jobs`` by default. Created when missing.

    Raises:
        RecordError: By every method: the file cannot be used; a damaged one is put aside, the next call begins anew.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else home() / "jobs"
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
                _bring_up_to_date(connection)

    def add(self, kind: str, arguments: dict[str, Any], code: str, visitor: str, *, again: bool = False) -> Job:
        """Queue a job, or find the newest one of the same question; the visitor waits for it from now on.

        A visitor who stopped it does not wait for it again unless ``again`` says so. What others stopped, or what was
        killed under them, is put anew for a visitor who was not among them.

        Args:
            kind: The task.
            arguments: Its arguments, JSON.
            code: Fingerprint of the code that will run it.
            visitor: Who asks.
            again: Whether one that has no answer (failed, cancelled, killed) is put again.
        """
        key = key_of(kind, arguments, code)
        with self._transaction() as connection:
            found = connection.execute(
                f"{_WITH_CLAIMS} WHERE key = ? ORDER BY submitted DESC, rowid DESC LIMIT 1", (key,)
            ).fetchone()
            name = found["id"] if found is not None and _still_stands(found, visitor, again) else ""
            if not name:
                name = uuid.uuid4().hex[:16]
                connection.execute(
                    "INSERT INTO jobs (id, key, kind, arguments, state, phase, submitted) VALUES (?,?,?,?,?,?,?)",
                    (name, key, kind, json.dumps(arguments), "queued", "Waiting", time.time()),
                )
            connection.execute(
                "INSERT INTO claims (job, visitor) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET withdrawn = withdrawn AND NOT ?",
                (name, visitor, again),
            )
            return _as_job(connection.execute(f"{_WITH_CLAIMS} WHERE id = ?", (name,)).fetchone())

    def claim(self, name: str, visitor: str) -> None:
        """Let a visitor who came by a job's address wait for it too, unless the visitor stopped it before."""
        with self._connection() as connection:
            connection.execute("INSERT OR IGNORE INTO claims (job, visitor) VALUES (?, ?)", (name, visitor))

    def withdraw(self, name: str, visitor: str) -> None:
        """Take a visitor's claim back; the job is asked to stop with the last one, and the worker soon sees it."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO claims (job, visitor, withdrawn) SELECT id, ?, 1 FROM jobs WHERE id = ?",
                (visitor, name),
            )
            connection.execute(
                "UPDATE jobs SET cancel = 1 WHERE id = ?"
                " AND NOT EXISTS (SELECT 1 FROM claims WHERE job = jobs.id AND NOT withdrawn)",
                (name,),
            )

    def has(self, kind: str, arguments: dict[str, Any], code: str) -> bool:
        """Whether this question was put before, whatever became of it."""
        with self._connection() as connection:
            key = key_of(kind, arguments, code)
            return connection.execute("SELECT 1 FROM jobs WHERE key = ? LIMIT 1", (key,)).fetchone() is not None

    def get(self, name: str) -> Job | None:
        """The job with this id; None if there is none."""
        with self._connection() as connection:
            row = connection.execute(f"{_WITH_CLAIMS} WHERE id = ?", (name,)).fetchone()
        return None if row is None else _as_job(row)

    def in_state(self, *states: State, kind: str = "", newest_first: bool = False, limit: int = 1000) -> list[Job]:
        """Jobs in one of these states, oldest first unless asked otherwise."""
        marks = ",".join("?" * len(states))
        order = "DESC" if newest_first else "ASC"
        query = f"{_WITH_CLAIMS} WHERE state IN ({marks}) AND (? = '' OR kind = ?) ORDER BY submitted {order} LIMIT ?"
        with self._connection() as connection:
            return [_as_job(row) for row in connection.execute(query, (*states, kind, kind, limit))]

    def start(self, name: str) -> bool:
        """Mark a queued job as running; False if it is no longer queued."""
        return self._change(name, "queued", state="running", started=time.time(), phase="Starting")

    def begin(self, name: str) -> None:
        """Set the clock of a running job: its process is there and works."""
        self._change(name, "running", started=time.time())

    def report(self, name: str, done: float, phase: str) -> None:
        """Keep how far a running job is."""
        self._change(name, "running", done=done, phase=phase)

    def finish(self, name: str, state: State, answer: Any = None, failure: Failure | None = None) -> None:
        """Keep how an unfinished job ended."""
        ending: dict[str, Any] = {"state": state, "finished": time.time()}
        if state == "done":
            ending |= {"answer": json.dumps(answer), "done": 1.0, "phase": "Done"}
        if failure is not None:
            ending["failure"] = json.dumps(vars(failure))
        for before in UNFINISHED:
            self._change(name, before, **ending)

    def forget(self, name: str) -> None:
        """Say that the answer of a finished job is lost, so that the same question can be put again."""
        lost = Failure("Killed", "What this run had found is lost or damaged.", "", "Run it again.")
        self._change(name, "done", state="failed", answer=None, failure=json.dumps(vars(lost)))

    def line_up(self, ahead: dict[str, int]) -> None:
        """Keep how many runs will start before each of these queued jobs."""
        with self._transaction() as connection:
            connection.executemany(
                "UPDATE jobs SET ahead = ? WHERE id = ?", [(number, name) for name, number in ahead.items()]
            )

    def to_cancel(self) -> list[str]:
        """Unfinished jobs that were asked to stop."""
        with self._connection() as connection:
            rows = connection.execute("SELECT id FROM jobs WHERE cancel = 1 AND state IN ('queued', 'running')")
            return [row["id"] for row in rows]

    def _change(self, name: str, before: State, **values: Any) -> bool:
        assignments = ", ".join(f"{column} = ?" for column in values)
        with self._connection() as connection:
            changed = connection.execute(
                f"UPDATE jobs SET {assignments} WHERE id = ? AND state = ?",  # noqa: S608
                (*values.values(), name, before),
            )
            return changed.rowcount > 0

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=10, isolation_level=None)) as connection:
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous=NORMAL")
                yield connection
        except sqlite3.OperationalError as error:
            raise RecordError(
                "The list of runs on this machine cannot be used.",
                where=f"{self._path}: {error}",
                advice="Check that the disk has room and that the folder may be written, then reload the page.",
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._put_aside() from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @property
    def _path(self) -> Path:
        return self.folder / "jobs.sqlite"

    def _put_aside(self) -> RecordError:
        """Rename a damaged file; returns the error that says so."""
        damaged = self.folder / f"damaged-{uuid.uuid4().hex[:8]}.sqlite"
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.replace(f"{self._path}{ending}", f"{damaged}{ending}")
        return RecordError(
            "The list of runs on this machine is damaged and was put aside; a new one is begun.",
            where=str(damaged),
            advice="Reload the page, and run again what you miss; results that were saved are found again at once.",
        )


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Make the tables and columns that an older version did not have."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)
    there = {row["name"] for row in connection.execute("PRAGMA table_info(jobs)")}
    for column, declared in _ADDED.items():
        if column not in there:
            connection.execute(f"ALTER TABLE jobs ADD COLUMN {column} {declared}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")


def _still_stands(row: sqlite3.Row, visitor: str, again: bool) -> bool:
    """Whether the job is what a visitor who puts its question is answered with."""
    if row["state"] == "done" or (row["state"] in UNFINISHED and not row["cancel"]):
        return True
    theirs = visitor in json.loads(row["visitors"]) + json.loads(row["gone"])
    return not again and (theirs or row["state"] == "failed")


def _as_job(row: sqlite3.Row) -> Job:
    failure = json.loads(row["failure"]) if row["failure"] else None
    return Job(
        id=row["id"],
        kind=row["kind"],
        arguments=json.loads(row["arguments"]),
        state=row["state"],
        done=row["done"],
        phase=row["phase"],
        submitted=row["submitted"],
        started=row["started"],
        finished=row["finished"],
        answer=json.loads(row["answer"]) if row["answer"] else None,
        failure=Failure(**failure) if failure else None,
        ahead=row["ahead"],
        visitors=tuple(json.loads(row["visitors"])),
        gone=tuple(json.loads(row["gone"])),
    )
