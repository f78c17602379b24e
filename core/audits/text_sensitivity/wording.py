"""A text sensitivity test in words: its verdict, what would help, what a measure asks, and how the models differ."""

from __future__ import annotations

import math
from collections.abc import Callable

from core import sentences
from core.audits.text_sensitivity.decision import TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.audits.text_sensitivity.units import unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.inference.estimate import Verdict
from core.next_steps import settle
from core.phrases import (
    count,
    interval,
    lower_first,
    number,
    percent,
    precision,
    ratio,
    share_interval,
    share_text,
    without_stop,
)
from core.settings import name_of_choice

REACTS_TO: dict[TextMeasure, str] = {
    "P1": "words of any kind (P1)",
    "P2": "words that give the group away (P2)",
    "P3": "words that give the group away, weighted by their embeddings (P3)",
    "P4": "words that name a group (P4)",
    "P5": "words that name a group, weighted by their embeddings (P5)",
    "CF": "the exchange of words that name a group (CF)",
}
"""What each measure says the model's answer reacts to."""


def headline(finding: TextSensitivityFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    if finding.judged == "swaps":
        return sentences.headline(finding, "by exchanging the words of this list")
    if finding.verdict is Verdict.VIOLATION:
        return "Violation found in comparison with the second model"
    if _below(finding):
        return "Within the tolerance of the second model, which clears nobody"
    return "Insufficient evidence"


def sentence(finding: TextSensitivityFinding) -> str:
    """The verdict in one plain sentence, with texts, estimate, interval, bound and tolerance."""
    if finding.undefined:
        return sentences.no_number(finding)
    rest = _about_swaps(finding) if finding.judged == "swaps" else _about_models(finding)
    return f"{finding.headline}: {rest}."


def next_steps(finding: TextSensitivityFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    what = "the share that moves" if finding.judged == "swaps" else "the difference"
    return settle(finding, ("text", "texts"), what)


def ratio_sentence(finding: TextSensitivityFinding) -> str:
    """How many times as sensitive as the second model the audited one is; empty where that is not known."""
    measure, alpha = finding.decision.measure, finding.decision.alpha
    found = finding.estimates.ratio(measure)
    if found.undefined:
        return ""
    ends = found.two_sided(alpha)
    return (
        f"The audited model is {number(found.value)} times as sensitive as the second one to {REACTS_TO[measure]} "
        f"({percent(1 - alpha)} interval {interval(ends.low, ends.high)})."
    )


def flips_sentence(finding: TextSensitivityFinding) -> str:
    """In how many texts the predicted class changes when words are exchanged."""
    found, alpha = finding.estimates.flips(), finding.decision.alpha
    if not found.n:
        return "No word was exchanged in any text."
    ends = found.two_sided(alpha)
    change = "changes" if found.count == 1 else "change"
    return (
        f"{found.count:,} of {count(found.n, 'text')} {change} the predicted class when words are exchanged, "
        f"{percent(found.value)} ({percent(1 - alpha)} interval {share_interval(ends.low, ends.high)})."
    )


def status_sentence(detail: TextSensitivityDetail) -> str:
    """How good the protected status model is, and what follows from it."""
    report = detail.status
    if report is None:
        return "There is no protected status model, so that only the words of the list count (P4, P5, CF)."
    if report.weak:
        return f"The protected status model is weak: {lower_first(without_stop(report.weak))}. Read P4 or P5 instead."
    return "The protected status model tells the groups apart well enough to say which words give them away."


def value_text(measure: TextMeasure, value: float, decimals: int | None = None) -> str:
    """A measure's value as people read it: CF as a percentage, the others as numbers."""
    return share_text(value, decimals) if measure == "CF" else number(value, decimals)


def value_interval(measure: TextMeasure, low: float, high: float) -> str:
    """An interval of a measure's mean."""
    return share_interval(low, high) if measure == "CF" else interval(low, high)


def text_share(value: float) -> str:
    """A share of a text's sensitivity, as it stands everywhere beside a word."""
    return percent(round(value, 3 if value >= 0.01 else 4)) if not 0 < value < 0.0001 else "< 0.01%"


def measure_name(measure: TextMeasure, decision: TextSensitivityDecision) -> str:
    """A measure in words."""
    name = name_of_choice(TextSensitivityDecision, "measure", measure)
    return f"{name}, signed" if decision.is_signed(measure) else name


def list_name(result: TextSensitivityResult) -> str:
    """The list of words in a sentence: ``gendered words``, ``words of the list “Family”``."""
    words = result.audit.words
    shipped = words.complete is not words
    return lower_first(words.complete.name) if shipped else f"words of the list “{words.name}”"


def _about_swaps(finding: TextSensitivityFinding) -> str:
    shown = in_unit(finding)
    found = (
        f"exchanging {list_name(finding.result)} moves {shown(finding.estimate)} of the answer's probability on "
        f"average ({percent(1 - finding.decision.alpha)} interval "
        f"{share_interval(finding.interval.low, finding.interval.high)}, {count(finding.n, 'text')})"
    )
    tolerated = f"the {100 * finding.decision.delta:.10g}% tolerated"
    return sentences.conclusion(finding, found, tolerated, shown, sure="it moves", beyond="more than", rows="texts")


def _about_models(finding: TextSensitivityFinding) -> str:
    decision, measure, shown = finding.decision, finding.measure, in_unit(finding)
    times = finding.estimates.ratio(measure)
    compared = (
        f"the audited model reacts {number(times.value)} times as strongly as the second one to {REACTS_TO[measure]}"
        if not times.undefined and not decision.is_signed(measure)
        else f"the models differ in how they react to {REACTS_TO[measure]}"
    )
    confidence = percent(1 - decision.alpha)
    found = (
        f"{compared}; the mean difference is {shown(finding.estimate)} ({confidence} interval "
        f"{value_interval(measure, finding.interval.low, finding.interval.high)}, {count(finding.n, 'text')})"
    )
    unit = unit_of(measure)
    tolerated = f"the tolerance of {unit.factor * decision.delta:.10g}{unit.sign}"
    if _below(finding):
        return (
            f"{found}; with {confidence} confidence the difference is at most {shown(finding.upper_bound)}, within "
            f"{tolerated}, but the second model may lean on protected information as much, so that this is no evidence "
            "of fairness"
        )
    return sentences.conclusion(
        finding, found, tolerated, shown, sure="the difference is", beyond="above", rows="texts"
    )


def _below(finding: TextSensitivityFinding) -> bool:
    """Whether the second model is shown to be as sensitive at least, by a measure that can show it."""
    if finding.undefined or finding.judged == "swaps":
        return False
    return not finding.unreliable and finding.upper_bound <= finding.decision.delta


def in_unit(finding: TextSensitivityFinding) -> Callable[[float], str]:
    """How people read values of the judged measure: with as many decimals as tell the ends of its interval apart."""
    unit = unit_of(finding.measure)
    decimals = precision(unit.factor * finding.interval.low, unit.factor * finding.interval.high)

    def shown(value: float) -> str:
        if math.isnan(value):
            return "not defined"
        beside = unit.factor * finding.decision.delta
        return f"{ratio(unit.factor * value, beside=beside, decimals=decimals)}{unit.sign}"

    return shown
