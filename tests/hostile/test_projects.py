"""What is in a project is seen by its members only; its uploads go when it says; with it, all goes from the disk."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
import streamlit as st

from core.base.errors import RecordError
from core.base.files import FileStore, home
from core.register.project import Member
from core.register.projects import begin, change, move, set_member
from core.register.register import Register
from core.register.rights import Role
from core.register.search import Search, find
from core.study import Study
from dashboard import visitor
from dashboard.jobs import queue
from dashboard.jobs.job import Job
from dashboard.jobs.registering import Registrar, id_of
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable
from dashboard.views.register import waiting
from tests.builders_transport import make_transport_plan
from tests.core.register.made import make_entry
from tests.dashboard.walking import assert_sound, click, keys, open_page, texts
from tests.hostile.test_privacy import MARKER, aged, audited, drafted, traces, upload

A, B = TypeVar("A"), TypeVar("B")
CLAIMS = {name: {"is_logged_in": True, "iss": "https://login.example", "sub": name} for name in ("anna", "ben", "cara")}
PLAN = Study(plans=(make_transport_plan(),)).model_dump(mode="json")


@pytest.fixture(autouse=True)
def sign_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], str]:
    """Signs somebody in; returns who the dashboard takes them for."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr(st, "secrets", {"auth": {}})
    monkeypatch.setattr(queue, "ensure_worker", lambda: None)

    def signed_in(name: str) -> str:
        monkeypatch.setattr(visitor, "_claims", lambda: CLAIMS[name])
        found = visitor.person()
        assert found is not None
        return found.id

    return signed_in


def finished(who: str) -> str:
    """The id of somebody's finished run, which entered the register."""
    table = JobTable()
    job = table.add("audit", {"study": PLAN}, "code", who)
    table.finish(
        job.id, "done", {"results": [], "summary": make_entry(table="secret.csv").summary.model_dump(mode="json")}
    )
    Registrar(table).look()
    return job.id


def shared(who: str, job: str, *members: tuple[str, Role]) -> str:
    """The id of somebody's new project that this run is in."""
    project = begin(Register(), "Loans", who, "Founder").id
    move(Register(), id_of(job, who), who, project)
    for person, role in members:
        set_member(Register(), project, who, Member(person=person, role=role, name="Member"))
    return project


def test_who_is_in_no_project_finds_its_entry_by_no_name_that_it_has(sign_in: Callable[[str], str]) -> None:
    ben, cara, anna = map(sign_in, ("ben", "cara", "anna"))
    job = finished(anna)
    project, entry = shared(anna, job, (ben, "viewer")), id_of(job, anna)
    other = begin(Register(), "Another", cara, "Cara").id
    sign_in("cara")
    file = FileStore().put(b"a,b\n1,2\n", "people.csv").sha256
    tried = (("register", "entry", job), ("register", "entry", entry), ("register", "project", project))
    tried += (("audit", "audit", job), ("audit", "audit", entry), ("data", "draft", file), ("shared", "entry", entry))
    for page, what, name in tried:
        app = open_page(page, **{what: name})
        assert not app.exception
        assert "secret" not in texts(app), (page, what)
        assert "Loans" not in texts(app), (page, what)
    assert find(Register(), cara, Search(project=project)).total == 0
    for name in (job, entry, project, file, anna):
        assert Register().get(name, cara) is None
        assert Register().of_run(name, cara) is None
        assert queue_find(name) is None
    assert "Another" in texts(open_page("projects"))
    for act in (
        lambda: move(Register(), entry, cara, other),
        lambda: Removal(JobTable()).delete_project(project, cara),
        lambda: change(Register(), project, cara, name="Mine", upload_days=1),
    ):
        with pytest.raises(RecordError):
            act()
    sign_in("ben")
    app = open_page("register", entry=entry)
    assert_sound(app)
    assert "secret" in " ".join((*texts(app).split(), *(title.value for title in app.title)))
    found = queue_find(job)
    assert found is not None
    assert not queue_of(queue.may_repeat, found), "who only reads does not reach the uploads"
    assert not {"entry_send", "entry_sign", "link_make", "entry_repeat", f"delete_{entry}"} & keys(app)
    assert not app.text_area, "a viewer states nothing"


