"""Deleting what a visitor brought or found: asked once, in plain words, and what was deleted is said."""

from datetime import datetime

import streamlit as st

from core.base.files import FileRef
from core.language.phrases import count, listed, upper_first
from core.language.told import retold, say, say_count
from core.register.entry import Entry, Summary, verdict_words
from core.register.timeline import day
from dashboard import session
from dashboard.jobs.job import Job
from dashboard.jobs.registering import summary_of
from dashboard.jobs.removal import Removal
from dashboard.jobs.table import JobTable
from dashboard.jobs.wanted import Consequences
from dashboard.messages import guarded, say_next, show_facts
from dashboard.text import literal
from dashboard.visitor import visitor

_LEFT = say("The log of the register keeps the day and the verdict. Other audits of the same model and rows tell them.")
_ICON = ":material/delete:"
_ASKED = "asked_to_delete"


def offer(label: str, key: str) -> None:
    """A button after which one of the ``ask`` functions with this key asks whether that is meant."""
    st.button(
        label,
        key=key,
        type="tertiary",
        icon=_ICON,
        on_click=guarded()(st.session_state.__setitem__),
        args=(_ASKED, key),
    )


def ask_about_run(job: Job, called: str, key: str) -> bool:
    """Ask whether this run is to be deleted, once its button was pressed; whether that was done now.

    Args:
        job: A run of this visitor's.
        called: What people call it, with its article ("the audit of people.csv").
        key: Of its button.
    """
    if st.session_state.get(_ASKED) != key:
        return False
    removal = Removal(JobTable())
    means = removal.of_audit(job.id, visitor())
    with st.container(border=True, key=f"{key}_asked"):
        _show_which(summary_of(job), job.finished or job.submitted)
        if means.shared:
            st.write(
                say(
                    "Another browser asked for {called} too. It goes from your list, and stays for them.", called=called
                )
            )
        else:
            st.write(
                say(
                    "This deletes {called}: its settings and what it found. Save its report first if you need it.",
                    called=called,
                )
            )
            st.write(say("A signed record and report stay in the register, with no row of anybody."))
            if job.kind == "audit":
                st.write(retold(_LEFT))
            _say_files(means)
        if means.drafts:
            set_ups = count(len(means.drafts), "set-up")
            _offer_more(key, say("Also delete my {set_ups} that used these files", set_ups=set_ups))
        if not _is_confirmed(key):
            return False
    for draft in means.drafts if more_too(key) else ():
        removal.delete_draft(draft, visitor())
    means = removal.of_audit(job.id, visitor())
    removal.delete_audit(job.id, visitor())
    _finish(called, means)
    return True


def _show_which(found: Summary, at: float) -> None:
    """Which of several audits it is: its table, model, moment and verdict."""
    facts = {
        say("Table"): found.table,
        say("Model"): found.model,
        say("Date"): f"{day(at)}, {datetime.fromtimestamp(at):%H:%M}",
        say("Verdict"): upper_first(verdict_words(found.verdict)),
    }
    show_facts({name: told for name, told in facts.items() if told})


def ask_about_entry(called: str, key: str, means: str = "", *, entry: Entry | None = None) -> bool:
    """The same for an ``entry`` of the register whose run is gone, or for what ``means`` says takes runs with it."""
    if st.session_state.get(_ASKED) != key:
        return False
    with st.container(border=True, key=f"{key}_asked"):
        if entry is not None:
            _show_which(entry.summary, entry.made)
        st.write(f"{say('This deletes {called}.', called=called)} {means}".strip())
        st.write(
            retold(_LEFT)
            if entry is not None and entry.workflow == "audit"
            else say("The log of the register says from then on that it was deleted, and not what it said.")
        )
        if means:
            _offer_more(key, say("Also delete the set-ups that used these files"))
        return _is_confirmed(key)


def more_too(key: str) -> bool:
    """Whether that box was ticked which offers to delete more than was asked for."""
    return bool(st.session_state.get(f"{key}_too"))


