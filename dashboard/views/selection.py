"""Choosing a model under a fairness constraint: set up, running, or chosen; found again by the id in the address."""

import streamlit as st
from pydantic import ValidationError

from core.codec import load_result
from core.errors import EvenhandError, RecordError
from core.files import home
from core.selection.result import SelectionResult
from core.selection.settings import SelectionPlan
from dashboard import jobs, waiting
from dashboard.jobs import Job
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.views import selection_draft, selection_results, selection_setup


def page() -> None:
    """Show the selection named in the address as it stands, or the form that sets one up."""
    waiting.begin()
    name = st.query_params.get("selection", "")
    job = jobs.find(name) if name else None
    if job is None or job.kind != "select":
        if name:
            st.info("There is no selection of this name on this machine. It may have been run somewhere else.")
        selection_setup.show()
        return
    plan = _plan_of(job)
    if job.state == "done":
        _show_result(job, plan)
        return
    st.title("Choose a model")
    if job.unfinished:
        waiting.watch(job, job.phase or "Choosing a model")
        st.caption("You can close this page: the work goes on, and the address above finds it again.")
        return
    st.subheader("No model was chosen.")
    if job.failure is not None:
        show_failure(job.failure)
    _offer_again(job, plan)


def _show_result(job: Job, plan: SelectionPlan) -> None:
    try:
        result = _load(plan.fingerprint, job.id)
    except EvenhandError as error:
        show_failure(error)
        _offer_again(job, plan, lost=True)
        return
    selection_results.show(plan, result)
    st.divider()
    _offer_changes(plan)


@st.cache_resource(max_entries=8, show_spinner="Opening the result")
def _load(fingerprint: str, job: str) -> SelectionResult:
    """The result of a plan, as the job of this id left it."""
    return load_result(home() / "results" / f"selection-{fingerprint}", SelectionResult)


def _plan_of(job: Job) -> SelectionPlan:
    try:
        return SelectionPlan.model_validate(job.arguments["plan"])
    except (KeyError, ValidationError, EvenhandError) as error:
        raise RecordError(
            "Another version of Evenhand made this selection; its settings cannot be read here.",
            where=job.id,
            advice="Set the selection up again, or repeat it from its record with the version that wrote it.",
        ) from error


def _offer_again(job: Job, plan: SelectionPlan, *, lost: bool = False) -> None:
    with st.container(horizontal=True, key="selection_again"):
        if st.button("Run it again", key="selection_rerun", type="primary", icon=":material/refresh:"):
            if lost:
                jobs.forget(job.id)
            again = jobs.submit("select", job.arguments, again=True)
            open_page("selection", selection=again.id)
        _offer_changes(plan)


def _offer_changes(plan: SelectionPlan) -> None:
    if st.button("Change the settings", key="selection_change", icon=":material/tune:"):
        open_page("selection", draft=selection_draft.begin(plan))
