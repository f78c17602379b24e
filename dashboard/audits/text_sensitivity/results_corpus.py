"""Corpus: the measure by group, the words behind it, the classes they move. Compare: two models on the same texts."""

import streamlit as st

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import ratio_sentence
from core.language.told import say
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_table_of


def show(finding: TextSensitivityFinding) -> None:
    """The tab of the corpus."""
    _about(finding)
    show_chart(finding, "sensitivity groups")  # verbatim
    show_table_of(finding, "sensitivity differences")  # verbatim
    if show_chart(finding, "sensitivity words"):  # verbatim
        show_table_of(finding, "sensitivity words")  # verbatim
    else:
        st.info(say("No word occurs in enough texts to be shown."), icon=":material/info:")
    show_chart(finding, "sensitivity classes")  # verbatim


def compare(finding: TextSensitivityFinding) -> None:
    """The tab of two models."""
    _about(finding)
    st.markdown(literal(ratio_sentence(finding)))
    if not show_chart(finding, "sensitivity pair"):  # verbatim
        st.info(say("The measure applies to too few texts in both models."), icon=":material/info:")
    for name, title in (
        ("sensitivity interval", say("Every measure")),  # verbatim
        ("sensitivity flips", say("Changed predicted classes")),  # verbatim
    ):
        st.header(title, anchor=False)
        show_table_of(finding, name, folded=False)


def _about(finding: TextSensitivityFinding) -> None:
    """Which measure is shown, or why it is not to be had."""
    measure = finding.decision.measure
    if why := finding.estimates.lacking(measure):
        st.info(say("{why} Choose another measure above.", why=literal(why)), icon=":material/info:")
    else:
        name = literal(measure_name(measure, finding.decision))
        st.caption(say("Measure shown: {name}. Choose another above.", name=name))
