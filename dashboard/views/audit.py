"""A running audit, and its results when it is done; found again by the id in the address."""

import streamlit as st

from core.codec import load_result
from core.errors import EvenhandError
from core.files import home
from core.plan import AuditPlan
from core.result import AuditResult
from dashboard import jobs, session
from dashboard.jobs import Job
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views import audit_waiting


def page() -> None:
    """Show the audit named in the address as it stands."""
    name = st.query_params.get("audit", "")
    job = jobs.find(name)
    if job is None or job.kind != "audit":
        st.title("Audit")
        st.info("There is no audit of this name on this machine. It may have been run somewhere else.")
        if st.button("To the first page", key="audit_home", type="primary"):
            open_page("home")
        return
    plan = jobs.plan_of(job)
    if job.state == "done":
        _show_result(job, plan)
        return
    st.title(literal(f"{plan.data.title}"))
    if job.unfinished:
        audit_waiting.show(job)
        return
    _show_stopped(job, plan)


def _show_result(job: Job, plan: AuditPlan) -> None:
    from dashboard.views import results

    try:
        result = _load(plan.result_fingerprint)
    except EvenhandError as error:
        show_failure(error)
        _offer_again(job, plan, lost=True)
        return
    results.show(plan, result)
    st.divider()
    _offer_changes(plan)


@st.cache_resource(max_entries=8, show_spinner="Opening the result")
def _load(fingerprint: str) -> AuditResult:
    return load_result(home() / "results" / fingerprint)


def _show_stopped(job: Job, plan: AuditPlan) -> None:
    titles = {"cancelled": "This audit was stopped.", "killed": "This audit did not come to its end."}
    st.subheader(titles.get(job.state, "This audit gave no result."))
    if job.failure is not None:
        show_failure(job.failure)
    _offer_again(job, plan)


def _offer_again(job: Job, plan: AuditPlan, *, lost: bool = False) -> None:
    with st.container(horizontal=True, key="audit_again"):
        if st.button("Run it again", key="run_again", type="primary", icon=":material/refresh:"):
            if lost:
                jobs.forget(job.id)
            again = jobs.submit("audit", job.arguments, again=True)
            open_page("audit", audit=again.id)
        _offer_changes(plan)


def _offer_changes(plan: AuditPlan) -> None:
    if st.button("Change the settings", key="change_settings", icon=":material/tune:"):
        open_page("review", draft=session.begin(session.from_plan(plan)))
