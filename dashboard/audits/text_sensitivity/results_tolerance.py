"""The slider of the tolerance, in the unit of what is judged."""

import math

import streamlit as st

from core.audits.text_sensitivity.decision import DEFAULT_TOLERANCE, Judged, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.units import round_up
from core.plan import AuditPlan
from dashboard.views.results.decision import SLIDER_STEPS
from dashboard.views.results.widgets import widget


def tolerance(
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
    ends = () if finding.undefined else (abs(finding.interval_low), abs(finding.interval_high))
    largest = max(1.5 * first, *(1.5 * end for end in ends if math.isfinite(end)), 0.2 * (most == 1.0))
    end = unit.factor * (min(round_up(largest), most) if largest > 0 else 1.0)
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
