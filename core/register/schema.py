"""The tables of the register, for SQLite and PostgreSQL alike. A change needs a migration beside it."""

from typing import Any

from sqlalchemy import JSON, Double, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

HEAD = "0005"
"""The last migration in ``migrations/versions``."""


class TableBase(DeclarativeBase):
    """What all tables belong to."""


class EntryRow(TableBase):
    """An entry; what lists are searched and sorted by stands in columns of its own."""

    __tablename__ = "entries"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    job: Mapped[str] = mapped_column(String(64))
    workflow: Mapped[str] = mapped_column(String(32))
    made: Mapped[float] = mapped_column(Double)
    status: Mapped[str] = mapped_column(String(16))
    verdict: Mapped[str] = mapped_column(String(32))
    system: Mapped[str] = mapped_column(Text)
    found_by: Mapped[str] = mapped_column(Text)
    """What a search looks through, in lower case."""
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    summary: Mapped[dict[str, Any]] = mapped_column(JSON)
    statement: Mapped[dict[str, Any]] = mapped_column(JSON)
    notes: Mapped[str] = mapped_column(Text)
    after: Mapped[str] = mapped_column(String(64), server_default="")
    signed: Mapped[float] = mapped_column(Double, server_default="0")
    project: Mapped[str] = mapped_column(String(64), server_default="")
    stated_by: Mapped[list[str]] = mapped_column(JSON, server_default="[]")
    signed_by: Mapped[str] = mapped_column(String(64), server_default="")
    links: Mapped[list[dict[str, Any]]] = mapped_column(JSON, server_default="[]")
    comments: Mapped[list[dict[str, Any]]] = mapped_column(JSON, server_default="[]")
    signer: Mapped[str] = mapped_column(Text, server_default="")
    revision: Mapped[int] = mapped_column(Integer)

    __table_args__ = (
        Index("entries_owner", "owner", "made"),
        Index("entries_project", "project"),
        Index("entries_job", "job"),
    )


class ProjectRow(TableBase):
    """A project; its members have rows of their own."""

    __tablename__ = "projects"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    upload_days: Mapped[int] = mapped_column(Integer)


class MemberRow(TableBase):
    """Somebody in a project."""

    __tablename__ = "members"

    project: Mapped[str] = mapped_column(String(64), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(Text)


class DocumentRow(TableBase):
    """A file that was frozen when an entry was signed, compressed by zlib."""

    __tablename__ = "documents"

    entry: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64))
    content: Mapped[bytes] = mapped_column(LargeBinary)


class LogRow(TableBase):
    """A line of the log, as :class:`core.register.chain.LogLine`."""

    __tablename__ = "log"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    at: Mapped[str] = mapped_column(String(40))
    action: Mapped[str] = mapped_column(String(16))
    entry: Mapped[str] = mapped_column(String(64))
    content: Mapped[str] = mapped_column(String(64))
    previous: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
