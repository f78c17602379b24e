"""The explorer of subgroups: which there are, how each fares, and what is said about it; no single person is shown."""

import numpy as np
import streamlit as st

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import described, state, worst_first
from core.inference.estimate import Verdict
from core.language.told import say, say_as
from core.phrases import count, whole
from dashboard.audits.group_fairness.subgroup_list import frame, show_one
from dashboard.text import literal, named_turns
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_table

_SORTED = ("flagged", "largest", "smallest", "people")
"""Orders of the list."""
_STATES = (Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT)


def _order_name(order: str) -> str:
    return {
        "flagged": say("Flagged and worst first"),
        "largest": say("Largest excess first"),
        "smallest": say("Smallest excess first"),
        "people": say("Most people first"),
    }[order]


def show(finding: GroupFairnessFinding) -> None:
    """Counts, the chart, and a table to search, filter and sort, with the subgroup chosen in it."""
    table = finding.tables["subgroups"]
    st.caption(literal(table.caption))
    show_table(table)
    judged = finding.subgroups.judged
    if not judged:
        st.info(
            say("No combination has 30 people inside and 30 outside, so no subgroup is judged."),
            icon=":material/info:",
        )
        return
    show_chart(finding, "subgroups")
    st.header(say("All subgroups"), anchor=False)
    result = finding.result
    key = f"subgroups-{result.data.fingerprint[:6]}{result.model.fingerprint[:6]}{result.audit.fingerprint[:6]}"
    found = _filtered(finding, key)
    if not len(found):
        st.info(say("No subgroup is like that. Choose fewer columns, or clear the search."), icon=":material/info:")
        return
    st.caption(
        say(
            "{n} of {subgroups}. The excess is how much worse a subgroup fares than everybody else. Choose "
            "a row to see more about it.",
            n=whole(len(found)),
            subgroups=count(judged, "subgroup"),
        )
    )
    chosen = st.dataframe(
        frame(finding, found),
        hide_index=True,
        key=f"{key}-table",
        on_select="rerun",
        selection_mode="single-row",
        alt=say("Subgroups with their people, what is said about them, and their excess with bounds"),
    )
    rows = chosen["selection"]["rows"]
    show_one(finding, int(found[rows[0] if rows and rows[0] < len(found) else 0]))


def _filtered(finding: GroupFairnessFinding, key: str) -> np.ndarray:
    """Places of the subgroups that are asked for, in the order asked for."""
    scan, judged = finding.result.detail.subgroups, finding.judged
    left, right = st.columns(2)
    with left:
        columns = st.multiselect(
            say("Made of these columns"),
            scan.columns,
            format_func=named_turns,
            key=f"{key}-columns",
            placeholder=say_as("columns", "any"),
        )
        states = st.pills(say("Show only"), _STATES, format_func=state, selection_mode="multi", key=f"{key}-states")
    with right:
        searched = st.text_input(
            say("With these words"), key=f"{key}-words", help=say("Values or columns, such as Female.")
        )
        order = st.selectbox(say("Sorted"), _SORTED, format_func=_order_name, key=f"{key}-order")
    kept = np.ones(len(scan), dtype=bool)
    for column in columns:
        kept &= scan.members[:, scan.columns.index(column)] >= 0
    words = searched.casefold().split()
    places = [
        place
        for place in _ordered(finding, order)
        if kept[place]
        and (not states or judged.verdict(place) in states)
        and all(word in described(scan, place).casefold() for word in words)
    ]
    return np.array(places, dtype=np.int64)


def _ordered(finding: GroupFairnessFinding, order: str) -> np.ndarray:
    scan = finding.result.detail.subgroups
    if order == "flagged":
        return worst_first(scan, finding.judged)
    by = {"largest": -scan.excess, "smallest": scan.excess, "people": -scan.rows}[order]
    return np.argsort(by, kind="stable")
