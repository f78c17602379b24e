"""The page of groups: its tabs, its decision settings and its lines in the record."""

import math
from typing import ClassVar

import streamlit as st

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.language.told import localized, say
from core.phrases import count, p_value, whole
from core.plan import AuditPlan
from dashboard.audits.group_fairness import results_subgroups
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate, choose_attribute, share_slider, side_by_side
from dashboard.views.results.tables import show_chart_and_table
from dashboard.views.results.view import AbstractView

_SHOWN: tuple[tuple[str, ...], ...] = (
    ("groups impact", "groups rates", "groups differences", "groups classes"),  # verbatim
    (),
    ("fair dummies coverage", "fair dummies set sizes"),  # verbatim
)
"""Charts and tables of each tab, by name."""


class GroupFairnessView(AbstractView[GroupFairnessResult, GroupFairnessDecision, GroupFairnessFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Groups"), say("Subgroups"), say("Coverage"))

    def tabs_of(self, result: GroupFairnessResult) -> tuple[str, ...]:
        """Without the tab of prediction sets where there are none."""
        return self.tabs if result.detail.coverage else self.tabs[:-1]

    def controls(
        self, plan: AuditPlan, start: GroupFairnessDecision, result: GroupFairnessResult, alpha: ErrorRate
    ) -> GroupFairnessDecision:
        """Attribute, tolerance of subgroups in percent, and the error rate."""
        unit = say("percent of the mean error") if result.detail.numbers else say("percentage points")
        delta, rate = side_by_side(lambda: share_slider(start, plan, "delta", unit), alpha)
        names = [one.name for one in result.detail.attributes]
        attribute = choose_attribute(start, plan, names, GroupFairnessFinding(result, start).place, "attribute")
        return GroupFairnessDecision(attribute=attribute, delta=delta, alpha=rate)

    def show(self, tab: str, plan: AuditPlan, finding: GroupFairnessFinding) -> None:
        """See the base class."""
        _, subgroups, coverage = self.tabs
        if tab == subgroups:
            results_subgroups.show(finding)
        elif tab == coverage and finding.sets_hold_everything:
            st.info(
                say(
                    "Every set holds all outcomes, so it says nothing: to leave one out, the model would have to be "
                    "right more often, or to say how sure it is."
                ),
                icon=":material/info:",
            )
        for name in _SHOWN[self.tabs.index(tab)]:
            show_chart_and_table(finding, name)

    def p_values(self, finding: GroupFairnessFinding) -> str:
        """One for all subgroups of protected attributes together."""
        if math.isnan(finding.p_value):
            return say("No p-value: no subgroup of a protected attribute is judged.")
        told = literal(p_value(finding.p_value, alpha=finding.decision.alpha))
        return say(
            "p-value of “no subgroup of a protected attribute fares worse than tolerated”: **{p}**.",
            p=told,
        )

    def facts(self, result: GroupFairnessResult) -> dict[str, str]:
        """See the base class."""
        audit, scan = result.audit, result.detail.subgroups
        return {
            say("Subgroups"): say(
                "combinations of up to {n_columns} of {columns}; {n} judged",
                n_columns=count(audit.depth, "column"),
                columns=", ".join(scan.columns),
                n=whole(len(scan)),
            ),
            say("Run time"): say(
                "{seconds} s, {draws} bootstrap draws",
                seconds=localized(f"{result.seconds:.1f}"),
                draws=whole(audit.draws),
            ),
        }
