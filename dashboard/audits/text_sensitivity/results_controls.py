"""The decision settings of a text sensitivity test: what is judged, the measure, the tolerance and the error rate."""

import math
from typing import get_args

import streamlit as st

from core.audits.text_sensitivity.decision import (
    DEFAULT_TOLERANCE,
    MEASURES,
    SIGNED,
    Judged,
    TextMeasure,
    TextSensitivityDecision,
)
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.told import say
from core.language.units import round_up
from core.plan import AuditPlan
from dashboard.text import literal
from dashboard.views.results.decision import (
    SLIDER_STEPS,
    ErrorRate,
    end_of_slider,
    listed,
    rooms,
    segments,
    side_by_side,
)
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
            lambda: _tolerance(plan, start, result, judged=judged, measure=measure, signed=signed), alpha
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


def _tolerance(
    plan: AuditPlan,
    start: TextSensitivityDecision,
    result: TextSensitivityResult,
    *,
    judged: Judged,
    measure: TextMeasure,
    signed: bool,
) -> float:
    """Each thing judged has a widget of its own, since a share of probability is no tolerance for another measure."""
    finding = TextSensitivityFinding(result, start).under(judged=judged, measure=measure, signed=signed, alpha=0.05)
    same = judged == start.judged and (judged == "swaps" or measure == start.measure)
    first = start.delta if same else DEFAULT_TOLERANCE[judged]
    unit, most = unit_of(finding.measure), 1.0 if finding.measure == "CF" else 100.0
    ends = () if finding.undefined else (abs(finding.interval.low), abs(finding.interval.high))
    largest = max(1.5 * first, *(1.5 * end for end in ends if math.isfinite(end)), 0.2 * (most == 1.0))
    end = unit.factor * (min(end_of_slider(round_up(largest), first), most) if largest > 0 else 1.0)
    shown = unit.factor * first
    chosen: float = widget(
        st.slider,
        TextSensitivityDecision,
        plan,
        "delta",
        0.0,
        end,
        shown,
        end / SLIDER_STEPS,
        more=f" ({unit.name or measure})",
        format="%.3g",
        key="delta" if judged == "swaps" else f"delta-{measure}",
    )
    return first if chosen == shown else chosen / unit.factor
