"""Projects: people who share entries of the register, each in a role. Every change is a line of the log."""

import uuid

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.base.errors import RecordError, SettingsError
from core.language.told import say
from core.register import log
from core.register.chain import Action
from core.register.entry import Entry
from core.register.project import MOST_DAYS, Member, Project, read
from core.register.register import Register, remove
from core.register.rights import rights, rights_in
from core.register.rows import entries_of, fill, fingerprint
from core.register.schema import EntryRow, MemberRow, ProjectRow
from core.report.statement import LONGEST_NAME


def begin(register: Register, name: str, person: str, called: str) -> Project:
    """Make a project, whose first member and admin is who makes it."""
    founder = {"person": person, "role": "admin", "name": called or say("the founder")}
    project = _checked(id=f"project-{uuid.uuid4().hex}", name=name, members=(founder,))
    with register.database.writing() as session:
        _write(session, project, "founded")
    return project


def projects_of(register: Register, person: str) -> tuple[Project, ...]:
    """The projects that somebody is a member of, by their names."""
    with register.database.reading() as session:
        if session is None:
            return ()
        found = select(MemberRow.project).where(MemberRow.person == person)
        projects = [read(session, name) for name in session.scalars(found)]
        return tuple(sorted(filter(None, projects), key=lambda one: (one.name.lower(), one.id)))


def set_member(register: Register, project: str, by: str, member: Member) -> None:
    """Take somebody in, or give them another role.

    Raises:
        RecordError: ``by`` is no admin of it, or no admin would be left.
    """
    _with(register, project, by, member.person, member)


def remove_member(register: Register, project: str, by: str, person: str) -> None:
    """Take somebody out; they see nothing of it any more.

    Raises:
        RecordError: ``by`` is no admin of it, or no admin would be left.
    """
    _with(register, project, by, person)


def change(register: Register, project: str, by: str, *, name: str, upload_days: int) -> None:
    """Call it otherwise, or keep its uploads for another time.

    Raises:
        RecordError: ``by`` is no admin of it.
        SettingsError: The name is empty or too long, or there are too many days.
    """
    with register.database.writing() as session:
        found = _managed(session, project, by)
        _write(session, _checked(**{**dict(found), "name": name, "upload_days": upload_days}), "changed")


def move(register: Register, entry: str, by: str, project: str) -> Entry:
    """Put an entry of one's own into a project, or give one of a project (``""``) back to whoever ran it.

    Raises:
        RecordError: ``by`` may not do that.
    """
    with register.database.writing() as session:
        row = session.get(EntryRow, entry)
        allowed = "manage" in rights(session, row, by) if row is not None else False
        if row is None or not allowed or (project and (row.project or "state" not in rights_in(session, project, by))):
            raise RecordError(
                say("You cannot put this entry there."),
                advice=say(
                    "Who ran an entry puts it into a project in which they may run audits; an admin of the project "
                    "gives it back."
                ),
            )
        return _moved(session, row, project)


def dissolve(register: Register, project: str, by: str) -> None:
    """Delete a project with its entries; what was signed goes back to whoever ran it.

    Raises:
        RecordError: ``by`` is no admin of it.
    """
    with register.database.writing() as session:
        _managed(session, project, by)
        for row in session.scalars(select(EntryRow).where(EntryRow.project == project)).all():
            if row.signed:
                _moved(session, row, "")
                continue
            remove(session, row, row.owner)
        session.execute(delete(MemberRow).where(MemberRow.project == project))
        session.execute(delete(ProjectRow).where(ProjectRow.id == project))
        log.write(session, "deleted", project, "")


def entries_in(register: Register, project: str, by: str) -> list[Entry]:
    """The entries of a project, for its admin.

    Raises:
        RecordError: ``by`` is no admin of it.
    """
    with register.database.reading() as session:
        if session is None:
            return []
        _managed(session, project, by)
        return entries_of(session, session.scalars(select(EntryRow).where(EntryRow.project == project)))


def upload_days_of_runs(register: Register) -> dict[str, tuple[int, ...]]:
    """For every run with entries in projects, the days for which each of its entries lets uploads be kept.

    An entry in no project, or in one without days of its own, counts as 0.
    """
    with register.database.reading() as session:
        if session is None:
            return {}
        asked = select(EntryRow.job, ProjectRow.upload_days).outerjoin(ProjectRow, ProjectRow.id == EntryRow.project)
        days: dict[str, tuple[int, ...]] = {}
        for job, kept in session.execute(asked):
            days[job] = (*days.get(job, ()), kept or 0)
        return {job: each for job, each in days.items() if any(each)}


def _moved(session: Session, row: EntryRow, project: str) -> Entry:
    entry = entries_of(session, [row])[0]
    moved = entry.model_copy(update={"project": project, "revision": entry.revision + 1})
    fill(row, moved)
    log.write(session, "moved", row.id, fingerprint(moved))
    return moved


def _with(register: Register, project: str, by: str, person: str, *new: Member) -> None:
    """Write the members anew: all but ``person``, and the new ones."""
    with register.database.writing() as session:
        found = _managed(session, project, by)
        members = (*(one for one in found.members if one.person != person), *new)
        if not any(one.role == "admin" for one in members):
            raise RecordError(say("A project needs an admin."), advice=say("Make somebody else its admin first."))
        _write(session, _checked(**{**dict(found), "members": members}), "changed")


def _managed(session: Session, project: str, by: str) -> Project:
    """A project that ``by`` is an admin of."""
    found = read(session, project)
    if found is None or "manage" not in rights_in(session, project, by):
        raise RecordError(say("There is no such project that you manage."), advice=say("Ask one of its admins."))
    return found


def _checked(**values: object) -> Project:
    try:
        project = Project.model_validate(values)
    except ValueError as error:
        raise SettingsError(
            say(
                "A project needs a name of at most {letters} letters, members each with a name, and at most "
                "{days} days.",
                letters=LONGEST_NAME,
                days=MOST_DAYS,
            )
        ) from error
    members = sorted(project.members, key=lambda one: (one.name.lower(), one.person))
    return project.model_copy(update={"members": tuple(members)})


def _write(session: Session, project: Project, action: Action) -> None:
    row = session.get(ProjectRow, project.id) or ProjectRow(id=project.id)
    row.name, row.upload_days = project.name, project.upload_days
    session.execute(delete(MemberRow).where(MemberRow.project == project.id))
    session.add(row)
    session.add_all(MemberRow(project=project.id, **dict(member)) for member in project.members)
    log.write(session, action, project.id, fingerprint(project))
