"""The page of a transport test: its tabs, its reading and its lines in the record."""

from typing import ClassVar

import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import deciding_text, price_sentence
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.transport import results_controls as controls
from dashboard.audits.transport import results_limits as limits
from dashboard.audits.transport import results_methods as methods
from dashboard.audits.transport import results_who as who
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.tables import show_diagnostics, show_statistics
from dashboard.views.results.view import AbstractView


class TransportView(AbstractView[TransportResult, TransportDecision, TransportFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Who"), say("Robustness"))

    def controls(
        self, plan: AuditPlan, start: TransportDecision, result: TransportResult, alpha: ErrorRate
    ) -> TransportDecision:
        """See the base class."""
        return controls.show(plan, start, result, alpha)

    def show(self, tab: str, plan: AuditPlan, finding: TransportFinding) -> None:
        """See the base class."""
        why, people, _ = self.tabs
        if tab == why:
            _why(finding)
        elif tab == people:
            who.show(plan, finding)
        else:
            _robustness(plan, finding)


def _why(finding: TransportFinding) -> None:
    """The rise of the loss against the tolerance, the numbers, and what the budget changes."""
    show_chart(finding, "transport interval")  # verbatim
    show_statistics(finding)
    if finding.undefined:
        return
    st.markdown(literal(deciding_text(finding)))
    show_chart(finding, "transport budget")  # verbatim
    st.markdown(literal(price_sentence(finding)))
    show_chart(finding, "transport price")  # verbatim


def _robustness(plan: AuditPlan, finding: TransportFinding) -> None:
    """The auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""
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
