"""The pages of a kind of test that has none of its own, drawn from its kind and its settings."""

import importlib
from functools import partial
from typing import Any

import streamlit as st

from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.finding import AbstractFinding
from core.language.phrases import lower_first, percent, whole
from core.language.told import say
from core.language.units import PLAIN, Unit
from core.plan import AuditPlan
from core.report.settings_table import setting_sections
from core.result import AuditResult
from dashboard import forms
from dashboard.audits import OWN
from dashboard.audits.pages import Expectation, Pages, Tile, proposal
from dashboard.draft import Draft
from dashboard.fields import limits_of, shape_of
from dashboard.text import literal
from dashboard.views.results.decision import SLIDER_STEPS, ErrorRate, listed, rooms, segments, side_by_side
from dashboard.views.results.tables import show_charts_and_tables, show_diagnostics, show_statistics
from dashboard.views.results.view import AbstractView
from dashboard.views.results.widgets import widget

_SIDE_BY_SIDE = 4
"""Up to so many choices stand side by side, more in a list."""


def pages_of(kind: Kind) -> Pages:
    """What a kind of test shows on the pages; its own pages are imported when somebody opens one."""
    if kind.name not in OWN:
        return generic(kind)
    pages: Pages = importlib.import_module(f"dashboard.audits.{kind.name}.pages").PAGES
    return pages


def generic(kind: Kind) -> Pages:
    """Pages drawn from the kind, its settings and its decision settings."""
    return Pages(
        setup=partial(setup, kind),
        settings=partial(settings, kind),
        facts=partial(facts, kind),
        expectation=partial(expectation, kind),
        view=GenericView(kind),
    )


def decided(decision: type[DecisionSettings]) -> tuple[str, ...]:
    """The decision settings that a single widget can hold, besides the error rate, the tolerance first."""
    others = (name for name in forms.drawable(decision) if name not in ("delta", "alpha"))
    return ("delta", *others)


def setup(kind: Kind, draft: Draft) -> str:
    """Say what the test does; there is nothing to choose. Returns why the next step is shut."""
    if draft.roles.roles is None:
        return say("The roles of the columns are not chosen yet.")
    st.write(literal(kind.about))
    return ""


def settings(kind: Kind, draft: Draft) -> AbstractAudit | None:
    """The test's own settings as the widgets say; None where one is not valid."""
    held: AbstractAudit = draft.audits[kind.name]
    if not forms.drawable(kind.settings):
        return held
    with st.expander(say("Every setting of the {title}", title=lower_first(kind.title)), icon=":material/tune:"):
        return forms.draw(kind.settings, dict(held), f"review.{kind.name}")


def facts(kind: Kind, plan: AuditPlan) -> dict[str, str]:
    """What is tolerated, how sure the verdict is, and the settings of the test."""
    numbers, decision = plan.roles.outcome_type == "number", plan.decision
    tolerated = say(
        "tolerated: {tolerance}, with {confidence} confidence",
        tolerance=decision.unit(numbers=numbers).tolerance(decision.delta),
        confidence=percent(1 - decision.alpha),
    )
    chosen = (f"{row.label}: {row.value}" for section in setting_sections(plan.audit) for row in section.rows)
    return {kind.title: "; ".join((tolerated, *chosen))}


def expectation(kind: Kind, draft: Draft, pilot: Any) -> Expectation:
    """Rows and time."""
    decision = draft.decisions[kind.name]
    unit = decision.unit(numbers=draft.roles.outcome_type == "number")
    return Expectation(
        rows=(Tile(say("Rows to audit"), whole(pilot.audited)),),
        seconds=pilot.seconds,
        proposal=proposal(decision, unit.tolerance(decision.delta)),
    )


class GenericView(AbstractView[AuditResult, DecisionSettings, AbstractFinding[Any, Any]]):
    """One tab with every chart, the statistics and the tables.

    Args:
        kind: The kind of test.
    """

    tabs = (say("Result"),)

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def controls(
        self, plan: AuditPlan, start: DecisionSettings, result: AuditResult, alpha: ErrorRate
    ) -> DecisionSettings:
        """Tolerance and error rate in the open; the other decision settings folded."""
        unit = start.unit(numbers=plan.roles.outcome_type == "number")
        others = decided(type(start))[1:]
        tolerated, folded = rooms(say("what else decides")) if others else (st.container(), None)
        with tolerated:
            delta, rate = side_by_side(lambda: float(_number(start, plan, "delta", unit)), alpha)
        chosen: dict[str, Any] = {"delta": delta, "alpha": rate}
        if folded is not None:
            with folded:
                chosen |= {name: control(start, plan, name) for name in others}
        return start.model_copy(update=chosen)

    def show(self, tab: str, plan: AuditPlan, finding: AbstractFinding[Any, Any]) -> None:
        """See the base class."""
        show_charts_and_tables(finding, finding.charts)
        st.header(say("The numbers"), anchor=False)
        show_statistics(finding)
        show_charts_and_tables(finding, (name for name in finding.tables if name not in finding.charts))
        if finding.diagnostics:
            show_diagnostics(finding)


def control(start: DecisionSettings, plan: AuditPlan, field: str) -> Any:
    """What the widget of one decision setting says; the plan's, until somebody moves it, and where none can hold it."""
    kind, kept = type(start), getattr(start, field)
    shape = shape_of(kind.model_fields[field].annotation)
    if shape == "choice":
        offered = forms.choices_of(kind.model_fields[field])
        few = len(offered) <= _SIDE_BY_SIDE
        return segments(start, plan, field, offered) if few else listed(start, plan, field, offered, kept)
    if shape == "switch":
        return widget(st.toggle, kind, plan, field, kept)
    if shape in ("whole", "number") and kept is not None:
        return _number(start, plan, field, PLAIN)
    return kept


def _number(start: DecisionSettings, plan: AuditPlan, field: str, unit: Unit) -> float | int:
    """A slider between the limits of the field; a field to type in where it has none."""
    info, kept = type(start).model_fields[field], getattr(start, field)
    shown = {name: unit.shown(limit) for name, limit in limits_of(info).items()}
    low, high, first = shown.get("ge", shown.get("gt")), shown.get("le", shown.get("lt")), unit.shown(kept)
    more = f" ({unit.name})" if unit.name else ""
    if shape_of(info.annotation) == "whole":
        ends = [None if end is None else int(end) for end in (low, high)]
        drawn = st.number_input if None in ends else st.slider
        return int(widget(drawn, type(start), plan, field, *ends, int(first), 1, more=more))
    if low is None or high is None:
        chosen = widget(st.number_input, type(start), plan, field, low, high, first, more=more, step=None, format="%g")
    else:
        chosen = widget(st.slider, type(start), plan, field, low, high, first, (high - low) / SLIDER_STEPS, more=more)
    return kept if chosen == first else unit.entered(float(chosen))
