"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.report.numbers import TransportNumbers
from core.audits.transport.result import TransportResult
from core.audits.transport.wording import MEASURES, mixed_sentence, proof_text
from core.phrases import count, number, percent
from core.plan import AuditPlan
from dashboard.audits.transport import results_limits as results_transport_limits
from dashboard.audits.transport import results_methods as results_transport_methods
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.tables import show_facts


def show(plan: AuditPlan, result: TransportResult, decision: TransportDecision, numbers: TransportNumbers) -> None:
    """The whole tab."""
    if numbers.undefined:
        st.info(literal(numbers.undefined), icon=":material/info:")
        return
    results_transport_limits.show(result, decision, numbers)
    if result.detail.constrained is None:
        st.subheader("Every way to the interval", anchor=False)
        results_transport_methods.show(plan, result, decision)
    results_chart.show("transport cells", result, decision)
    st.markdown(literal(mixed_sentence(result, decision)))
    st.subheader("Can the numbers be trusted?", anchor=False)
    show_facts(_checks(result, decision, numbers), "Check")


def _checks(result: TransportResult, decision: TransportDecision, numbers: TransportNumbers) -> dict[str, str]:
    """Named checks with what they found."""
    cells = numbers.cells
    everybody = result.detail.asked is not None
    return {
        "Kinds of people": f"{cells.cells:,} for {count(cells.people, 'person', 'people')}",
        "Alone in their kind": "does not matter: everybody is compared with themselves in other groups"
        if everybody
        else f"{percent(round(cells.alone, 3))} of people; one person's answer stands for the kind",
        "Comparable with another group": f"{percent(round(cells.comparable, 3))} of people",
        "What other random draws would change": _drawn(result, decision, numbers),
        "Is there no worse way to move people?": proof_text(numbers.certificate),
    }


def _drawn(result: TransportResult, decision: TransportDecision, numbers: TransportNumbers) -> str:
    """How far the bounds would move with other random numbers."""
    measure = MEASURES[decision.loss]
    lower, upper = (measure.factor * error for error in (numbers.lower_error, numbers.upper_error))
    if lower == upper == 0:
        return "nothing: nothing is drawn"
    ends = [f"the {name} by about {number(error)}" for name, error in (("lower", lower), ("upper", upper)) if error]
    least = "" if len(ends) == 2 else f"; the {'upper' if lower else 'lower'} does not depend on draws"
    return f"of the bounds, {' and '.join(ends)}{measure.unit}{least} ({count(result.detail.draws, 'draw')})"
