"""Who asks: every browser is a visitor of its own, known by a random cookie, and sees only what it asked for itself."""

import hashlib
import re

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE = "evenhand_visitor"
"""The cookie's name; its value is a secret of 128 bits as 32 hexadecimal digits."""
LOCAL = "local"
"""The visitor where there is no browser: on the command line, in threads, and in tests without a server."""
SECRET = re.compile(r"[0-9a-f]{32}")

_KEPT = "visitor"


def visitor() -> str:
    """The visitor's name, safe in file names and in the table of jobs; the secret cannot be told from it.

    A browser that sends no cookie is another visitor each time it opens the dashboard.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return LOCAL
    if _KEPT not in st.session_state:
        cookie = st.context.cookies.get(COOKIE)
        st.session_state[_KEPT] = _name(cookie, context.session_id)
    return str(st.session_state[_KEPT])


def _name(cookie: object, session: str) -> str:
    if cookie is not None and not isinstance(cookie, str):  # AppTest has no browser: its cookies are mocks
        return LOCAL
    secret = cookie if cookie is not None and SECRET.fullmatch(cookie) else session
    return hashlib.sha256(secret.encode()).hexdigest()[:32]
