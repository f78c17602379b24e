"""Corpus: the measure by group, the words behind it, the classes they move. Compare: two models on the same texts."""

import streamlit as st

from core.audits.text_sensitivity.answers import missing
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.figures.units import measure_name
from core.audits.text_sensitivity.report.numbers import TextSensitivityNumbers
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.wording import ratio_sentence
from core.plan import AuditPlan
from core.report.tellings import telling_of
from dashboard.audits.text_sensitivity.results_tables import show_tables
from dashboard.text import literal
from dashboard.views.results import chart as results_chart
from dashboard.views.results.tables import show_table


def show(
    plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
) -> None:
    """The tab of the corpus."""
    _about(result, decision)
    results_chart.show("sensitivity groups", result, decision)
    if results_chart.show("sensitivity words", result, decision):
        show_tables(plan, result, decision, numbers, "sensitivity words")
    else:
        st.info("No word occurs in enough texts to be shown.", icon=":material/info:")
    results_chart.show("sensitivity classes", result, decision)


def compare(
    plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
) -> None:
    """The tab of two models."""
    _about(result, decision)
    st.markdown(literal(ratio_sentence(result.detail, decision.measure, decision.alpha)))
    if not results_chart.show("sensitivity pair", result, decision):
        st.info("The measure applies to too few texts in both models.", icon=":material/info:")
    tables = telling_of(plan).tables(result, decision, numbers)
    for name, title in (("sensitivity interval", "Every measure"), ("sensitivity flips", "Changed predicted classes")):
        if name in tables:
            st.subheader(title, anchor=False)
            st.caption(literal(tables[name].caption))
            show_table(tables[name])


def _about(result: TextSensitivityResult, decision: TextSensitivityDecision) -> None:
    """Which measure is shown, or why it is not to be had."""
    why = missing(result.detail, decision.measure)
    if why:
        st.info(f"{literal(why)} Choose another measure above.", icon=":material/info:")
    else:
        st.caption(f"Measure shown: {literal(measure_name(decision))}. Choose another above.")
