"""The table of jobs.

A row says where a job stands and who waits for it. What it was asked and what it answered may hold cells of somebody's
table: that lies in files of the job's own beside the table, and is gone once they are deleted.
"""

import hashlib
import json
import sqlite3
import time
import uuid
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.base.errors import RecordError, StorageError
from core.base.files import home, write_whole
from core.language.told import packed, say
from dashboard.jobs.database import Database, Watch
from dashboard.jobs.job import UNFINISHED, Claim, Failure, Job, Needs, State

_MOST_UNFINISHED = 100
"""Jobs that one visitor may wait for at the same time."""

_WITH_CLAIMS = (
    "SELECT jobs.*, (SELECT json_group_array(visitor) FROM claims WHERE job = id AND NOT withdrawn) AS visitors,"
    " (SELECT json_group_array(visitor) FROM claims WHERE job = id AND withdrawn) AS gone FROM jobs "
)


def key_of(kind: str, arguments: dict[str, Any], code: str) -> str:
    """SHA-256 of what decides a job's answer: the task, its arguments and the code that runs it."""
    return hashlib.sha256(json.dumps([kind, arguments, code], sort_keys=True).encode()).hexdigest()


_LOST = Failure("Killed", say("What this run had found is lost or damaged."), "", say("Run it again."))


