"""Who may do what with an entry: its owner everything; members of its project what their role allows, and nobody else.

An entry in a project belongs to the project: whoever ran it sees it there by their role, like the others.
"""

from typing import Literal, get_args

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from core.register.chain import Action
from core.register.schema import EntryRow, MemberRow

Role = Literal["viewer", "auditor", "reviewer", "admin"]
Right = Literal["read", "state", "sign", "manage"]

ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what the one before it may, and more."""
RIGHTS: dict[Role, Right] = dict(zip(ROLES, get_args(Right), strict=True))
"""What each role adds to those before it: to read; to run and state; to sign; to manage members and delete."""
NEEDED: dict[Action, Right] = {
    "changed": "state",
    "sent": "state",
    "returned": "state",
    "shared": "state",
    "revoked": "state",
    "signed": "sign",
    "withdrawn": "sign",
    "deleted": "manage",
}
"""What one has to be allowed to for what is done with an entry."""


def rights(session: Session, row: EntryRow, person: str) -> frozenset[Right]:
    """What a visitor may do with an entry; nothing if they must not know of it."""
    if not row.project:
        return frozenset(get_args(Right)) if row.owner == person else frozenset()
    return rights_in(session, row.project, person)


def rights_in(session: Session, project: str, person: str) -> frozenset[Right]:
    """What a visitor may do with the entries of a project."""
    member = session.get(MemberRow, (project, person))
    return frozenset(right for right in get_args(Right) if member is not None and may(member.role, right))


def may(role: str, right: Right) -> bool:
    """Whether a role has a right; a role that is none has no right."""
    return role in ROLES and ROLES.index(role) >= list(RIGHTS.values()).index(right)


def to_sign(person: str) -> ColumnElement[bool]:
    """Entries of projects in which somebody may sign, as a condition of a question to the database."""
    roles = [role for role in ROLES if may(role, "sign")]
    return EntryRow.project.in_(select(MemberRow.project).where(MemberRow.person == person, MemberRow.role.in_(roles)))


def seen_by(person: str) -> ColumnElement[bool]:
    """The entries that a visitor may read, as a condition of a question to the database."""
    projects = select(MemberRow.project).where(MemberRow.person == person, MemberRow.role.in_(ROLES))
    return or_(and_(EntryRow.project == "", EntryRow.owner == person), EntryRow.project.in_(projects))
