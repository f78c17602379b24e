"""Two entries beside each other."""

import streamlit as st

from core.language.told import say, say_as
from core.register.comparison import compare
from core.register.entry import Entry
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.register import words
from dashboard.views.results.tables import show_table


def show(first: Entry, second: Entry) -> None:
    """Verdicts, numbers and what differs between the two."""
    st.title(say("Two entries compared"), anchor=False)
    places = (("first", say_as("of two", "First"), first), ("second", say_as("of two", "Second"), second))
    for (place, title, entry), column in zip(places, st.columns(2), strict=True):
        with column, st.container(border=True, key=f"compared_{place}"):
            st.markdown(f"**{title}: {words.title(entry)}**")
            st.markdown(f"{words.verdict(entry)} · {words.status(entry)}")
            st.write(literal(entry.summary.headline))
            st.caption(words.details(entry))
            if st.button(say_as("a button", "Open"), key=f"compared_open_{place}"):
                open_page("register", entry=entry.id)
    found = compare(first, second)
    for caution in found.cautions:
        st.warning(literal(caution), icon=":material/warning:")
    if not found.cautions:
        st.info(say("Both are about the same rows, the same model and the same settings."), icon=":material/info:")
    for title, table in found.tests:
        st.header(literal(title), anchor=False)
        show_table(table)
    if found.settings is not None and found.settings.rows:
        with st.expander(say("Settings that differ"), icon=":material/tune:"):
            show_table(found.settings)
    if st.button(say("To the register"), key="compared_back", icon=":material/arrow_back:"):
        open_page("register")
