"""Robustness: other ways to the interval, how many people share a kind, and what else tells whether to trust."""

import streamlit as st

from core.audits.transport.reading import TransportReading
from core.plan import AuditPlan
from core.report.tellings import telling_of
from core.report.transport.numbers import TransportNumbers
from core.result import TransportResult
from core.words_transport import mixed_sentence
from dashboard.text import literal
from dashboard.views import results_chart
from dashboard.views.results_tables import show_facts, show_table


def show(plan: AuditPlan, result: TransportResult, reading: TransportReading, numbers: TransportNumbers) -> None:
    """The whole tab."""
    if numbers.undefined:
        st.info(literal(numbers.undefined), icon=":material/info:")
        return
    telling = telling_of(plan)
    st.subheader("Other ways to the interval", anchor=False)
    show_table(telling.tables(result, reading, numbers)["transport interval"])
    results_chart.show("transport cells", result, reading)
    st.markdown(literal(mixed_sentence(result, reading)))
    st.subheader("Can the numbers be trusted?", anchor=False)
    show_facts(telling.diagnostics(result, reading, numbers), "Check")