def ask_about_draft(title: str, key: str) -> bool:
    """The same for the session's draft: its table, called ``title``, and all that was chosen for it."""
    if st.session_state.get(_ASKED) != key:
        return False
    name, removal = session.name(), Removal(JobTable())
    means = removal.of_draft(name, visitor())
    with st.container(border=True, key=f"{key}_asked"):
        st.write(
            say("This deletes {title} and everything you chose for it in these steps, the model included.", title=title)
        )
        _say_files(means)
        if means.audits:
            runs = count(len(means.audits), "finished or running audit")
            _offer_more(key, say("Also delete my {runs} that used these files", runs=runs))
        if not _is_confirmed(key):
            return False
    for audit in means.audits if more_too(key) else ():
        removal.delete_audit(audit, visitor())
    means = removal.of_draft(name, visitor())
    removal.delete_draft(name, visitor())
    session.begin()
    _finish(title, means)
    return True


def ask_about_model(file: FileRef, key: str) -> bool:
    """The same for the file of the draft's model."""
    if st.session_state.get(_ASKED) != key:
        return False
    title, removal = literal(file.name, 60), Removal(JobTable())
    means = removal.of_draft(session.name(), visitor(), only=file.sha256)
    with st.container(border=True, key=f"{key}_asked"):
        st.write(
            say(
                "This deletes the model file {title} and the tests chosen for it. The table and its roles stay.",
                title=title,
            )
        )
        if means.staying:
            _say_files(means)
        if not _is_confirmed(key):
            return False
    session.drop_model(file.sha256)
    removal.delete_files([file.sha256])
    _finish(title, means)
    return True


def show_retired(retired: list[tuple[str, float]]) -> None:
    """Say what of this visitor's was deleted because nobody opened it for long, until they have read it."""
    kinds = [what for what, _ in retired]
    counted = {"audit": count(kinds.count("audit"), "audit"), "draft": count(kinds.count("draft"), "set-up")}
    with st.container(border=True, key="retired"):
        st.info(
            say(
                "{things} of yours had not been opened for a long time and were deleted with their files, "
                "last on {day}.",
                things=listed([said for what, said in counted.items() if what in kinds]),
                day=day(retired[-1][1]),
            ),
            icon=_ICON,
        )
        if st.button(say("I have read this"), key="retired_read"):
            JobTable().forget_retired(visitor())
            st.rerun()


def _say_files(means: Consequences) -> None:
    if means.going:
        st.write(
            say_count(
                "The file {files} is deleted from this machine.",
                "The files {files} are deleted from this machine.",
                len(means.going),
                files=_names(means.going),
            )
        )
    if means.staying:
        st.write(_why_they_stay(_names(means.staying), one=len(means.staying) == 1, audits=len(means.audits)))


def _why_they_stay(files: str, *, one: bool, audits: int) -> str:
    if not audits:
        return (
            say("{files} stays, because something else still uses it.", files=files)
            if one
            else say("{files} stay, because something else still uses them.", files=files)
        )
    if one:
        return say_count(
            "{files} stays, because {n} other audit of yours still uses it.",
            "{files} stays, because {n} other audits of yours still use it.",
            audits,
            files=files,
        )
    return say_count(
        "{files} stay, because {n} other audit of yours still uses them.",
        "{files} stay, because {n} other audits of yours still use them.",
        audits,
        files=files,
    )


def _offer_more(key: str, label: str) -> None:
    """A box for what else may be deleted, never ticked beforehand."""
    st.checkbox(label, key=f"{key}_too")


def _is_confirmed(key: str) -> bool:
    with st.container(horizontal=True, key=f"{key}_row"):
        if st.button(say("Delete for good"), key=f"{key}_yes", type="primary", icon=_ICON):
            del st.session_state[_ASKED]
            return True
        st.button(say("Keep it"), key=f"{key}_no", on_click=guarded()(st.session_state.pop), args=(_ASKED, None))
    return False


def _finish(title: str, means: Consequences) -> None:
    files = [name for name in means.going if literal(name, 60) != title]
    said = [
        say("Deleted {title}, with {files}.", title=title, files=_names(files))
        if files
        else say("Deleted {title}.", title=title)
    ]
    if means.staying:
        said.append(
            say_count(
                "{files} is still used.", "{files} are still used.", len(means.staying), files=_names(means.staying)
            )
        )
    say_next(" ".join(said))
    st.cache_resource.clear()


def _names(files: tuple[str, ...] | list[str]) -> str:
    return listed([literal(name, 60) for name in files])
