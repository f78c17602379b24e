"""What can be taken away from a selection: its record, its page, the chosen model; and the way to a whole audit."""

import streamlit as st

from core.base.files import FileRef
from core.language.told import say
from core.study import Study
from core.workflows.selection.record import SELECTION
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import SelectionPlan
from dashboard import session
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Needs
from dashboard.pages import open_page
from dashboard.views.downloads import show_repeatable


def show(plan: SelectionPlan, result: SelectionResult) -> None:
    """The downloads and the command that repeats the selection."""
    show_repeatable(SELECTION, plan, result, "selection", (), model=_model_file(result))


def offer_audit(result: SelectionResult, needs: Needs) -> None:
    """The audit of the chosen model as an audit like any other, and the same with other tests."""
    if result.audit is None:
        return
    study = Study(plans=(result.audit,))
    with st.container(horizontal=True, key="selection_audit"):
        if st.button(say("Open the audit"), key="selection_open", type="primary", icon=":material/fact_check:"):
            job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True, needs=needs)
            open_page("audit", audit=job.id)
        if st.button(say("Audit it with other tests too"), key="selection_more", icon=":material/add:"):
            open_page("tests", draft=session.begin(Draft.of(study)))


def _model_file(result: SelectionResult) -> FileRef | None:
    """The chosen model's file, where it was fitted here."""
    if result.path is None or result.audit is None:
        return None
    file: FileRef | None = getattr(result.audit.model, "file", None)
    return file
