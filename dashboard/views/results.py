"""The results page: one plain sentence on top, then why, who, how robust, and the record."""

import streamlit as st

from core.plan import AuditPlan
from core.report.numbers import collect
from core.result import AuditResult
from dashboard.text import literal
from dashboard.views import (
    results_card,
    results_reading,
    results_record,
    results_robustness,
    results_who,
    results_why,
)

TABS = ("Why", "Who", "Robustness", "Record")


def show(plan: AuditPlan, result: AuditResult) -> None:
    """Show a finished audit. Moving δ, α, T or the statistic reads the same result again and runs nothing.

    The widgets of the reading run first, wherever they stand, so that a refreshed page reads its address before it
    says a verdict.
    """
    st.title("Result of the audit", anchor=False)
    st.caption(f"{literal(result.model.name, 80)} on {literal(plan.data.title, 80)}")
    card = results_card.Card()
    why, who, robustness, record = st.tabs(TABS, key="view", bind="query-params")
    with robustness:
        reading = results_reading.controls(plan, result)
    numbers = collect(result, reading)
    card.fill(result, reading, numbers)
    with why:
        if why.open:
            results_why.show(result, reading, numbers)
    with who:
        if who.open:
            results_who.show(plan, result, reading)
    with robustness:
        if robustness.open:
            results_robustness.show(result, reading, numbers)
    with record:
        if record.open:
            results_record.show(plan.model_copy(update={"reading": reading}), result)
