"""Corpus: the measure by group, the words behind it, the classes they move. Compare: two models on the same texts."""

import streamlit as st

from core.audits.sensitivity.answers import missing
from core.audits.sensitivity.reading import SensitivityReading
from core.figures.sensitivity_units import measure_name
from core.result import SensitivityResult
from dashboard.text import literal
from dashboard.views import results_chart


def show(result: SensitivityResult, reading: SensitivityReading) -> None:
    """The tab of the corpus."""
    _about(result, reading)
    results_chart.show("sensitivity groups", result, reading)
    if not results_chart.show("sensitivity words", result, reading):
        st.info("No word occurs in enough texts to be shown.", icon=":material/info:")
    results_chart.show("sensitivity classes", result, reading)


def compare(result: SensitivityResult, reading: SensitivityReading) -> None:
    """The tab of two models."""
    _about(result, reading)
    if not results_chart.show("sensitivity pair", result, reading):
        st.info("The measure applies to too few texts in both models.", icon=":material/info:")


def _about(result: SensitivityResult, reading: SensitivityReading) -> None:
    """Which measure is shown, or why it is not to be had."""
    why = missing(result.detail, reading.measure)
    if why:
        st.info(f"{literal(why)} Choose another measure above.", icon=":material/info:")
    else:
        st.caption(f"Measure shown: {literal(measure_name(reading))}. Choose another above.")
