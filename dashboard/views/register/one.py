"""One entry: what was found, what is stated of it, its way to a signature, its notes and its history."""

from typing import Any, NoReturn

import streamlit as st

from core.base.errors import RecordError
from core.base.tables import Table
from core.language.reader import SOURCE, language
from core.language.told import retold, say, say_as
from core.register.chain import sha256
from core.register.comparison import plan_of
from core.register.entry import Entry, Status
from core.register.projects import move, projects_of
from core.register.register import Register
from core.register.rights import Right
from core.register.timeline import day
from core.study import Study
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.selection.settings import SelectionPlan
from dashboard import deleting, session
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable
from dashboard.messages import say_next, say_over
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.projects.page import called
from dashboard.views.register import reviewing, sharing, signing, words
from dashboard.views.results.tables import show_table
from dashboard.views.results.widgets import forget_reading
from dashboard.views.slides import way as slides
from dashboard.visitor import people_sign_in, visitor

_ACTIONS = {
    "entered": say("entered the register"),
    "changed": say("statement or notes changed"),
    "sent": say("sent to review"),
    "returned": say("taken back from review"),
    "signed": say_as("an entry", "signed"),
    "withdrawn": say("withdrawn"),
    "shared": say("link made"),
    "moved": say("put into a project, or given back"),
    "revoked": say("link revoked"),
    "commented": say("comment through a link"),
}


def show(register: Register, entry: Entry) -> None:
    """The whole page."""
    st.title(words.title(entry), anchor=False)
    st.caption(words.details(entry))
    st.markdown(f"{words.verdict(entry)} · {words.status(entry)}")
    show_found(entry)
    rights = register.rights(entry.id, visitor())
    _show_ways(register, entry, rights)
    signing.show(register, entry, rights)
    reviewing.show_comments(entry, may="state" in rights)
    if "state" in rights:
        sharing.show(register, entry)
    _show_project(register, entry, rights)
    _show_notes(register, entry, may="state" in rights)
    _show_history(register, entry)


def show_found(entry: Entry, *, numbers: bool = True) -> None:
    """The headline and what qualifies it; p-values, and the ``numbers`` of each test, one click below."""
    found = entry.summary
    if found.headline:
        st.write(f"**{literal(found.headline)}.** {literal(found.qualified)}".rstrip())
        for told in filter(None, (words.not_settled(entry), words.others_ended_worse(entry))):
            st.write(literal(told))
        if language() != SOURCE:
            st.caption(say("The register keeps what was found in English, the same for all its readers."))
    outcomes = found.outcomes if numbers else ()
    if not (found.sentence or outcomes):
        return
    with st.expander(say("How sure is this?")):
        st.write(literal(found.sentence))
        for outcome in outcomes:
            if outcome.rows:
                st.markdown(
                    f"**{literal(words.name_of_test(outcome.title))}: {literal(words.verdict_name(outcome.verdict))}**"
                )
                st.caption(literal(outcome.caption))
                show_table(Table(outcome.caption, outcome.header, outcome.rows))


