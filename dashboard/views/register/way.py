"""The way from a result to its entry in the register."""

import streamlit as st

from dashboard.jobs.job import Job
from dashboard.jobs.queue import is_own
from dashboard.pages import open_page
from dashboard.visitor import visitor


def offer(job: Job) -> None:
    """A button to the entry, for who asked for the run."""
    if not is_own(job):
        return
    if st.button(
        "State and sign",
        key="to_entry",
        icon=":material/signature:",
        help="Say what was audited and what you decide, send it to review, and sign record and report.",
    ):
        from dashboard.jobs.registering import id_of

        open_page("register", entry=id_of(job.id, visitor()))
