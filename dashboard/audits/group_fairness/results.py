"""The page of groups: its tabs, its decision settings and its lines in the record."""

import math
from typing import ClassVar, get_args

import streamlit as st

from core.audits.group_fairness.decision import GroupFairnessDecision, MeasureName, Outcome
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.language.phrases import p_value
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.text import literal
from dashboard.views.results.decision import (
    ErrorRate,
    choose_attribute,
    listed,
    rooms,
    segments,
    side_by_side,
    tolerated_difference,
)
from dashboard.views.results.tables import show_charts_and_tables
from dashboard.views.results.view import AbstractView
from dashboard.views.results.widgets import widget

_SHOWN: tuple[tuple[str, ...], ...] = (
    ("claims", "groups guessed"),  # verbatim
    ("claims intersections",),  # verbatim
    ("claims within", "claims local"),  # verbatim
    ("claims signed", "groups rates", "groups impact", "groups differences", "groups classes"),  # verbatim
    ("fair dummies coverage", "fair dummies set sizes"),  # verbatim
)
"""Charts and tables of each tab, by name."""


class GroupFairnessView(AbstractView[GroupFairnessResult, GroupFairnessDecision, GroupFairnessFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (
        say("Groups"),
        say("Several attributes"),
        say("Alike in a column"),
        say("All measures"),
        say("Coverage"),
    )

    def tabs_of(self, result: GroupFairnessResult) -> tuple[str, ...]:
        """Without the tabs of several attributes, of columns and of prediction sets where there are none."""
        groups, several, columns, measures, coverage = self.tabs
        detail = result.detail
        return (
            groups,
            *([several] if len(detail.recorded) > 1 and result.audit.depth > 1 else []),
            *([columns] if detail.columns else []),
            measures,
            *([coverage] if detail.coverage and not detail.decided_only else []),
        )

    def controls(
        self, plan: AuditPlan, start: GroupFairnessDecision, result: GroupFairnessResult, alpha: ErrorRate
    ) -> GroupFairnessDecision:
        """Tolerances and error rate in the open; what is compared with whom in a folded room."""
        detail = result.detail
        tolerated, other = rooms(say("what is compared with whom"))
        with tolerated:
            spread = GroupFairnessFinding(result, start).factor if detail.numbers else None
            delta, rate = side_by_side(lambda: tolerated_difference(start, plan, result.data.outcome, spread), alpha)
        chosen: dict[str, object] = {"delta": delta, "alpha": rate}
        with other:
            if detail.favourable >= 0:
                chosen["measure"] = listed(start, plan, "measure", _measures(result), start.measure)
                chosen["ratio"] = float(
                    widget(st.slider, GroupFairnessDecision, plan, "ratio", 0.0, 1.0, start.ratio, 0.05)
                )
            groups = tuple(f"{one.name} = {retold(group)}" for one in detail.recorded for group in one.groups)
            chosen["reference"] = _several(plan, start, "reference", groups)
            if detail.columns:
                chosen["within"] = _several(plan, start, "within", tuple(one.name for one in detail.columns))
            if detail.has_outcomes and not detail.numbers:
                chosen["outcome"] = segments(start, plan, "outcome", get_args(Outcome))
            names = [one.name for one in detail.attributes]
            place = GroupFairnessFinding(result, start).place
            chosen["attribute"] = choose_attribute(start, plan, names, place, "attribute")
        return start.model_copy(update=chosen)

    def show(self, tab: str, plan: AuditPlan, finding: GroupFairnessFinding) -> None:
        """See the base class."""
        *_, coverage = self.tabs
        if tab == coverage and finding.sets_hold_everything:
            st.info(
                say(
                    "Every set holds all outcomes, so it says nothing: to leave one out, the model would have to be "
                    "right more often, or to say how sure it is."
                ),
                icon=":material/info:",
            )
        show_charts_and_tables(finding, _SHOWN[self.tabs.index(tab)])

    def p_values(self, finding: GroupFairnessFinding) -> str:
        """One for all comparisons together."""
        if math.isnan(finding.p_value):
            return say("No p-value: no two groups have enough people.")
        told = literal(p_value(finding.p_value, alpha=finding.decision.alpha))
        return say("p-value of “nobody fares worse than tolerated”: **{p}**.", p=told)


def _measures(result: GroupFairnessResult) -> tuple[str, ...]:
    """What the verdict may rest on in this table."""
    return get_args(MeasureName) if result.detail.has_outcomes else ("default", "selection rate")


def _several(plan: AuditPlan, start: GroupFairnessDecision, field: str, offered: tuple[str, ...]) -> tuple[str, ...]:
    """Some of many names; the plan's, until somebody chooses."""
    kept = [name for name in getattr(start, field) if name in offered]
    return tuple(widget(st.multiselect, GroupFairnessDecision, plan, field, offered, kept))
