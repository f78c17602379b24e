"""Tables and facts of the report as the page shows them."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from core.report.tables import Fact, Table
from dashboard.text import literal


def show_table(table: Table) -> None:
    """The table without its caption, the first column naming the rows."""
    columns = {literal(head): [literal(row[i + 1]) for row in table.rows] for i, head in enumerate(table.header[1:])}
    index = pd.Index([literal(row[0]) for row in table.rows], name=literal(table.header[0]))
    st.table(pd.DataFrame(columns, index=index), border="horizontal")


def show_facts(facts: Iterable[Fact], heading: str, found: str = "Found") -> None:
    """Labels and what stands beside them, under the two headings."""
    listed = list(facts)
    st.table(
        pd.DataFrame(
            {found: [literal(fact.value, 400) for fact in listed]},
            index=pd.Index([literal(fact.label) for fact in listed], name=heading),
        ),
        border="horizontal",
    )
