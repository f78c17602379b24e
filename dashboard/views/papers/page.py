"""Case studies: tables and figures of the papers as Evenhand computes them, beside the printed numbers."""

import pandas as pd
import streamlit as st

from core.language.told import say
from core.workflows.papers.outcome import Reproduction, stored
from dashboard.drawings import show_chart

NAME = "name"
"""In the address: which of them is open."""


def page() -> None:
    """Show the stored outcome that is chosen."""
    st.title(say("Case studies"))
    st.markdown(
        say(
            "Tables and figures of the four papers, computed again with Evenhand, each number beside the printed one. "
            "Differences are explained as far as they are known."
        )
    )
    outcomes = stored()
    asked = str(st.query_params.get(NAME, ""))
    names = list(outcomes)
    chosen = st.selectbox(
        say("Table or figure"),
        names,
        index=names.index(asked) if asked in outcomes else 0,
        format_func=lambda name: f"{outcomes[name].item.title} ({_paper(outcomes[name])})",
        key="paper",
    )
    if chosen is not None:
        _show(outcomes[chosen])


def _paper(outcome: Reproduction) -> str:
    """The paper's title."""
    return outcome.item.paper.split("“")[1].split("”")[0]


def _show(outcome: Reproduction) -> None:
    with st.container(border=True):
        st.header(outcome.headline, anchor=False)
        st.markdown(outcome.sentence)
        for note in outcome.item.notes:
            st.markdown(note)
        st.caption(outcome.item.paper)
    table = outcome.table
    st.caption(table.caption)
    st.table(
        pd.DataFrame(list(table.rows), columns=[name or say("Row") for name in table.header]).set_index(say("Row"))
    )
    for place, (chart, drawing) in enumerate(outcome.charts):
        show_chart(chart, drawing, key=f"paper_{place}")
    st.markdown(say("To compute it again on your own machine:"))
    st.code(outcome.command, language="bash")
