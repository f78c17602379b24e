"""Members of a project do with its entries what their role allows; others know of nothing; four eyes sign."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from sqlalchemy import text

from core.base.errors import RecordError, SettingsError
from core.register import projects
from core.register.entry import Status
from core.register.links import share
from core.register.project import Member
from core.register.register import Register
from core.register.rights import ROLES, Role
from core.register.search import Search, find, systems
from core.report.statement import Statement
from tests.core.register.made import make_entry

ANNA, BEN, CARA = ("a" * 32, "b" * 32, "c" * 32)
FILES = {"report": b"<p>"}


def with_project(register: Register, role: Role | None = None) -> str:
    """The id of Anna's project that has an entry, in which Ben has this role."""
    register.enter(make_entry("e1", ANNA))
    project = projects.begin(register, "Loans", ANNA, "Anna").id
    projects.move(register, "e1", ANNA, project)
    if role is not None:
        projects.set_member(register, project, ANNA, Member(person=BEN, role=role, name="Ben"))
    return project


ACTS: dict[str, Callable[[Register, str, str], Any]] = {
    "read": lambda register, project, who: _found(register.get("e1", who)),
    "find by run": lambda register, project, who: _found(register.of_run("job-e1", who)),
    "list": lambda register, project, who: _found(find(register, who, Search(project=project)).total),
    "list systems": lambda register, project, who: _found(systems(register, who)),
    "state": lambda register, project, who: register.change("e1", who, notes="mine"),
    "share": lambda register, project, who: share(register, "e1", who),
    "send": lambda register, project, who: register.send_to_review("e1", who),
    "sign": lambda register, project, who: register.sign("e1", who, _in_review(register), FILES),
    "delete": lambda register, project, who: _found(register.delete("e1", who)),
    "give back": lambda register, project, who: projects.move(register, "e1", who, ""),
    "take in": lambda register, project, who: projects.set_member(
        register, project, who, Member(person=CARA, role="viewer", name="Cara")
    ),
    "dissolve": projects.dissolve,
}
ALLOWED = dict.fromkeys(("read", "find by run", "list", "list systems"), 0)
ALLOWED |= dict.fromkeys(("state", "share", "send"), 1)
ALLOWED |= {"sign": 2} | dict.fromkeys(("delete", "give back", "take in", "dissolve"), 3)


def _found(what: object) -> None:
    if not what:
        raise RecordError("Nothing.")


def _in_review(register: Register) -> int:
    return register.send_to_review("e1", ANNA).revision


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("act", ACTS)
def test_members_do_what_their_role_allows_and_strangers_nothing(
    register: Register, act: str, role: Role | None
) -> None:
    project = with_project(register, role)
    may = role is not None and ROLES.index(role) >= ALLOWED[act]
    try:
        ACTS[act](register, project, BEN)
    except RecordError:
        assert not may
    else:
        assert may
    assert register.verify() == ()


def test_who_was_taken_out_sees_nothing_more_also_of_what_they_ran(register: Register) -> None:
    project = with_project(register, "admin")
    projects.remove_member(register, project, BEN, ANNA)
    assert register.get("e1", ANNA) is None
    assert find(register, ANNA, Search()).total == 0
    assert register.get("e1", BEN) is not None
    assert projects.projects_of(register, ANNA) == ()
    projects.move(register, "e1", BEN, "")
    assert register.get("e1", BEN) is None
    assert register.get("e1", ANNA) is not None
    assert register.verify() == ()


