"""The slider of the tolerance, in the unit of what is judged."""

import math

import streamlit as st

from core.audits.text_sensitivity.decision import DEFAULT_TOLERANCE, Judged, Measure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.plan import AuditPlan
from dashboard.views.results.decision import label, tip, widget_key

STEPS = 200
"""Places of a slider, about."""


def tolerance(
    plan: AuditPlan,
    start: TextSensitivityDecision,
    result: TextSensitivityResult,
    *,
    judged: Judged,
    measure: Measure,
    signed: bool,
) -> float:
    """Each thing judged has a widget of its own, since a share of probability is no tolerance for another measure."""
    finding = TextSensitivityFinding(result, start).under(judged=judged, measure=measure, signed=signed, alpha=0.05)
    same = judged == start.judged and (judged == "swaps" or measure == start.measure)
    first = start.delta if same else DEFAULT_TOLERANCE[judged]
    share = finding.measure == "CF"
    ends = () if finding.undefined else (abs(finding.interval_low), abs(finding.interval_high))
    largest = max(1.5 * first, *(1.5 * end for end in ends if math.isfinite(end)), 0.2 if share else 0.0)
    end = min(_rounded_up(largest), 1.0 if share else 100.0) if largest > 0 else 1.0
    chosen: float = st.slider(
        f"{label(TextSensitivityDecision, 'delta')}, {_what(judged, measure)}",
        0.0,
        end,
        first,
        end / STEPS,
        format="percent" if share else "%.3g",
        key=widget_key("delta" if judged == "swaps" else f"delta-{measure}", plan),
        help=tip(TextSensitivityDecision, "delta"),
        bind="query-params",
    )
    return chosen


def _what(judged: Judged, measure: Measure) -> str:
    if judged == "swaps":
        return "as a share of probability"
    return f"as a difference of {'shares' if measure == 'CF' else measure}"


def _rounded_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 … and their tenths, so that a slider's ends and steps are round."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= value * (1 - 1e-9))
