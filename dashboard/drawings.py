"""A drawing on a page, with words for those who cannot see it."""

import streamlit as st

from core.figures.chart import Drawing
from core.figures.theme import CONFIG


def show_drawing(drawing: Drawing, key: str) -> None:
    """Show a drawing; its heading and its caption are the page's own."""
    st.plotly_chart(drawing.figure, config=CONFIG, key=key, alt=" ".join(drawing.alt.split()))
