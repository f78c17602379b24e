"""Audits that this browser ran before, each with how it stands."""

import time

import streamlit as st

from core.errors import RecordError
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.home.examples import names_of_tests
from dashboard.waiting import duration

_SHOWN = 6
_STATES = {"done": "finished", "running": "running", "queued": "waiting"}


def show() -> None:
    """The latest audits of this visitor, if there are any."""
    recent, retired = jobs.recent("audit", _SHOWN), jobs.retired()
    if not recent and not retired:
        return
    from dashboard import deleting, uploads

    if retired:
        deleting.show_retired(retired)
    if not recent:
        return
    st.subheader("Recent audits")
    about = "Audits of this browser. Whoever has the address of an audit can open it too."
    st.caption(f"{about} {uploads.lifetime_of_audits()}".strip())
    for job in recent:
        with st.container(horizontal=True, vertical_alignment="center", key=f"recent_{job.id}"):
            if st.button(_name(job), key=f"open_{job.id}", type="tertiary", icon=":material/fact_check:"):
                open_page("audit", audit=job.id)
            ago = duration(time.time() - (job.finished or job.submitted))
            st.caption(f"{_STATES[job.state]}, {ago} ago")
            deleting.offer("Delete", f"delete_{job.id}")
        if deleting.ask_about_run(job, f"the audit “{_name(job)}”", f"delete_{job.id}"):
            st.rerun()


def _name(job: Job) -> str:
    try:
        study = jobs.study_of(job)
    except RecordError:
        return "An audit by another version of Evenhand"
    first = study.plans[0]
    file = getattr(first.model, "file", None)
    tests = names_of_tests([plan.audit for plan in study.plans])
    model = file.name if file is not None else "predictions"
    return f"{literal(first.data.title)} · {literal(model)} · {tests}"
