"""Why: the rise of the loss against the tolerance, the numbers, and what the budget changes."""

import streamlit as st

from core.audits.transport.reading import TransportReading
from core.plan import AuditPlan
from core.report.tellings import telling_of
from core.report.transport.numbers import TransportNumbers
from core.result import TransportResult
from core.words_transport import price_sentence
from dashboard.text import literal
from dashboard.views import results_chart
from dashboard.views.results_tables import show_table


def show(plan: AuditPlan, result: TransportResult, reading: TransportReading, numbers: TransportNumbers) -> None:
    """The whole tab."""
    results_chart.show("transport interval", result, reading)
    show_table(telling_of(plan).statistics(reading, numbers))
    if numbers.undefined:
        return
    if not results_chart.show("transport budget", result, reading):
        st.markdown(literal(price_sentence(result, reading)))
        return
    st.markdown(literal(price_sentence(result, reading)))
    results_chart.show("transport price", result, reading)
