"""A drawing on a page, with words for those who cannot see it."""

from typing import Any

import streamlit as st

from core.figures.chart import Chart, Drawing
from core.figures.theme import CONFIG, readable
from core.language.catalogue import separators
from core.language.reader import SOURCE, language
from core.language.told import say


def plotly_options() -> dict[str, Any]:
    """Plotly's options for a chart, with the reader's decimals, thousands and words."""
    code = language()
    if code == SOURCE:
        return CONFIG
    decimal, thousands = separators(code)
    words = {"Download plot as a PNG": say("Save the chart"), "Download plot": say("Save the chart")}  # verbatim
    own = {"dictionary": words, "format": {"decimal": decimal, "thousands": thousands, "grouping": [3]}}
    return {**CONFIG, "locale": code, "locales": {code: own}}


def fetch_ahead() -> None:
    """Let the browser fetch and start what draws charts, 5 MB, while the page waits for one; nobody sees it."""
    with st.container(key="chart_ahead"):
        st.plotly_chart({"data": [{"x": [0], "y": [0]}]}, key="nothing")


def show_drawing(drawing: Drawing, key: str) -> None:
    """Show a drawing; its heading and its caption are the page's own."""
    figure = readable(drawing.figure)
    st.plotly_chart(figure, config=plotly_options(), key=key, alt=" ".join(drawing.alt.split()))


def show_chart(chart: Chart[Any], drawing: Drawing, key: str) -> None:
    """Show a drawing of a chart under its title and its caption."""
    st.header(chart.title, anchor=False)
    st.caption(chart.caption)
    show_drawing(drawing, key)
