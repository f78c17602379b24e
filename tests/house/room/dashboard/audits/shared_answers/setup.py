"""Who is compared in the shared-answers test."""

import streamlit as st

from dashboard.draft import Draft


def show(draft: Draft) -> str:
    """Say who is compared; there is nothing to choose."""
    st.write("Everybody is compared with the people of all other groups.")
    return ""
