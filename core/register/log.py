"""The log in the database: read, and written within the transaction of what it tells."""

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.register.chain import Action, LogLine
from core.register.schema import LogRow


def lines(session: Session) -> tuple[LogLine, ...]:
    """Every line, in the order of their numbers."""
    return tuple(map(_line, session.scalars(select(LogRow).order_by(LogRow.number))))


def write(session: Session, action: Action, name: str, content: str) -> None:
    """Add a line; before the first, one with a random name of the register.

    Args:
        session: A transaction that writes.
        action: What was done.
        name: Id of the entry or the project.
        content: Its fingerprint afterwards, or what is left of a deleted one.
    """
    session.flush()
    row = session.scalars(select(LogRow).order_by(LogRow.number.desc()).limit(1)).first()
    last = _line(row) if row is not None else None
    if last is None:
        last = LogLine.after(None, "begun", uuid.uuid4().hex, "")
        session.add(LogRow(**vars(last)))
    session.add(LogRow(**vars(LogLine.after(last, action, name, content))))


def _line(row: LogRow) -> LogLine:
    return LogLine(row.number, row.at, row.action, row.entry, row.content, row.previous, row.hash)