def _show_ways(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    job = jobs.find(entry.job)
    key = f"delete_{entry.id}"
    with st.container(horizontal=True, key="entry_ways"):
        if job is not None and st.button(
            say("Open the result"), key="entry_open", type="primary", icon=":material/fact_check:"
        ):
            forget_reading()
            open_page(entry.workflow, **{entry.workflow: job.id})
        if job is not None:
            slides.offer(entry.workflow, job.id)
        if "state" in rights and st.button(
            say("The same with new data"),
            key="entry_repeat",
            icon=":material/event_repeat:",
            help=say("The same tests, roles, model and tolerances; only the table is asked for."),
        ):
            _begin_again(entry)
        if entry.after and st.button(say("What it repeats"), key="entry_before", icon=":material/history:"):
            open_page("register", entry=entry.after)
        if job is not None and jobs.is_own(job) and not entry.project and not entry.signed:
            deleting.offer(say("Delete"), key)
        elif (job is None or entry.project) and not entry.signed and "manage" in rights:
            deleting.offer(say("Delete this entry"), key)
        if st.button(say("To the register"), key="entry_back", icon=":material/arrow_back:"):
            open_page("register")
    if job is None:
        st.info(
            say("The result itself was deleted, or is on another machine; what the register keeps of it is below."),
            icon=":material/info:",
        )
    called = say("the entry “{entry}”", entry=words.title(entry))
    if entry.project:
        goes = say("Its settings and its result go with it, and its uploads unless something else uses them.")
        if deleting.ask_about_entry(called, key, goes, entry=entry):
            Removal(JobTable()).delete_entry(entry, visitor(), drafts_too=deleting.more_too(key))
            open_page("register")
    elif job is not None and deleting.ask_about_run(job, called, key):
        open_page("register")
    elif job is None and deleting.ask_about_entry(called, key, entry=entry):
        register.delete(entry.id, visitor())
        open_page("register")


def _show_notes(register: Register, entry: Entry, *, may: bool) -> None:
    if not may or entry.status in (Status.SIGNED, Status.WITHDRAWN):
        if entry.notes:
            st.header(say("Notes"), anchor=False)
            st.text(entry.notes)
        return
    key = f"notes_{entry.id}_{sha256(entry.notes.encode())}"
    noted = st.text_area(say("Notes"), entry.notes, key=key, max_chars=4_000)
    if noted != entry.notes:
        register.change(entry.id, visitor(), notes=noted)
        say_over(say("Your note was saved."))
        st.rerun()


def _show_history(register: Register, entry: Entry) -> None:
    with st.expander(say("History of this entry"), icon=":material/history:"):
        lines = register.log(entry.id)
        rows = tuple(
            (words.moment(line.at), retold(_ACTIONS.get(line.action, line.action)), f"{line.hash[:12]}…")
            for line in lines
        )
        show_table(Table(say("History"), (say("When"), say("What"), say("Line of the log (SHA-256)")), rows))
        st.caption(
            say(
                "Every line of the log holds the hash of the line before it, so that nobody changes an entry "
                "unseen: `python -m core register verify` says which entry was."
            )
        )
        if entry.signed:
            st.caption(
                say("Signed on {signed}; record and report are kept as they were then.", signed=day(entry.signed))
            )


def _begin_again(entry: Entry) -> NoReturn:
    """Open the first step of the same work, where the new table is asked for.

    Raises:
        RecordError: Another version of Evenhand wrote the entry.
    """
    plan: Any = plan_of(entry)
    page, name = entry.workflow, ""
    if isinstance(plan, Study):
        page, name = "data", session.begin(Draft.of(plan))
    elif isinstance(plan, SelectionPlan):
        from dashboard.views.selection import draft as selection_draft

        name = selection_draft.begin(plan)
    elif isinstance(plan, MitigationPlan):
        from dashboard.views.fairer import draft as mitigation_draft

        name = mitigation_draft.begin(plan)
    elif isinstance(plan, ComparisonPlan):
        page, name = "data", session.begin(Draft.of(plan.models[plan.place_of_baseline].study))
    else:
        raise RecordError(
            say("Another version of Evenhand wrote this entry; its settings cannot be read here."),
            advice=say("Set the work up again."),
        )
    session.save(name, session.load(name).model_copy(update={"data": None, "after": entry.id}))
    open_page(page, draft=name)


def _show_project(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    """The section; nothing where nobody signs in, or there is no project."""
    found = {project.id: project for project in projects_of(register, visitor())} if people_sign_in() else {}
    if entry.project in found:
        project = found[entry.project]
        with st.container(horizontal=True, vertical_alignment="center", key="entry_project"):
            st.markdown(
                say(
                    ":material/group: Project **{name}**, in which you are {role}. Its members see this entry.",
                    name=literal(project.name),
                    role=literal(called(project.role_of(visitor()))),
                )
            )
            if "manage" in rights and st.button(say("Give it back to whoever ran it"), key="entry_back_to_owner"):
                move(register, entry.id, visitor(), "")
                say_next(say("It belongs to whoever ran it, and to no project."))
                st.rerun()
        return
    offered = [name for name, project in found.items() if project.role_of(visitor()) != "viewer"]
    if not offered:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="entry_into_project"):
        chosen = st.selectbox(say("Project"), offered, format_func=lambda one: found[one].name, key="entry_projects")
        if st.button(say("Put it into this project"), key="entry_into", icon=":material/group:"):
            move(register, entry.id, visitor(), chosen)
            say_next(say("The members of the project see it now. Only an admin of the project can take it out again."))
            st.rerun()
