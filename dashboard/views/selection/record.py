"""What can be taken away from a selection: its record, its page, the chosen model; and the way to a whole audit."""

import streamlit as st

from core.errors import SourceError
from core.files import FileRef, FileStore
from core.study import Study
from core.workflows.selection.record import SELECTION
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import SelectionPlan
from dashboard import session
from dashboard.jobs import queue as jobs
from dashboard.messages import show_failure
from dashboard.pages import open_page

COMMAND = "python -m core run selection.json --out results"


def show(plan: SelectionPlan, result: SelectionResult) -> None:
    """The downloads and the command that repeats the selection."""
    with st.container(horizontal=True):
        st.download_button(
            "Record (JSON)",
            lambda: SELECTION.to_json(plan, result),
            "selection.json",
            "application/json",
            icon=":material/data_object:",
            on_click="ignore",
            key="selection_json",
        )
        st.download_button(
            "Page (HTML)",
            lambda: SELECTION.page(plan, result),
            "selection.html",
            "text/html",
            icon=":material/description:",
            on_click="ignore",
            key="selection_html",
        )
        file = _model_file(result)
        if file is not None:
            _offer_model(file)
    st.caption("The page needs no network and holds no person's row. The record repeats the choice to the last digit:")
    st.code(COMMAND, language="bash")


def offer_audit(result: SelectionResult) -> None:
    """The audit of the chosen model as an audit like any other, and the same with other tests."""
    if result.audit is None:
        return
    study = Study(plans=(result.audit,))
    with st.container(horizontal=True, key="selection_audit"):
        if st.button("Open the audit", key="selection_open", type="primary", icon=":material/fact_check:"):
            job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True)
            open_page("audit", audit=job.id)
        if st.button("Audit it with other tests too", key="selection_more", icon=":material/add:"):
            open_page("tests", draft=session.begin(session.from_study(study)))


def _offer_model(file: FileRef) -> None:
    try:
        content = FileStore().path(file).read_bytes()
    except SourceError as error:
        show_failure(error)
        return
    st.download_button(
        "The chosen model (safetensors)",
        content,
        file.name,
        "application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        key="selection_model",
        help="Coefficients and preprocessing in one file, which can be uploaded for an audit.",
    )


def _model_file(result: SelectionResult) -> FileRef | None:
    """The chosen model's file, where it was fitted here."""
    if result.path is None or result.audit is None:
        return None
    file: FileRef | None = getattr(result.audit.model, "file", None)
    return file
