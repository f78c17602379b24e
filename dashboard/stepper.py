"""The five steps to an audit: where you are, what is done, and why the next is not open yet."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.audits import KINDS
from dashboard import waiting
from dashboard.audits import ROOMS
from dashboard.draft import Draft

SIMILAR = "similar"
"""The step that some tests give a name of their own."""


@dataclass(frozen=True)
class Step:
    """A step.

    Attributes:
        name: Its place in the address.
        title: What people call it.
        problem: Why it is not finished, one sentence; empty when it is.
        with_texts: What people call it where texts are tested; empty if the same.
    """

    name: str
    title: str
    problem: Callable[[Draft], str]
    with_texts: str = ""

    def called(self, draft: Draft) -> str:
        """What people call it in this audit."""
        own = {ROOMS[kind].step for kind in draft.tests}
        if self.name == SIMILAR and len(own) == 1 and "" not in own:
            return own.pop()
        texts = draft.roles.text is not None or any(KINDS[kind].reads == "texts" for kind in draft.tests)
        return self.with_texts if self.with_texts and texts else self.title


def _data(draft: Draft) -> str:
    return "Choose a table first." if draft.data is None else draft.roles.problem


def _model(draft: Draft) -> str:
    return "" if draft.model is not None else "Choose a model, or a column with its predictions."


def _tests(draft: Draft) -> str:
    return "" if draft.tests else "Choose at least one test."


def _similar(draft: Draft) -> str:
    return " ".join(draft.missing[kind] for kind in draft.chosen if kind in draft.missing)


_WANTED = "step_wanted"
"""Where the session keeps the step whose next button was clicked, until the page can go on."""

STEPS = (
    Step("data", "Data and roles", _data),
    Step("model", "Model or predictions", _model),
    Step("tests", "Tests", _tests),
    Step(SIMILAR, "Similar people", _similar, with_texts="Similar people or words"),
    Step("review", "Review and run", lambda draft: ""),
)


def first_problem(draft: Draft, before: str) -> tuple[Step, str] | None:
    """The first unfinished step before the one named, with its reason; None if all are finished."""
    for step in STEPS:
        if step.name == before:
            return None
        if problem := step.problem(draft):
            return step, problem
    return None


def header(draft: Draft, here: str) -> DeltaGenerator | None:
    """The place of the steps, which :func:`footer` fills; None, with the way back, if an earlier step is open."""
    waiting.begin()
    if st.session_state.get(_WANTED) != here:
        st.session_state.pop(_WANTED, None)
    place = st.container(horizontal=True, key="stepper", gap="small")
    blocked = first_problem(draft, here)
    if blocked is None:
        return place
    _fill(place, draft, here)
    step, problem = blocked
    st.info(f"This step opens when “{step.called(draft)}” is finished. {problem}", icon=":material/lock:")
    if st.button(f"Go to {step.called(draft)}", key="step_blocked", type="primary"):
        go(step.name)
    return None


def footer(place: DeltaGenerator, draft: Draft, here: str, problem: str = "", final: bool = False) -> bool:
    """The steps on top; back and next below, which is shut, with the reason in words, until the step is finished.

    While the page works on an answer the button stays open, for Streamlit drops a click on a button that it has shut
    and the browser still shows open; the page then goes on by itself once the answer has come and nothing speaks
    against it.

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
        if number > 0 and st.button("Back", key="step_back", icon=":material/arrow_back:"):
            go(STEPS[number - 1].name)
        st.button(
            "Run the audit" if final else f"Next: {STEPS[number + 1].called(draft)}",
            key="run_audit" if final else "step_next",
            type="primary",
            icon=":material/play_arrow:" if final else ":material/arrow_forward:",
            icon_position="left" if final else "right",
            disabled=bool(reason) and not waiting.is_waiting(),
            on_click=_want,
            args=(here,),
        )
        wanted = st.session_state.get(_WANTED) == here
        if reason:
            st.caption(f"{reason} Going on as soon as this is ready." if wanted and waiting.is_waiting() else reason)
    if not wanted or (reason and waiting.is_waiting()):
        return False
    del st.session_state[_WANTED]
    if reason:
        return False
    if not final:
        go(STEPS[number + 1].name)
    return True


def _want(here: str) -> None:
    st.session_state[_WANTED] = here


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
                help="You are here" if current else "Done" if done else None,
            ):
                go(step.name)
            reached = reached and not problem


def go(step: str) -> None:
    """Open a step's page with the session's draft."""
    from dashboard.pages import open_page

    open_page(step, draft=st.session_state["draft"])
