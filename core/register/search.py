"""What of the register a page lists: found by words, status, verdict and system, sorted, a page at a time."""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, case, func, select

from core.register.entry import WORST_FIRST, Entry, Status
from core.register.register import Register
from core.register.rights import seen_by, to_sign
from core.register.rows import entries_of
from core.register.schema import EntryRow

Order = Literal["newest", "oldest", "worst", "system"]


@dataclass(frozen=True)
class Search:
    """What is looked for.

    Attributes:
        words: Each has to occur in names, tests, headline, notes or statement; upper and lower case are one.
        status: Only entries that stand there; None for all.
        verdict: Only entries with it; None for all.
        system: Only this system; None for all.
        order: Newest or oldest first, by verdict, or by system.
        project: Only entries of this project, by its id; None for all.
    """

    words: str = ""
    status: Status | None = None
    verdict: str | None = None
    system: str | None = None
    order: Order = "newest"
    project: str | None = None


@dataclass(frozen=True)
class Found:
    """A page of entries.

    Attributes:
        entries: Those on the page.
        total: How many were found.
    """

    entries: tuple[Entry, ...]
    total: int


def find(register: Register, person: str, search: Search, *, first: int = 0, most: int | None = None) -> Found:
    """Entries that a visitor may read.

    Args:
        register: Where.
        person: The visitor.
        search: What is looked for.
        first: Place of the first to be listed.
        most: How many are listed; all if not given.

    Raises:
        StorageError, RecordError: As by every method of the register.
    """
    with register.database.reading() as session:
        if session is None:
            return Found((), 0)
        conditions = _conditions(person, search)
        total = session.scalar(select(func.count()).select_from(EntryRow).where(*conditions)) or 0
        rows = select(EntryRow).where(*conditions).order_by(*_ORDERS[search.order], EntryRow.id)
        return Found(tuple(entries_of(session, session.scalars(rows.offset(first).limit(most)))), total)


def to_review(register: Register, person: str) -> tuple[Entry, ...]:
    """Entries in review that somebody may sign and had no part in, the newest first."""
    with register.database.reading() as session:
        if session is None:
            return ()
        waiting = select(EntryRow).where(EntryRow.status == Status.IN_REVIEW.value, to_sign(person))
        found = entries_of(session, session.scalars(waiting.order_by(EntryRow.made.desc(), EntryRow.id)))
        return tuple(entry for entry in found if person not in entry.authors)


def systems(register: Register, person: str) -> tuple[str, ...]:
    """Names of the systems of the entries that a visitor may read, in alphabetical order."""
    with register.database.reading() as session:
        if session is None:
            return ()
        found = select(EntryRow.system).where(seen_by(person)).distinct().order_by(EntryRow.system)
        return tuple(session.scalars(found))


_ORDERS: dict[Order, tuple[ColumnElement[Any], ...]] = {
    "newest": (EntryRow.made.desc(),),
    "oldest": (EntryRow.made.asc(),),
    "worst": (
        case({verdict: place for place, verdict in enumerate(WORST_FIRST)}, value=EntryRow.verdict).asc(),
        EntryRow.made.desc(),
    ),
    "system": (func.lower(EntryRow.system).asc(), EntryRow.made.desc()),
}


def _conditions(person: str, search: Search) -> list[ColumnElement[bool]]:
    wanted = (
        (EntryRow.status, None if search.status is None else search.status.value),
        (EntryRow.verdict, search.verdict),
        (EntryRow.system, search.system),
        (EntryRow.project, search.project),
    )
    return [
        seen_by(person),
        *(EntryRow.found_by.contains(word, autoescape=True) for word in search.words.lower().split()),
        *(column == value for column, value in wanted if value is not None),
    ]
