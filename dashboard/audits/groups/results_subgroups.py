"""The explorer of subgroups: which there are, how each fares, and what is said about it; no single person is shown."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.groups.report.subgroups import counts
from core.audits.groups.subgroups.scan import SubgroupScan
from core.audits.groups.subgroups.verdicts import Judgements, judge
from core.audits.groups.wording_subgroups import (
    STATES,
    described,
    excess_text,
    harm_name,
    harm_text,
    shown,
    state,
    state_told,
    tolerance_text,
    unit,
    worst_first,
)
from core.phrases import count, p_value, percent
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.tables import show_facts, show_table

_SORTED = ("Flagged and worst first", "Largest excess first", "Smallest excess first", "Most people first")


def show(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> None:
    """Counts, the chart, and a table to search, filter and sort, with the subgroup chosen in it."""
    scan = result.detail.subgroups
    judged = judge(scan, decision.tolerance, decision.alpha)
    table = counts(scan, judged, decision)
    st.caption(literal(table.caption))
    show_table(table)
    if not len(scan):
        st.info("No combination has 30 people inside and 30 outside, so no subgroup is judged.", icon=":material/info:")
        return
    results_chart.show("subgroups", result, decision)
    st.subheader("All subgroups", anchor=False)
    key = f"subgroups-{result.data.fingerprint[:6]}{result.model.fingerprint[:6]}{result.audit.fingerprint[:6]}"
    found = _filtered(scan, judged, key)
    if not len(found):
        st.info("No subgroup is like that. Choose fewer columns, or clear the search.", icon=":material/info:")
        return
    st.caption(
        f"{len(found):,} of {count(len(scan), 'subgroup')}. The excess is how much worse a subgroup fares than "
        "everybody else. Choose a row to see more about it."
    )
    chosen = st.dataframe(
        _frame(scan, judged, found),
        hide_index=True,
        key=f"{key}-table",
        on_select="rerun",
        selection_mode="single-row",
        alt="Subgroups with their people, what is said about them, and their excess with bounds",
    )
    rows = chosen["selection"]["rows"]
    _one(scan, judged, int(found[rows[0] if rows and rows[0] < len(found) else 0]), decision)


def _filtered(scan: SubgroupScan, judged: Judgements, key: str) -> np.ndarray:
    """Places of the subgroups that are asked for, in the order asked for."""
    left, right = st.columns(2)
    with left:
        columns = st.multiselect(
            "Made of these columns", scan.columns, format_func=literal, key=f"{key}-columns", placeholder="any"
        )
        states = st.pills("Show only", STATES, selection_mode="multi", key=f"{key}-states")
    with right:
        searched = st.text_input("With these words", key=f"{key}-words", help="Values or columns, such as Female.")
        order = st.selectbox("Sorted", _SORTED, key=f"{key}-order")
    kept = np.ones(len(scan), dtype=bool)
    for column in columns:
        kept &= scan.members[:, scan.columns.index(column)] >= 0
    words = searched.casefold().split()
    places = [
        place
        for place in _ordered(scan, judged, order)
        if kept[place]
        and (not states or state(judged, place) in states)
        and all(word in described(scan, place).casefold() for word in words)
    ]
    return np.array(places, dtype=np.int64)


def _ordered(scan: SubgroupScan, judged: Judgements, order: str) -> np.ndarray:
    if order == _SORTED[0]:
        return worst_first(scan, judged)
    by = {_SORTED[1]: -scan.excess, _SORTED[2]: scan.excess, _SORTED[3]: -scan.rows}[order]
    return np.argsort(by, kind="stable")


def _frame(scan: SubgroupScan, judged: Judgements, places: np.ndarray) -> pd.DataFrame:
    def in_unit(values: np.ndarray) -> list[float]:
        return [round(shown(scan, float(values[place])), 2) for place in places]

    return pd.DataFrame(
        {
            "Subgroup": [described(scan, place) for place in places],
            "What is said": [state_told(judged, place) for place in places],
            "People": scan.rows[places],
            f"Excess, {unit(scan)}": in_unit(scan.excess),
            "At least": in_unit(judged.low),
            "At most": in_unit(judged.high),
        }
    )


def _one(scan: SubgroupScan, judged: Judgements, place: int, decision: EqualizedOddsDecision) -> None:
    """What is known about one subgroup."""
    st.markdown(f"**{literal(described(scan, place))}**")
    people = int(scan.rows[place])
    confidence = percent(1 - decision.alpha)
    show_facts(
        {
            "What is said": state_told(judged, place),
            "People": f"{people:,} of {scan.people:,} ({percent(people / scan.people)})",
            f"{harm_name(scan)}: inside": harm_text(scan, float(scan.inside[place])),
            f"{harm_name(scan)}: everybody else": harm_text(scan, float(scan.outside[place])),
            f"Excess, {unit(scan)}": excess_text(scan, judged, place),
            "What the bounds mean": f"Each side holds for all {len(scan):,} subgroups together with {confidence} "
            "confidence",
            f"p-value of “at most {tolerance_text(scan, decision.tolerance)} worse”, on its own": p_value(
                float(judged.p_values[place]), alpha=decision.alpha
            ),
        },
        "About this subgroup",
    )
