"""A drawing on a page, with words for those who cannot see it."""

from typing import Any

import streamlit as st

from core.figures.chart import Chart, Drawing
from core.figures.theme import CONFIG


def show_drawing(drawing: Drawing, key: str) -> None:
    """Show a drawing; its heading and its caption are the page's own."""
    st.plotly_chart(drawing.figure, config=CONFIG, key=key, alt=" ".join(drawing.alt.split()))


def show_chart(chart: Chart[Any], drawing: Drawing, key: str) -> None:
    """Show a drawing of a chart under its title and its caption."""
    st.header(chart.title, anchor=False)
    st.caption(chart.caption)
    show_drawing(drawing, key)