class JobTable:
    """Jobs in one SQLite file, and what they were asked and answered in files beside it.

    Args:
        folder: Where they lie; ``<home>/jobs`` by default. Made when the first job is added.

    Raises:
        StorageError: By every method that writes: the disk is full or may not be written.
        RecordError: By every method: the list is damaged; it is put aside, the next call begins anew.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else home() / "jobs"
        self._database = Database(self.folder / "jobs.sqlite")

    def add(
        self,
        kind: str,
        arguments: dict[str, Any],
        code: str,
        visitor: str,
        *,
        again: bool = False,
        after: str = "",
        needs: Needs | None = None,
    ) -> Job:
        """Queue a job, or find the newest one of the same question; the visitor waits for it from now on.

        A visitor who stopped it does not wait for it again unless ``again`` says so. What others stopped, or what was
        killed under them, is put anew for a visitor who was not among them.

        Args:
            kind: The task.
            arguments: Its arguments, JSON.
            code: Fingerprint of the code that will run it.
            visitor: Who asks.
            again: Whether one that has no answer (failed, cancelled, killed) is put again.
            after: The entry of the register that is repeated with new data; empty for none.
            needs: What a new job will take; None where nobody knows.

        Raises:
            RecordError: The visitor waits for very many already.
        """
        key = key_of(kind, arguments, code)
        with self._database.reading() as connection:
            found = _newest(connection, key)
        job = None if found is None or not _still_stands(found, visitor, again) else self._as_job(found)
        if job is not None and visitor in (job.visitors if again else job.visitors + job.gone):
            if again:
                with suppress(StorageError):
                    self.touch(job.id, visitor)
            return job
        with self._database.writing() as connection:
            found = _newest(connection, key)
            job = None if found is None or not _still_stands(found, visitor, again) else self._as_job(found)
            name = uuid.uuid4().hex[:16] if job is None else job.id
            if job is None:
                _refuse_flood(connection, visitor)
                self._say(name, "asked", arguments)
                told = needs or Needs()
                connection.execute(
                    "INSERT INTO jobs (id, key, kind, arguments, state, phase, submitted, seconds, memory)"
                    " VALUES (?,?,?,?,?,?,?,?,?)",
                    (name, key, kind, "", "queued", packed(say("Waiting")), time.time(), told.seconds, told.memory),
                )
            connection.execute(
                "INSERT INTO claims (job, visitor, after, used) VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET withdrawn = withdrawn AND NOT ?, used = excluded.used",
                (name, visitor, after, time.time(), again),
            )
            row = connection.execute(f"{_WITH_CLAIMS} WHERE id = ?", (name,)).fetchone()
        added = self._as_job(row)
        if added is None:
            raise RecordError(say("What this run was asked is lost."), where=name, advice=say("Reload the page."))
        return added

    def withdraw(self, name: str, visitor: str) -> None:
        """Take a visitor's claim back; the job is asked to stop with the last one, and the worker soon sees it."""
        with self._database.writing() as connection:
            taken_back = connection.execute(
                "UPDATE claims SET withdrawn = 1 WHERE job = ? AND visitor = ?", (name, visitor)
            )
            if taken_back.rowcount:
                connection.execute(
                    "UPDATE jobs SET cancel = 1 WHERE id = ?"
                    " AND NOT EXISTS (SELECT 1 FROM claims WHERE job = jobs.id AND NOT withdrawn)",
                    (name,),
                )

    def watch(self) -> Watch:
        """Tells whether anything changed."""
        return self._database.watch()

    def has(self, kind: str, arguments: dict[str, Any], code: str) -> bool:
        """Whether this question was put before, whatever became of it."""
        with self._database.reading() as connection:
            return _newest(connection, key_of(kind, arguments, code)) is not None

    def missing(self, names: Collection[str]) -> set[str]:
        """Which of these ids no job has; far less work than reading the jobs."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(names)),)
            )
            return set(names) - {row["id"] for row in found}

    def get(self, name: str) -> Job | None:
        """The job with this id; None if there is none."""
        with self._database.reading() as connection:
            row = connection.execute(f"{_WITH_CLAIMS} WHERE id = ?", (name,)).fetchone()
        return None if row is None else self._as_job(row)

    def in_state(self, *states: State) -> list[Job]:
        """Jobs in one of these states, oldest first."""
        return self._found(f"WHERE state IN ({','.join('?' * len(states))}) ORDER BY submitted", *states)

    def recent(self, kinds: Iterable[str], visitor: str, limit: int) -> list[Job]:
        """The jobs of these kinds, done or unfinished, that this visitor asked for and did not stop, those used last
        first; ``used`` is when they did.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, coalesce(claims.used, submitted) AS last FROM jobs JOIN claims ON job = id"
                " WHERE visitor = ? AND NOT withdrawn AND kind IN (SELECT value FROM json_each(?))"
                " AND state IN ('done', 'running', 'queued') ORDER BY last DESC, submitted DESC LIMIT ?",
                (visitor, json.dumps(list(kinds)), limit),
            ).fetchall()
        last = {row["id"]: row["last"] for row in rows}
        found = self._found("WHERE id IN (SELECT value FROM json_each(?))", json.dumps(list(last)))
        return sorted((replace(job, used=last[job.id]) for job in found), key=lambda job: list(last).index(job.id))

    def _found(self, which: str, *values: object) -> list[Job]:
        with self._database.reading() as connection:
            rows = connection.execute(f"{_WITH_CLAIMS} {which}", values).fetchall()
        return [job for row in rows if (job := self._as_job(row)) is not None]

    def start(self, name: str) -> bool:
        """Mark a queued job as running; False if it is no longer queued."""
        return self._change(name, "queued", state="running", started=time.time(), phase=packed(say("Starting")))

    def begin(self, name: str) -> None:
        """Set the clock of a running job: its process is there and works."""
        self._change(name, "running", started=time.time())

    def report(self, name: str, done: float, phase: str) -> None:
        """Keep how far a running job is."""
        self._change(name, "running", done=done, phase=phase)

    def finish(self, name: str, state: State, answer: Any = None, failure: Failure | None = None) -> None:
        """Keep how an unfinished job ended; one that was deleted meanwhile leaves nothing."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT state FROM jobs WHERE id = ?", (name,)).fetchone()
        if row is None or row["state"] not in UNFINISHED:
            return
        ending: dict[str, Any] = {"state": state, "finished": time.time()}
        if state == "done":
            ending |= {"done": 1.0, "phase": packed(say("Done"))}
        self._say(name, "answered", {"answer": answer, "failure": None if failure is None else vars(failure)})
        if not any(self._change(name, before, **ending) for before in UNFINISHED) and self.get(name) is None:
            self._said(name, "answered").unlink(missing_ok=True)

    def forget(self, name: str) -> None:
        """Say that the answer of a finished job is lost, so that the same question can be put again."""
        self._say(name, "answered", {"answer": None, "failure": vars(_LOST)})
        self._change(name, "done", state="failed")

    def line_up(self, places: dict[str, tuple[int, float | None]]) -> None:
        """Keep how many runs will start before each of these queued jobs, and when it will start itself."""
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE jobs SET ahead = ?, starts = ? WHERE id = ?",
                [(*place, name) for name, place in places.items()],
            )

    def unregistered(self, kinds: Iterable[str], register: str) -> list[Claim]:
        """Who asked for jobs of these kinds that are done and did not enter the register of this identity yet."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT job, visitor, after FROM claims JOIN jobs ON job = id WHERE state = 'done' AND NOT withdrawn"
                " AND registered IS NOT ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY finished LIMIT 1000",
                (register, json.dumps(list(kinds))),
            ).fetchall()
        return [Claim(job, row["visitor"], row["after"]) for row in rows if (job := self.get(row["job"])) is not None]

    def note_registered(self, claim: Claim, register: str) -> bool:
        """Keep that a job entered the register of this identity; False if it was deleted meanwhile."""
        with self._database.writing() as connection:
            noted = connection.execute(
                "UPDATE claims SET registered = ? WHERE job = ? AND visitor = ?",
                (register, claim.job.id, claim.visitor),
            )
            return noted.rowcount > 0

    def to_cancel(self) -> list[str]:
        """Unfinished jobs that were asked to stop."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id FROM jobs WHERE cancel = 1 AND state IN ('queued', 'running')")
            return [row["id"] for row in rows]

    def everything(self) -> list[Job]:
        """Every job."""
        with self._database.reading() as connection:
            rows = connection.execute(_WITH_CLAIMS).fetchall()
        return [job for row in rows if (job := self._as_job(row)) is not None]

    def touch(self, name: str, visitor: str) -> None:
        """Keep that a visitor opened a job's page, or asked for the job again, now."""
        with self._database.writing() as connection:
            connection.execute("UPDATE jobs SET used = ? WHERE id = ?", (time.time(), name))
            connection.execute("UPDATE claims SET used = ? WHERE job = ? AND visitor = ?", (time.time(), name, visitor))

    def stop(self, names: list[str]) -> None:
        """Ask jobs to stop, whoever waits for them."""
        with self._database.writing() as connection:
            connection.executemany("UPDATE jobs SET cancel = 1 WHERE id = ?", [(name,) for name in names])

    def disown(self, name: str, visitor: str) -> None:
        """Forget that a visitor asked for a job."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM claims WHERE job = ? AND visitor = ?", (name, visitor))

    def remove(self, names: list[str]) -> None:
        """Delete jobs with what they were asked and answered and their logs."""
        if not names:
            return
        with self._database.writing() as connection:
            connection.executemany("DELETE FROM jobs WHERE id = ?", [(name,) for name in names])
            connection.executemany("DELETE FROM claims WHERE job = ?", [(name,) for name in names])
        for name in names:
            for path in (self._said(name, "asked"), self._said(name, "answered"), self.folder / "logs" / f"{name}.log"):
                with suppress(OSError):
                    path.unlink()

    def wipe(self) -> None:
        """Overwrite what was deleted."""
        with suppress(StorageError):
            self._database.wipe()

    def note_retired(self, what: str, visitors: Iterable[str]) -> None:
        """Keep for these visitors that something of theirs was deleted because nobody opened it for long."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO retired (visitor, what, at) VALUES (?, ?, ?)",
                [(visitor, what, time.time()) for visitor in visitors],
            )

    def retired(self, visitor: str) -> list[tuple[str, float]]:
        """What of a visitor's was deleted because nobody opened it for long (``audit``, ``draft``), and when."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT what, at FROM retired WHERE visitor = ? ORDER BY at", (visitor,))
            return [(row["what"], row["at"]) for row in rows]

    def forget_retired(self, visitor: str) -> None:
        """Forget what :meth:`retired` tells this visitor."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM retired WHERE visitor = ?", (visitor,))

    def _change(self, name: str, before: State, **values: Any) -> bool:
        assignments = ", ".join(f"{column} = ?" for column in values)
        with self._database.writing() as connection:
            changed = connection.execute(
                f"UPDATE jobs SET {assignments} WHERE id = ? AND state = ?",  # noqa: S608
                (*values.values(), name, before),
            )
            return changed.rowcount > 0

    def _say(self, name: str, what: str, content: Any) -> None:
        """Keep what a job was asked or what it answered."""
        write_whole(self._said(name, what), json.dumps(content).encode())

    def _heard(self, name: str, what: str) -> Any:
        try:
            return json.loads(self._said(name, what).read_bytes())
        except (OSError, ValueError):
            return None

    def _said(self, name: str, what: str) -> Path:
        return self.folder / what / f"{name}.json"

    def _as_job(self, row: sqlite3.Row) -> Job | None:
        """The job of a row; None if what it was asked is gone."""
        before = row["arguments"]  # rows of older versions hold what was asked and answered themselves
        arguments = json.loads(before) if before else self._heard(row["id"], "asked")
        if arguments is None:
            return None
        ended = None if row["state"] in UNFINISHED else self._heard(row["id"], "answered")
        if ended is None:
            ended = {name: json.loads(row[name]) if row[name] else None for name in ("answer", "failure")}
            if row["state"] == "done" and not row["answer"]:
                ended["failure"] = vars(_LOST)
        lost = row["state"] == "done" and ended["failure"] is not None
        return Job(
            id=row["id"],
            kind=row["kind"],
            arguments=arguments,
            state="failed" if lost else row["state"],
            done=row["done"],
            phase=row["phase"],
            submitted=row["submitted"],
            started=row["started"],
            finished=row["finished"],
            answer=ended["answer"],
            failure=Failure(**ended["failure"]) if ended["failure"] else None,
            ahead=row["ahead"],
            starts=row["starts"],
            needs=Needs(row["seconds"], row["memory"]),
            visitors=tuple(json.loads(row["visitors"])),
            gone=tuple(json.loads(row["gone"])),
            used=row["used"],
        )


