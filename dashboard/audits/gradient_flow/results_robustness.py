"""Robustness: how the verdict moves with the decision settings, the metric, the tail of the ratios and the steps."""

import math

import streamlit as st

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.language.phrases import ratio
from core.language.told import say
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_diagnostics


def show(finding: GradientFlowFinding) -> None:
    """The tab below the widgets of the decision settings."""
    st.markdown(_power(finding))
    show_chart(finding, "sweep")
    tried = [show_chart(finding, name) for name in ("weights", "rotations", "penalties", "resampled")]
    if not any(tried):
        st.info(
            say(
                "This audit did not try other settings. Other weights of similarity, metric rotations, and for a "
                "learned metric resamples and other penalties can be chosen in the review step. Each repeats the "
                "search on a part of the rows."
            ),
            icon=":material/info:",
        )
    show_diagnostics(finding)


def _power(finding: GradientFlowFinding) -> str:
    """The headline, and what an audit of this size finds."""
    if finding.minimum_detectable == math.inf:
        return say(
            "**With these settings: {headline}.** The rows say too little about who counts as similar: no true "
            "{statistic}, however large, would be found in four cases out of five.",
            headline=finding.opening,
            statistic=name_of(finding.decision.statistic),
        )
    return say(
        "**With these settings: {headline}.** An audit of this size finds a true {statistic} of "
        "{smallest} or more in four cases out of five.",
        headline=finding.opening,
        statistic=name_of(finding.decision.statistic),
        smallest=ratio(finding.minimum_detectable, beside=finding.decision.delta),
    )
