"""A table of the report below its figure, folded away."""

import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.report.numbers import TextSensitivityNumbers
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.plan import AuditPlan
from core.report.tellings import telling_of
from dashboard.text import literal
from dashboard.views.results.tables import show_table


def show_tables(
    plan: AuditPlan,
    result: TextSensitivityResult,
    decision: TextSensitivityDecision,
    numbers: TextSensitivityNumbers,
    figure: str,
) -> None:
    """The table that belongs to ``figure``, under its own caption; nothing where it has none."""
    table = telling_of(plan).tables(result, decision, numbers).get(figure)
    if table is not None:
        with st.expander(literal(table.caption)):
            show_table(table)
