"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.reading import TransportReading
from core.plan import AuditPlan
from core.report.transport.numbers import TransportNumbers
from core.result import TransportResult
from core.words import count, number, percent
from core.words_transport import MEASURES, mixed_sentence
from dashboard.text import literal
from dashboard.views import results_chart, results_transport_limits, results_transport_methods
from dashboard.views.results_tables import show_facts


def show(plan: AuditPlan, result: TransportResult, reading: TransportReading, numbers: TransportNumbers) -> None:
    """The whole tab."""
    if numbers.undefined:
        st.info(literal(numbers.undefined), icon=":material/info:")
        return
    results_transport_limits.show(result, reading, numbers)
    if result.detail.constrained is None:
        st.subheader("Every way to the interval", anchor=False)
        results_transport_methods.show(plan, result, reading)
    results_chart.show("transport cells", result, reading)
    st.markdown(literal(mixed_sentence(result, reading)))
    st.subheader("Can the numbers be trusted?", anchor=False)
    show_facts(_checks(result, reading, numbers), "Check")


def _checks(result: TransportResult, reading: TransportReading, numbers: TransportNumbers) -> dict[str, str]:
    """Named checks with what they found."""
    measure, cells = MEASURES[reading.loss], numbers.cells
    lower, upper = (number(measure.factor * error) for error in (numbers.lower_error, numbers.upper_error))
    drawn = count(result.detail.draws, "draw")
    errors = f"{lower}{measure.unit} of the lower bound, {upper}{measure.unit} of the upper ({drawn})"
    nothing_drawn = numbers.lower_error == numbers.upper_error == 0
    return {
        "Kinds of people": f"{cells.cells:,} for {count(cells.people, 'person', 'people')}",
        "Alone in their kind": f"{percent(round(cells.alone, 3))} of people; one person's answer stands for the kind",
        "Comparable with another group": f"{percent(round(cells.comparable, 3))} of people",
        "Error of the bootstrap itself": "nothing is drawn" if nothing_drawn else errors,
        "Proof that the plan is optimal": f"its conditions are met to {number(numbers.certificate)}",
    }
