"""The pages by name; each name is its place in the address and its module in ``dashboard.views``."""

import functools
import importlib
import threading
from typing import NoReturn

import streamlit as st

from core.language.told import retold, say
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
}


def page(name: str) -> st.Page:
    """The page as Streamlit's navigation wants it; its module is imported when somebody opens it."""

    def run() -> None:
        place = st.empty()
        with guarded():
            show_done()
            importlib.import_module(f"dashboard.views.{name}.page").page()
        show_trouble(place)

    return st.Page(run, title=retold(PAGES[name]), url_path=None if name == "home" else name, default=name == "home")


@functools.cache
def prepare() -> None:
    """Import the other pages, the rooms and the largest library they use while the user reads the first page."""

    def import_pages() -> None:
        for name in (*PAGES, "results"):
            importlib.import_module(f"dashboard.views.{name}.page")
        from core.audits import KINDS
        from dashboard.audits.generic import pages_of

        for kind in KINDS.values():
            pages_of(kind)
        importlib.import_module("scipy.stats")

    threading.Thread(target=import_pages, daemon=True).start()


def open_page(name: str, **address: str) -> NoReturn:
    """Leave this page for another; ``address`` goes behind the question mark."""
    st.switch_page(page(name), query_params=address)
