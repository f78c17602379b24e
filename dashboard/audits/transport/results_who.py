"""Who has similar people judged worse: in words, by group, the transport maps, and what lies behind a tile."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.audits.transport import maps
from core.audits.transport.figures.map import tile_of
from core.audits.transport.flow_wording import flow_sentences, people_text
from core.audits.transport.report import ONE_OF_SEVERAL
from core.audits.transport.result import Cells
from core.audits.transport.tile import MOST_ROWS, behind
from core.audits.transport.verdict import TransportFinding
from core.language.phrases import count, upper_first
from core.language.told import retold, say, say_count
from core.plan import AuditPlan
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.widgets import widget_key

MOST_FLOWS = 5
"""Flows told in words."""
_OPEN_FLOWS = 2
"""Those of them that stand in the open."""


def show(plan: AuditPlan, finding: TransportFinding) -> None:
    """The whole tab."""
    if finding.undefined:
        st.info(say("Nobody can be compared: {why}", why=literal(finding.undefined)), icon=":material/info:")
        return
    st.header(say("Group by group"), anchor=False)
    sentences = flow_sentences(finding, MOST_FLOWS)
    if sentences:
        st.markdown(_listed(sentences[:_OPEN_FLOWS]))
        if more := sentences[_OPEN_FLOWS:]:
            with st.expander(say_count("{n} more group", "{n} more groups", len(more))):
                st.markdown(_listed(more))
    else:
        st.info(say("Nobody has similar people who are judged worse."), icon=":material/info:")
    if finding.one_of_several:
        st.caption(retold(ONE_OF_SEVERAL))
    _map(plan, finding)
    show_chart(finding, "transport flows", folded=True)  # verbatim


@st.fragment
@guarded()
def _map(plan: AuditPlan, finding: TransportFinding) -> None:
    """The maps, and the tile that was clicked or chosen; neither draws the rest of the page again."""
    to = f"{widget_key(finding.loss, plan)}-{finding.budget:g}"
    show_chart(finding, "transport map", on_select=lambda key: _clicked(plan, key), to=to)  # verbatim
    _tile(plan, finding)


def mark_of(sent: Any) -> tuple[int, ...]:
    """The numbers of a clicked point, which a browser sends as a mapping from their places."""
    return tuple(int(value) for value in (sent.values() if isinstance(sent, Mapping) else sent))


def _clicked(plan: AuditPlan, key: str) -> None:
    """Put the clicked tile into the two lists below the map."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        label, row, group = mark_of(points[0]["customdata"])
        st.session_state[widget_key("tile", plan)] = (label, row)
        st.session_state[widget_key("group", plan)] = group


def _tile(plan: AuditPlan, finding: TransportFinding) -> None:
    result, cells = finding.result, finding.detail.cells
    rows = {
        (label, place): f"{result.data.outcome} = {cells.labels[label]}: {_row_name(cells, row)}"
        for label in range(len(cells.labels))
        for place, row in enumerate(maps.rows_of(cells, label))
    }
    st.header(say("Behind a tile"), anchor=False)
    st.caption(say("Click a tile of the map, or choose it here."))
    left, right = st.columns(2)
    with left:
        chosen = st.selectbox(
            say("People"),
            list(rows),
            None,
            format_func=rows.__getitem__,
            key=widget_key("tile", plan),
            placeholder=say("Choose"),
        )
    with right:
        group = st.selectbox(
            say("Protected group"),
            range(len(cells.groups)),
            None,
            format_func=lambda place: maps.group_name(cells, place),
            key=widget_key("group", plan),
            placeholder=say("Choose"),
        )
    if chosen is None or group is None:
        return
    found = behind(finding, tile_of(result, (*chosen, group)))
    groups = count(found.kinds, "group of similar people", "groups of similar people")
    st.markdown(
        say(
            "**{group}, {row}**: {people} in {groups}. {moved_out} of them have similar people judged worse; "
            "{moved_in} have similar people here who are judged worse.",
            group=literal(maps.group_name(cells, group)),
            row=literal(rows[chosen]),
            people=count(found.people, "person", "people"),
            groups=groups,
            moved_out=people_text(found.moved_out),
            moved_in=people_text(found.moved_in),
        )
    )
    if len(found.own):
        st.dataframe(found.own, hide_index=True, alt=say("The people of this tile, {groups}", groups=groups))
    if len(found.arriving):
        st.markdown(say("Others who have similar people here who are judged worse:"))
        st.dataframe(found.arriving, hide_index=True, alt=say("Others with similar people in this tile"))
    if max(len(found.own), len(found.arriving)) == MOST_ROWS:
        st.caption(say("The {n} groups with most such people are listed.", n=MOST_ROWS))


def _listed(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {literal(upper_first(sentence))}" for sentence in sentences)  # verbatim


def _row_name(cells: Cells, row: tuple[str, str]) -> str:
    column, value = row
    return f"{column} {maps.value_told(cells, column, value)}" if column else say("everybody")
