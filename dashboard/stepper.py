"""Where you are among the steps, what is done, and the ways back and on."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.language.told import say
from dashboard import main_button, session
from dashboard.draft import Draft
from dashboard.pages import open_page
from dashboard.steps import STEPS, first_problem
from dashboard.text import literal


def header(draft: Draft, here: str) -> DeltaGenerator | None:
    """The place of the steps, which :func:`footer` fills, above the step's title.

    None, with the way back, if an earlier step is open.
    """
    main_button.begin(here)
    place = st.container(horizontal=True, key="stepper", gap="small")
    session.show_origin(draft)
    st.title(next(step for step in STEPS if step.name == here).called(draft))
    blocked = first_problem(draft, here)
    if blocked is None:
        return place
    _fill(place, draft, here)
    step, problem = blocked
    opens = say("This step opens when “{step}” is finished.", step=step.called(draft))
    st.info(f"{opens} {literal(problem)}", icon=":material/lock:")
    if st.button(say("Go to {step}", step=step.called(draft)), key="step_blocked", type="primary"):
        go(step.name)
    return None


def footer(place: DeltaGenerator, draft: Draft, here: str, problem: str = "", final: bool = False) -> bool:
    """The steps on top; back and next below, which is shut, with the reason in words, until the step is finished.

    Args:
        place: Where the steps go.
        draft: The draft as it is now.
        here: The step's name.
        problem: A reason the draft cannot know of, for example that the model does not fit; it comes first.
        final: Whether the last button runs the audit instead of opening the next step.

    Returns:
        Whether the audit is to be run.
    """
    _fill(place, draft, here)
    number = [step.name for step in STEPS].index(here)
    reason = problem or STEPS[number].problem(draft)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center", key="step_footer"):
        if number > 0 and st.button(say("Back"), key="step_back", icon=":material/arrow_back:"):
            go(STEPS[number - 1].name)
        label = say("Run the audit") if final else say("Next: {step}", step=STEPS[number + 1].called(draft))
        key = "run_audit" if final else "step_next"
        icon = ":material/play_arrow:" if final else ":material/arrow_forward:"
        done = main_button.clicked(here, label, reason, key=key, icon=icon, icon_position="left" if final else "right")
    if done and not final:
        go(STEPS[number + 1].name)
    return done


def _fill(place: DeltaGenerator, draft: Draft, here: str) -> None:
    reached, visited = True, st.session_state.setdefault("visited", set())
    visited.update(step.name for step in STEPS[: [step.name for step in STEPS].index(here) + 1])
    with place:
        for number, step in enumerate(STEPS, start=1):
            problem = step.problem(draft)
            current, done = step.name == here, reached and not problem and step.name in visited
            words = f"{number}. {step.called(draft)}"
            if st.button(
                f"**{words}**" if current else words,
                key=f"step_{step.name}",
                icon=":material/radio_button_checked:" if current else ":material/check_circle:" if done else None,
                type="secondary" if current else "tertiary",
                disabled=not reached,
                help=say("You are here") if current else say("Done") if done else None,
            ):
                go(step.name)
            reached = reached and not problem


def go(step: str) -> None:
    """Open a step's page with the session's draft."""
    open_page(step, draft=st.session_state["draft"])
