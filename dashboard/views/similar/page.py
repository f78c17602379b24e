"""Step 4: who counts as similar, or which words do, for each of the chosen tests."""

import streamlit as st

from core.audits import KINDS
from dashboard import session, stepper
from dashboard.audits.generic import pages_of
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
            problem = pages_of(KINDS[kind]).setup(session.draft())
        if problem:
            problems.append(f"{draft.title(kind)}: {problem}" if len(chosen) > 1 else problem)
    stepper.footer(place, session.draft(), SIMILAR, " ".join(problems))
