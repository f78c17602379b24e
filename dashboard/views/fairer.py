"""What a fairer model would cost: set up, running, or found; found again by the id in the address."""

import streamlit as st
from pydantic import ValidationError

from core.codec import load_result
from core.errors import EvenhandError, RecordError
from core.fairer.result import FairerResult
from core.fairer.settings import FairerPlan
from core.files import FileRef, home
from dashboard import jobs, waiting
from dashboard.jobs import Job
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.views import fairer_draft, fairer_results, fairer_setup


def page() -> None:
    """Show the comparison named in the address as it stands, or the form that sets one up."""
    waiting.begin()
    name = st.query_params.get("fairer", "")
    job = jobs.find(name) if name else None
    if job is None or job.kind != "fairer":
        if name:
            st.info("There is no comparison of this name on this machine. It may have been run somewhere else.")
        fairer_setup.show()
        return
    plan = _plan_of(job)
    if job.state == "done":
        _show_result(job, plan)
        return
    st.title("What would a fairer model cost?", anchor=False)
    if job.unfinished:
        waiting.watch(job, job.phase or "Fitting the models")
        st.caption("You can close this page: the work goes on, and the address above finds it again.")
        return
    st.subheader("The models were not all fitted.", anchor=False)
    if job.failure is not None:
        show_failure(job.failure)
    _offer_again(job, plan)


def _show_result(job: Job, plan: FairerPlan) -> None:
    try:
        result = _load(plan.fingerprint, job.id)
    except EvenhandError as error:
        show_failure(error)
        _offer_again(job, plan, lost=True)
        return
    fairer_results.show(plan, result, FileRef.model_validate(job.answer["rows"]))
    st.divider()
    _offer_changes(plan)


@st.cache_resource(max_entries=8, show_spinner="Opening the result")
def _load(fingerprint: str, job: str) -> FairerResult:
    """The result of a plan, as the job of this id left it."""
    return load_result(home() / "results" / f"fairer-{fingerprint}", FairerResult)


def _plan_of(job: Job) -> FairerPlan:
    try:
        return FairerPlan.model_validate(job.arguments["plan"])
    except (KeyError, ValidationError, EvenhandError) as error:
        raise RecordError(
            "Another version of Evenhand made this comparison; its settings cannot be read here.",
            where=job.id,
            advice="Set it up again, or repeat it from its record with the version that wrote it.",
        ) from error


def _offer_again(job: Job, plan: FairerPlan, *, lost: bool = False) -> None:
    with st.container(horizontal=True, key="fairer_again"):
        if st.button("Run it again", key="fairer_rerun", type="primary", icon=":material/refresh:"):
            if lost:
                jobs.forget(job.id)
            again = jobs.submit("fairer", job.arguments, again=True)
            open_page("fairer", fairer=again.id)
        _offer_changes(plan)


def _offer_changes(plan: FairerPlan) -> None:
    if st.button("Change the settings", key="fairer_change", icon=":material/tune:"):
        open_page("fairer", draft=fairer_draft.begin(plan))
