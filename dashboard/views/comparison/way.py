"""The way from an audit to a comparison with other models."""

import streamlit as st

from core.language.told import say
from dashboard.pages import open_page


def offer(job: str) -> None:
    """A button that opens the form with this audit's model among those to compare."""
    if st.button(say("Compare with other models"), key="to_comparison", icon=":material/compare_arrows:"):
        open_page("comparison", audit=job)
