"""A running audit, and its results when it is done; found again by the id in the address."""

import streamlit as st

from core.audits import KINDS
from core.base.errors import EvenhandError, RecordError
from core.base.files import home
from core.language.reader import language
from core.language.told import retold, say
from core.records.codec import load_result
from core.result import AuditResult
from core.study import Study
from dashboard import deleting, pace, session
from dashboard.audits import ROOMS
from dashboard.audits.room import Room
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job, study_of
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.audit import waiting as audit_waiting


def page() -> None:
    """Show the audit named in the address as it stands."""
    name = st.query_params.get("audit", "")
    job = jobs.find(name)
    if job is None or job.kind != "audit":
        st.title(say("Audit"))
        st.info(say("There is no audit of this name on this machine. It may have been run somewhere else."))
        if st.button(say("To the first page"), key="audit_home", type="primary"):
            open_page("home")
        return
    study = study_of(job)
    if job.state == "done":
        _show_results(job, study)
        return
    st.title(literal(study.plans[0].data.title))
    if job.unfinished:
        audit_waiting.show(job)
        return
    _show_stopped(job, study)


def _show_results(job: Job, study: Study) -> None:
    from dashboard.views.results import page as results
    from dashboard.views.results.widgets import begin_as_run

    begin_as_run(job.id, study)
    try:
        with st.spinner(say("Opening the result")):
            found = results_of(job, study)
    except EvenhandError as error:
        show_failure(error)
        _offer_again(job, study, lost=True)
        return
    for plan, result in zip(study.plans, found, strict=True):
        pace.learn(plan.result_fingerprint, plan.audit.kind, result.seconds)
    results.show(study, found, job.id)
    st.divider()
    _offer_changes(job, study)


def results_of(job: Job, study: Study) -> tuple[AuditResult, ...]:
    """The results of an audit that is done, one a test.

    Raises:
        RecordError: They are lost or damaged, or of another version, which may have named them otherwise.
    """
    names = [plan.result_fingerprint for plan in study.plans]
    if (job.answer or {}).get("results", names) != names:
        raise RecordError(
            say("Another version of Evenhand ran this audit; its result cannot be opened here."),
            where=job.id,
            advice=say("Run it again. What was signed of it stays in the register, with its report and record."),
        )
    return tuple(load(name, job.id, language()) for name in names)


@st.cache_resource(max_entries=8, show_spinner=False)
def load(fingerprint: str, job: str, language: str) -> AuditResult:
    """The result of a plan, as the job of this id left it, its sentences in this language."""
    return load_result(home() / "results" / fingerprint)


def _show_stopped(job: Job, study: Study) -> None:
    titles = {"cancelled": say("This audit was stopped."), "killed": say("This audit did not come to its end.")}
    st.header(titles.get(job.state, say("This audit gave no result.")))
    if job.failure is not None:
        show_failure(job.failure)
    _offer_again(job, study)


def _offer_again(job: Job, study: Study, *, lost: bool = False) -> None:
    with st.container(horizontal=True, key="audit_again"):
        if jobs.may_repeat(job) and st.button(
            say("Run it again"), key="run_again", type="primary", icon=":material/refresh:"
        ):
            if lost:
                jobs.forget(job.id)
            asked = {"study": study.model_dump(mode="json")}
            again = jobs.submit("audit", asked, again=True, needs=job.needs)
            open_page("audit", audit=again.id)
        _offer_changes(job, study)


def _similar_called(study: Study) -> str:
    """What is chosen in the step of similar people, as a button says it; tests that share its name use the first's.

    Empty where no test has anything to choose there.
    """
    rooms = [room for plan in study.plans if (room := ROOMS[plan.audit.kind]).change]
    if not rooms:
        return ""
    alike = len({room.step or room.kind.name for room in rooms}) == 1
    return rooms[0].change if alike else retold(Room.change)


def _offer_changes(job: Job, study: Study) -> None:
    if not jobs.may_repeat(job):
        return
    with st.container(horizontal=True, key="audit_changes"):
        for step, label, key, icon in (
            ("review", say("Change the settings"), "change_settings", ":material/tune:"),
            ("data", say("Change the roles of columns"), "change_roles", ":material/table:"),
            ("model", say("Change the model"), "change_model", ":material/model_training:"),
            ("similar", _similar_called(study), "change_similar", ":material/group:"),
        ):
            if label and st.button(label, key=key, icon=icon):
                open_page(step, draft=session.begin(Draft.of(study)))
        if _has_other_tests(study) and st.button(
            say("Add another test"),
            key="add_test",
            icon=":material/add:",
            help=say(
                "What this audit found is kept; only the added test runs. Several tests are several chances of a false "
                "alarm, so that each then has to give stronger evidence."
            ),
        ):
            open_page("tests", draft=session.begin(Draft.of(study)))
        offers = [ROOMS[plan.audit.kind].offer for plan in study.plans if study.plans[0].roles.features]
        for offer in dict.fromkeys(filter(None, offers)):
            if st.button(offer.label, key=f"offer_{offer.page}", icon=offer.icon, help=offer.help):
                open_page(offer.page, draft=session.begin(Draft.of(study)))
        if jobs.is_own(job):
            deleting.offer(say("Delete this audit"), "delete_audit")
    if deleting.ask_about_run(
        job, say("the audit of {title}", title=literal(study.plans[0].data.title, 60)), "delete_audit"
    ):
        open_page("home")


def _has_other_tests(study: Study) -> bool:
    """Whether some other test could be thought of for the table."""
    return len(study.plans) < sum(kind.takes(study.plans[0].roles) for kind in KINDS.values())
