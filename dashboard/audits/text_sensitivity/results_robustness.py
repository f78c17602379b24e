"""Robustness: how good the helpers are, what else goes with the measure, and what people said."""

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.report import reached
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.told import say
from core.phrases import count, percent
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_facts, show_table, show_table_of

_LAID = {
    "coordinates": say("number by number: both models read the same tokens"),
    "words": say("word by word: the two models cut texts into tokens differently"),
}


def show(finding: TextSensitivityFinding) -> None:
    """The whole tab."""
    _status(finding)
    show_chart(finding, say("sensitivity confidence"))
    if show_chart(finding, say("sensitivity annotations")):
        show_table_of(finding, say("sensitivity annotations"))
        show_chart(finding, say("sensitivity information"))
    else:
        st.caption(_unjudged(finding))
    st.header(say("Can the numbers be trusted?"), anchor=False)
    show_facts(_checks(finding), "Check")


def _unjudged(finding: TextSensitivityFinding) -> str:
    judged = int(np.isfinite(finding.detail.annotation).sum())
    if not judged:
        return say("No column says what people found biased, so that the measures cannot be compared with people.")
    return say(
        "People judged {judged}, too few of either kind to compare the measures with them.",
        judged=count(judged, "text"),
    )


def _status(finding: TextSensitivityFinding) -> None:
    if finding.reach:
        show_table(reached(finding.reach))
    status = finding.detail.status
    if status is None:
        st.info(
            "There is no protected status model: P2 and P3 are not to be had, and the words that name a group (P4, P5, "
            "CF) stand alone.",
            icon=":material/info:",
        )
        return
    if not show_chart(finding, say("sensitivity status")):
        st.info("The table does not say how well the protected status model tells the groups.", icon=":material/info:")
    if status.weak:
        st.warning(f"{literal(status.weak)} Rely on P4, P5 and CF instead.", icon=":material/warning:")


def _checks(finding: TextSensitivityFinding) -> dict[str, str]:
    """Named checks with what they found."""
    detail, total = finding.detail, finding.texts

    def of_all(texts: int) -> str:
        return say("{texts} of {total}", texts=percent(round(texts / total, 3)), total=count(total, "text"))

    checks = {
        "Texts with a word that names a group": of_all(detail.listed_texts),
        "Texts with exchanged words": of_all(detail.exchanged_texts),
        "Texts longer than the model reads": of_all(detail.cut_texts)
        + (say("; {cut_words} are not read", cut_words=count(detail.cut_words, "word")) if detail.cut_words else ""),
    }
    if detail.status is not None:
        status = detail.status
        learned = (
            f"{count(status.learned_from, 'text')}"
            if status.learned_from
            else say("texts whose number its file does not tell")
        )
        checks["Protected status model"] = say("{name}; learned from {learned}", name=status.name, learned=learned)
        checks["How its gradients are laid over the words"] = _LAID.get(detail.matched, say("not at all"))
    return checks
