"""The decision settings of a text sensitivity test: what is judged, the measure, the tolerance and the error rate."""

from typing import get_args

import streamlit as st

from core.audits.text_sensitivity.decision import MEASURES, SIGNED, Judged, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity.results_tolerance import tolerance
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate, listed, rooms, segments, side_by_side
from dashboard.views.results.widgets import widget

INSTEAD: tuple[TextMeasure, ...] = ("P5", "P1")
"""Shown first, in this order, where the plan's measure is not to be had and nothing is judged by it."""


def show(
    plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
) -> TextSensitivityDecision:
    """Draw the widgets and return what they say."""
    tolerated, other = rooms(say("the measure"))
    with other:
        judged = _judged(plan, start, result)
        measure, signed = _measure(plan, start, result)
    with tolerated:
        delta, rate = side_by_side(
            lambda: tolerance(plan, start, result, judged=judged, measure=measure, signed=signed), alpha
        )
    return TextSensitivityDecision(judged=judged, measure=measure, signed=signed, delta=delta, alpha=rate)


def _judged(plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult) -> Judged:
    """A choice only where there is a second model."""
    if result.detail.reference is None:
        return start.judged
    return segments(start, plan, "judged", get_args(Judged))


def _measure(
    plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult
) -> tuple[TextMeasure, bool]:
    """One of the measures that some text has; why not the others stands below."""
    lacking = {measure: Estimates(result).lacking(measure) for measure in MEASURES}
    first = start.measure
    if lacking[first] and start.judged == "swaps":
        first = next((one for one in INSTEAD if not lacking[one]), first)
    offered = [measure for measure, why in lacking.items() if not why or measure == first]
    chosen = listed(start, plan, "measure", offered, first)
    for why in dict.fromkeys(why for why in lacking.values() if why):
        st.caption(literal(why))
    if chosen not in SIGNED:
        return chosen, False
    return chosen, widget(st.toggle, TextSensitivityDecision, plan, "signed", start.signed)
