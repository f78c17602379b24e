"""Robustness: how the verdict moves with the decision settings, the metric, the tail of the ratios and the steps."""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.summaries import Checks
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.audits.gradient_flow.wording import under_other_metrics
from core.language.told import localized, say
from core.phrases import count, interval, number, percent, ratio
from dashboard.views.results.chart import show_chart


def show(finding: GradientFlowFinding) -> None:
    """The tab below the widgets of the decision settings."""
    smallest = ratio(finding.minimum_detectable, beside=finding.decision.delta)
    st.markdown(
        say(
            "**With these settings: {headline}.** An audit of this size finds a true {statistic} of "
            "{smallest} or more in four cases out of five.",
            headline=finding.headline,
            statistic=finding.decision.statistic,
            smallest=smallest,
        )
    )
    show_chart(finding, "sweep")
    tried = [show_chart(finding, name) for name in ("rotations", "resampled")]
    if not any(tried):
        st.info(
            "This audit did not try other versions of its fair metric. Metric rotations, and metric resamples for a "
            "learned metric, can be chosen in the review step; each repeats the search on a part of the rows.",
            icon=":material/info:",
        )
    st.header(say("Can the numbers be trusted?"), anchor=False)
    st.table(_checks(finding), border="horizontal")


def _checks(finding: GradientFlowFinding) -> pd.DataFrame:
    """Named checks with what they found; of the loss ratio, but the metrics by the decision's statistic."""
    found, normal = finding.checks, finding.under(statistic="loss ratio")
    confidence = percent(1 - finding.decision.alpha)
    carry, compared = count(found.top_rows, "person carries", "people carry"), count(found.halving_rows, "row")
    floored = count(found.floored_start, "row"), count(found.floored_end, "row")
    rows = {
        f"{confidence} interval, normal": interval(normal.interval_low, normal.interval_high),
        f"{confidence} interval, bootstrap-t": interval(found.bootstrap_t_low, found.bootstrap_t_high),
        "Weight of a few people": say(
            "{carry} {top_share} of the mean, the largest alone {largest_share}",
            carry=carry,
            top_share=percent(found.top_share),
            largest_share=percent(found.largest_share),
        ),
        "Heaviness of the tail": _tail(found),
        "Half the step size": say(
            "moves the lower bound from {halving_lower_bound} (on {compared})",
            halving_lower_bound=interval(found.halving_lower_bound, found.halving_lower_bound_halved),
            compared=compared,
        ),
        "Lost ground": say(
            "{lost_ground} of {n}; an exact search loses none",
            lost_ground=count(found.lost_ground, "row"),
            n=localized(f"{normal.n:,}"),
        ),
        "Smallest loss": say("touched {floored} before and {floored2} after", floored=floored[0], floored2=floored[1]),
        "Metrics learned again from half of the rows": under_other_metrics(finding),
        "Stability of the steps": say("{stability} (steps diverge from 2 on)", stability=number(found.stability)),
    }
    return pd.DataFrame({"Found": list(rows.values())}, index=pd.Index(list(rows), name="Check"))


def _tail(found: Checks) -> str:
    doubt = say("the normal interval is doubtful") if found.tail_doubtful else say("the normal interval can be used")
    return say(
        "index {tail_index} (below 2: no finite variance); {doubt}", tail_index=number(found.tail_index), doubt=doubt
    )
