"""What this browser ran before: verdict, status and day, what runs now first, then what was used last."""

import time
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from core.base.errors import EvenhandError, RecordError
from core.language.told import retold, say
from core.register import is_begun
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import OWN_WORK, Job, study_of
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.home.examples import names_of_tests
from dashboard.visitor import people_sign_in, visitor
from dashboard.waiting import duration

if TYPE_CHECKING:
    from core.register.entry import Entry

_SHOWN = 6
_WORK = {
    "select": say("Choice of a model"),
    "fairer": say("Comparison of fairer models"),
    "compare": say("Comparison of models"),
}
_STATES = {"done": say("finished"), "running": say("running"), "queued": say("waiting")}


def show() -> bool:
    """The latest work of this visitor under the page's title; whether there is any."""
    recent, retired = jobs.recent(OWN_WORK, _SHOWN), jobs.retired()
    if retired:
        from dashboard import deleting

        deleting.show_retired(retired)
    entries = _entries(recent)
    if not recent and not entries:
        return False
    st.title(say("Your audits"))
    entered = {entry.job for entry in entries}
    for job in recent:
        if job.id not in entered:
            _show_job(job)
    known = {job.id: job for job in recent}
    used = {job.id: job.used or job.submitted for job in recent}
    for entry in sorted(entries, key=lambda entry: -max(entry.made, used.get(entry.job, 0.0)))[:_SHOWN]:
        _show_entry(entry, known.get(entry.job))
    with st.container(horizontal=True, vertical_alignment="center", key="all_audits"):
        if st.button(say("All in the register"), key="to_register", icon=":material/inventory_2:"):
            open_page("register")
        st.caption(
            say("Yours, and those of your projects. Nobody else sees them.")
            if people_sign_in()
            else say("Audits of this browser. Whoever has the address of an audit can open it too.")
        )
    return True


def _entries(recent: list[Job]) -> "tuple[Entry, ...]":
    """The newest entries of the register, and those of recent work; none, with a warning, while it cannot be read."""
    if not is_begun():
        return ()
    from core.register.register import Register
    from core.register.search import Search, find

    try:
        register = Register()
        newest = find(register, visitor(), Search(), most=_SHOWN).entries
        there = {entry.job for entry in newest}
        used = (register.of_run(job.id, visitor()) for job in recent if job.id not in there)
        return (*newest, *filter(None, used))
    except EvenhandError as error:
        if recent:
            st.warning(f"{literal(error.what)} {literal(error.advice)}", icon=":material/warning:")
        return ()


def _show_job(job: Job) -> None:
    """A run that has not entered the register."""
    from dashboard import deleting

    with st.container(horizontal=True, vertical_alignment="center", key=f"recent_{job.id}"):
        if st.button(_name(job), key=f"open_{job.id}", type="tertiary", icon=":material/fact_check:"):
            _open(OWN_WORK[job.kind], job.id)
        ago = duration(time.time() - (job.finished or job.submitted))
        st.caption(say("{state}, {time} ago", state=retold(_STATES[job.state]), time=ago))
        deleting.offer(say("Delete"), f"delete_{job.id}")
    _ask_to_delete(job, _name(job))


def _show_entry(entry: "Entry", job: Job | None) -> None:
    """An entry; its button opens the result, where that is there, and otherwise what the register keeps of it."""
    from dashboard import deleting
    from dashboard.views.register import words

    with st.container(horizontal=True, vertical_alignment="center", key=f"recent_{entry.job}"):
        if st.button(words.title(entry), key=f"open_{entry.job}", type="tertiary", icon=":material/fact_check:"):
            if job is not None:
                _open(entry.workflow, entry.job)
            open_page("register", entry=entry.id)
        told = f"{words.verdict(entry)} · {words.status(entry)}{words.new_comments(entry)}"
        st.markdown(told, width="content")
        st.caption(words.details(entry), width="content")
        if job is not None and not entry.project:
            deleting.offer(say("Delete"), f"delete_{job.id}")
    if job is not None:
        _ask_to_delete(job, words.title(entry))


def _ask_to_delete(job: Job, title: str) -> None:
    from dashboard import deleting

    if deleting.ask_about_run(job, say("the audit “{title}”", title=title), f"delete_{job.id}"):
        st.rerun()


def _open(page: str, job: str) -> NoReturn:
    from dashboard.views.results.widgets import forget_reading

    forget_reading()
    open_page(page, **{page: job})


def _name(job: Job) -> str:
    if job.kind != "audit":
        return retold(_WORK[job.kind])
    try:
        study = study_of(job)
    except RecordError:
        return say("An audit by another version of Evenhand")
    first = study.plans[0]
    file = getattr(first.model, "file", None)
    tests = names_of_tests([plan.audit for plan in study.plans])
    model = file.name if file is not None else say("predictions")
    return f"{literal(first.data.title)} · {literal(model)} · {tests}"
