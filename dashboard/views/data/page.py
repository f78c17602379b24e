"""Step 1: which table, and what each column is for."""

from typing import Any

import streamlit as st

from core.base.files import table_folders
from core.language.told import retold, say
from core.sources import SOURCES
from core.sources.folder.table import FolderTable
from core.sources.upload.uploaded import UploadedTable
from dashboard import deleting, forms, samples, session, stepper, uploads
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.data import folders
from dashboard.views.data import table as data_table
from dashboard.views.data.taking import take

BUILT_IN = {name: kind for name, kind in SOURCES.items() if kind is not UploadedTable}
_WAYS = {
    "upload": say("Upload a table"),
    "built_in": say("Use a built-in table"),
    "folder": say("Pick a folder on this server"),
}
ABOUT = {
    "adult": say("45,222 people of the 1994 US census: does somebody earn more than 50,000 dollars a year?"),
    "compas": say("Defendants of Broward County: is somebody charged again within two years?"),
    "two_groups": say(
        "Eq. E.1: a minority of 10% whose first coordinate is shifted by three, and an outcome that uses it unfairly."
    ),
    "hiring": say("Applicants of an invented company: what they bring, who they are, whether they were hired."),
    "hiring_decisions": say(
        "Applicants of the invented company and whom its biased program invites; some do not state their ethnicity."
    ),
    "biographies": say("Invented people: a biography each, an occupation, a gender."),
    "bios": say("People of 28 occupations, in the words of their web pages (De-Arteaga et al., 2019; MIT licence)."),
    "madlibs": say(
        "76,564 short sentences for and against 50 groups (Dixon et al., 2018; Apache-2.0): half BAD, half NOT_BAD."
    ),
    "winogender": say("720 sentences: 120 templates about 60 occupations, two participants and three pronouns each."),
    "communities": say("1,994 communities of the USA: how many violent crimes are there for each resident?"),
    "nursery": say("12,958 applications to nursery schools of Ljubljana in the 1980s: how are they ranked?"),
    "diabetes": say("442 people with diabetes: how far had the disease gone a year after these ten measurements?"),
    "two_slopes": say("Two groups whose outcomes are equally easy to predict, each from a column of its own."),
}
"""What the built-in tables are about, by their kinds."""


def page() -> None:
    """Choose a table, see how it was read, say what its columns are for."""
    draft = session.draft()
    if (place := stepper.header(draft, "data")) is None:
        return
    st.write(
        say("Bring a table with one row per person or text, or take a built-in one. Then say what each column is for.")
    )
    problem = show(draft)
    stepper.footer(place, session.draft(), "data", problem)


def show(draft: Draft) -> str:
    """Choose a table and the roles of its columns; returns why the next step is shut."""
    draft = _choose_source(draft)
    if draft.data is not None:
        own = isinstance(draft.data, UploadedTable)
        deleting.offer(say("Delete this table") if own else say("Delete these choices"), "delete_table")
        if deleting.ask_about_draft(literal(draft.data.title, 60), "delete_table"):
            forms.forget("data")
            forms.forget("roles")
            st.rerun()
    if draft.data is None:
        return say("Choose a table first.")
    problem = data_table.show(draft, draft.data)
    folders.offer_count()
    return problem


def _choose_source(draft: Draft) -> Draft:
    if draft.after and draft.data is None:
        st.info(
            say(
                "You repeat an audit with new data: tests, roles, model and tolerances are those of before. Bring the "
                "new table; its columns need the same names."
            ),
            icon=":material/event_repeat:",
        )
    ways = [way for way in _WAYS if way != "folder" or table_folders()]
    now = "upload" if draft.data is None or isinstance(draft.data, UploadedTable) else "built_in"
    now = "folder" if isinstance(draft.data, FolderTable) and "folder" in ways else now
    way = st.radio(
        say("Where is the table?"),
        ways,
        index=ways.index(now),
        format_func=lambda one: retold(_WAYS[one]),
        horizontal=True,
        key=forms.key_of("data.way"),
    )
    draft = folders.choose() if way == "folder" else _upload(draft) if way == "upload" else _built_in(draft)
    _offer_table_before()
    return draft


def _upload(draft: Draft) -> Draft:
    file = st.file_uploader(say("Table"), key=forms.key_of("data.file"))
    if not isinstance(draft.data, UploadedTable):
        samples.offer("table")
    if file is not None and st.session_state.get("data.seen") != file.file_id:
        ref = uploads.keep(file)
        if ref is None:
            return draft.model_copy(update={"data": None})
        st.session_state["data.seen"] = file.file_id
        if not isinstance(draft.data, UploadedTable) or draft.data.file != ref:
            draft = take(UploadedTable(file=ref))
    if isinstance(draft.data, UploadedTable):
        with st.expander(say("How {title} is read", title=literal(draft.data.title)), icon=":material/tune:"):
            values = {name: getattr(draft.data, name) for name in UploadedTable.model_fields}
            chosen = forms.draw(UploadedTable, values, "data.reading")
        if chosen is not None and chosen != draft.data:
            return session.change(data=chosen)
        return draft
    st.caption(
        say("CSV, Parquet or Excel (.xlsx), up to 200 MB and a million rows. {lifetime}", lifetime=uploads.lifetime())
    )
    return draft if draft.data is None else draft.model_copy(update={"data": None})


def _built_in(draft: Draft) -> Draft:
    names = list(BUILT_IN)
    current = draft.data.kind if draft.data is not None and draft.data.kind in BUILT_IN else "hiring"
    name = st.selectbox(
        say("Built-in table"), names, index=names.index(current), format_func=_title, key="data.built_in"
    )
    kind: Any = BUILT_IN[name]
    st.caption(retold(ABOUT[name]))
    values = {} if draft.data is None or draft.data.kind != name else dict(draft.data)
    with st.expander(say("Settings of this table"), icon=":material/tune:"):
        chosen = forms.draw(kind, values, f"data.{name}")
    return take(chosen) if chosen is not None and chosen != draft.data else draft


def _offer_table_before() -> None:
    """A way back to the table before, with its roles and its model."""
    before = session.aside()
    if before is None or before.data is None:
        return
    if st.button(
        say("Go back to {title}", title=literal(before.data.title, 60)), key="data.back", icon=":material/undo:"
    ):
        forms.forget("roles")
        forms.forget("data")
        session.take_back()
        st.rerun()


def _title(name: str) -> str:
    return retold(BUILT_IN[name]().title)