def queue_find(job: str) -> Job | None:
    """The run as whoever is signed in sees it on a page."""
    return queue_of(queue.find, job)


def queue_of(what: Callable[[A], B], about: A) -> B:
    """What the queue says to whoever is signed in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visitor, "get_script_run_ctx", lambda **_: object())
        return what(about)


def test_four_eyes_show_the_author_no_way_to_sign_and_the_reviewer_one(
    sign_in: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_FOUR_EYES", "1")
    for form in ("signing", "stating"):
        monkeypatch.setattr(f"dashboard.views.register.{form}.missing", lambda *_: {})
    monkeypatch.setattr("dashboard.views.register.frozen.documents", lambda *_: {"report": b"<p>"})
    ben, anna = sign_in("ben"), sign_in("anna")
    job = finished(anna)
    shared(anna, job, (ben, "reviewer"))
    entry = id_of(job, anna)
    Register().send_to_review(entry, anna)
    app = open_page("register", entry=entry)
    assert_sound(app)
    assert app.button(key="entry_sign").disabled
    assert "somebody else signs it" in texts(app)
    sign_in("ben")
    app = click(open_page("register", entry=entry), "entry_sign")
    assert "as you signed in" in texts(app)
    click(app, "entry_sign_yes")
    assert_sound(app)
    found = Register().get(entry, anna)
    assert found is not None
    assert (found.signed_by, found.signer) == (ben, "ben")
    assert found.signature is not None
    assert found.signature.four_eyes
    monkeypatch.setattr(st, "secrets", {})
    assert not visitor.four_eyes(), "where nobody signs in, nobody else could sign"


def test_a_reviewer_finds_what_waits_and_nobody_signs_their_own_where_another_can(
    sign_in: Callable[[str], str],
) -> None:
    ben, cara, anna = (sign_in(name) for name in ("ben", "cara", "anna"))
    job = finished(anna)
    shared(anna, job, (ben, "reviewer"), (cara, "viewer"))
    entry = id_of(job, anna)
    app = click(open_page("register", entry=entry), "entry_send")
    assert_sound(app)
    assert app.button(key="entry_sign").disabled, "Ben can review it"
    assert "It waits in the register of Member, with a badge." in texts(app)
    assert not app.code, "no link that opens without a sign-in unless somebody makes one"
    for who, waits in (("ben", True), ("cara", False), ("anna", False)):
        sign_in(who)
        app = open_page("register")
        assert_sound(app)
        assert (f"review_{entry}" in keys(app)) == waits
        assert ("1 to review" in queue_of(lambda _: waiting.badge(), None)) == waits
    sign_in("ben")
    app = click(open_page("register"), f"review_{entry}")
    assert_sound(app)
    assert not app.button(key="entry_sign").disabled
    Register().take_back(entry, anna)
    assert queue_of(lambda _: waiting.badge(), None) == ""


def test_a_project_is_made_filled_and_left_on_its_page(sign_in: Callable[[str], str]) -> None:
    ben, anna = sign_in("ben"), sign_in("anna")
    job = finished(anna)
    app = open_page("projects")
    app.text_input(key="project_name").set_value("  Loans & <b>credit</b> ")
    next(button for button in app.button if button.label == "Make the project").click()
    app.run()
    assert_sound(app)
    (project,) = (key.removeprefix("list_") for key in keys(app) if key.startswith("list_"))
    for person, told in (("nonsense", "A member needs a name and their id"), (ben, "")):
        app.text_input(key=f"member_id_{project}").set_value(person)
        app.text_input(key=f"member_name_{project}").set_value("Ben")
        app.selectbox(key=f"role_{project}").set_value("reviewer")
        next(button for button in app.button if button.label == "Take in").click()
        app.run()
        assert told in " ".join(error.value for error in app.error)
        assert bool(told) == bool(app.error)
    app = click(open_page("register", entry=id_of(job, anna)), "entry_into")
    assert_sound(app)
    assert "in which you are admin" in texts(app)
    sign_in("ben")
    app = open_page("register", project=project)
    assert_sound(app)
    assert f"open_{id_of(job, anna)}" in keys(app)
    assert f"delete_{project}" not in keys(open_page("projects")), "a reviewer manages nothing"
    sign_in("anna")
    app = click(click(open_page("projects"), f"delete_{project}"), f"delete_{project}_yes")
    assert_sound(app)
    assert "The project was deleted" in texts(app)
    assert JobTable().get(job) is None
    assert Register().verify() == ()


def test_what_repeats_an_entry_of_a_project_is_in_it(sign_in: Callable[[str], str]) -> None:
    cara, ben, anna = map(sign_in, ("cara", "ben", "anna"))
    job = finished(anna)
    project = shared(anna, job, (ben, "auditor"), (cara, "viewer"))
    found = {}
    for number, who in enumerate((ben, cara)):
        table = JobTable()
        again = table.add("audit", {"study": {**PLAN, "n": number}}, "code", who, after=id_of(job, anna))
        table.finish(again.id, "done", {"results": []})
        Registrar(table).look()
        (entry,) = Register().known_as(again.id)
        found[who] = entry.project
    assert found == {ben: project, cara: ""}


def test_a_project_keeps_uploads_for_its_own_days_and_results_stay(sign_in: Callable[[str], str]) -> None:
    anna = sign_in("anna")
    file = upload()
    job = audited(file, anna)
    mine = upload(b"of no project", "mine.csv")
    audited(mine, anna, "b" * 64)
    Registrar(JobTable()).look()
    project = shared(anna, job.id)
    change(Register(), project, anna, name="Loans", upload_days=7)
    aged(home(), 6)
    Removal(JobTable()).retire()
    assert FileStore().holds(file), "still"
    aged(home(), 8)
    Removal(JobTable()).retire()
    assert FileStore().holds(mine)
    assert not FileStore().holds(file)
    assert MARKER not in "".join(path.read_text() for path in (home() / "files").iterdir()), "nor the table made of it"
    assert (home() / "results" / ("a" * 64) / "result.json").exists()


@pytest.mark.parametrize("ticked", [False, True])
@pytest.mark.parametrize("what", ["project", "entry"])
def test_a_project_or_entry_that_is_deleted_leaves_set_ups_only_and_nothing_where_that_is_ticked(
    sign_in: Callable[[str], str], what: str, ticked: bool
) -> None:
    ben, anna = sign_in("ben"), sign_in("anna")
    file = upload()
    job = audited(file, anna)
    draft = drafted(file, anna)
    Registrar(JobTable()).look()
    project = shared(anna, job.id, (ben, "reviewer"))
    with pytest.raises(RecordError, match="belongs to a project"):
        Removal(JobTable()).delete_audit(job.id, anna)
    with pytest.raises(RecordError, match="no such project that you manage"):
        Removal(JobTable()).delete_project(project, ben)
    assert traces(home())
    (entry,) = (one.id for one in Register().known_as(job.id))
    shown = open_page("projects") if what == "project" else open_page("register", entry=entry)
    key = f"delete_{project if what == 'project' else entry}"
    box = click(shown, key).checkbox(key=f"{key}_too")
    assert not box.value, "no more than was asked for"
    click(box.set_value(ticked).run(), f"{key}_yes")
    assert draft.exists() == FileStore().holds(file) != ticked
    assert (traces(home()) == []) == ticked
    assert Register().known_as(job.id) == []
    assert Register().verify() == ()
