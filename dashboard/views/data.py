"""Step 1: which table, and what each column is for."""

from typing import Any

import pyarrow.parquet as pq
import streamlit as st

from core.figures import data as figures
from core.figures.theme import CONFIG
from core.files import FileRef, FileStore
from core.health import Health
from core.roles import Roles
from core.roles_guess import RolesGuess
from core.sources import SOURCES, DataSource
from core.sources.uploaded import TableDescription, UploadedTable
from core.words import count
from dashboard import forms, session, stepper
from dashboard.answers import unpack
from dashboard.messages import show_notices
from dashboard.session import Draft, RolesChoice
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views import data_roles
from dashboard.waiting import answer

BUILT_IN = {name: kind for name, kind in SOURCES.items() if kind is not UploadedTable}
_PREVIEW = 50


def page() -> None:
    """Choose a table, see how it was read, say what its columns are for."""
    draft = session.draft()
    if (place := stepper.header(draft, "data")) is None:
        return
    st.title("Data and roles")
    st.write("Bring a table with one row per person, or take a built-in one. Then say what each column is for.")
    draft = _choose_source(draft)
    problem = "Choose a table first." if draft.data is None else _show_table(draft, draft.data)
    stepper.footer(place, session.draft(), "data", problem)


def _choose_source(draft: Draft) -> Draft:
    ways = ["Upload a table", "Use a built-in table"]
    built_in = draft.data is not None and not isinstance(draft.data, UploadedTable)
    way = st.radio("Where is the table?", ways, index=int(built_in), horizontal=True, key="data.way")
    return _upload(draft) if way == ways[0] else _built_in(draft)


def _upload(draft: Draft) -> Draft:
    file = st.file_uploader(
        "Table",
        key="data.file",
        help="CSV, Parquet or Excel (.xlsx), up to 200 MB and a million rows. It stays on this machine.",
    )
    if file is not None and st.session_state.get("data.seen") != file.file_id:
        st.session_state["data.seen"] = file.file_id
        return _take(UploadedTable(file=FileStore().put(file.getvalue(), file.name)))
    if isinstance(draft.data, UploadedTable):
        with st.expander(f"How {literal(draft.data.title)} is read", icon=":material/tune:"):
            values = {name: getattr(draft.data, name) for name in UploadedTable.model_fields}
            chosen = forms.draw(UploadedTable, values, "data.reading")
        if chosen is not None and chosen != draft.data:
            return session.change(data=chosen)
        return draft
    return draft if draft.data is None else draft.model_copy(update={"data": None})


def _built_in(draft: Draft) -> Draft:
    names = list(BUILT_IN)
    current = draft.data.kind if draft.data is not None and draft.data.kind in BUILT_IN else "hiring"
    name = st.selectbox("Built-in table", names, index=names.index(current), format_func=_title, key="data.built_in")
    kind: Any = BUILT_IN[name]
    st.caption((kind.__doc__ or "").splitlines()[0])
    values = {} if draft.data is None or draft.data.kind != name else dict(draft.data)
    with st.expander("Settings of this table", icon=":material/tune:"):
        chosen = forms.draw(kind, values, f"data.{name}")
    return _take(chosen) if chosen is not None and chosen != draft.data else draft


def _take(source: DataSource) -> Draft:
    """A new table starts with new roles, and no model."""
    forms.forget("roles")
    return session.change(data=source, roles=RolesChoice(), model=None)


@st.cache_data(show_spinner=False)
def _title(name: str) -> str:
    return str(BUILT_IN[name]().title)


def _show_table(draft: Draft, source: DataSource) -> str:
    """The table, its roles and its health; returns why the next step is shut."""
    read = answer("read_table", {"source": source.model_dump(mode="json")}, "Reading the table")
    if read is None:
        return "The table is not read yet."
    summary = unpack(read["summary"], TableSummary)
    table = FileRef.model_validate(read["table"])
    _show_reading(source.title, summary, read["description"])
    with st.expander("First rows", icon=":material/table_rows:"):
        batch = next(pq.ParquetFile(FileStore().path(table)).iter_batches(_PREVIEW), None)
        if batch is not None:
            st.dataframe(batch.to_pandas(), hide_index=True, key="data.preview")
    guess = None if read["guess"] is None else unpack(read["guess"], RolesGuess)
    chosen = data_roles.show(draft, summary, guess, read["roles"])
    if chosen != draft.roles:
        draft = session.change(roles=chosen)
    return draft.roles.problem if draft.roles.roles is None else _show_health(draft.roles.roles, table)


def _show_reading(title: str, summary: TableSummary, description: Any) -> None:
    size = f"{count(summary.rows, 'row')} and {count(len(summary.columns), 'column')}"
    if description is None:
        st.success(f"{literal(title)}: {size}.", icon=":material/table:")
        return
    how = unpack(description, TableDescription)
    found = [
        how.format,
        f"separator {forms.name_of_mark(how.separator).lower()}" if how.separator else "",
        f"encoding {how.encoding}" if how.encoding else "",
        f"sheet {how.sheet}" if how.sheet else "",
    ]
    st.success(
        f"{literal(title)}: {size}, read as {literal(', '.join(part for part in found if part))}.",
        icon=":material/table:",
    )
    show_notices(how.notices)


def _show_health(roles: Roles, table: FileRef) -> str:
    st.subheader("Health of the table")
    arguments = {"table": table.model_dump(mode="json"), "roles": roles.model_dump(mode="json")}
    checked = answer("examine_table", arguments, "Checking the table")
    if checked is None:
        return "The table cannot be audited with these roles yet."
    health = unpack(checked["health"], Health)
    with st.container(horizontal=True, key="health"):
        st.metric("Rows to audit", f"{checked['rows']:,}", border=True)
        st.metric("Rows with gaps", f"{health.rows_with_gaps:,}", border=True)
        st.metric("Repeated rows", f"{health.duplicates:,}", border=True)
    show_notices(health.findings)
    left, right = st.columns(2)
    with left:
        st.markdown("**People in each group**")
        st.plotly_chart(
            figures.draw_group_sizes(health.groups),
            config=CONFIG,
            key="group_sizes",
            alt=figures.alt_group_sizes(health.groups),
        )
    with right:
        st.markdown(f"**Share with outcome {literal(roles.favourable)}**")
        st.plotly_chart(
            figures.draw_outcome_rates(health.groups, roles.favourable),
            config=CONFIG,
            key="outcome_rates",
            alt=figures.alt_outcome_rates(health.groups, roles.favourable),
        )
    with st.expander("Every column", icon=":material/view_column:"):
        st.dataframe(health.columns, hide_index=True, key="health.columns")
    return ""
