"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.loss_units import amount
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import mixed_sentence, proof_text
from core.phrases import count, percent
from core.plan import AuditPlan
from dashboard.audits.transport import results_limits as limits
from dashboard.audits.transport import results_methods as methods
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_facts


def show(plan: AuditPlan, finding: TransportFinding) -> None:
    """The whole tab."""
    if finding.undefined:
        st.info(literal(finding.undefined), icon=":material/info:")
        return
    limits.show(finding)
    if finding.detail.constrained is None:
        st.header("Every way to the interval", anchor=False)
        methods.show(plan, finding)
    show_chart(finding, "transport cells")
    st.markdown(literal(mixed_sentence(finding)))
    st.header("Can the numbers be trusted?", anchor=False)
    show_facts(_checks(finding), "Check")


def _checks(finding: TransportFinding) -> dict[str, str]:
    """Named checks with what they found."""
    cells, everybody = finding.cells, finding.detail.asked is not None
    return {
        "Kinds of people": f"{cells.cells:,} for {count(cells.people, 'person', 'people')}",
        "Alone in their kind": "does not matter: everybody is compared with themselves in other groups"
        if everybody
        else f"{percent(round(cells.alone, 3))} of people; one person's answer stands for the kind",
        "Comparable with another group": f"{percent(round(cells.comparable, 3))} of people",
        "What other random draws would change": _drawn(finding),
        "Is there no worse way to move people?": proof_text(finding.certificate),
    }


def _drawn(finding: TransportFinding) -> str:
    """How far the bounds would move with other random numbers."""
    lower, upper = finding.lower_error, finding.upper_error
    if lower == upper == 0:
        return "nothing: nothing is drawn"
    ends = [
        f"the {name} by about {amount(error, finding.loss)}"
        for name, error in (("lower", lower), ("upper", upper))
        if error
    ]
    least = "" if len(ends) == 2 else f"; the {'upper' if lower else 'lower'} does not depend on draws"
    return f"of the bounds, {' and '.join(ends)}{least} ({count(finding.detail.draws, 'draw')})"
