"""The way from a result to its slides and back."""

import streamlit as st

from core.language.told import say
from dashboard.pages import open_page

_BACK = "slides_back"


def offer(page: str, job: str) -> None:
    """The button beside a result's report.

    Args:
        page: The result's page.
        job: The job that ran it.
    """
    if st.button(
        say("Present"),
        key="present",
        icon=":material/co_present:",
        help=say(
            "The result as it was run, as slides: full screen, as one HTML file, or as PowerPoint with charts you can "
            "edit. They can show other tolerances."
        ),
    ):
        st.session_state[_BACK] = dict(st.query_params)
        open_page("slides", **{page: job})


def offer_back(page: str, job: str) -> None:
    """The button to the result, as it was left."""
    if st.button(say("To the result"), key="slides_to_result", icon=":material/arrow_back:"):
        left: dict[str, str] = st.session_state.get(_BACK, {})
        open_page(page, **(left if left.get(page) == job else {page: job}))
