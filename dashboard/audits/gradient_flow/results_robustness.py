"""Robustness: how the verdict moves with the decision settings, the metric, the tail of the ratios and the step
size.
"""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.report.numbers import Diagnostics, GradientFlowNumbers
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.wording import resampled
from core.phrases import count, interval, number, percent, ratio
from dashboard.views.results import chart as results_chart


def show(result: GradientFlowResult, decision: GradientFlowDecision, numbers: GradientFlowNumbers) -> None:
    """The tab below the widgets of the decision settings."""
    found = numbers.of(decision.statistic)
    smallest = ratio(found.minimum_detectable, beside=decision.delta)
    st.markdown(
        f"**With this reading: {numbers.headline}.** An audit of this size finds a true "
        f"{decision.statistic} of {smallest} or more in four cases out of five."
    )
    results_chart.show("sweep", result, decision)
    tried = [results_chart.show(name, result, decision) for name in ("rotations", "resampled")]
    if not any(tried):
        st.info(
            "This audit did not try other versions of its fair metric. Metric rotations, and metric resamples for a "
            "learned metric, can be chosen in the review step; each repeats the search on up to 2,000 rows.",
            icon=":material/info:",
        )
    st.subheader("Can the numbers be trusted?", anchor=False)
    st.table(_checks(result, numbers, decision), border="horizontal")


def _checks(result: GradientFlowResult, numbers: GradientFlowNumbers, decision: GradientFlowDecision) -> pd.DataFrame:
    """Named checks with what they found; of the loss ratio, but the metrics by the decision's statistic."""
    d = numbers.diagnostics
    normal = numbers.of("loss ratio")
    confidence = percent(1 - decision.alpha)
    rows = {
        f"{confidence} interval, normal": interval(normal.interval_low, normal.interval_high),
        f"{confidence} interval, bootstrap-t": interval(d.bootstrap_t_low, d.bootstrap_t_high),
        "Weight of a few people": f"{count(d.top_rows, 'person carries', 'people carry')} {percent(d.top_share)} of "
        f"the mean, the largest alone {percent(d.largest_share)}",
        "Heaviness of the tail": _tail(d),
        "Half the step size": "moves the lower bound from "
        f"{interval(d.halving_lower_bound, d.halving_lower_bound_halved)} (first {count(d.halving_rows, 'row')})",
        "Lost ground": f"{count(d.lost_ground, 'row')} of {normal.n:,}; an exact search loses none",
        "Smallest loss": f"touched {count(d.floored_start, 'row')} before and {count(d.floored_end, 'row')} after",
        "Metrics learned from resampled rows": resampled(result, decision),
        "Stability of the steps": f"{number(d.stability)} (steps diverge from 2 on)",
    }
    return pd.DataFrame({"Found": list(rows.values())}, index=pd.Index(list(rows), name="Check"))


def _tail(d: Diagnostics) -> str:
    doubt = "the normal interval is doubtful" if d.tail_doubtful else "the normal interval can be used"
    return f"index {number(d.tail_index)} (below 2: no finite variance); {doubt}"
