"""The decision settings of a text sensitivity test: what is judged, the measure, the tolerance and the error rate."""

from typing import get_args

import streamlit as st

from core.audits.text_sensitivity.decision import MEASURES, SIGNED, Judged, Measure, TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.plan import AuditPlan
from core.settings import name_of_choice
from dashboard.audits.text_sensitivity.results_tolerance import tolerance
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate, label, tip, widget_key

INSTEAD: tuple[Measure, ...] = ("P5", "P1")
"""Shown first, in this order, where the plan's measure is not to be had and nothing is judged by it."""


def show(
    plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
) -> TextSensitivityDecision:
    """Draw the widgets and return what they say."""
    title = "Change the measure, the tolerance or the error rate"
    with st.expander(title, icon=":material/tune:"):
        judged = _judged(plan, start, result)
        measure, signed = _measure(plan, start, result)
        left, right = st.columns(2)
        with left:
            delta = tolerance(plan, start, result, judged=judged, measure=measure, signed=signed)
        with right:
            rate = alpha()
    return TextSensitivityDecision(judged=judged, measure=measure, signed=signed, delta=delta, alpha=rate)


def _judged(plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult) -> Judged:
    """A choice only where there is a second model."""
    if result.detail.reference is None:
        return start.judged
    chosen: Judged | None = st.segmented_control(
        label(TextSensitivityDecision, "judged"),
        get_args(Judged),
        default=start.judged,
        required=True,
        format_func=lambda value: name_of_choice(TextSensitivityDecision, "judged", value),
        key=widget_key("judged", plan),
        help=tip(TextSensitivityDecision, "judged"),
        wrap=True,
        bind="query-params",
    )
    return chosen or start.judged


def _measure(plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult) -> tuple[Measure, bool]:
    """One of the measures that some text has; why not the others stands below."""
    lacking = {measure: Estimates(result).lacking(measure) for measure in MEASURES}
    first = start.measure
    if lacking[first] and start.judged == "swaps":
        first = next((one for one in INSTEAD if not lacking[one]), first)
    offered = [measure for measure, why in lacking.items() if not why or measure == first]
    chosen: Measure = st.selectbox(
        label(TextSensitivityDecision, "measure"),
        offered,
        offered.index(first),
        format_func=lambda value: name_of_choice(TextSensitivityDecision, "measure", value),
        key=widget_key("measure", plan),
        help=tip(TextSensitivityDecision, "measure"),
        bind="query-params",
    )
    for why in dict.fromkeys(why for why in lacking.values() if why):
        st.caption(literal(why))
    if chosen not in SIGNED:
        return chosen, False
    signed = st.toggle(
        label(TextSensitivityDecision, "signed"),
        start.signed,
        key=widget_key("signed", plan),
        help=tip(TextSensitivityDecision, "signed"),
        bind="query-params",
    )
    return chosen, signed
