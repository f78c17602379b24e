"""Why: the rise of the loss against the tolerance, the numbers, and what the budget changes."""

import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.report.numbers import TransportNumbers
from core.audits.transport.result import TransportResult
from core.audits.transport.wording import price_sentence
from core.plan import AuditPlan
from core.report.tellings import telling_of
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.tables import show_table


def show(plan: AuditPlan, result: TransportResult, decision: TransportDecision, numbers: TransportNumbers) -> None:
    """The whole tab."""
    results_chart.show("transport interval", result, decision)
    show_table(telling_of(plan).statistics(decision, numbers))
    if numbers.undefined:
        return
    if not results_chart.show("transport budget", result, decision):
        st.markdown(literal(price_sentence(result, decision)))
        return
    st.markdown(literal(price_sentence(result, decision)))
    results_chart.show("transport price", result, decision)
