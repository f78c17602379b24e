"""Robustness: how good the helpers are, what else goes with the measure, and what people said."""

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.report import reached
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.phrases import count
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import results_people
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_diagnostics, show_table, show_table_of


def show(plan: AuditPlan, finding: TextSensitivityFinding) -> None:
    """The whole tab."""
    _status(finding)
    show_chart(finding, "sensitivity confidence")  # verbatim
    show_table_of(finding, "sensitivity agreement")  # verbatim
    if show_chart(finding, "sensitivity annotations"):  # verbatim
        show_table_of(finding, "sensitivity annotations")  # verbatim
        show_chart(finding, "sensitivity information")  # verbatim
    else:
        st.caption(_unjudged(finding))
    results_people.show(plan, finding.detail)
    show_diagnostics(finding)


def _unjudged(finding: TextSensitivityFinding) -> str:
    judged = int(np.isfinite(finding.detail.annotation).sum())
    if finding.detail.judged is None:
        return say("No column says what people found biased, so that the measures cannot be compared with people.")
    return say(
        "People judged {texts}, too few of either kind to compare the measures with them.",
        texts=count(judged, "text"),
    )


def _status(finding: TextSensitivityFinding) -> None:
    if finding.detail.reach:
        show_table(reached(finding.detail.reach))
    status = finding.detail.status
    if status is None:
        st.info(
            say(
                "There is no protected status model: P2 and P3 are not to be had, and the words that name a group (P4, "
                "P5, CF) stand alone."
            ),
            icon=":material/info:",
        )
        return
    if not show_chart(finding, "sensitivity status"):  # verbatim
        st.info(
            say("The table does not say how well the protected status model tells the groups."),
            icon=":material/info:",
        )
    if status.weak:
        st.warning(
            say("{weak} Rely on P4, P5 and CF instead.", weak=literal(retold(status.weak))), icon=":material/warning:"
        )
