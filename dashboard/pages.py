"""The pages by name; each name is its place in the address and its module in ``dashboard.views``."""

import importlib
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import ModuleType
from typing import NoReturn

import streamlit as st

from core.base.errors import EvenhandError
from core.base.memory import imports_stay
from core.language.told import retold, say
from dashboard.jobs import queue as jobs
from dashboard.jobs.code import code_fingerprint
from dashboard.logs import log, take_in_libraries
from dashboard.messages import guarded, show_done, show_trouble

PAGES = {
    "home": "Evenhand",
    "data": say("Data and roles"),
    "model": say("Model or predictions"),
    "tests": say("Tests"),
    "similar": say("Similar people"),
    "review": say("Review and run"),
    "audit": say("Audit"),
    "slides": say("Slides"),
    "selection": say("Choose a model"),
    "fairer": say("What would a fairer model cost?"),
    "comparison": say("Compare models"),
    "register": say("Register"),
    "projects": say("Projects"),
    "shared": say("Shared audit"),
    "glossary": say("Glossary"),
    "papers": say("Case studies"),
}
_LONGEST_WAIT = 3.0
"""Seconds that the other pages wait for a first visitor."""
_TIME_TO_DRAW, _TIME_TO_ANSWER = 0.3, 5.0
"""Seconds that a browser gets to draw the first page before what shows results is imported, and that a first run has to
itself before the other pages are: a page that is opened before is imported then."""
_DRAWN, _TURN = threading.Event(), threading.RLock()


def page(name: str) -> st.Page:
    """The page as Streamlit's navigation wants it; its module is imported when somebody opens it."""

    def run() -> None:
        place = st.empty()
        with guarded():
            show_done()
            _module(name).page()
        show_trouble(place)

    return st.Page(run, title=retold(PAGES[name]), url_path=None if name == "home" else name, default=name == "home")


@asynccontextmanager
async def prepare(app: st.App) -> AsyncIterator[None]:
    """Once the server runs, import the pages in a thread, as a visitor of a cold one needs them, and start the worker.

    The first page comes first, then the worker, a process of its own, while the visitor's browser fetches what it draws
    with. The other pages wait until the first was drawn (:func:`first_page_drawn`), which they would slow down: they
    then are ready before most visitors have read it. Where nobody comes they wait no longer than a few seconds.
    """
    take_in_libraries()
    log("started", code=code_fingerprint()[:12])
    threading.Thread(target=_prepare, daemon=True).start()
    yield
    log("ended")


def first_page_drawn() -> None:
    """Say that a visitor has a page, and that what waits for it may go on."""
    _DRAWN.set()


def _prepare() -> None:
    with imports_stay():
        _module("home")
        importlib.import_module("core.workflows.examples")
    with suppress(OSError, EvenhandError):  # pages say what is wrong with the folder
        jobs.ensure_worker()
    _DRAWN.wait(_LONGEST_WAIT)
    time.sleep(_TIME_TO_DRAW)
    with imports_stay():
        _module("audit")
        _module("results")
        importlib.import_module("plotly.graph_objects")
    time.sleep(_TIME_TO_ANSWER)
    with imports_stay():
        for name in PAGES:
            _module(name)
        importlib.import_module("scipy.stats")
        from core.audits import KINDS
        from core.finding import room_of
        from dashboard.audits.generic import pages_of

        for kind in KINDS.values():
            pages_of(kind)
            room_of(kind)


def _module(name: str) -> ModuleType:
    """The module of a page. One thread imports at a time: two that import what belongs together may meet half-way."""
    with _TURN:
        return importlib.import_module(f"dashboard.views.{name}.page")


def open_page(name: str, **address: str) -> NoReturn:
    """Leave this page for another; ``address`` goes behind the question mark."""
    st.switch_page(page(name), query_params=address)
