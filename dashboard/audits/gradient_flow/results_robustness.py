"""Robustness: how the verdict moves with the decision settings, the metric, the tail of the ratios and the steps."""

import math

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.checks import Checks
from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.audits.gradient_flow.wording import under_other_metrics
from core.language.phrases import count, interval, number, percent, ratio, whole
from core.language.told import say, say_count
from dashboard.views.results.chart import show_chart


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
    st.header(say("Can the numbers be trusted?"), anchor=False)
    st.table(_checks(finding), border="horizontal")


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
        "{smallest} or more in four cases out of five, and smaller ones less often.",
        headline=finding.opening,
        statistic=name_of(finding.decision.statistic),
        smallest=ratio(finding.minimum_detectable, beside=finding.decision.delta),
    )


def _checks(finding: GradientFlowFinding) -> pd.DataFrame:
    """Named checks with what they found; of the loss ratio, but the metrics by the decision's statistic."""
    found, normal = finding.checks, finding.under(statistic="loss ratio")
    alpha = finding.decision.alpha
    confidence, plain = percent(1 - alpha), normal.given_metric.two_sided(alpha)
    given = say("the metric is right; the interval of the result is wider, for the metric was learned")
    rows = {
        **({} if finding.detail.relearned is None else {say("Both intervals below take for granted"): given}),
        say("{confidence} interval, normal", confidence=confidence): interval(plain.low, plain.high),
        say("{confidence} interval, bootstrap-t", confidence=confidence): interval(
            found.bootstrap_t_low, found.bootstrap_t_high
        ),
        say("Weight of a few people"): say_count(
            "{n} person carries {share} of the mean, the largest alone {largest}",
            "{n} people carry {share} of the mean, the largest alone {largest}",
            found.top_rows,
            share=percent(found.top_share),
            largest=percent(found.largest_share),
        ),
        say("Heaviness of the tail"): _tail(found),
        say("Half the step size"): say(
            "moves the lower bound from {bounds} (on {rows})",
            bounds=interval(found.halving_lower_bound, found.halving_lower_bound_halved),
            rows=count(found.halving_rows, "row"),
        ),
        say("Lost ground"): say(
            "{lost} of {rows}; an exact search loses none", lost=count(found.lost_ground, "row"), rows=whole(normal.n)
        ),
        say("Smallest loss"): say(
            "touched {before} before and {after} after",
            before=count(found.floored_start, "row"),
            after=count(found.floored_end, "row"),
        ),
        say("Metrics learned again from half of the rows"): under_other_metrics(finding),
        say("Stability of the steps"): say("{stability} (steps diverge from 2 on)", stability=number(found.stability)),
    }
    return pd.DataFrame({say("Found"): list(rows.values())}, index=pd.Index(list(rows), name=say("Check")))


def _tail(found: Checks) -> str:
    doubt = say("the normal interval is doubtful") if found.tail_doubtful else say("the normal interval can be used")
    return say("index {index} (below 2: no finite variance); {doubt}", index=number(found.tail_index), doubt=doubt)
