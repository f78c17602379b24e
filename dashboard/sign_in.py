"""Signing in and out, where people do; where they do not, nothing is asked."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.language.told import say
from dashboard import own_sessions
from dashboard.messages import guarded
from dashboard.visitor import people_sign_in, person

_OF = "signed_in_as"


def let_in() -> bool:
    """Whether the visitor may come in; shows who has to sign in the way to do it.

    What a session holds goes when another person takes it over.
    """
    with guarded():
        if not people_sign_in():
            return True
        found = person()
        _note(found is not None)
        if found is None:
            st.title("Evenhand", anchor=False)
            st.write(
                say("Evenhand finds out whether a model treats similar people similarly. Sign in to see your audits.")
            )
            st.button(
                say("Sign in"), key="sign_in", type="primary", icon=":material/login:", on_click=guarded()(st.login)
            )
            return False
        if st.session_state.setdefault(_OF, found.id) != found.id:
            st.session_state.clear()
            st.session_state[_OF] = found.id
        return True
    return False


def _note(signed_in: bool) -> None:
    """Tell the door, which lets nobody else bring files."""
    if (context := get_script_run_ctx(suppress_warning=True)) is not None:
        own_sessions.note_person(context.session_id, signed_in=signed_in)


def offer_out() -> None:
    """Who is signed in, and the way out."""
    if not people_sign_in() or (found := person()) is None:
        return
    st.button(
        say("Sign out"),
        key="sign_out",
        type="tertiary",
        icon=":material/logout:",
        on_click=guarded()(st.logout),
        help=say("You are signed in as {name}.", name=found.known_as),
    )
