"""Which language a reader is spoken to in: the one they chose, or else the first of their browser's that we have."""

import os

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.language.catalogue import OFFERED, name_of
from core.language.reader import SOURCE, ask_for_language, speak

_CHOSEN = "language"


def listen() -> None:
    """Find out which language this run of the script speaks; for its beginning, before anything is said."""
    speak(spoken())


def spoken() -> str:
    """The language of whoever is at the browser whose script runs here; English where no browser is."""
    if len(OFFERED) == 1 or get_script_run_ctx(suppress_warning=True) is None:
        return os.environ.get("EVENHAND_LANGUAGE", SOURCE)
    chosen = st.session_state.get(_CHOSEN)
    if chosen in OFFERED:
        return str(chosen)
    of_browser = (st.context.locale or "").split("-")[0]
    return of_browser if of_browser in OFFERED else os.environ.get("EVENHAND_LANGUAGE", SOURCE)


def offer() -> None:
    """A choice of languages, each called as its speakers call it, where there is more than one."""
    if len(OFFERED) > 1:
        now = spoken()
        st.session_state[_CHOSEN] = st.selectbox(
            "Language / Sprache",  # verbatim
            OFFERED,
            index=OFFERED.index(now) if now in OFFERED else 0,
            format_func=name_of,
            label_visibility="collapsed",
            key="language_choice",
            width=130,
        )


ask_for_language(spoken)
