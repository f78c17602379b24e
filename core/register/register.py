"""The register: entries are put in, found, changed, signed and withdrawn, each with its line in the log."""

import time
import uuid
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.errors import RecordError
from core.register.chain import Action, Line, Problem, broken_lines, sha256, strange_entries
from core.register.database import Database
from core.register.entry import Entry, Status
from core.register.rows import content_of, digests_of, entries_of, fill, fingerprint, found_fingerprint
from core.register.schema import DocumentRow, EntryRow, LogRow

_BEFORE: dict[Action, tuple[Status, ...]] = {
    "changed": (Status.DRAFT, Status.IN_REVIEW),
    "sent": (Status.DRAFT,),
    "returned": (Status.IN_REVIEW,),
    "signed": (Status.IN_REVIEW,),
    "withdrawn": (Status.SIGNED,),
    "shared": tuple(Status),
    "revoked": tuple(Status),
}
"""Where an entry has to stand for what is done with it."""


class Register:
    """Entries in a database.

    Args:
        database: Where they lie; the machine's own if not given.

    Raises:
        StorageError: By every method: the database is locked, full or gone.
        RecordError: By every method: it is damaged or of a newer version; and where an entry may not be changed so.
    """

    def __init__(self, database: Database | None = None) -> None:
        self.database = database or Database()

    def identity(self) -> str:
        """The random name of this register; empty before anything is entered."""
        with self.database.reading() as session:
            first = None if session is None else session.get(LogRow, 1)
            return "" if first is None else first.entry

    def enter(self, entry: Entry) -> bool:
        """Put an entry in, unless it is there; whether it was put in now."""
        with self.database.writing() as session:
            if session.get(EntryRow, entry.id) is not None:
                return False
            session.add(fill(EntryRow(), entry))
            _write_log(session, "entered", entry.id, fingerprint(entry))
            return True

    def get(self, name: str, owner: str) -> Entry | None:
        """The entry of this visitor's; None if there is none."""
        with self.database.reading() as session:
            row = None if session is None else session.get(EntryRow, name)
            if session is None or row is None or row.owner != owner:
                return None
            return entries_of(session, [row])[0]

    def change(self, name: str, owner: str, **values: Any) -> Entry:
        """Replace ``statement`` or ``notes`` of an entry that is not signed."""
        return self.amend(name, owner, "changed", lambda entry: entry.model_copy(update=values))

    def send_to_review(self, name: str, owner: str) -> Entry:
        """Put a draft forward to be signed."""
        return self._move(name, owner, "sent", Status.IN_REVIEW)

    def take_back(self, name: str, owner: str) -> Entry:
        """Make a draft again of what is in review."""
        return self._move(name, owner, "returned", Status.DRAFT)

    def withdraw(self, name: str, owner: str) -> Entry:
        """Say that a signed entry no longer holds; what was signed stays as it is."""
        return self._move(name, owner, "withdrawn", Status.WITHDRAWN)

    def sign(self, name: str, owner: str, seen: int, documents: Mapping[str, bytes]) -> Entry:
        """Sign an entry, and freeze it with its documents.

        Args:
            name: The entry's id.
            owner: Whose it is.
            seen: Its revision as the signer read it; of two who sign at once, or where it was changed meanwhile, one
                is refused.
            documents: Record and report by their names.
        """

        def signed(entry: Entry) -> Entry:
            if entry.revision != seen:
                raise RecordError(
                    "This entry was changed after you opened it, so that you would sign what you have not read.",
                    advice="Read it as it now stands, then sign it.",
                )
            digests = {document: sha256(content) for document, content in documents.items()}
            return entry.model_copy(update={"status": Status.SIGNED, "signed": time.time(), "documents": digests})

        return self.amend(name, owner, "signed", signed, documents)

    def document(self, name: str, owner: str, which: str) -> bytes:
        """A file as it was frozen when the entry was signed.

        Raises:
            RecordError: There is none, or it is not what was signed.
        """
        with self.database.reading() as session:
            entry = None if session is None else session.get(EntryRow, name)
            row = None if session is None or entry is None else session.get(DocumentRow, (name, which))
            if entry is None or row is None or entry.owner != owner:
                raise RecordError("There is no such signed file.", advice="Go back to the register.")
            content = content_of(row)
        if content is None:
            raise RecordError(
                "This file is not the one that was signed.",
                where=which,
                advice="Run python -m core register verify, and put back a copy of the register from before.",
            )
        return content

    def delete(self, name: str, owner: str = "", *, signed_too: bool = False) -> bool:
        """Delete an entry, and say so in the log; whether that was done.

        Args:
            name: The entry's id.
            owner: Whose it is; whoever runs the machine gives none.
            signed_too: Whether one that was signed goes too.
        """
        if not self.identity():
            return False
        with self.database.writing() as session:
            row = session.get(EntryRow, name)
            if row is None or (owner and row.owner != owner) or (row.signed and not signed_too):
                return False
            session.delete(row)
            session.execute(delete(DocumentRow).where(DocumentRow.entry == name))
            _write_log(session, "deleted", name, "")
            return True

    def known_as(self, name: str) -> list[Entry]:
        """Entries of this id, or of this run, whoever made them; for whoever runs the machine."""
        with self.database.reading() as session:
            found = select(EntryRow).where((EntryRow.id == name) | (EntryRow.job == name))
            return [] if session is None else entries_of(session, session.scalars(found))

    def made_before(self, seconds: float) -> list[Entry]:
        """Entries of work that ended before this time (seconds since 1970), whoever made them."""
        with self.database.reading() as session:
            found = select(EntryRow).where(EntryRow.made < seconds)
            return [] if session is None else entries_of(session, session.scalars(found))

    def jobs_under_review(self) -> set[str]:
        """Runs whose entry is in review or signed."""
        with self.database.reading() as session:
            found = select(EntryRow.job).where(EntryRow.status.in_((Status.IN_REVIEW.value, Status.SIGNED.value)))
            return set() if session is None else set(session.scalars(found))

    def log(self, entry: str = "") -> tuple[Line, ...]:
        """Every line of the log, or those of one entry."""
        with self.database.reading() as session:
            lines = () if session is None else _lines(session)
        return tuple(line for line in lines if entry in ("", line.entry))

    def verify(self) -> tuple[Problem, ...]:
        """Everything that is not as it was written; empty where nothing was tampered with."""
        with self.database.reading() as session:
            if session is None:
                return ()
            lines = _lines(session)
            documents = digests_of(session, None)
            rows = session.scalars(select(EntryRow))
            contents = {row.id: found_fingerprint(row, documents.get(row.id, {})) for row in rows}
            changed = [
                Problem(f"The signed file {document.name} was changed.", document.entry)
                for document in session.scalars(select(DocumentRow)).yield_per(10)
                if content_of(document) is None
            ]
            return (*broken_lines(lines), *strange_entries(lines, contents), *changed)

    def _move(self, name: str, owner: str, action: Action, status: Status) -> Entry:
        return self.amend(name, owner, action, lambda entry: entry.model_copy(update={"status": status}))

    def amend(
        self,
        name: str,
        owner: str,
        action: Action,
        change: Callable[[Entry], Entry],
        documents: Mapping[str, bytes] | None = None,
    ) -> Entry:
        """Replace an entry by what ``change`` makes of it, and say so in the log.

        Raises:
            RecordError: It is none of this visitor's, or does not stand where this may be done.
        """
        with self.database.writing() as session:
            row = session.get(EntryRow, name)
            if row is None or row.owner != owner:
                raise RecordError("There is no such entry in the register.", advice="Go back to the register.")
            entry = entries_of(session, [row])[0]
            if entry.status not in _BEFORE[action]:
                raise _refusal(entry, action)
            changed = change(entry).model_copy(update={"revision": entry.revision + 1})
            fill(row, changed)
            for document, content in (documents or {}).items():
                kept = {"sha256": sha256(content), "content": zlib.compress(content)}
                session.add(DocumentRow(entry=name, name=document, **kept))
            _write_log(session, action, name, fingerprint(changed))
            return changed


