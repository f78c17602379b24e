"""Who: the people whose similar twin is treated worst, what the search changed, and every group."""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.figures import displacement
from core.audits.gradient_flow.pair import Change, changes, told
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures.theme import MOST_ROWS
from core.language.phrases import count
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.pager import previous_and_next
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_folded
from dashboard.views.results.widgets import widget_key

MOST_CHANGES = 12
"""Changes of a pair shown at once, the largest first; the others are folded away, not left out."""

_OF_COLUMNS = say(
    "The twin is a made-up person whom the fair metric calls similar, found by the whole search. Its "
    "numbers are not rounded and may lie beyond what occurs; where it lies between categories the "
    "nearest is shown."
)
_OF_TEXTS = say(
    "The twin is a point in the model's own embedding that the fair metric calls similar, found by "
    "the whole search. No text belongs to it; the person's is shown."
)


def show(plan: AuditPlan, finding: GradientFlowFinding) -> None:
    """The whole tab."""
    show_chart(finding, "groups")
    st.header(say("The people treated worst, beside their similar twin"), anchor=False)
    st.caption(retold(_OF_TEXTS if finding.result.model.encoder.is_embedding else _OF_COLUMNS))
    _pairs(finding.result, widget_key("pair", plan))
    if show_chart(finding, "displacement") and len(finding.result.model.encoder.features) > MOST_ROWS:
        show_folded([displacement.table(finding)], "")


def _pairs(result: GradientFlowResult, key: str) -> None:
    pairs = result.detail.pairs
    total = len(pairs.rows)
    if total == 0:
        st.info(say("No pair was kept for this audit."), icon=":material/info:")
        return
    now = min(st.session_state.get(key, 0), total - 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        previous_and_next(key, now, total - 1)
        st.markdown(say("Pair **{now}** of {total}, worst first", now=now + 1, total=total))
    st.markdown(literal(told(result, now)))
    if result.model.encoder.is_embedding:
        st.text(pairs.before.iloc[now, 0])
        return
    rows = changes(pairs, now, result.model.encoder)
    changed = [row for row in rows if row.changed]
    if changed:
        st.table(_side_by_side(changed[:MOST_CHANGES]), border="horizontal", hide_index=True)
    else:
        st.info(
            say("The search changed no column by as much as the digits shown."),
            icon=":material/info:",
        )
    smaller, same = changed[MOST_CHANGES:], [row for row in rows if not row.changed]
    for few, title in (
        (smaller, count(len(smaller), "smaller change")),
        (same, say("{columns} without a visible change", columns=count(len(same), "column"))),
    ):
        if few:
            with st.expander(title):
                st.table(_side_by_side(few), border="horizontal", hide_index=True)


def _side_by_side(rows: list[Change]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            say("Column"): [literal(row.column, 60) for row in rows],
            say("Person"): [literal(row.before, 60) for row in rows],
            say("Similar twin"): [
                f"**{literal(row.after, 60)}**" if row.changed else literal(row.after, 60) for row in rows
            ],
            say("What changed"): [f"**{literal(row.words)}**" if row.changed else literal(row.words) for row in rows],
        }
    )
