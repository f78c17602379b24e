"""The projects that somebody is in; those who manage one say who is in it, and how long it keeps uploads."""

import streamlit as st

from core.base.errors import SettingsError
from core.base.tables import Table
from core.language.told import retold, say
from core.register.project import MOST_DAYS, Member, Project
from core.register.projects import begin, change, projects_of, remove_member, set_member
from core.register.register import Register
from core.register.rights import ROLES
from core.report.statement import LONGEST_NAME
from dashboard import deleting
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable
from dashboard.messages import say_next
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.results.tables import show_table
from dashboard.visitor import people_sign_in, person, visitor

_ROLES = {
    "viewer": say("reads"),
    "auditor": say("reads, runs and states"),
    "reviewer": say("reads, runs, states and signs"),
    "admin": say("reads, runs, states, signs, deletes and manages members"),
}


def page() -> None:
    """Own projects, and a form for another one."""
    st.title(say("Projects"), anchor=False)
    me = person() if people_sign_in() else None
    if me is None:
        st.info(say("Projects are for people who sign in. Here nobody does, so that there are none."))
        return
    st.write(
        say(
            "The members of a project see the audits that were put into it, each by their role. Nobody else "
            "sees them. An audit is put into a project on its page in the register."
        )
    )
    st.caption(say("Your id is `{id}`. Whoever takes you into a project needs it; it opens nothing.", id=me.id))
    register = Register()
    for project in projects_of(register, me.id):
        _show(register, project)
    with st.form("project_new", clear_on_submit=True):
        name = st.text_input(say("Name of a new project"), max_chars=LONGEST_NAME, key="project_name")
        if st.form_submit_button(say("Make the project"), icon=":material/group_add:"):
            begin(register, name.strip(), me.id, (me.name or me.mail or me.subject)[:LONGEST_NAME])
            _done(say("The project was made, and you are its admin."))


def _show(register: Register, project: Project) -> None:
    role = project.role_of(visitor())
    with st.container(border=True, key=project.id):
        st.header(literal(project.name), anchor=False)
        st.write(say("Your role: {role}.", role=literal(_with_rights(role or "viewer"))))
        rows = tuple((one.name, _with_rights(one.role), one.person) for one in project.members)
        show_table(Table(say("Members"), (say("Member"), say("Role"), say("Id")), rows))
        if project.upload_days:
            st.caption(
                say(
                    "Uploads are deleted {upload_days} days after they were brought; results stay.",
                    upload_days=project.upload_days,
                )
            )
        if st.button(say("Its audits"), key=f"list_{project.id}", icon=":material/inventory_2:"):
            open_page("register", project=project.id)
        if role == "admin":
            with st.expander(say("Manage this project"), icon=":material/settings:"):
                _manage(register, project)


def _manage(register: Register, project: Project) -> None:
    with st.form(f"member_{project.id}", clear_on_submit=True):
        st.caption(say("Take somebody in, or give a member another role. They find their id on this page."))
        found = st.text_input(say("Id"), key=f"member_id_{project.id}", max_chars=32)
        name = st.text_input(say("Name"), key=f"member_name_{project.id}", max_chars=LONGEST_NAME)
        role = st.selectbox(say("Role"), ROLES, format_func=_with_rights, key=f"role_{project.id}")
        if st.form_submit_button(say("Take in"), icon=":material/person_add:"):
            set_member(register, project.id, visitor(), _member(found.strip(), name.strip(), role))
            _done(say("The members were changed."))
    names = {one.person: one.name for one in project.members}
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"out_{project.id}"):
        gone = st.selectbox(say("Member"), list(names), format_func=names.__getitem__, key=f"gone_{project.id}")
        if st.button(say("Take out"), key=f"take_out_{project.id}", icon=":material/person_remove:"):
            remove_member(register, project.id, visitor(), gone)
            _done(say("They see nothing of the project any more."))
    with st.form(f"keeping_{project.id}"):
        called = st.text_input(
            say("Name of the project"), project.name, max_chars=LONGEST_NAME, key=f"name_{project.id}"
        )
        days = st.number_input(
            say("Days for which uploads are kept"),
            0,
            MOST_DAYS,
            project.upload_days,
            key=f"days_{project.id}",
            help=say(
                "Uploads are deleted after so many days, and results stay. 0: as long as everywhere on this machine."
            ),
        )
        if st.form_submit_button(say("Save"), icon=":material/save:"):
            change(register, project.id, visitor(), name=called.strip(), upload_days=int(days))
            _done(say("The project was changed."))
    key = f"delete_{project.id}"
    deleting.offer(say("Delete this project"), key)
    means = say(
        "Its audits and results go with it, and their uploads unless something else uses them. What was signed stays "
        "with whoever ran it."
    )
    if deleting.ask_about_entry(say("the project “{name}”", name=literal(project.name, 60)), key, means):
        Removal(JobTable()).delete_project(project.id, visitor(), drafts_too=deleting.more_too(key))
        _done(say("The project was deleted."))


def _with_rights(role: str) -> str:
    return f"{called(role)}: {retold(_ROLES[role])}"


def called(role: object) -> str:
    """What people call a role."""
    names = {"viewer": say("viewer"), "auditor": say("auditor"), "reviewer": say("reviewer"), "admin": say("admin")}
    return names.get(str(role), str(role))


def _member(found: str, name: str, role: str) -> Member:
    try:
        return Member.model_validate({"person": found, "name": name, "role": role})
    except ValueError as error:
        raise SettingsError(
            say("A member needs a name and their id, which has 32 letters and digits."),
            advice=say("They find their id on this page, once they signed in."),
        ) from error


def _done(what: str) -> None:
    say_next(what)
    st.rerun()
