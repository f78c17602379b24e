"""The page of a text sensitivity test: its tabs, its decision settings and its lines in the record."""

from typing import ClassVar

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision, measure_name
from core.audits.text_sensitivity.report import reached
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import ratio_sentence
from core.language.phrases import count
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import results_controls, results_people, results_read
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.tables import show_diagnostics, show_statistics, show_table, show_table_of
from dashboard.views.results.view import AbstractView


class TextSensitivityView(AbstractView[TextSensitivityResult, TextSensitivityDecision, TextSensitivityFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Read"), say("Corpus"), say("Compare"), say("Robustness"))

    def tabs_of(self, result: TextSensitivityResult) -> tuple[str, ...]:
        """Without texts to read there is no tab for them, without a second model none to compare."""
        detail = result.detail
        _, read, _, compare, _ = self.tabs
        hidden = {read: not len(detail.shown.rows), compare: detail.reference is None}
        return tuple(tab for tab in self.tabs if not hidden.get(tab, False))

    def controls(
        self, plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
    ) -> TextSensitivityDecision:
        """What the verdict is about, the measure, the tolerance in its unit, and the error rate."""
        return results_controls.show(plan, start, result, alpha)

    def show(self, tab: str, plan: AuditPlan, finding: TextSensitivityFinding) -> None:
        """See the base class."""
        why, read, corpus, compare, _ = self.tabs
        if tab == why:
            show_chart(finding, "sensitivity interval")  # verbatim
            show_statistics(finding)
            show_table_of(finding, "sensitivity interval")  # verbatim
            show_chart(finding, "sensitivity flips")  # verbatim
        elif tab == read:
            results_read.show(plan, finding)
        elif tab == corpus:
            _show_corpus(finding)
        elif tab == compare:
            _compare(finding)
        else:
            _show_robustness(plan, finding)


def _show_robustness(plan: AuditPlan, finding: TextSensitivityFinding) -> None:
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


def _show_corpus(finding: TextSensitivityFinding) -> None:
    """The tab of the corpus."""
    _about(finding)
    show_chart(finding, "sensitivity groups")  # verbatim
    show_table_of(finding, "sensitivity differences")  # verbatim
    if show_chart(finding, "sensitivity words", folded=True):  # verbatim
        show_table_of(finding, "sensitivity words")  # verbatim
    else:
        st.info(say("No word occurs in enough texts to be shown."), icon=":material/info:")
    show_chart(finding, "sensitivity classes", folded=True)  # verbatim


def _compare(finding: TextSensitivityFinding) -> None:
    """The tab of two models."""
    _about(finding)
    st.markdown(literal(ratio_sentence(finding)))
    if not show_chart(finding, "sensitivity pair"):  # verbatim
        st.info(say("The measure applies to too few texts in both models."), icon=":material/info:")
    st.header(say("Every measure"), anchor=False)
    show_table_of(finding, "sensitivity interval", folded=False)  # verbatim
    show_table_of(finding, "sensitivity flips")  # verbatim


def _about(finding: TextSensitivityFinding) -> None:
    """Which measure is shown, or why it is not to be had."""
    measure = finding.decision.measure
    if why := finding.estimates.lacking(measure):
        st.info(say("{why} Choose another measure above.", why=literal(why)), icon=":material/info:")
    else:
        name = literal(measure_name(measure, finding.decision))
        st.caption(say("Measure shown: {name}. Choose another above.", name=name))
