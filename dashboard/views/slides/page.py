"""A result as slides: presented here, saved as one HTML file, or as PowerPoint."""

import datetime
import importlib
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.base.errors import EvenhandError
from core.language.reader import language, spoken_later
from core.language.told import say
from core.records.audits import AUDITS
from core.records.workflow import AbstractWorkflow
from core.report.multiple_tests import Together
from core.report.names import FileNames
from core.report.signature import SignedBy
from core.report.statement import Statement
from core.slides.deck import Deck
from core.slides.html import render
from core.slides.live import Slides
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job, study_of
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.views.audit.page import results_of
from dashboard.views.downloads import file_names
from dashboard.views.results.stating import Stating
from dashboard.views.slides import arranging, way

_HEIGHT = 570
"""Of the frame the slides stand in before they fill the screen."""
_ONE_PLAN = ("selection", "fairer", "comparison")
"""Pages about one plan, whose results can be presented too."""


@dataclass(frozen=True)
class Presented:
    """A finished result.

    Attributes:
        workflow: The kind of work.
        plan: What was run.
        result: What came out.
        names: What its files are called.
        statement: What people state about it.
        job: The job that ran it.
        signature: Who signed it; None while nobody did.
        others: That other audits of the same model on the same rows ended worse.
    """

    workflow: AbstractWorkflow[Any, Any]
    plan: Any
    result: Any
    names: FileNames
    statement: Statement | None = None
    job: str = ""
    signature: SignedBy | None = None
    others: str = ""


def page() -> None:
    """Show the slides of the result named in the address."""
    try:
        found = _opened()
    except EvenhandError as error:
        st.title(say("Slides"))
        show_failure(error)
        found = None
    if found is not None:
        show(found)
        return
    st.title(say("Slides"))
    st.info(say("There is no finished result of this name on this machine. It may have been run somewhere else."))
    if st.button(say("To the first page"), key="slides_home", type="primary"):
        open_page("home")


def show(found: Presented) -> None:
    """The slides of a finished result."""
    stated = (found.statement or Statement()).fingerprint, found.signature, found.others
    with st.spinner(say("Preparing the slides")):
        slides = _slides(found.plan.fingerprint, stated, found.job, language(), found)
    st.title(say("Slides"), anchor=False)
    settings = arranging.arranged(slides.deck, found.job)
    try:
        deck = settings.applied(slides.deck)
    except EvenhandError as error:
        show_failure(error)
        way.offer_back(found.workflow.key, found.job)
    else:
        html = render(deck, slides.tests)
        st.iframe(html, height=_HEIGHT, alt=say("The slides"))
        _show_keys(slides)
        with st.container(horizontal=True, key="slides_files"):
            way.offer_back(found.workflow.key, found.job)
            _offer_files(deck, html, found.names)
    panel = st.expander(say("Order and captions"), key="slides_arranging", icon=":material/reorder:", on_change="rerun")
    if panel.open:
        with panel:
            arranging.show(slides.deck, settings, found.job)


def _show_keys(slides: Slides) -> None:
    """What to press while the slides are shown, and who sees the notes."""
    keys = (
        say(
            "Click on the slide, then: arrow keys to turn the page, F for full screen, N for the speaker's notes, T to "
            "try another tolerance that somebody asks for."
        )
        if slides.tests
        else say("Click on the slide, then: arrow keys to turn the page, F for full screen, N for the speaker's notes.")
    )
    seen = say("On a projector everybody sees these notes; PowerPoint shows its own to the speaker alone.")
    st.caption(f"{keys} {seen}")


def _opened() -> Presented | None:
    """What the address names, if it is finished."""
    if (job := _finished("audit")) is not None:
        study = way.as_read(study_of(job), st.query_params.get(way.READ, ""))
        results = results_of(job, study)
        stating = Stating.of(job.id)
        stated, signature = stating.statement, stating.signature_of(study)
        others = stating.ended_worse(study, Together.of(study, results))
        names = file_names(study, results, stated)
        return Presented(AUDITS, study, results, names, stated, job.id, signature, others)
    for name in _ONE_PLAN:
        if (job := _finished(name)) is not None:
            one = importlib.import_module(f"dashboard.views.{name}.page").ONE_PLAN
            plan, today = one.plan_of(job), datetime.date.today()
            names = FileNames.of(plan.data.title, one.about, today)
            return Presented(one.workflow, plan, one.load(job, plan), names, job=job.id)
    return None


def _finished(name: str) -> Job | None:
    """The job of a page's name in the address, if it came to a result of that page."""
    job = jobs.find(st.query_params.get(name, ""))
    of_page = "audit" if name == "audit" else importlib.import_module(f"dashboard.views.{name}.page").ONE_PLAN.job
    return job if job is not None and job.kind == of_page and job.state == "done" else None


def _offer_files(deck: Deck, html: str, names: FileNames) -> None:
    from core.slides.powerpoint import write

    st.download_button(
        say("Slides (HTML)"),
        html,
        names.slides,
        "text/html",
        icon=":material/slideshow:",
        on_click="ignore",
        key="slides_html",
        help=say("One file that needs no network; open it in a browser and press F."),
    )
    st.download_button(
        say("Slides (PowerPoint)"),
        spoken_later(lambda: write(deck)),
        names.powerpoint,
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        icon=":material/co_present:",
        on_click="ignore",
        key="slides_pptx",
        help=say("Charts, tables and notes are PowerPoint's own and can be edited."),
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _slides(read: str, stated: tuple[str, SignedBy | None, str], job: str, language: str, _found: Presented) -> Slides:
    """The deck in this language, and what it says at other tolerances; worked out once for what is read and stated."""
    given = _found.plan, _found.result, _found.statement, _found.signature
    return _found.workflow.slides(*given, others=_found.others)
