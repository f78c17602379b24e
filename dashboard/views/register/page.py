"""The register: the list of one's entries, one of them, or two beside each other, as the address says."""

import streamlit as st

from core.language.told import say, say_as
from core.register.comparison import compare
from core.register.entry import Entry
from core.register.register import Register
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.register import listing, one, words
from dashboard.views.results.tables import show_table
from dashboard.visitor import visitor


def page() -> None:
    """Show what the address names; of another visitor's entry it says no more than of one that does not exist."""
    register, person = Register(), visitor()
    named = (st.query_params.get("entry", ""), *st.query_params.get("compare", "").split(",")[:2])
    entries = [register.get(name, person) for name in filter(None, named)]
    if not entries:
        listing.show(register, person)
        return
    found = [entry for entry in entries if entry is not None]
    if len(found) < len(entries):
        st.title(say("Register"), anchor=False)
        st.info(
            say(
                "There is no such entry in your register. It may have been deleted, or be of another browser. What has "
                "just ended enters within a second or two: reload the page."
            )
        )
        if st.button(say("To the register"), key="register_back", type="primary"):
            open_page("register")
        return
    if len(found) == 1:
        one.show(register, found[0])
        return
    _show_two(found[0], found[1])


def _show_two(first: Entry, second: Entry) -> None:
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
        st.header(literal(words.name_of_test(title)), anchor=False)
        show_table(table)
    if found.settings is not None and found.settings.rows:
        with st.expander(say("Settings that differ"), icon=":material/tune:"):
            show_table(found.settings)
    if st.button(say("To the register"), key="compared_back", icon=":material/arrow_back:"):
        open_page("register")
