"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.verdict import TransportFinding
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.transport import results_limits as limits
from dashboard.audits.transport import results_methods as methods
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_diagnostics


def show(plan: AuditPlan, finding: TransportFinding) -> None:
    """The whole tab."""
    if finding.undefined:
        st.info(literal(finding.undefined), icon=":material/info:")
        return
    limits.show(finding)
    if finding.detail.constrained is None:
        st.header(say("Every way to the interval"), anchor=False)
        methods.show(plan, finding)
    show_chart(finding, "transport draws")  # verbatim
    show_chart(finding, "transport costs")  # verbatim
    show_chart(finding, "transport cells")  # verbatim
    show_diagnostics(finding)
