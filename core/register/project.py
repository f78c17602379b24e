"""A project and its members, and their rows."""

import json
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.base.errors import RecordError
from core.base.settings import Settings
from core.language.told import say
from core.register.entry import Text
from core.register.rights import Role
from core.register.rows import fingerprint
from core.register.schema import MemberRow, ProjectRow
from core.report.statement import LONGEST_NAME

MOST_DAYS = 3650
"""For which a project may keep uploads."""


class Member(Settings):
    """Somebody in a project.

    Attributes:
        person: Who, as the register names people.
        role: What they may do.
        name: What the project calls them; nothing is decided by it.
    """

    person: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    role: Role
    name: Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME)]


class Project(Settings):
    """People who share entries of the register.

    Attributes:
        id: Random.
        name: What people call it.
        members: In the order of their names.
        upload_days: Days after which uploads of its audits are deleted, while results stay; 0 for as long as everywhere
            on the machine.
    """

    id: str
    name: Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME)]
    members: tuple[Member, ...]
    upload_days: Annotated[int, Field(ge=0, le=MOST_DAYS)] = 0

    def role_of(self, person: str) -> Role | None:
        """What somebody is in it; None for nothing."""
        return next((member.role for member in self.members if member.person == person), None)


def read(session: Session, name: str) -> Project | None:
    """A project as its rows say; None if there is none.

    Raises:
        RecordError: They hold what no project can.
    """
    row = session.get(ProjectRow, name)
    if row is None:
        return None
    members = session.scalars(select(MemberRow).where(MemberRow.project == name)).all()
    told = [{"person": one.person, "role": one.role, "name": one.name} for one in members]
    try:
        found = {
            "id": row.id,
            "name": row.name,
            "upload_days": row.upload_days,
            "members": sorted(told, key=lambda one: (one["name"].lower(), one["person"])),
        }
        return Project.model_validate_json(json.dumps(found), strict=True)
    except (ValueError, TypeError) as error:
        raise RecordError(
            say("A project of the register is damaged, or was tampered with."),
            where=name,
            advice=say("Run python -m core register verify, and put back a copy of the register from before."),
        ) from error


def fingerprint_of_project(session: Session, name: str) -> str:
    """The fingerprint of what the rows of a project hold; another one where they cannot be read."""
    try:
        project = read(session, name)
    except RecordError:
        return "unreadable"
    return "" if project is None else fingerprint(project)
