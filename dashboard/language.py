"""Which language a reader is spoken to in: the one they chose, or else the first of their browser's that we have."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.language.catalogue import OFFERED, name_of
from core.language.reader import ask_for_language, of_environment, speak
from dashboard import seen
from dashboard.messages import guarded

_CHOSEN, _WIDGET = "language", "language_choice"
_CHANGED, _WAITED = "language_changed", "language_waited"
_SOON = 0.2


def listen() -> None:
    """Find out which language this run of the script speaks; for its beginning, before anything is said."""
    speak(spoken())


def spoken() -> str:
    """The language of whoever is at the browser whose script runs here; English where no browser is."""
    if len(OFFERED) == 1 or get_script_run_ctx(suppress_warning=True) is None:
        return of_environment()
    if _CHOSEN not in st.session_state:
        st.session_state[_CHOSEN] = ""  # what goes wrong when it is asked for is told in a language too
        st.session_state[_CHOSEN] = seen.language()
    if st.session_state[_CHOSEN] in OFFERED:
        return str(st.session_state[_CHOSEN])
    of_browser = (st.context.locale or "").split("-")[0]
    return of_browser if of_browser in OFFERED else of_environment()


def _heard() -> str:
    """The same, for the rest of a run that did not begin by listening: a fragment's own."""
    code = spoken()
    if get_script_run_ctx(suppress_warning=True) is not None:
        speak(code)
    return code


def offer() -> None:
    """A choice of languages, each called as its speakers call it, where there is more than one."""
    if len(OFFERED) > 1:
        now = spoken()
        st.selectbox(
            "Language / Sprache",  # verbatim
            OFFERED,
            index=OFFERED.index(now) if now in OFFERED else 0,
            format_func=name_of,
            label_visibility="collapsed",
            key=_WIDGET,
            width=130,
            on_change=guarded()(_choose),
        )


def _choose() -> None:
    """Keep the choice: a widget's own goes with every page that does not draw it, a session's with every reload."""
    st.session_state[_CHOSEN], st.session_state[_CHANGED] = st.session_state[_WIDGET], True
    seen.note_language(st.session_state[_WIDGET])


def begins_anew() -> bool:
    """Whether this run draws no page, so that its widgets are forgotten; the next one follows at once.

    A browser sends the name of what is chosen, which says nothing in another language.
    """
    if not st.session_state.pop(_CHANGED, False):
        return False
    st.fragment(guarded()(_go_on), run_every=_SOON)()
    return True


def _go_on() -> None:
    """Draw the page, unless this is still the run that draws none."""
    if st.session_state.setdefault(_WAITED, False):
        del st.session_state[_WAITED]
        st.rerun()
    st.session_state[_WAITED] = True


ask_for_language(_heard)
