"""One figure of the table of figures with its heading, its caption and words for those who cannot see it."""

import streamlit as st

from core.figures import RESULT_FIGURES
from core.figures.theme import CONFIG
from core.reading import Reading
from core.result import AuditResult


def show(name: str, result: AuditResult, reading: Reading) -> None:
    """Draw the figure ``name`` where it applies; say nothing where it does not."""
    chart = RESULT_FIGURES[name]
    if not chart.applies(result):
        return
    st.subheader(chart.title, anchor=False)
    st.caption(chart.caption)
    st.plotly_chart(
        chart.draw(result, reading),
        key=f"chart_{name}",
        config=CONFIG,
        alt=" ".join(chart.alt(result, reading).split()),
    )
