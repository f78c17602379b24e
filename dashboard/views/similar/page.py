"""Step 4: who counts as similar, or which words do, for each of the chosen tests."""

import streamlit as st

from dashboard import session, stepper
from dashboard.audits import ROOMS
from dashboard.steps import SIMILAR


def page() -> None:
    """Say who is compared with whom, and see what that means in the table."""
    draft = session.draft()
    if (place := stepper.header(draft, SIMILAR)) is None:
        return
    chosen = draft.chosen
    tabs = st.tabs([draft.title(kind) for kind in chosen]) if len(chosen) > 1 else [st.container()]
    problems = []
    for kind, tab in zip(chosen, tabs, strict=True):
        with tab:
            problem = ROOMS[kind].part("setup").show(session.draft())
        if problem:
            problems.append(f"{draft.title(kind)}: {problem}" if len(chosen) > 1 else problem)
    stepper.footer(place, session.draft(), SIMILAR, " ".join(problems))
