"""A result as slides: presented here, saved as one HTML file, or as PowerPoint."""

import streamlit as st

from core.errors import EvenhandError
from core.report.multiple_tests import Together
from core.report.names import FileNames
from core.result import AuditResult
from core.slides.deck import Deck, build
from core.slides.html import render
from core.slides.live import LiveTest, live
from core.statement import Statement
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import study_of
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.audit.page import load
from dashboard.views.downloads import file_names
from dashboard.views.results.stating import Stating
from dashboard.views.slides import arranging, way

_HEIGHT = 620
"""Of the frame the slides stand in before they fill the screen."""


def page() -> None:
    """Show the slides of the audit named in the address."""
    job = jobs.find(st.query_params.get("audit", ""))
    if job is None or job.kind != "audit" or job.state != "done":
        st.title("Slides")
        st.info("There is no finished audit of this name on this machine. It may have been run somewhere else.")
        if st.button("To the first page", key="slides_home", type="primary"):
            open_page("home")
        return
    study = study_of(job)
    try:
        results = tuple(load(plan.result_fingerprint, job.id) for plan in study.plans)
    except EvenhandError as error:
        show_failure(error)
        way.offer_back(job.id)
        return
    show(way.as_read(study, st.query_params.get("read", "")), results, job.id)


def show(study: Study, results: tuple[AuditResult, ...], job: str = "") -> None:
    """The slides of a finished audit.

    Args:
        study: The tests under the decision settings by which they are judged.
        results: What each found.
        job: The job that ran them; what people state about the audit is kept under it.
    """
    statement = Stating.of(job).statement
    stated = (statement or Statement()).fingerprint
    deck, tests = _found(study.fingerprint, stated, job, study, results, statement)
    st.title("Slides", anchor=False)
    st.caption(literal(deck.source))
    settings = arranging.arranged(deck, job)
    panel = st.expander("Order and captions", key="slides_arranging", icon=":material/reorder:", on_change="rerun")
    if panel.open:
        with panel:
            arranging.show(deck, settings, job)
    try:
        shown = settings.applied(deck)
    except EvenhandError as error:
        show_failure(error)
        way.offer_back(job)
        return
    html = render(shown, tests)
    with st.container(horizontal=True, key="slides_files"):
        way.offer_back(job)
        _offer_files(shown, html, file_names(study, results, statement))
    st.iframe(html, height=_HEIGHT, alt="The slides")
    st.caption(
        "Click on the slide, then: arrow keys to turn the page, F for full screen, N for the speaker's notes, T to try "
        "another tolerance that somebody asks for."
    )


def _offer_files(deck: Deck, html: str, names: FileNames) -> None:
    from core.slides.powerpoint import write

    st.download_button(
        "Slides (HTML)",
        html,
        names.slides,
        "text/html",
        icon=":material/slideshow:",
        on_click="ignore",
        key="slides_html",
        help="One file that needs no network; open it in a browser and press F.",
    )
    st.download_button(
        "Slides (PowerPoint)",
        lambda: write(deck),
        names.powerpoint,
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        icon=":material/co_present:",
        on_click="ignore",
        key="slides_pptx",
        help="Charts, tables and notes are PowerPoint's own and can be edited.",
    )


@st.cache_resource(max_entries=8, show_spinner="Preparing the slides")
def _found(
    read: str, stated: str, job: str, _study: Study, _results: tuple[AuditResult, ...], _statement: Statement | None
) -> tuple[Deck, tuple[LiveTest, ...]]:
    """The deck, and what it says at other tolerances; worked out once for what is read and stated."""
    together = Together.of(_study, _results)
    return build(_study, together, _statement), live(_study, together, _statement)
