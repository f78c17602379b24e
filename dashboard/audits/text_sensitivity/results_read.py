"""Read: one text at a time, its words shaded by both models, what was answered, and what exchanged words change."""

import numpy as np
import streamlit as st

from core.audits.text_sensitivity.decision import TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextScores, TextSensitivityDetail
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.settings import name_of_choice
from core.language.phrases import number, percent, whole
from core.language.told import say, say_as
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import results_words
from dashboard.audits.text_sensitivity.marked_text import counterpart
from dashboard.audits.text_sensitivity.results_choice import choose
from dashboard.audits.text_sensitivity.results_order import rank_text
from dashboard.messages import guarded, show_facts
from dashboard.text import literal


def show(plan: AuditPlan, finding: TextSensitivityFinding) -> None:
    """The whole tab."""
    shown, total = finding.detail.shown, finding.texts
    if not len(shown.rows):
        st.info(
            say("No text was kept for reading. To read texts here, allow some in the settings of the test."),
            icon=":material/info:",
        )
        return
    if len(shown.rows) < total:
        st.caption(
            say(
                "{kept} of {all} texts were kept for reading: about half of them those the model is most sensitive "
                "in, the others drawn at random. They stay on this machine: no report holds a text.",
                kept=whole(len(shown.rows)),
                all=whole(total),
            )
        )
    else:
        st.caption(say("They stay on this machine: no report holds a text."))
    _reader(plan, finding)


@st.fragment
@guarded()
def _reader(plan: AuditPlan, finding: TextSensitivityFinding) -> None:
    """Filters, order and the text; none of it draws the rest of the page again."""
    place = choose(plan, finding)
    if place is None:
        return
    text, beside = st.columns([5, 3], gap="large")
    with text:
        results_words.show(finding.detail, place)
    with beside:
        _answer(finding, place)
    _counterpart(finding.detail, place)


def _answer(finding: TextSensitivityFinding, place: int) -> None:
    """What the model answered, and how far this text leans on protected information."""
    detail, measure = finding.detail, finding.decision.measure
    row = int(detail.shown.rows[place])
    scores, true = detail.audited, int(detail.label[row])
    predicted = detail.classes[scores.predicted[row]]
    facts = {
        say("Predicted class"): say(
            "{predicted}, confidence {confidence}",
            predicted=predicted,
            confidence=percent(round(float(scores.confidence[row]), 3)),
        )
    }
    if true >= 0:
        hit = say_as("an answer", "✓ right") if true == scores.predicted[row] else say_as("an answer", "✗ wrong")
        facts[say("True class")] = f"{detail.classes[true]}: {hit}"
    if detail.judged is not None or np.isfinite(detail.annotation).any():
        facts[say("Judged by people")] = _judged(detail, row)
    for membership in detail.memberships:
        facts[membership.name] = membership.groups[membership.codes[row]]
    if measure != "CF":
        measured = detail.audited.values(measure, signed=finding.decision.signed)
        rank = rank_text(measured, row)
        told = f"{number(float(measured[row]))}; {rank}" if rank else _without(measure)
        facts[name_of_choice(TextSensitivityDecision, "measure", measure)] = told
    facts[say("Effect of exchanged words (CF)")] = effect(scores, row)
    if detail.reference is not None:
        facts[say("Second model")] = _second(detail.reference, detail, row)
    facts[say("Row")] = whole(int(detail.shown.records[place]))
    show_facts(facts, say("This text"))


def _judged(detail: TextSensitivityDetail, row: int) -> str:
    """What most people said of a text, and how many said what."""
    most, said = detail.annotation[row], np.empty(0) if detail.judged is None else detail.judged[:, row]
    if np.isnan(most) and not np.isfinite(said).any():
        return say("not judged")
    names = {1.0: say_as("an answer", "biased"), 0.0: say_as("an answer", "not biased"), 2.0: say("cannot be told")}
    found = names[float(most)] if np.isfinite(most) else say("not settled")
    if len(said) < 2:
        return found
    counts = ", ".join(f"{name} {whole(int((said == answer).sum()))}" for answer, name in names.items())
    return f"{found} ({counts})"


def _without(measure: TextMeasure) -> str:
    if measure in ("P4", "P5"):
        return say("not applicable: no word of this text names a group")
    return say("not applicable: not to be had")


def effect(scores: TextScores, row: int) -> str:
    """What exchanging words does to a model's answer, in words."""
    moved = float(scores.values("CF")[row])
    if np.isnan(moved):
        return say("not applicable: no word is exchanged")
    share = percent(round(moved, 4))
    if scores.flipped[row]:
        return say("{share} of the probability moves, the predicted class changes", share=share)
    return say("{share} of the probability moves, the predicted class stays", share=share)


def _second(scores: TextScores, detail: TextSensitivityDetail, row: int) -> str:
    answer = say(
        "{predicted}, confidence {confidence}",
        predicted=detail.classes[scores.predicted[row]],
        confidence=percent(round(float(scores.confidence[row]), 3)),
    )
    return f"{answer}; {effect(scores, row)}"


def _counterpart(detail: TextSensitivityDetail, place: int) -> None:
    """The text with its words exchanged, the changed ones marked, and what becomes of the answer."""
    exchanged, row = detail.shown.exchanged[place], int(detail.shown.rows[place])
    st.header(say("With exchanged words"), anchor=False)
    if not exchanged:
        st.caption(say("No word of this text has a counterpart, so that nothing is exchanged."))
        return
    made = counterpart(detail.shown.texts[place], exchanged)
    st.html(made.html)
    told = effect(detail.audited, row)
    nothing = say("(nothing)")
    changes = ", ".join(dict.fromkeys(f"{literal(a or nothing)} → {literal(b or nothing)}" for a, b in made.changes))
    st.caption(say("Exchanged, in bold above: {changes}.", changes=changes))
    icon = ":material/sync_problem:" if detail.audited.flipped[row] else ":material/check:"
    st.markdown(f"{icon} {literal(told[:1].upper() + told[1:])}.")
