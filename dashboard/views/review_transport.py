"""What the transport test will look at and what it costs, before it is run."""

import streamlit as st

from core.words import percent
from dashboard.messages import show_notices
from dashboard.session import Draft
from dashboard.views import cells


def show(draft: Draft) -> str:
    """The estimate of the transport test; returns why the audit cannot be run."""
    seen = cells.look(draft)
    if seen is None:
        return "People cannot be sorted into kinds like this yet."
    with st.container(horizontal=True, key="cells_estimate"):
        st.metric("People to audit", f"{seen.people:,}", border=True)
        st.metric("Kinds of people", f"{seen.count:,}", border=True)
        st.metric("People who can be compared", percent(round(seen.comparable, 3)), border=True)
    show_notices(notice for notice in seen.notices if notice.level == "serious")
    return ""
