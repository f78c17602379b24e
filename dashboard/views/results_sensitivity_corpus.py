"""Corpus: the measure by group, the words behind it, the classes they move. Compare: two models on the same texts."""

import streamlit as st

from core.audits.sensitivity.answers import missing
from core.audits.sensitivity.reading import SensitivityReading
from core.figures.sensitivity_units import measure_name
from core.plan import AuditPlan
from core.report.sensitivity.numbers import SensitivityNumbers
from core.report.tellings import telling_of
from core.result import SensitivityResult
from core.words_sensitivity import ratio_sentence
from dashboard.text import literal
from dashboard.views import results_chart
from dashboard.views.results_sensitivity_tables import show_tables
from dashboard.views.results_tables import show_table


def show(plan: AuditPlan, result: SensitivityResult, reading: SensitivityReading, numbers: SensitivityNumbers) -> None:
    """The tab of the corpus."""
    _about(result, reading)
    results_chart.show("sensitivity groups", result, reading)
    if results_chart.show("sensitivity words", result, reading):
        show_tables(plan, result, reading, numbers, "sensitivity words")
    else:
        st.info("No word occurs in enough texts to be shown.", icon=":material/info:")
    results_chart.show("sensitivity classes", result, reading)


def compare(
    plan: AuditPlan, result: SensitivityResult, reading: SensitivityReading, numbers: SensitivityNumbers
) -> None:
    """The tab of two models."""
    _about(result, reading)
    st.markdown(literal(ratio_sentence(result.detail, reading.measure, reading.alpha)))
    if not results_chart.show("sensitivity pair", result, reading):
        st.info("The measure applies to too few texts in both models.", icon=":material/info:")
    tables = telling_of(plan).tables(result, reading, numbers)
    for name, title in (("sensitivity interval", "Every measure"), ("sensitivity flips", "Changed predicted classes")):
        if name in tables:
            st.subheader(title, anchor=False)
            st.caption(literal(tables[name].caption))
            show_table(tables[name])


def _about(result: SensitivityResult, reading: SensitivityReading) -> None:
    """Which measure is shown, or why it is not to be had."""
    why = missing(result.detail, reading.measure)
    if why:
        st.info(f"{literal(why)} Choose another measure above.", icon=":material/info:")
    else:
        st.caption(f"Measure shown: {literal(measure_name(reading))}. Choose another above.")
