"""The page of a transport test: its tabs, its reading and its lines in the record."""

from typing import ClassVar

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.flow_wording import people_text
from core.audits.transport.loss_units import LOSS_UNITS, amount
from core.audits.transport.maps import Moves
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import deciding_text, price_sentence
from core.inference.transport.constraints import Constraints
from core.language.phrases import number, percent
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.audits.transport import results_controls as controls
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
    show_statistics(finding, "" if finding.undefined else deciding_text(finding))
    if finding.undefined:
        return
    show_chart(finding, "transport budget", folded=True)  # verbatim
    if finding.budget_matters:
        st.markdown(literal(price_sentence(finding)))
    show_chart(finding, "transport price", folded=True)  # verbatim


def _robustness(plan: AuditPlan, finding: TransportFinding) -> None:
    """The auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""
    if finding.undefined:
        st.info(literal(finding.undefined), icon=":material/info:")
        return
    _show_limits(finding)
    charts = ("transport costs", "transport draws", "transport cells")  # verbatim
    shown = [name for name in charts if name in finding.charts]
    for name in shown[:1]:
        show_chart(finding, name)
    if finding.detail.constrained is None:
        with st.expander(say("Every method for the bounds")):
            methods.show(plan, finding)
    for name in shown[1:]:
        show_chart(finding, name, folded=True)
    show_diagnostics(finding)


def _show_limits(finding: TransportFinding) -> None:
    """Nothing where there are no limits."""
    constrained, part = finding.detail.constrained, finding.part
    if constrained is None:
        return
    without = float(part.envelope.value(part.sample.masses, finding.budget))
    st.header(say("What your limits change"), anchor=False)
    st.markdown(
        literal(
            say(
                "With them the {rise} is {with_them}, without them it would be {without}.",
                rise=LOSS_UNITS[finding.loss].rise,
                with_them=amount(finding.on_the_same_people, finding.loss),
                without=amount(without, finding.loss),
            )
        )
    )
    st.table(used(constrained.limits, finding.moves, part.sample.n), border="horizontal")


def used(limits: Constraints, found: Moves, people: int) -> pd.DataFrame:
    """Each limit with what it allows and how far the plan goes, as Markdown."""
    names, allowed, moved = [], [], []
    for one in limits.leaving:
        out = found.only(np.isin(found.source, one.cells)).total
        least, most = percent(one.at_least), percent(min(one.at_most, 1.0))
        names.append(say("{group}, compared with others", group=one.name))
        allowed.append(
            say("at least {at_least}, at most {at_most} of all people", at_least=least, at_most=most)
            if one.at_least > 0
            else say("at most {at_most} of all people", at_most=most)
        )
        moved.append(say("{share}, {n} people", share=percent(round(out / people, 4)), n=people_text(out)))
    for own in limits.budgets:
        out = found.only(np.isin(found.source, own.cells)).total
        names.append(say("Budget of {people}", people=retold(own.name)))
        allowed.append(say("a mean cost of {budget}", budget=number(own.budget)))
        moved.append(say("{n} people compared", n=people_text(out)))
    columns = {say("Allowed"): list(map(literal, allowed)), say("In this plan"): list(map(literal, moved))}
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, names)), name=say("Limit")))
