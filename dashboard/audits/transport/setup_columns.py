"""The editor of the columns that tell people apart: which count, limits between bins, values put together."""

import streamlit as st

from core.audits.transport.binning import kind_told
from core.audits.transport.settings import CellColumn, Transport
from core.language.phrases import first_few, up_to, whole
from core.language.told import retold, say
from dashboard import forms, session
from dashboard.audits.transport.previews import CellsLook, ColumnsProposal
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.waiting import answer

REST = "Other"
_MOST_KINDS_TOLD = 12
_MOST_OFFERED = 12


def show(draft: Draft, proposal: ColumnsProposal, seen: CellsLook | None) -> tuple[CellColumn, ...]:
    """The columns as the widgets say, features first, then the protected attributes.

    Args:
        draft: What was chosen so far.
        proposal: What Evenhand proposes.
        seen: What the draft's columns make of the table; None while that is not known.
    """
    now = draft.settings(Transport).columns or proposal.together
    read = answer("read_table", {"source": draft.about_table["source"]}, say("Reading the table"))
    if read is None:
        return now
    summary, protected = unpack(read["summary"], TableSummary), draft.roles.protected
    known = {column.name: column for column in (*proposal.each, *proposal.together, *now)}
    chosen = st.multiselect(
        say("Columns that tell people apart"),
        [name for name in draft.roles.features if name not in protected],
        [column.name for column in now if column.name in draft.roles.features and column.name not in protected],
        format_func=draft.told,
        key=forms.key_of("cells.columns"),
        help=say("What may rightly make a difference. The more columns, the fewer people are alike."),
    )
    names = literal(", ".join(draft.told(protected)))
    st.caption(say("The protected attributes always tell people apart: {protected}.", protected=names))
    rooms, columns = st.columns(2), []
    for place, name in enumerate((*chosen, *protected)):
        with rooms[place % 2], st.container(border=True):
            columns.append(_edit(known.get(name, CellColumn(name=name)), draft, summary, seen))
    return tuple(columns)


def offer_left_out(draft: Draft, proposal: ColumnsProposal) -> None:
    """Which columns are not proposed and why, and a click that takes one of them in."""
    if not proposal.left_out:
        return
    names: dict[str, list[str]] = {}
    for name, why in proposal.left_out:
        names.setdefault(why, []).append(draft.told(name))
    told = (
        say("{names} ({why})", names=literal(first_few(some, _MOST_OFFERED)), why=literal(retold(why)))
        for why, some in names.items()
    )
    st.markdown(say("Left out: {columns}. People who differ only there count as similar.", columns="; ".join(told)))
    chosen = st.pills(
        say("Take one in"),
        [name for name, _ in proposal.left_out[:_MOST_OFFERED]],
        format_func=draft.told,
        key=forms.key_of("cells.left_out"),
    )
    if chosen is not None:
        known = {one.name: one for one in proposal.each}
        take(draft, (known.get(chosen, CellColumn(name=chosen)), *proposal.together))
        st.rerun()


def take(draft: Draft, columns: tuple[CellColumn, ...]) -> None:
    """Let these columns tell people apart."""
    session.keep(draft, draft.settings(Transport).model_copy(update={"columns": columns}))
    forms.forget("cells")


def offer_proposal() -> None:
    """A way back to the columns that Evenhand proposes."""
    if st.button(
        say("Use the proposed columns and bins"),
        key="cells.use_proposal",
        icon=":material/auto_fix_high:",
        help=say("Coarse enough that somebody is like most people, where the table allows it."),
    ):
        forms.forget("cells")
        draft = session.draft()
        session.keep(draft, draft.settings(Transport).model_copy(update={"columns": ()}))
        st.rerun()


def _edit(column: CellColumn, draft: Draft, summary: TableSummary, seen: CellsLook | None) -> CellColumn:
    st.markdown(f"**{literal(draft.told(column.name))}**")
    if _is_number(column.name, draft, summary):
        edited = forms.draw(CellColumn, dict(column), f"cells.{column.name}", fields=("edges",))
    else:
        edited = _merge(column, summary)
    _tell_kinds(column.name, seen)
    return column if edited is None else edited


def _is_number(name: str, draft: Draft, summary: TableSummary) -> bool:
    numbers = summary.column(name).kind == "number" or name in draft.roles.numeric
    return numbers and name not in draft.roles.categorical


def _merge(column: CellColumn, summary: TableSummary) -> CellColumn:
    values = summary.column(column.name).values
    merged = dict(column.merged)
    options = tuple(dict.fromkeys((*values, *merged)))
    chosen = st.multiselect(
        say("Put together as “{rest}”", rest=REST),
        options,
        [value for value in options if value in merged],
        key=forms.key_of(f"cells.{column.name}.merged"),
        help=say("Rare values put together make more people alike, so that more can be said about them."),
        placeholder=say("Nothing"),
    )
    return CellColumn(name=column.name, merged=tuple((value, merged.get(value, REST)) for value in chosen))


def _tell_kinds(name: str, seen: CellsLook | None) -> None:
    for one in seen.columns if seen is not None else ():
        if one.column.name == name:
            kinds = [literal(kind_told(one.column, kind)) for kind in one.kinds]
            told = [f"{kind}: {whole(int(n))}" for kind, n in zip(kinds, one.people, strict=True)]
            st.caption(" · ".join(up_to(told, _MOST_KINDS_TOLD)))
