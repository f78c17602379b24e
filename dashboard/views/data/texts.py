"""The part of the roles form for models that read texts."""

import streamlit as st

from dashboard.draft import RolesChoice
from dashboard.tables import TableSummary
from dashboard.views.data import role_widgets


def choose_texts(summary: TableSummary, start: RolesChoice) -> tuple[str | None, str | None]:
    """The columns with texts and with people's judgement; folded away where nothing speaks for texts."""
    written = tuple(name for name in summary.names if summary.column(name).kind == "text")
    folded = start.text is None
    place = st.expander("For models that read texts", icon=":material/article:") if folded else st.container()
    with place:
        left, right = st.columns(2)
        with left:
            text = role_widgets.one("text", written, start.text, optional=True)
        with right:
            rest = tuple(name for name in summary.names if name != text)
            annotation = (
                role_widgets.one("annotation", rest, start.annotation, optional=True) if text is not None else None
            )
        if text is not None:
            st.info(
                "A text is enough to begin with. Everything below may stay empty; each column adds something: an "
                "**outcome**, whether answers are right; a **protected attribute**, how groups differ and which words "
                "give them away; **judgements of people**, whether the measures agree with them.",
                icon=":material/info:",
            )
    return text, annotation
