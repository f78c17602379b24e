"""Every column of the table with a few values and its role, to look through, to search and to change."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from core.language.phrases import count, percent, whole
from core.language.told import localized, retold, say
from dashboard import forms, pager, session
from dashboard.draft import RolesChoice
from dashboard.tables import ColumnSummary, TableSummary
from dashboard.text import literal, named_turns
from dashboard.views.data.column_roles import FOR_MANY, MEANING, ColumnRole, called, role_of, roles_for, with_role

_SHOWN = 12
"""Columns on one page."""
_VALUES, _LONGEST = 4, 24
_PAGE = "roles.page"
_MOVED = "roles.moved"


def show(choice: RolesChoice, table: TableSummary, order: tuple[str, ...], reasons: Mapping[str, str]) -> None:
    """The list; a role that is changed is kept, and the page drawn anew.

    Args:
        choice: The roles as they stand.
        table: The columns.
        order: Their names in the order of the list, which stays the same while roles change.
        reasons: Why columns were given their roles, or none, as what follows the name in a sentence.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            say("Search the columns"),
            key=forms.key_of("roles.search"),
            placeholder=say("Name, value or role"),
            icon=":material/search:",
            width="stretch",
        )
        with st.popover(say("Roles"), icon=":material/help:", help=say("What the roles mean")):
            st.markdown("\n".join(f"- **{called(role)}**: {retold(meaning)}." for role, meaning in MEANING.items()))
    found = [table.column(name) for name in order if _is_found(table.column(name), choice, reasons, search)]
    if not found:
        st.caption(say("No column has such a name, value or role."))
        return
    if search and len(found) > 1:
        _change_all(choice, table, found)
    last = (len(found) - 1) // _SHOWN
    page = min(st.session_state.get(_PAGE, 0), last)
    with st.container(key="columns", border=True, gap="small"):
        for column in found[page * _SHOWN : (page + 1) * _SHOWN]:
            _row(choice, table, column, reasons.get(column.name, ""))
    if last:
        with st.container(horizontal=True, vertical_alignment="center"):
            pager.previous_and_next(_PAGE, page, last, named="roles_page")
            first, end = page * _SHOWN + 1, min((page + 1) * _SHOWN, len(found))
            st.caption(say("Columns {first} to {end} of {all}", first=first, end=end, all=whole(len(found))))


def _row(choice: RolesChoice, table: TableSummary, column: ColumnSummary, reason: str) -> None:
    now, options = role_of(choice, column.name), roles_for(column)
    about, given = st.columns([3, 2], vertical_alignment="center", gap="small")
    with about:
        why = f" · {literal(reason)}" if reason else ""
        st.markdown(f"**{literal(column.name, 60)}**  \n:small[:gray[{_values(column, table.rows)}{why}]]")
    moved = st.session_state.get(_MOVED, {}).get(column.name, 0)
    picked: ColumnRole = given.selectbox(
        say("Role of {name}", name=named_turns(column.name)),
        options,
        index=options.index(now),
        format_func=called,
        key=f"{forms.key_of(f'roles.role.{column.name}')}~moved{moved}",
        label_visibility="collapsed",
    )
    if picked != now:
        keep(choice, with_role(choice, table, [column.name], picked), by=column.name)


def keep(before: RolesChoice, after: RolesChoice, *, by: str = "") -> None:
    """Keep changed roles and draw the page anew; lists of roles show what became of columns other than ``by``."""
    moved = st.session_state.setdefault(_MOVED, {})
    columns = {
        name
        for one in (before, after)
        for name in (one.outcome, one.text, *one.annotation, one.belongs_to, one.counts)
        if name
    }
    columns |= {*before.protected, *before.features, *before.predictions}
    columns |= {*after.protected, *after.features, *after.predictions}
    for name in columns - {by}:
        if role_of(before, name) != role_of(after, name):
            moved[name] = moved.get(name, 0) + 1
    other = not after.judged_like(before)
    session.change(roles=after, **({"tests": ()} if other else {}))
    st.rerun()


def _change_all(choice: RolesChoice, table: TableSummary, found: list[ColumnSummary]) -> None:
    with st.expander(say("Give all {n} found the same role", n=whole(len(found))), icon=":material/done_all:"):
        role = st.selectbox(
            say("Role of all that were found"),
            FOR_MANY,
            format_func=called,
            key=forms.key_of("roles.all"),
        )
        if st.button(say("Change {columns}", columns=count(len(found), "column")), key="roles.change_all"):
            keep(choice, with_role(choice, table, [column.name for column in found], role))


def _shown(column: ColumnSummary, value: str) -> str:
    """A value of a column; of a number with decimal places no more than six digits."""
    if column.kind == "number" and "." in value:
        with suppress(ValueError):
            return localized(f"{float(value):g}")
    return literal(value, _LONGEST)


def _written(value: float) -> str:
    """A number of a column, whole ones in full; only from 10,000 on with marks, so that years have none."""
    if value.is_integer() and 10_000 <= abs(value) < 1e15:
        return whole(int(value))
    return localized(f"{value:g}")


def _values(column: ColumnSummary, rows: int) -> str:
    """A few values of a column and the share that is missing, in Markdown."""
    if column.quantity and column.lowest is not None and column.highest is not None:
        shown = say("{lowest} to {highest}", lowest=_written(column.lowest), highest=_written(column.highest))
    else:
        few = [_shown(column, value) for value in column.values[:_VALUES]]
        shown = ", ".join(few) or say("empty")
        if few and column.distinct > len(few):
            shown = say("{shown} and {n} more", shown=shown, n=whole(column.distinct - len(few)))
    if not column.missing:
        return shown
    return f"{shown} · {say('{share} missing', share=percent(column.missing / rows))}"


def _is_found(column: ColumnSummary, choice: RolesChoice, reasons: Mapping[str, str], search: str) -> bool:
    held = (column.name, called(role_of(choice, column.name)), reasons.get(column.name, ""), *column.values)
    told = "\n".join(held).casefold()
    return all(word in told for word in search.casefold().split())
