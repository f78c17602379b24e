"""Entries as rows of the database, and back; what is read there is checked like anything that others may write."""

import json
import zlib
from collections.abc import Iterable

from sqlalchemy import JSON, select
from sqlalchemy.orm import Session

from core.base.errors import RecordError
from core.base.settings import Settings
from core.language.told import say
from core.register.chain import canonical, sha256
from core.register.entry import Entry, Status, Summary, storable
from core.register.schema import DocumentRow, EntryRow
from core.report.statement import Statement

_PLAIN = tuple(column.name for column in EntryRow.__table__.columns if not isinstance(column.type, JSON))
"""Columns of one value each; of those that hold JSON an entry is made, which has them in its fingerprint."""
_MOST_AT_ONCE = 500
"""Entries that are named in one question to the database."""


def fingerprint(entry: Settings) -> str:
    """SHA-256 of an entry or a project; what later versions add changes nothing while it is not filled in."""
    return sha256(canonical(entry.model_dump(mode="json", exclude_defaults=True)))


def entries_of(session: Session, rows: Iterable[EntryRow]) -> list[Entry]:
    """Rows as entries, with the fingerprints of their documents."""
    rows = list(rows)
    signed = [row.id for row in rows if row.signed]
    documents = digests_of(session, signed if len(signed) < _MOST_AT_ONCE else None) if signed else {}
    return [_entry(row, documents.get(row.id, {})) for row in rows]


def _entry(row: EntryRow, documents: dict[str, str]) -> Entry:
    """A row as an entry.

    Raises:
        RecordError: It holds what no entry can.
    """
    try:
        return Entry(
            id=row.id,
            owner=row.owner,
            job=row.job,
            workflow=row.workflow,
            made=row.made,
            plan=row.plan,
            summary=Summary.model_validate(row.summary),
            status=Status(row.status),
            statement=Statement.model_validate_json(json.dumps(row.statement)),
            notes=row.notes,
            after=row.after,
            signed=row.signed,
            documents=documents,
            project=row.project,
            stated_by=tuple(row.stated_by),
            signed_by=row.signed_by,
            signer=row.signer,
            links=tuple(row.links),
            comments=tuple(row.comments),
            revision=row.revision,
        )
    except (ValueError, TypeError) as error:
        raise RecordError(
            say("An entry of the register is damaged, or was tampered with."),
            where=say("entry {id}", id=row.id),
            advice=say("Run python -m core register verify, and put back a copy of the register from before."),
        ) from error


def digests_of(session: Session, entries: list[str] | None) -> dict[str, dict[str, str]]:
    """SHA-256 of the documents of these entries, or of all, by entry and name."""
    found = select(DocumentRow.entry, DocumentRow.name, DocumentRow.sha256).order_by(DocumentRow.name)
    if entries is not None:
        found = found.where(DocumentRow.entry.in_(entries))
    documents: dict[str, dict[str, str]] = {}
    for entry, name, digest in session.execute(found):
        documents.setdefault(entry, {})[name] = digest
    return documents


def found_fingerprint(row: EntryRow, documents: dict[str, str]) -> str:
    """The fingerprint of what a row holds; another one where it cannot be read or contradicts itself."""
    try:
        entry = _entry(row, documents)
    except RecordError:
        return "unreadable"
    same = fill(EntryRow(), entry)
    told = all(_is_told(getattr(row, name), getattr(same, name)) for name in _PLAIN)
    return fingerprint(entry) if told else "contradictory"


def _is_told(found: object, entry: object) -> bool:
    """Whether a column holds what the entry says, also in kind: SQLite keeps texts in columns of numbers."""
    numbers = isinstance(found, int | float) and isinstance(entry, int | float)
    return found == entry and (numbers or type(found) is type(entry))


def fill(row: EntryRow, entry: Entry) -> EntryRow:
    """Write an entry into a row, and return it; its documents have rows of their own."""
    summary, statement = entry.summary, entry.statement.model_dump(mode="json", exclude_defaults=True)
    row.id, row.owner, row.job, row.workflow, row.made = entry.id, entry.owner, entry.job, entry.workflow, entry.made
    row.status, row.verdict, row.system = entry.status.value, summary.verdict, storable(entry.system)
    row.plan, row.summary, row.statement = entry.plan, summary.model_dump(mode="json"), statement
    row.notes, row.after, row.signed, row.revision = entry.notes, entry.after, entry.signed, entry.revision
    row.project, row.stated_by, row.signed_by = entry.project, list(entry.stated_by), entry.signed_by
    row.links, row.signer = [link.model_dump() for link in entry.links], storable(entry.signer)
    row.comments = [comment.model_dump() for comment in entry.comments]
    said = (row.system, summary.model, summary.table, summary.headline, summary.tests, entry.notes)
    row.found_by = storable("\n".join((*said, *map(str, statement.values()))).lower())
    return row


def content_of(row: DocumentRow) -> bytes | None:
    """The file; None if it is not the one of its fingerprint."""
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(row.content)
    except (zlib.error, TypeError):
        return None
    whole = reader.eof and not reader.unused_data
    return content if whole and sha256(content) == row.sha256 else None
