"""A table of the report below its figure, folded away."""

import streamlit as st

from core.audits.sensitivity.reading import SensitivityReading
from core.plan import AuditPlan
from core.report.sensitivity.numbers import SensitivityNumbers
from core.report.tellings import telling_of
from core.result import SensitivityResult
from dashboard.text import literal
from dashboard.views.results_tables import show_table


def show_tables(
    plan: AuditPlan, result: SensitivityResult, reading: SensitivityReading, numbers: SensitivityNumbers, figure: str
) -> None:
    """The table that belongs to ``figure``, under its own caption; nothing where it has none."""
    table = telling_of(plan).tables(result, reading, numbers).get(figure)
    if table is not None:
        with st.expander(literal(table.caption)):
            show_table(table)
