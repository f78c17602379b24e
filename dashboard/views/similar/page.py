"""Step 4: who counts as similar, or which words do, for each of the chosen tests."""

import streamlit as st

from dashboard import session, stepper
from dashboard.session import TEST_KINDS, TestKind
from dashboard.views.tests.kinds import TESTS


def page() -> None:
    """Say who is compared with whom, and see what that means in the table."""
    draft = session.draft()
    if (place := stepper.header(draft, "similar")) is None:
        return
    st.title(next(step for step in stepper.STEPS if step.name == "similar").called(draft))
    chosen: list[TestKind] = [kind for kind in TEST_KINDS if kind in draft.tests]
    rooms = st.tabs([TESTS[kind].title for kind in chosen]) if len(chosen) > 1 else [st.container()]
    problems = []
    for kind, room in zip(chosen, rooms, strict=True):
        with room:
            problem = TESTS[kind].similar(session.draft())
        if problem:
            problems.append(f"{TESTS[kind].title}: {problem}" if len(chosen) > 1 else problem)
    stepper.footer(place, session.draft(), "similar", " ".join(problems))
