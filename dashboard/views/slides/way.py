"""The way from a result to its slides and back, with the decision settings that were chosen there."""

import json

import streamlit as st

from core.audits import AuditDecision
from core.language.told import say
from core.plan import AuditPlan
from core.study import Study
from dashboard.pages import open_page

_BACK = "slides_back"


def offer(page: str, job: str, study: Study | None = None) -> None:
    """The button beside a result's report.

    Args:
        page: The result's page.
        job: The job that ran it.
        study: The tests of an audit under the decision settings that are chosen now.
    """
    if st.button(
        say("Present"),
        key="present",
        icon=":material/co_present:",
        help=say("The result as slides: full screen, as one HTML file, or as PowerPoint with charts you can edit."),
    ):
        st.session_state[_BACK] = dict(st.query_params)
        read = {} if study is None else {"read": _written(study)}
        open_page("slides", **{page: job}, **read)


def offer_back(page: str, job: str) -> None:
    """The button to the result, as it was left."""
    if st.button(say("To the result"), key="slides_to_result", icon=":material/arrow_back:"):
        left: dict[str, str] = st.session_state.get(_BACK, {})
        open_page(page, **(left if left.get(page) == job else {page: job}))


def as_read(study: Study, written: str) -> Study:
    """A study under the decision settings that an address names; under its own where they cannot be read."""
    try:
        changed = json.loads(written or "[]") or [{}] * len(study.plans)
        pairs = zip(study.plans, changed, strict=True)
        return study.read(tuple(_changed(plan, values) for plan, values in pairs))
    except (ValueError, TypeError):
        st.info(
            say("The tolerances in this address cannot be read; the audit's own are shown."), icon=":material/info:"
        )
        return study


def _written(study: Study) -> str:
    return json.dumps([plan.decision.model_dump(mode="json") for plan in study.plans], separators=(",", ":"))


def _changed(plan: AuditPlan, values: dict[str, object]) -> AuditDecision:
    decision: AuditDecision = type(plan.decision).model_validate({**plan.decision.model_dump(), **values})
    return decision
