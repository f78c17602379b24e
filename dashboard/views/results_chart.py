"""One figure of the table of figures with its heading, its caption and words for those who cannot see it."""

import streamlit as st

from core.audits import AuditReading
from core.figures import figures_of
from core.figures.theme import CONFIG
from core.result import AuditResult


def show(name: str, result: AuditResult, reading: AuditReading) -> bool:
    """Draw the figure ``name`` where it applies; say nothing where it does not. Whether it applied."""
    chart = figures_of(result, reading).get(name)
    if chart is None:
        return False
    st.subheader(chart.title, anchor=False)
    st.caption(chart.caption)
    st.plotly_chart(
        chart.draw(result, reading),
        key=f"chart_{name}",
        config=CONFIG,
        alt=" ".join(chart.alt(result, reading).split()),
    )
    return True
