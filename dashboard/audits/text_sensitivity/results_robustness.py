"""Robustness: how good the helpers are, what else goes with the measure, and what people said."""

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.report import reached
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.phrases import count, percent
from core.language.told import retold, say, say_as, say_count
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import results_people
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_facts, show_table, show_table_of

_LAID = {
    "coordinates": say("number by number: both models read the same tokens"),
    "words": say("word by word: the two models cut texts into tokens differently"),
}


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
    st.header(say("Can the numbers be trusted?"), anchor=False)
    show_facts(_checks(finding), say_as("a heading", "Check"))


def _unjudged(finding: TextSensitivityFinding) -> str:
    judged = int(np.isfinite(finding.detail.annotation).sum())
    if finding.detail.judged is None:
        return say("No column says what people found biased, so that the measures cannot be compared with people.")
    return say(
        "People judged {texts}, too few of either kind to compare the measures with them.",
        texts=count(judged, "text"),
    )


def _status(finding: TextSensitivityFinding) -> None:
    if finding.reach:
        show_table(reached(finding.reach))
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


def _checks(finding: TextSensitivityFinding) -> dict[str, str]:
    """Named checks with what they found."""
    detail, total = finding.detail, finding.texts

    def of_all(texts: int) -> str:
        return say_count("{share} of {n} text", "{share} of {n} texts", total, share=percent(round(texts / total, 3)))

    cut = of_all(detail.cut_texts)
    if detail.cut_words:
        cut = say("{cut}; {words} are not read", cut=cut, words=count(detail.cut_words, "word"))
    checks = {
        say("Texts with a word that names a group"): of_all(detail.listed_texts),
        say("Texts with exchanged words"): of_all(detail.exchanged_texts),
        say("Texts longer than the model reads"): cut,
    }
    if detail.status is not None:
        status = detail.status
        name = retold(status.name)
        checks[say("Protected status model")] = (
            say_count("{name}; learned from {n} text", "{name}; learned from {n} texts", status.learned_from, name=name)
            if status.learned_from
            else say("{name}; learned from texts whose number its file does not tell", name=name)
        )
        laid = _LAID.get(detail.matched)
        checks[say("How its gradients are laid over the words")] = retold(laid) if laid else say("not at all")
    return checks
