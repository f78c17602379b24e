"""The register: the list of one's entries, one of them, or two beside each other, as the address says."""

import streamlit as st

from core.language.told import say
from core.register.register import Register
from dashboard.pages import open_page
from dashboard.views.register import comparison, listing, one
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
    comparison.show(found[0], found[1])
