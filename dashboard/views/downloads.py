"""What can be taken away from a result: its report, its record and fitted models."""

import datetime
import mimetypes
from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from core.base.errors import EvenhandError, SourceError
from core.base.files import FileRef, FileStore
from core.base.tables import Fact
from core.language.phrases import count
from core.language.reader import spoken_later
from core.language.told import localized, say
from core.models.endpoint.kept import KeptAnswers, file_name, place_of
from core.models.endpoint.settings import EndpointSettings
from core.records.workflow import AbstractWorkflow, P, R
from core.report.names import FileNames, system_of
from core.report.pdf import chromium, to_pdf
from core.report.signature import SignedBy
from core.report.skeleton import skeleton
from core.report.statement import Statement
from core.result import AuditResult
from core.study import Study
from dashboard.messages import guarded, show_facts, show_failure

_PRESS = """<script>(function press(tries) {
const button = document.querySelector(".st-key-%s button");
if (button) button.click(); else if (tries) setTimeout(press, 100, tries - 1);
})(50)</script>"""  # verbatim
"""Presses a button of the page, as whoever waits for a file would, once the browser has drawn it; keys are ours."""


def file_names(study: Study, results: tuple[AuditResult, ...], statement: Statement | None) -> FileNames:
    """What the files of an audit are called."""
    stated = statement or Statement()
    tests = study.names[0].removesuffix(" test") if len(results) == 1 else count(len(results), "test")
    tests = f"{tests} {say('trial')}" if study.chosen else tests
    return FileNames.of(
        system_of(stated.system, study, results[0].model.name), tests, stated.date or datetime.date.today()
    )


def command(names: FileNames) -> str:
    """The command that repeats a downloaded record."""
    return f"python -m core run {names.record} --out results"  # verbatim


def offer_report_and_record(
    workflow: AbstractWorkflow[P, R],
    plan: P,
    result: R,
    names: FileNames,
    statement: Statement | None = None,
    *,
    signature: SignedBy | None = None,
    others: str = "",
) -> None:
    """The files, each written when somebody asks for it, under the decision settings as they then stand.

    Args:
        workflow: The kind of work.
        plan: What was run.
        result: What came out.
        names: What the files are called.
        statement: What people state about it.
        signature: Who signed it, or another reading of it; None while nobody did.
        others: As for :meth:`AbstractWorkflow.page`.
    """

    @spoken_later
    def page() -> str:
        return workflow.page(plan, result, statement, names.record, signature, others=others)

    st.download_button(
        say("Report (HTML)"),
        page,
        names.report,
        "text/html",
        icon=":material/description:",
        on_click="ignore",
        key=f"{workflow.key}_html",
        help=say(
            "One file that needs no network. To print it, open it in a browser and print it there, on A4 or Letter."
        ),
    )
    if chromium() is not None:
        paper = skeleton((statement or Statement()).standard).paper
        whole = st.checkbox(say("PDF with tables"), value=True, key=f"{workflow.key}_appendix")
        offer_printed(
            say("Report (PDF)"),
            lambda: to_pdf(page(), paper, appendix=whole),
            names.pdf,
            key=f"{workflow.key}_pdf",
            help=say("The same on {paper} paper.", paper=paper),
        )
    st.download_button(
        say("Record (JSON)"),
        lambda: workflow.to_json(plan, result, statement),
        names.record,
        "application/json",
        icon=":material/data_object:",
        on_click="ignore",
        key=f"{workflow.key}_json",
        help=say("Every setting and every number, to repeat the result to the last digit."),
    )


@st.fragment
@guarded()
def offer_printed(
    label: str,
    write: Callable[[], bytes],
    name: str,
    *,
    key: str,
    help: str,
    icon: str = ":material/picture_as_pdf:",
) -> None:
    """A button that prints, which may take minutes on a busy machine, and saves what was printed.

    What was printed can be saved again in its place, or saved at all where a browser lets no page save by itself.

    Args:
        label: What the file is called, on both buttons.
        write: Prints.
        name: What the file is called on disk.
        key: Of the first button.
        help: What the file is.
        icon: Of the button.
    """
    place = st.empty()
    again = f"{key}_again"
    if not (place.button(label, key=key, icon=icon, help=help) or st.session_state.get(again)):
        return
    place.button(label, key=f"{key}_writing", icon=icon, disabled=True)
    try:
        with st.spinner(say("Writing the PDF"), show_time=True):
            printed = write()
    except EvenhandError as error:
        place.button(say("{file}: try again", file=label), key=again, icon=icon)
        show_failure(error)
        return
    place.download_button(
        say("{file}: ready to save", file=label),
        printed,
        name,
        mimetypes.guess_type(name)[0],
        type="primary",
        icon=":material/download:",
        on_click="ignore",
        key=f"{key}_save",
    )
    st.html(_PRESS % f"{key}_save", unsafe_allow_javascript=True)


def show_repeatable(
    workflow: AbstractWorkflow[Any, Any],
    plan: Any,
    result: Any,
    about: str,
    found: Iterable[Fact],
    *,
    model: FileRef | None = None,
) -> None:
    """The files of a workflow, the command that repeats it, and what its numbers rest on.

    Args:
        workflow: The kind of work.
        plan: What was run.
        result: What came out.
        about: What people call the work, as its files are named.
        found: What the numbers rest on.
        model: The model that was chosen, where it was fitted here.
    """
    names = FileNames.of(plan.data.title, about, datetime.date.today())
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_report_and_record(workflow, plan, result, names)
        if model is not None:
            offer_model(model, say("The chosen model"), f"{workflow.key}_model")
    show_how_to_repeat(result, names, found)


def show_how_to_repeat(result: Any, names: FileNames, found: Iterable[Fact]) -> None:
    """The command that repeats a workflow's result, and what its numbers rest on."""
    st.caption(say("Report and record hold no person's row. The record repeats the result to the last digit:"))
    st.code(command(names), language="bash", wrap_lines=True)
    show_facts(
        {fact.label: fact.value for fact in found}
        | {
            say("Run time"): localized(f"{result.seconds:.1f} s"),
            say("Versions"): ", ".join(f"{name} {version}" for name, version in result.versions),
        }
    )


def offer_model(file: FileRef, name: str, key: str, about: str = "") -> None:
    """A model that was fitted here, as a file; or what it answered, which ``about`` then says."""
    try:
        content = FileStore().path(file).read_bytes()
    except SourceError as error:
        show_failure(error)
        return
    st.download_button(
        f"{name} ({file.suffix.removeprefix('.')})",
        content,
        file.name,
        "application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        key=key,
        help=about or say("Weights and preprocessing in one file, which can be uploaded for an audit."),
    )


def offer_answers(endpoint: EndpointSettings) -> None:
    """The kept answers of a model behind an address, as a file to lie beside the record; nothing where none are."""
    if place_of(endpoint.identity).exists():
        st.download_button(
            say("Answers (JSON)"),
            KeptAnswers(endpoint.identity).written,
            file_name(endpoint.identity),
            "application/json",
            icon=":material/forum:",
            on_click="ignore",
            key=f"answers_{endpoint.identity[:12]}",
            help=say(
                "What the model answered, and when. Put it beside the record to repeat the audit without the server."
            ),
        )