def _newest(connection: sqlite3.Connection, key: str) -> sqlite3.Row | None:
    """The newest job of a question."""
    row: sqlite3.Row | None = connection.execute(
        f"{_WITH_CLAIMS} WHERE key = ? ORDER BY submitted DESC, rowid DESC LIMIT 1", (key,)
    ).fetchone()
    return row


def _refuse_flood(connection: sqlite3.Connection, visitor: str) -> None:
    waiting = connection.execute(
        "SELECT COUNT(*) FROM jobs JOIN claims ON job = id"
        " WHERE visitor = ? AND NOT withdrawn AND state IN ('queued', 'running')",
        (visitor,),
    ).fetchone()[0]
    if waiting >= _MOST_UNFINISHED:
        raise RecordError(
            say("{waiting} of your runs wait for their turn already.", waiting=waiting),
            advice=say("Wait until some have ended, or stop some, then try again."),
        )


def _still_stands(row: sqlite3.Row, visitor: str, again: bool) -> bool:
    """Whether the job is what a visitor who puts its question is answered with."""
    if row["state"] == "done" or (row["state"] in UNFINISHED and not row["cancel"]):
        return True
    theirs = visitor in json.loads(row["visitors"]) + json.loads(row["gone"])
    return not again and (theirs or row["state"] == "failed")
