"""A drawing on a page, with words for those who cannot see it."""

from typing import Any

import plotly.graph_objects as go
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
    put(readable(drawing.figure), drawing, key, plotly_options())


def put(figure: dict[str, Any], drawing: Drawing, key: str, options: dict[str, Any], **clicks: Any) -> None:
    """Put a figure of a drawing on the page as it is: plotly checked it when it was drawn, and takes long to do so.

    Args:
        figure: The figure as plotly writes it.
        drawing: What it was made of, with its words.
        key: The chart's own.
        options: Plotly's.
        clicks: What Streamlit is told of clicks.
    """
    unchecked = go.Figure(figure, _validate=False)
    st.plotly_chart(unchecked, key=key, config=options, alt=" ".join(drawing.alt.split()), **clicks)


def show_chart(chart: Chart[Any], drawing: Drawing, key: str, *, folded: bool = False) -> None:
    """Show a drawing of a chart under its title and its caption; ``folded`` away under its title."""
    if not folded:
        st.header(chart.title, anchor=False)
    with st.expander(chart.title) if folded else st.container():
        st.caption(chart.caption)
        show_drawing(drawing, key)
