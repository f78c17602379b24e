"""The button that a page leads up to: clicked while the page waits for an answer, it acts once that has come.

While the page works on an answer the button stays open, for Streamlit drops a click on a button that it has shut and
the browser still shows open.
"""

from typing import Literal

import streamlit as st

from core.language.told import say
from dashboard import waiting
from dashboard.messages import guarded
from dashboard.text import literal

_WANTED = "wanted"
"""Where the session keeps the page whose button was clicked, until the page can go on."""


def begin(page: str) -> None:
    """Say that this run of the page waits for nothing yet; what was clicked on another page is no longer wanted."""
    waiting.begin()
    if st.session_state.get(_WANTED) != page:
        st.session_state.pop(_WANTED, None)


def clicked(
    page: str, label: str, reason: str, *, key: str, icon: str, icon_position: Literal["left", "right"] = "left"
) -> bool:
    """Draw the button, shut with the reason in words where there is one; whether it is to act now.

    While the page waits for an answer, what is being done stands there instead of a reason: nothing is wrong yet.

    Args:
        page: The page's name.
        label: What the button says.
        reason: Why it cannot act yet, one sentence; empty when it can.
        key: The widget's key.
        icon: The button's icon.
        icon_position: On which side of the label.
    """
    st.button(
        label,
        key=key,
        type="primary",
        icon=icon,
        icon_position=icon_position,
        disabled=bool(reason) and not waiting.is_waiting(),
        on_click=guarded()(st.session_state.__setitem__),
        args=(_WANTED, page),
    )
    wanted = st.session_state.get(_WANTED) == page
    if reason and (doing := waiting.what_for()):
        going_on = say("Going on as soon as this is ready.") if wanted else ""
        st.caption(f"{literal(doing)}… {going_on}".strip())
    elif reason:
        st.caption(literal(reason))
    if not wanted or (reason and waiting.is_waiting()):
        return False
    del st.session_state[_WANTED]
    return not reason
