"""The way from a result to its entry in the register."""

import streamlit as st

from core.language.told import say
from dashboard.jobs.job import Job
from dashboard.jobs.queue import is_own
from dashboard.pages import open_page
from dashboard.visitor import people_sign_in, visitor


def offer(job: Job) -> None:
    """A button to the entry, for who asked for the run and for members of its project; to others where it is."""
    name = _entry_of(job)
    if not name:
        st.caption(
            say(
                "Somebody else ran this, so only they state, sign and delete it. "
                "Ask them to put it into a project that you are in."
            )
            if people_sign_in()
            else say(
                "This was run in another browser: *Review and sign* and *Delete* stand there. "
                "To have them here too, press *Change the settings* and run it again."
            )
        )
        return
    if st.button(
        say("Review and sign"),
        key="to_entry",
        icon=":material/signature:",
        help=say("Say what was audited and what you decide, and send it to review. Only its reviewer signs it."),
    ):
        open_page("register", entry=name)


def _entry_of(job: Job) -> str:
    from core.register.register import Register
    from dashboard.jobs.registering import id_of

    if is_own(job):
        return id_of(job.id, visitor())
    entry = Register().of_run(job.id, visitor()) if people_sign_in() else None
    return "" if entry is None else entry.id