def _lines(session: Session) -> tuple[Line, ...]:
    return tuple(map(_line, session.scalars(select(LogRow).order_by(LogRow.number))))


def _line(row: LogRow) -> Line:
    return Line(row.number, row.at, row.action, row.entry, row.content, row.previous, row.hash)


def _write_log(session: Session, action: Action, entry: str, content: str) -> None:
    row = session.scalars(select(LogRow).order_by(LogRow.number.desc()).limit(1)).first()
    last = _line(row) if row is not None else None
    if last is None:
        last = Line.after(None, "begun", uuid.uuid4().hex, "")
        session.add(LogRow(**vars(last)))
    session.add(LogRow(**vars(Line.after(last, action, entry, content))))


def _refusal(entry: Entry, action: Action) -> RecordError:
    if entry.status is Status.SIGNED:
        when = time.strftime("%d %B %Y, %H:%M", time.localtime(entry.signed))
        return RecordError(
            f"This audit was signed on {when} and can no longer be changed.",
            advice="If it no longer holds, withdraw it, and repeat it with new data or other settings.",
        )
    if entry.status is Status.WITHDRAWN:
        return RecordError(
            "This audit was withdrawn and can no longer be changed.", advice="Repeat it to have one that can be signed."
        )
    told = {"signed": "Send it to review first.", "withdrawn": "Only what was signed can be withdrawn."}
    return RecordError(f"This audit is {entry.status.value}.", advice=told.get(action, "Reload the page."))
