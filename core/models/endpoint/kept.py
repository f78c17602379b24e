"""Answers that are kept: the first that a model gave for a row, when, and what was found when rows were asked again.

Only the SHA-256 of a row is kept, not the row. One SQLite file an endpoint lies in Evenhand's folder.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.base.errors import RecordError, StorageError
from core.base.files import home, make_folder
from core.language.told import say
from core.models.endpoint.rows import Answer

FOLDER = "answers"
_AT_ONCE = 500
_PATIENCE = 60.0
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (row BLOB PRIMARY KEY, answer TEXT NOT NULL, asked REAL NOT NULL, version TEXT NOT
NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checks (asked REAL NOT NULL, rows INTEGER NOT NULL, others INTEGER NOT NULL, restless INTEGER
NOT NULL);
"""  # verbatim
_ANSWERED = "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)"  # verbatim
_CHECKED = "INSERT INTO checks VALUES (?, ?, ?, ?)"  # verbatim
_UNCHECKED = "SELECT COUNT(*) FROM answers WHERE asked > (SELECT COALESCE(MAX(asked), 0) FROM checks)"  # verbatim


@dataclass(frozen=True)
class History:
    """What is kept of an endpoint.

    Attributes:
        rows: How many rows it was asked about.
        first: When it was asked first, seconds since 1970; 0 without rows.
        last: When it was asked last; 0 without rows.
        versions: The versions that it said it was, those that it did not say left out.
        checked: Rows that were asked again.
        others: Rows that were then answered otherwise.
        restless: Rows that were answered otherwise each time, so that the model is not fixed.
        unchecked: Rows that were asked about since rows were asked again last.
    """

    rows: int = 0
    first: float = 0.0
    last: float = 0.0
    versions: tuple[str, ...] = ()
    checked: int = 0
    others: int = 0
    restless: int = 0
    unchecked: int = 0


class _Document(BaseModel):
    """Kept answers as a file beside a record."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["evenhand-answers"] = "evenhand-answers"
    identity: str
    answers: tuple[tuple[Annotated[str, Field(pattern="^[0-9a-f]{64}$")], Answer, float, str], ...]
    checks: tuple[tuple[float, int, int, int], ...]


class KeptAnswers:
    """The kept answers of one endpoint.

    Args:
        identity: The endpoint's ``identity``.
        folder: Where they lie; in Evenhand's folder by default.

    Raises:
        StorageError: By every method: the folder has no room or cannot be written.
    """

    def __init__(self, identity: str, folder: Path | None = None) -> None:
        self._identity = identity
        self._path = place_of(identity) if folder is None else folder / f"{identity}.sqlite"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Answer]:
        """The answers that are kept, by the key of the row."""
        found: dict[bytes, Answer] = {}
        with closing(self._opened()) as database:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = database.execute(f"SELECT row, answer FROM answers WHERE row IN ({marks})", some)  # noqa: S608
                found |= {key: tuple(json.loads(answer)) for key, answer in rows}
        return found

    def put(self, keys: Sequence[bytes], answers: Sequence[Answer], version: str) -> None:
        """Keep answers that were given now; a row that has one keeps it."""
        now = time.time()
        rows = [(key, json.dumps(answer), now, version) for key, answer in zip(keys, answers, strict=True)]
        self._write(_ANSWERED, rows)

    def note(self, checked: int, others: int, restless: int) -> None:
        """Keep what was found when rows were asked again now."""
        self._write(_CHECKED, [(time.time(), checked, others, restless)])

    def written(self) -> bytes:
        """All of it, as a file to lie beside a record."""
        with closing(self._opened()) as database:
            found = database.execute("SELECT row, answer, asked, version FROM answers ORDER BY row")
            answers = [(key.hex(), json.loads(answer), asked, version) for key, answer, asked, version in found]
            checks = list(database.execute("SELECT asked, rows, others, restless FROM checks ORDER BY asked"))
        tree = {"format": "evenhand-answers", "identity": self._identity, "answers": answers, "checks": checks}
        return json.dumps(tree, indent=1).encode()

    def take(self, content: bytes, name: str) -> None:
        """Keep what :meth:`written` wrote.

        Raises:
            RecordError: The file ``name`` is none, or holds the answers of another model.
        """
        try:
            told = _Document.model_validate(json.loads(content))
        except (ValueError, RecursionError) as error:
            raise RecordError(
                say("The file with the model's answers cannot be read."),
                where=name,
                advice=say("Take it as it was written."),
            ) from error
        if told.identity != self._identity:
            raise RecordError(
                say("The file holds the answers of another model, or of one that was asked otherwise."),
                where=name,
                advice=say("Put the file there that was written with this record."),
            )
        rows = [(bytes.fromhex(key), json.dumps(given), asked, version) for key, given, asked, version in told.answers]
        self._write(_ANSWERED, rows)
        self._write(_CHECKED, told.checks)

    @property
    def history(self) -> History:
        """What is kept."""
        with closing(self._opened()) as database:
            rows, first, last = database.execute("SELECT COUNT(*), MIN(asked), MAX(asked) FROM answers").fetchone()
            told = database.execute(
                "SELECT version FROM answers WHERE version <> '' GROUP BY version ORDER BY MIN(asked)"
            )
            versions = tuple(str(version) for (version,) in told)
            again = database.execute("SELECT SUM(rows), SUM(others), SUM(restless) FROM checks").fetchone()
            (unchecked,) = database.execute(_UNCHECKED).fetchone()
        checked, others, restless = (int(value or 0) for value in again)
        return History(
            int(rows), float(first or 0), float(last or 0), versions, checked, others, restless, int(unchecked)
        )

    def _write(self, command: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            with closing(self._opened()) as database, database:
                database.executemany(command, rows)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _opened(self) -> sqlite3.Connection:
        make_folder(self._path.parent)
        try:
            database = sqlite3.connect(self._path, timeout=_PATIENCE)
            database.executescript(_TABLES)
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return database

    def _unusable(self, error: sqlite3.Error) -> StorageError:
        return StorageError(
            say("The kept answers of the model cannot be read or written ({error}).", error=str(error)),
            where=str(self._path),
            advice=say("Free some room on the disk; if the file is damaged, remove it, and the model is asked again."),
        )


def file_name(identity: str) -> str:
    """What the file with an endpoint's answers is called that lies beside a record."""
    return f"answers-{identity[:12]}.json"


def place_of(identity: str) -> Path:
    """Where the answers of an endpoint lie."""
    return home() / FOLDER / f"{identity}.sqlite"
