"""Buttons that lead from one thing to the next where a page shows one at a time."""

from typing import Any

import streamlit as st

from core.language.told import say
from dashboard.messages import guarded


def previous_and_next(key: str, now: int, last: int, *, first: int = 0, named: str = "", into: Any = None) -> None:
    """Two buttons that put the neighbouring number into the session.

    Args:
        key: Where the session keeps the number.
        now: The number shown.
        last: The largest number.
        first: The smallest.
        named: Prefix of the buttons' keys, where another pager may stand on the page; empty for none.
        into: Two places to draw them into, back and forth; side by side if not given.
    """
    back, forth = (st, st) if into is None else into
    ways = ((back, -1, say("Previous"), "previous", "back"), (forth, 1, say("Next"), "next", "forward"))
    for place, step, label, name, icon in ways:
        place.button(
            label,
            key=f"{named}_{name}" if named else None,
            icon=f":material/arrow_{icon}:",
            disabled=not first <= now + step <= last,
            on_click=_go,
            args=(key, now + step),
        )


@guarded()
def _go(key: str, to: int) -> None:
    st.session_state[key] = to
