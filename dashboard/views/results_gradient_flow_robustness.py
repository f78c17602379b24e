"""Robustness: how the verdict moves with the reading, the metric, the tail of the ratios and the step size."""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.reading import GradientFlowReading
from core.report.gradient_flow.numbers import Diagnostics, GradientFlowNumbers
from core.result import GradientFlowResult
from core.words import count, interval, number, percent, ratio
from core.words_gradient_flow import resampled
from dashboard.views import results_chart


def show(result: GradientFlowResult, reading: GradientFlowReading, numbers: GradientFlowNumbers) -> None:
    """The tab below the widgets of the reading."""
    found = numbers.of(reading.statistic)
    smallest = ratio(found.minimum_detectable, beside=reading.delta)
    st.markdown(
        f"**With this reading: {numbers.headline}.** An audit of this size finds a true "
        f"{reading.statistic} of {smallest} or more in four cases out of five."
    )
    results_chart.show("sweep", result, reading)
    tried = [results_chart.show(name, result, reading) for name in ("rotations", "resampled")]
    if not any(tried):
        st.info(
            "This audit did not try other versions of its fair metric. Metric rotations, and metric resamples for a "
            "learned metric, can be chosen in the review step; each repeats the search on up to 2,000 rows.",
            icon=":material/info:",
        )
    st.subheader("Can the numbers be trusted?", anchor=False)
    st.table(_checks(result, numbers, reading), border="horizontal")


def _checks(result: GradientFlowResult, numbers: GradientFlowNumbers, reading: GradientFlowReading) -> pd.DataFrame:
    """Named checks with what they found; of the loss ratio, but the metrics by the reading's statistic."""
    d = numbers.diagnostics
    normal = numbers.of("loss ratio")
    confidence = percent(1 - reading.alpha)
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
        "Metrics learned from resampled rows": resampled(result, reading),
        "Stability of the steps": f"{number(d.stability)} (steps diverge from 2 on)",
    }
    return pd.DataFrame({"Found": list(rows.values())}, index=pd.Index(list(rows), name="Check"))


def _tail(d: Diagnostics) -> str:
    doubt = "the normal interval is doubtful" if d.tail_doubtful else "the normal interval can be used"
    return f"index {number(d.tail_index)} (below 2: no finite variance); {doubt}"
