"""The way from a result to its slides and back."""

import json

import streamlit as st

from core.base.errors import SettingsError
from core.language.told import say
from core.study import Study
from dashboard.pages import open_page

READ = "read"
"""Where the address of slides says how a result is read otherwise than it was run."""
_BACK = "slides_back"


def offer(page: str, job: str, read: str = "") -> None:
    """The button beside a result's report.

    Args:
        page: The result's page.
        job: The job that ran it.
        read: How it is read there, as :func:`reading` says it.
    """
    if st.button(
        say("Present"),
        key="present",
        icon=":material/co_present:",
        help=say(
            "The result as you read it here, as slides: full screen, as one HTML file, or as PowerPoint with charts "
            "you can edit. They say so where it is a trial."
        ),
    ):
        st.session_state[_BACK] = dict(st.query_params)
        open_page("slides", **{page: job}, **({READ: read} if read else {}))


def reading(study: Study, read: Study) -> str:
    """What of the decision settings is read otherwise than it was run, an object a test as JSON; empty for nothing."""
    pairs = ((before.decision, now.decision) for before, now in zip(study.plans, read.plans, strict=True))
    changed = [
        {
            name: value
            for name, value in now.model_dump(mode="json").items()
            if getattr(before, name) != getattr(now, name)
        }
        for before, now in pairs
    ]
    return json.dumps(changed, separators=(",", ":")) if any(changed) else ""


def as_read(study: Study, told: str) -> Study:
    """The tests as :func:`reading` says that they are read; as they were run where it says nothing.

    Raises:
        SettingsError: It says nothing that there is.
    """
    if not told:
        return study
    decisions = [plan.decision for plan in study.plans]
    try:
        changed = zip(decisions, json.loads(told), strict=True)
        read = study.read(tuple(type(one).model_validate({**one.model_dump(), **values}) for one, values in changed))
    except (ValueError, TypeError) as error:
        raise SettingsError(
            say("How this result is to be read cannot be made out of the address."),
            advice=say("Open the result, and press *Present* there."),
        ) from error
    return read


def offer_back(page: str, job: str) -> None:
    """The button to the result, as it was left."""
    if st.button(say("To the result"), key="slides_to_result", icon=":material/arrow_back:"):
        left: dict[str, str] = st.session_state.get(_BACK, {})
        open_page(page, **(left if left.get(page) == job else {page: job}))
