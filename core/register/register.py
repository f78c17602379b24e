"""The register: entries are put in, found, changed, signed and withdrawn, each with its line in the log."""

import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.base.errors import RecordError
from core.language.phrases import day
from core.language.told import say
from core.register import log
from core.register.chain import Action, LogLine, Problem, broken_lines, emptied, left_of, sha256, strange_entries
from core.register.database import Database
from core.register.entry import Entry, Status
from core.register.project import Member, fingerprint_of_project, read
from core.register.rights import NEEDED, Right, may, rights, seen_by
from core.register.rows import content_of, digests_of, entries_of, fill, fingerprint, found_fingerprint
from core.register.schema import DocumentRow, EntryRow, LogRow, MemberRow, ProjectRow
from core.report.signature import SignedBy
from core.report.statement import OF_THE_REVIEWER, Signable, Statement, undecided

_BEFORE: dict[Action, tuple[Status, ...]] = {
    "changed": (Status.DRAFT, Status.IN_REVIEW),
    "sent": (Status.DRAFT,),
    "returned": (Status.IN_REVIEW,),
    "signed": (Status.DRAFT, Status.IN_REVIEW),
    "withdrawn": (Status.SIGNED,),
    "shared": tuple(Status),
    "revoked": tuple(Status),
    "commented": (Status.IN_REVIEW,),
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
            log.write(session, "entered", entry.id, fingerprint(entry))
            return True

    def get(self, name: str, person: str) -> Entry | None:
        """An entry that this visitor may read; None if there is none."""
        with self.database.reading() as session:
            row = None if session is None else session.get(EntryRow, name)
            if session is None or row is None or not rights(session, row, person):
                return None
            return entries_of(session, [row])[0]

    def of_run(self, job: str, person: str) -> Entry | None:
        """The entry of a run that this visitor may read, their own before those of others; None if there is none."""
        with self.database.reading() as session:
            if session is None:
                return None
            found = select(EntryRow).where(EntryRow.job == job, seen_by(person))
            row = session.scalars(found.order_by(EntryRow.owner != person).limit(1)).first()
            return None if row is None else entries_of(session, [row])[0]

    def rights(self, name: str, person: str) -> frozenset[Right]:
        """What this visitor may do with an entry; nothing if there is none that they may read."""
        with self.database.reading() as session:
            row = None if session is None else session.get(EntryRow, name)
            return frozenset() if session is None or row is None else rights(session, row, person)

    def change(self, name: str, person: str, **values: Any) -> Entry:
        """Replace ``statement`` or ``notes`` of an entry that is not signed."""

        def changed(entry: Entry) -> Entry:
            stated = _takes_part(entry, values.get("statement", entry.statement)) and person not in entry.authors
            by = (*entry.stated_by, person) if stated else entry.stated_by
            return entry.model_copy(update={**values, "stated_by": by})

        return self.amend(name, person, "changed", changed)

    def send_to_review(self, name: str, person: str) -> Entry:
        """Put a draft forward to be signed, unless its decision lacks what it asks for."""

        def sent(entry: Entry) -> Entry:
            if lacking := undecided(entry.statement, Signable(violation=entry.summary.violation)):
                raise RecordError(
                    say("It was not sent to review. {lacking}", lacking=" ".join(lacking.values())),
                    advice=say("Fill it in below the decision."),
                )
            return entry.model_copy(update={"status": Status.IN_REVIEW})

        return self.amend(name, person, "sent", sent)

    def take_back(self, name: str, person: str) -> Entry:
        """Make a draft again of what is in review."""
        return self._move(name, person, "returned", Status.DRAFT)

    def withdraw(self, name: str, person: str) -> Entry:
        """Say that a signed entry no longer holds; what was signed stays as it is."""
        return self._move(name, person, "withdrawn", Status.WITHDRAWN)

    def reviewers(self, entry: Entry) -> tuple[Member, ...]:
        """Members of its project who may sign an entry and had no part in it; none where it is in no project."""
        with self.database.reading() as session:
            project = None if session is None or not entry.project else read(session, entry.project)
        members = () if project is None else project.members
        return tuple(one for one in members if may(one.role, "sign") and one.person not in entry.authors)

    def sign(
        self,
        name: str,
        person: str,
        seen: int,
        documents: Mapping[str, bytes],
        *,
        signer: str = "",
        four_eyes: bool = False,
    ) -> Entry:
        """Sign an entry, and freeze it with its documents.

        Nobody reviews their own work where somebody else of its project can.

        Args:
            name: The entry's id.
            person: Who signs.
            seen: Its revision as the signer read it; of two who sign at once, or where it was changed meanwhile, one
                is refused.
            documents: Record and report by their names.
            signer: Their name as they signed in; empty where nobody signs in.
            four_eyes: Whether it has to be somebody who had no part in it, also where there is nobody else.
        """
        found = self.get(name, person)
        others = () if found is None else self.reviewers(found)

        def signed(entry: Entry) -> Entry:
            if entry.revision != seen:
                raise RecordError(
                    say("This entry was changed after you opened it, so that you would sign what you have not read."),
                    advice=say("Read it as it now stands, then sign it."),
                )
            if person in entry.authors and (four_eyes or others):
                raise RecordError(
                    say("Whoever ran an audit, or stated something of it, cannot sign it here."),
                    advice=say("Put it into a project, where a reviewer who did neither signs it."),
                )
            digests = {document: sha256(content) for document, content in documents.items()}
            values = {"status": Status.SIGNED, "signed": time.time(), "signed_by": person, "documents": digests}
            return entry.model_copy(update={**values, "signer": signer})

        return self.amend(name, person, "signed", signed, documents)

    def document(self, name: str, person: str, which: str) -> bytes:
        """A file of an entry that this visitor may read, as it was frozen when the entry was signed.

        Raises:
            RecordError: There is none, or it is not what was signed.
        """
        if self.get(name, person) is None:
            raise RecordError(say("There is no such signed file."), advice=say("Go back to the register."))
        return self.frozen(name, which)

    def frozen(self, name: str, which: str) -> bytes:
        """A signed file, for whoever was found to be allowed to read it; raises as :meth:`document`."""
        with self.database.reading() as session:
            row = None if session is None else session.get(DocumentRow, (name, which))
            if row is None:
                raise RecordError(say("There is no such signed file."), advice=say("Go back to the register."))
            content = content_of(row)
        if content is None:
            raise RecordError(
                say("This file is not the one that was signed."),
                where=which,
                advice=say("Run python -m core register verify, and put back a copy of the register from before."),
            )
        return content

    def delete(self, name: str, person: str = "", *, signed_too: bool = False) -> bool:
        """Delete an entry, and say so in the log; whether that was done.

        Args:
            name: The entry's id.
            person: Who deletes it; whoever runs the machine gives none.
            signed_too: Whether one that was signed goes too.
        """
        if not self.identity():
            return False
        with self.database.writing() as session:
            row = session.get(EntryRow, name)
            if row is None or (row.signed and not signed_too):
                return False
            if person and NEEDED["deleted"] not in rights(session, row, person):
                return False
            remove(session, row, row.project or row.owner)
            return True

    def known_as(self, name: str) -> list[Entry]:
        """Entries of this id, or of this run, whoever made them; for whoever runs the machine."""
        with self.database.reading() as session:
            found = select(EntryRow).where((EntryRow.id == name) | (EntryRow.job == name))
            return [] if session is None else entries_of(session, session.scalars(found))

    def signature_elsewhere(self, job: str) -> SignedBy | None:
        """Who signed a run, for a visitor who sees its result and may not read its entry; None if nobody did."""
        with self.database.reading() as session:
            found = select(EntryRow).where(EntryRow.job == job, EntryRow.status == Status.SIGNED.value)
            row = None if session is None else session.scalars(found.order_by(EntryRow.signed).limit(1)).first()
            entry = None if session is None or row is None else entries_of(session, [row])[0]
        if entry is None or entry.signature is None:
            return None
        return replace(entry.signature, sha256=entry.documents.get("record", ""), elsewhere=True)

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

    def log(self, entry: str = "") -> tuple[LogLine, ...]:
        """Every line of the log, or those of one entry."""
        with self.database.reading() as session:
            lines = () if session is None else log.lines(session)
        return tuple(line for line in lines if entry in ("", line.entry))

    def verify(self) -> tuple[Problem, ...]:
        """Everything that is not as it was written; empty where nothing was tampered with."""
        with self.database.reading() as session:
            if session is None:
                return ()
            lines = log.lines(session)
            documents = digests_of(session, None)
            rows = session.scalars(select(EntryRow))
            contents = {row.id: found_fingerprint(row, documents.get(row.id, {})) for row in rows}
            contents |= {name: fingerprint_of_project(session, name) for name in session.scalars(select(ProjectRow.id))}
            changed = [
                Problem(say("The signed file {name} was changed.", name=document.name), document.entry)
                for document in session.scalars(select(DocumentRow)).yield_per(10)
                if content_of(document) is None
            ]
            stray = {*documents, *session.scalars(select(MemberRow.project))} - contents.keys()
            return (*emptied(lines), *broken_lines(lines), *strange_entries(lines, contents, stray), *changed)

    def _move(self, name: str, person: str, action: Action, status: Status) -> Entry:
        return self.amend(name, person, action, lambda entry: entry.model_copy(update={"status": status}))

    def amend(
        self,
        name: str,
        person: str,
        action: Action,
        change: Callable[[Entry], Entry],
        documents: Mapping[str, bytes] | None = None,
    ) -> Entry:
        """Replace an entry by what ``change`` makes of it, and say so in the log.

        Raises:
            RecordError: This visitor may not do that with it, or does not stand where this may be done.
        """
        with self.database.writing() as session:
            row = session.get(EntryRow, name)
            allowed = rights(session, row, person) if row is not None else frozenset()
            if row is None or not allowed:
                raise RecordError(
                    say("There is no such entry in the register."), advice=say("Go back to the register.")
                )
            if NEEDED[action] not in allowed:
                raise RecordError(
                    say("Your role in the project of this entry does not allow that."),
                    advice=say("Ask an admin of the project."),
                )
            changed = _replace(session, row, action, change)
            for document, content in (documents or {}).items():
                kept = {"sha256": sha256(content), "content": zlib.compress(content)}
                session.add(DocumentRow(entry=name, name=document, **kept))
            return changed

    def amend_through_link(self, name: str, action: Action, change: Callable[[Entry], Entry]) -> Entry:
        """The same for whoever has a link; ``change`` raises where the link does not allow it.

        Raises:
            RecordError: There is no such entry, or it does not stand where this may be done.
        """
        with self.database.writing() as session:
            row = session.get(EntryRow, name)
            if row is None:
                raise RecordError(say("There is no such entry in the register."))
            return _replace(session, row, action, change)


def remove(session: Session, row: EntryRow, kept_by: str) -> None:
    """Delete an entry with its files, and say so in the log, where the verdict of an audit stays for who had it."""
    subject = entries_of(session, [row])[0].summary.subject
    session.delete(row)
    session.execute(delete(DocumentRow).where(DocumentRow.entry == row.id))
    log.write(session, "deleted", row.id, left_of(row.verdict, kept_by, subject))


def _replace(session: Session, row: EntryRow, action: Action, change: Callable[[Entry], Entry]) -> Entry:
    """Write what ``change`` makes of an entry, with its line in the log."""
    entry = entries_of(session, [row])[0]
    if entry.status not in _BEFORE[action]:
        raise _refusal(entry, action)
    changed = change(entry).model_copy(update={"revision": entry.revision + 1})
    fill(row, changed)
    log.write(session, action, entry.id, fingerprint(changed))
    return changed


def _takes_part(entry: Entry, stated: Statement) -> bool:
    """Whether a new statement says something else than before of what is not the reviewer's to say."""
    before, after = dict(entry.statement), dict(stated)
    return any(before[name] != after[name] for name in before.keys() - OF_THE_REVIEWER)


def _refusal(entry: Entry, action: Action) -> RecordError:
    if entry.status is Status.SIGNED:
        moment = datetime.fromtimestamp(entry.signed)
        when = f"{day(moment)}, {moment:%H:%M}"
        return RecordError(
            say("This audit was signed on {when} and can no longer be changed.", when=when),
            advice=say("If it no longer holds, withdraw it, and repeat it with new data or other settings."),
        )
    if entry.status is Status.WITHDRAWN:
        return RecordError(
            say("This audit was withdrawn and can no longer be changed."),
            advice=say("Repeat it to have one that can be signed."),
        )
    return RecordError(
        say("This audit is {status}.", status=entry.status.words),
        advice=say("Only what was signed can be withdrawn.")
        if action == "withdrawn"
        else say("Open it anew to see how it stands."),
    )
