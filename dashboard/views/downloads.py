"""What can be taken away from a result: its report, its record and fitted models."""

import streamlit as st

from core.errors import SourceError
from core.files import FileRef, FileStore
from core.models.endpoint.kept import KeptAnswers, file_name, place_of
from core.models.endpoint.settings import EndpointSettings
from core.records.workflow import AbstractWorkflow, P, R
from dashboard.messages import show_failure


def command(workflow: AbstractWorkflow[P, R]) -> str:
    """The command that repeats a downloaded record."""
    return f"python -m core run {workflow.key}.json --out results"


def offer_report_and_record(workflow: AbstractWorkflow[P, R], plan: P, result: R) -> None:
    """Both files, each written when somebody asks for it, under the decision settings as they then stand."""
    st.download_button(
        "Report (HTML)",
        lambda: workflow.page(plan, result),
        f"{workflow.key}.html",
        "text/html",
        icon=":material/description:",
        on_click="ignore",
        key=f"{workflow.key}_html",
    )
    st.download_button(
        "Record (JSON)",
        lambda: workflow.to_json(plan, result),
        f"{workflow.key}.json",
        "application/json",
        icon=":material/data_object:",
        on_click="ignore",
        key=f"{workflow.key}_json",
    )


def offer_model(file: FileRef, name: str, key: str) -> None:
    """A model that was fitted here, as a file."""
    try:
        content = FileStore().path(file).read_bytes()
    except SourceError as error:
        show_failure(error)
        return
    st.download_button(
        f"{name} (safetensors)",
        content,
        file.name,
        "application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        key=key,
        help="Weights and preprocessing in one file, which can be uploaded for an audit.",
    )


def offer_answers(endpoint: EndpointSettings) -> None:
    """The kept answers of a model behind an address, as a file to lie beside the record; nothing where none are."""
    if place_of(endpoint.identity).exists():
        st.download_button(
            "Answers (JSON)",
            KeptAnswers(endpoint.identity).written,
            file_name(endpoint.identity),
            "application/json",
            icon=":material/forum:",
            on_click="ignore",
            key=f"answers_{endpoint.identity[:12]}",
            help="What the model answered, and when. Put it beside the record to repeat the audit without the server.",
        )
