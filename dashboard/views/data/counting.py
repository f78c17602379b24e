"""The SQL with which a database counts its people, for tables that are too large to be brought."""

import streamlit as st

from core.base.errors import DataError
from core.data.counted import FEWEST_SHOWN
from core.data.counting_sql import DIALECTS, counting_sql
from core.data.roles import Roles
from core.language.told import say

_TABLE, _SUPPRESSED = "your_table", "counting.suppressed"


def show(roles: Roles) -> None:
    """The query for each database, of the columns with a role; nothing where rows are counts or cannot be counted."""
    if roles.counts:
        return
    fewest = FEWEST_SHOWN if st.session_state.get(_SUPPRESSED) else 0
    try:
        queries = [counting_sql(roles, _TABLE, name, fewest=fewest) for name in DIALECTS]
    except DataError:
        return
    with st.expander(say("Count a larger table in your database"), icon=":material/database:"):
        st.caption(
            say(
                "This query counts the people of each combination. Bring what it returns and give its last column the "
                "role “Counts people”. Put numbers of many values into ranges first."
            )
        )
        st.checkbox(
            say("Suppress combinations of fewer than {few} people", few=FEWEST_SHOWN),
            key=_SUPPRESSED,
            help=say(
                "They are added up by group, outcome and answer, so that nobody is lost. Tests of answers alone still "
                "count them, apart from a few. To tests that read features they are people with gaps: if more are "
                "suppressed in one group or outcome than in others, these tests may not say “no violation”."
            ),
        )
        for tab, query in zip(st.tabs(list(DIALECTS)), queries, strict=True):
            with tab:
                st.code(query, language="sql", wrap_lines=True, height=240)
