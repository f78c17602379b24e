"""One figure of the table of figures with its heading, its caption and words for those who cannot see it."""

import re
from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from core.audits import AuditReading
from core.figures import figures_of
from core.figures.theme import CONFIG
from core.result import AuditResult
from dashboard.views.results_reading import symbols

_SYMBOL = re.compile(r" [α-ω](?=[ ,]|$)")


def show(
    name: str,
    result: AuditResult,
    reading: AuditReading,
    *,
    on_select: Callable[[str], None] | None = None,
    to: str = "",
) -> bool:
    """Draw the figure ``name`` where it applies; say nothing where it does not.

    Args:
        name: Its name in the table.
        result: What was found.
        reading: How it is read.
        on_select: Told of clicks; None for a chart in which nothing can be clicked.
        to: What the selection belongs to; another one forgets it.

    Returns:
        Whether it applied.
    """
    chart = figures_of(result, reading).get(name)
    if chart is None:
        return False
    key = f"chart_{name}{to}"
    st.subheader(chart.title, anchor=False)
    st.caption(chart.caption)
    st.plotly_chart(
        _drawn(chart.draw(result, reading)),
        key=key,
        config=CONFIG,
        alt=" ".join(chart.alt(result, reading).split()),
        on_select="ignore" if on_select is None else lambda: on_select(key),
        selection_mode="points",
    )
    return True


def _drawn(figure: go.Figure) -> go.Figure:
    """The figure, its axes named without the paper's symbols unless they are to be shown."""
    if symbols():
        return figure
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        if axis.title.text:
            axis.title.text = _SYMBOL.sub("", axis.title.text)
    return figure
