"""The results page: the verdict of all tests on top, then why, who and how robust for each, and the record."""

import streamlit as st

from core.report.multiple_tests import Together
from core.result import AuditResult
from core.study import Study
from dashboard.text import literal
from dashboard.views.results import overall as results_overall
from dashboard.views.results import record as results_record
from dashboard.views.results.decision import ErrorRate, error_rate
from dashboard.views.results.test_room import TestRoom

RECORD = "Record"


def show(study: Study, results: tuple[AuditResult, ...]) -> None:
    """Show a finished audit of one or several tests, each result in the place of its plan.

    Moving a tolerance, the error rate or anything else of decision settings reads the same results again and runs
    nothing. The widgets of all readings run first, wherever they stand and whichever test is looked at, so that a
    refreshed page reads its address before it says a verdict.
    """
    model, data = results[0].model.name, study.plans[0].data.title
    st.title("Result of the audit", anchor=False)
    st.caption(f"{literal(model, 80)} on {literal(data, 80)}")
    if len(results) == 1:
        _one(study, results)
    else:
        _several(study, results)


def _one(study: Study, results: tuple[AuditResult, ...]) -> None:
    room = TestRoom(study.plans[0], results[0], lambda: error_rate(study), more=(RECORD,))
    read = study.read((room.decision,))
    together = _read(read, results)
    room.fill(together, 0)
    record = room.tabs[RECORD]
    with record:
        if record.open:
            results_record.show(read, results)


def _several(study: Study, results: tuple[AuditResult, ...]) -> None:
    names = study.names
    top = results_overall.Top()
    with st.container(width=420):
        rate = error_rate(study)
    *tests, record = st.tabs((*names, RECORD), key="test", bind="query-params")
    rooms = []
    for plan, result, tab in zip(study.plans, results, tests, strict=True):
        with tab:
            rooms.append(TestRoom(plan, result, _known(rate), alone=False))
    read = study.read(tuple(room.decision for room in rooms))
    together = _read(read, results)
    top.fill(together, results, names)
    for i, (room, tab) in enumerate(zip(rooms, tests, strict=True)):
        if tab.open:
            with tab:
                room.fill(together, i, shared=results_overall.shared_notices(results))
    with record:
        if record.open:
            results_record.show(read, results)


def _read(study: Study, results: tuple[AuditResult, ...]) -> Together:
    """All numbers; what takes long says so."""
    with st.spinner("Reading the result"):
        return Together.of(study, results)


def _known(rate: float) -> ErrorRate:
    return lambda: rate
