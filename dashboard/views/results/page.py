"""The results page: the verdict of all tests on top, then why, who and how robust for each, and the record."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.caveats.assumptions import where_to_say_it
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.report.names import FileNames
from core.report.pdf import chromium
from core.report.summary import what_to_do
from core.result import AuditResult
from core.study import Study
from dashboard import session
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.comparison import way as comparison
from dashboard.views.downloads import file_names, offer_report_and_record
from dashboard.views.results import overall as results_overall
from dashboard.views.results import person
from dashboard.views.results import record as results_record
from dashboard.views.results.decision import ErrorRate, error_rate
from dashboard.views.results.stating import Stating
from dashboard.views.results.test_room import TestRoom
from dashboard.views.results.tour import Tour
from dashboard.views.results.widgets import forget_reading, widget_key
from dashboard.views.slides import way as slides

RECORD = say("Record")


def show(study: Study, results: tuple[AuditResult, ...], job: str = "") -> None:
    """Show a finished audit of one or several tests, each result in the place of its plan.

    Moving a tolerance, the error rate or anything else of decision settings reads the same results again and runs
    nothing. The widgets of all readings run first, wherever they stand and whichever test is looked at, so that a
    refreshed page reads its address before it says a verdict.

    Args:
        study: The tests.
        results: What each found.
        job: The job that ran them; what people state about the audit is kept under it.
    """
    model, data = results[0].model.name, study.plans[0].data.title
    st.title(say("Result of the audit"), anchor=False)
    st.caption(say("{model} on {data}", model=literal(model, 80), data=literal(data, 80)))
    tour = Tour()
    stating = Stating.of(job)
    stating.show_signed()
    show_kind = _one if len(results) == 1 else _several
    together = show_kind(study, results, stating, job)
    tour.fill(together)
    cases = [one.case for one in together.findings]
    person.offer(study, results, first=next((one.record for one in cases if one is not None and one.record), 0))


def _one(study: Study, results: tuple[AuditResult, ...], stating: Stating, job: str) -> Together:
    tab = retold(RECORD)
    room = TestRoom(
        study.plans[0], results[0], lambda: error_rate(study), more=(tab,), reason=stating.reason_of(job, study)
    )
    read = study.read((room.decision,))
    together = _read(read, results)
    others = stating.ended_worse(study, together)
    _tell_others(room.below, together, others, job)
    _offer_step(room.below, study, together, job)
    room.fill(together, 0)
    names = _show_actions(room.actions, study, read, results, stating, job=job, others=others)
    record = room.tabs[tab]
    with record:
        if record.open:
            results_record.show(read, results, names)
    return together


def _several(study: Study, results: tuple[AuditResult, ...], stating: Stating, job: str) -> Together:
    names = study.names
    key = widget_key("test", study)
    top = results_overall.Top(key)
    with st.container(width=420):
        rate = error_rate(study)
    first = names[_read(study, results).place]
    *tests, record = st.tabs((*names, retold(RECORD)), default=first, key=key, bind="query-params")
    rooms = []
    for place, (plan, result, tab) in enumerate(zip(study.plans, results, tests, strict=True)):
        with tab:
            reason = stating.reason_of(job, study, place)
            rooms.append(TestRoom(plan, result, _known(rate), alone=False, reason=reason))
    read = study.read(tuple(room.decision for room in rooms))
    together = _read(read, results)
    several = results_overall.in_several([one.spoken for one in together.findings])
    headlined = together.findings[together.place]
    shared = (*several, *(one for one in headlined.spoken if one.level == "serious" and one not in several))
    others = stating.ended_worse(study, together)
    _tell_others(top.below, together, others, job)
    _offer_step(top.below, study, together, job)
    top.fill(together, shared)
    files = _show_actions(top.actions, study, read, results, stating, job=job, others=others)
    for i, (room, tab) in enumerate(zip(rooms, tests, strict=True)):
        if tab.open:
            with tab:
                room.fill(together, i, shared=shared)
    with record:
        if record.open:
            results_record.show(read, results, files)
    return together


def _tell_others(room: DeltaGenerator, together: Together, others: str, job: str) -> None:
    """That the verdict above is not the only one: the audit's own, where this is a trial, or those of other audits."""
    if together.trial:
        room.warning(literal(together.trial), icon=":material/science:")
        if job and room.button(say("Read it as it was run"), key="read_as_run", icon=":material/undo:"):
            forget_reading()
            open_page("audit", audit=job)
    elif others:
        room.warning(literal(others), icon=":material/history:")


def _offer_step(room: DeltaGenerator, study: Study, together: Together, job: str) -> None:
    """The way to the first step, where the card asks to say there which end of the outcome is good."""
    asked = where_to_say_it(together.findings[0].result.data.outcome) in what_to_do(together)
    ran = jobs.find(job) if asked and job else None
    if ran is None or not jobs.may_repeat(ran):
        return
    if room.button(say("Say it in the first step"), key="say_good_end", icon=":material/arrow_forward:"):
        open_page("data", draft=session.begin(Draft.of(study)))


def _show_actions(
    room: DeltaGenerator,
    ran: Study,
    study: Study,
    results: tuple[AuditResult, ...],
    stating: Stating,
    *,
    job: str,
    others: str,
) -> FileNames:
    """Report, record, slides and the statement, in ``room``; the files' names."""
    from core.records.audits import AUDITS

    files = file_names(study, results, stating.statement)
    with room:
        signature = stating.signature_of(study)
        if signature is not None and signature.differs:
            st.warning(literal(" ".join(signature.told)), icon=":material/warning:")
        with st.container(horizontal=True, vertical_alignment="center", key="result_files"):
            offer_report_and_record(
                AUDITS, study, results, files, stating.statement, signature=signature, others=others
            )
            if job:
                stating.offer_to_sign(job)
                slides.offer("audit", job, slides.reading(ran, study))
                comparison.offer(job)
        if chromium() is not None:
            st.caption(
                say(
                    "The PDF has the pictures of the first pages and, if ticked, the appendix's tables; its charts, "
                    "checks, settings and terms are in the report (HTML) only."
                )
            )
        stating.show(job, study)
    return files


def _read(study: Study, results: tuple[AuditResult, ...]) -> Together:
    """All numbers; what takes long says so."""
    with st.spinner(say("Reading the result")):
        return Together.of(study, results)


def _known(rate: float) -> ErrorRate:
    return lambda: rate
