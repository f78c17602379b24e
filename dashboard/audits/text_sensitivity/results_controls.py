"""The decision settings of a sensitivity audit: what the verdict is about, the measure, the tolerance and the error
rate.
"""

import math
from typing import get_args

import streamlit as st

from core.audits.text_sensitivity.answers import missing
from core.audits.text_sensitivity.decision import DEFAULT_TOLERANCE, Judged, Measure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.plan import AuditPlan
from core.settings import name_of_choice
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate, label, tip, widget_key

STEPS = 200
"""Places of a slider, about."""
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
            delta = _tolerance(plan, start, result, judged=judged, measure=measure, signed=signed)
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
    lacking = {measure: missing(result.detail, measure) for measure in get_args(Measure)}
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
    if chosen not in ("P3", "P5"):
        return chosen, False
    signed = st.toggle(
        label(TextSensitivityDecision, "signed"),
        start.signed,
        key=widget_key("signed", plan),
        help=tip(TextSensitivityDecision, "signed"),
        bind="query-params",
    )
    return chosen, signed


def _tolerance(
    plan: AuditPlan,
    start: TextSensitivityDecision,
    result: TextSensitivityResult,
    *,
    judged: Judged,
    measure: Measure,
    signed: bool,
) -> float:
    """Each thing judged has a widget of its own, since a share of probability is no tolerance for another measure."""
    read = start.model_copy(update={"judged": judged, "measure": measure, "signed": signed})
    same = judged == start.judged and (judged == "swaps" or measure == start.measure)
    first = start.delta if same else DEFAULT_TOLERANCE[judged]
    share = judged == "swaps" or measure == "CF"
    found = result.detail.estimate(read)
    ends = () if found.undefined else (abs(end) for end in (found.two_sided(0.05).low, found.two_sided(0.05).high))
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