def test_a_project_keeps_an_admin_and_a_name(register: Register) -> None:
    project = with_project(register, "reviewer")
    for act in (
        lambda: projects.remove_member(register, project, ANNA, ANNA),
        lambda: projects.set_member(register, project, ANNA, Member(person=ANNA, role="viewer", name="Anna")),
    ):
        with pytest.raises(RecordError, match="needs an admin"):
            act()
    for name, days in (("", 0), ("x" * 301, 0), ("Loans", -1), ("Loans", 4000)):
        with pytest.raises(SettingsError, match="needs a name"):
            projects.change(register, project, ANNA, name=name, upload_days=days)
    projects.change(register, project, ANNA, name="Credit", upload_days=9)
    (found,) = projects.projects_of(register, BEN)
    assert (found.name, found.upload_days, found.role_of(BEN), found.role_of(CARA)) == ("Credit", 9, "reviewer", None)
    assert projects.upload_days_of_runs(register) == {"job-e1": (9,)}


def test_one_s_own_entry_goes_only_where_one_may_run_audits(register: Register) -> None:
    project = with_project(register, "viewer")
    register.enter(make_entry("e2", BEN))
    for by, entry, to in ((BEN, "e2", project), (CARA, "e2", project), (ANNA, "e2", project), (BEN, "e2", "project-x")):
        with pytest.raises(RecordError, match="cannot put this entry there"):
            projects.move(register, entry, by, to)
    assert register.get("e2", ANNA) is None


def test_a_project_goes_with_its_entries_and_what_was_signed_returns(register: Register) -> None:
    project = with_project(register, "reviewer")
    register.sign("e1", BEN, _in_review(register), FILES)
    register.enter(make_entry("e2", ANNA))
    projects.move(register, "e2", ANNA, project)
    assert {entry.id for entry in projects.entries_in(register, project, ANNA)} == {"e1", "e2"}
    with pytest.raises(RecordError, match="no such project that you manage"):
        projects.entries_in(register, project, BEN)
    projects.dissolve(register, project, ANNA)
    assert register.get("e1", BEN) is None
    assert register.document("e1", ANNA, "report") == FILES["report"]
    assert register.known_as("e2") == []
    assert [line.action for line in register.log(project)] == ["founded", "changed", "deleted"]
    assert register.verify() == ()


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        ("UPDATE members SET role = 'admin'", "This project was changed"),
        ("UPDATE members SET role = 'owner'", "This project was changed"),
        ("INSERT INTO members (project, person, role, name) SELECT id, 'x', 'admin', 'x' FROM projects", "changed"),
        ("UPDATE projects SET upload_days = 0", "This project was changed"),
        ("DELETE FROM projects", "This project was removed"),
        ("UPDATE entries SET project = ''", "This entry was changed"),
    ],
)
def test_who_changes_members_by_hand_is_found_out(register: Register, tampering: str, told: str) -> None:
    project = with_project(register, "viewer")
    projects.change(register, project, ANNA, name="Loans", upload_days=5)
    assert register.verify() == ()
    with register.database.writing() as session:
        session.execute(text(tampering))
    assert told in " ".join(problem.what for problem in register.verify())


def test_four_eyes_let_nobody_sign_what_they_ran_or_stated(register: Register) -> None:
    project = with_project(register, "reviewer")
    projects.set_member(register, project, ANNA, Member(person=CARA, role="reviewer", name="Cara"))
    register.change("e1", BEN, statement=Statement(system="Loans"))
    seen = _in_review(register)
    for author in (ANNA, BEN):
        with pytest.raises(RecordError, match="cannot sign it here"):
            register.sign("e1", author, seen, FILES, four_eyes=True)
    entry = register.sign("e1", CARA, seen, FILES, four_eyes=True)
    assert (entry.status, entry.signed_by, entry.authors) == (Status.SIGNED, CARA, frozenset((ANNA, BEN)))
    assert register.verify() == ()


def test_without_four_eyes_one_signs_what_one_ran(register: Register) -> None:
    register.enter(make_entry("e1", ANNA))
    assert register.sign("e1", ANNA, _in_review(register), FILES).signed_by == ANNA


def test_roles_stand_from_least_to_most() -> None:
    assert ROLES == get_args(Role) == ("viewer", "auditor", "reviewer", "admin")
