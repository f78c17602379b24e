"""The SQL with which a database counts its people, for tables that are too large to be brought."""

import streamlit as st

from core.base.errors import DataError
from core.data.counting_sql import DIALECTS, counting_sql
from core.data.roles import Roles
from core.language.told import say

_TABLE = "your_table"


def show(roles: Roles) -> None:
    """The query for each database, of the columns with a role; nothing where rows are counts or cannot be counted."""
    if roles.counts:
        return
    try:
        queries = [counting_sql(roles, _TABLE, name) for name in DIALECTS]
    except DataError:
        return
    with st.expander(say("Count a larger table in your database"), icon=":material/database:"):
        st.caption(
            say(
                "This query counts the people of each combination. Bring what it returns and give its last column the "
                "role “Counts people”. Put numbers of many values into ranges first."
            )
        )
        for tab, query in zip(st.tabs(list(DIALECTS)), queries, strict=True):
            with tab:
                st.code(query, language="sql", wrap_lines=True, height=240)
