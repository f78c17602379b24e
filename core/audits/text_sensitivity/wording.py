"""The words of the sensitivity audit: its verdict, what a measure asks, and how models, groups and words differ."""

from __future__ import annotations

from core.audits.text_sensitivity.decision import Measure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.audits.text_sensitivity.verdicts import unreliable
from core.inference.estimate import Verdict
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

REACTS_TO: dict[Measure, str] = {
    "P1": "words of any kind (P1)",
    "P2": "words that give the group away (P2)",
    "P3": "words that give the group away, weighted by their embeddings (P3)",
    "P4": "words that name a group (P4)",
    "P5": "words that name a group, weighted by their embeddings (P5)",
    "CF": "the exchange of words that name a group (CF)",
}
"""What each measure says the model's answer reacts to."""


def verdict_headline(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The verdict in a few words, for the top of a card."""
    verdict = result.detail.verdict(decision)
    if decision.judged == "swaps":
        return {
            Verdict.VIOLATION: "Violation found",
            Verdict.NO_VIOLATION: "No violation found by exchanging the words of this list",
            Verdict.INSUFFICIENT: "Insufficient evidence",
        }[verdict]
    if verdict is Verdict.VIOLATION:
        return "Violation found in comparison with the second model"
    if _below(result.detail, decision):
        return "Within the tolerance of the second model, which clears nobody"
    return "Insufficient evidence"


def verdict_sentence(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The verdict in one plain sentence, with texts, estimate, interval, bound and tolerance."""
    estimate = result.detail.estimate(decision)
    headline = verdict_headline(result, decision)
    if estimate.undefined:
        return f"{headline}: this test gives no number, because {lower_first(without_stop(estimate.undefined))}."
    rest = _about_swaps(result, decision) if decision.judged == "swaps" else _about_models(result, decision)
    return f"{headline}: {rest}."


def ratio_sentence(detail: TextSensitivityDetail, measure: Measure, alpha: float) -> str:
    """How many times as sensitive as the second model the audited one is; empty where that is not known."""
    found = detail.ratio(measure)
    if found.undefined:
        return ""
    ends = found.two_sided(alpha)
    return (
        f"The audited model is {number(found.value)} times as sensitive as the second one to {REACTS_TO[measure]} "
        f"({percent(1 - alpha)} interval {interval(ends.low, ends.high)})."
    )


def flips_sentence(detail: TextSensitivityDetail, alpha: float, *, second: bool = False) -> str:
    """In how many texts the predicted class changes when words are exchanged."""
    found = detail.flips(second=second)
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


def value_text(measure: Measure, value: float, decimals: int | None = None) -> str:
    """A measure's value as people read it: CF as a percentage, the others as numbers."""
    return share_text(value, decimals) if measure == "CF" else number(value, decimals)


def value_interval(measure: Measure, low: float, high: float) -> str:
    """An interval of a measure's mean."""
    return share_interval(low, high) if measure == "CF" else interval(low, high)


def judged_measure(decision: TextSensitivityDecision) -> Measure:
    """The measure that the verdict rests on."""
    return "CF" if decision.judged == "swaps" else decision.measure


def list_name(result: TextSensitivityResult) -> str:
    """The list of words in a sentence: ``gendered words``, ``words of the list “Family”``."""
    words = result.audit.words
    shipped = words.complete is not words
    return lower_first(words.complete.name) if shipped else f"words of the list “{words.name}”"


def _about_swaps(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    detail, estimate = result.detail, result.detail.estimate(decision)
    ends = estimate.two_sided(decision.alpha)
    decimals = precision(100 * ends.low, 100 * ends.high)

    def shown(value: float) -> str:
        return f"{ratio(100 * value, beside=100 * decision.delta, decimals=decimals)}%"

    found = (
        f"exchanging {list_name(result)} moves {shown(estimate.value)} of the answer's probability on average "
        f"({percent(1 - decision.alpha)} interval {share_interval(ends.low, ends.high)}, {count(estimate.n, 'text')})"
    )
    tolerated, verdict = f"the {100 * decision.delta:.10g}% tolerated", detail.verdict(decision)
    sure = f"with {percent(1 - decision.alpha)} confidence it moves"
    if verdict is Verdict.VIOLATION:
        return f"{found}; {sure} at least {shown(estimate.lower_bound(decision.alpha))}, more than {tolerated}"
    if verdict is Verdict.NO_VIOLATION:
        return f"{found}; {sure} at most {shown(estimate.upper_bound(decision.alpha))}, within {tolerated}"
    return _undecided(found, tolerated, detail, decision)


def _about_models(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    detail, estimate = result.detail, result.detail.estimate(decision)
    ends, measure = estimate.two_sided(decision.alpha), decision.measure
    factor, unit = (100.0, "%") if measure == "CF" else (1.0, "")
    decimals = precision(factor * ends.low, factor * ends.high)

    def shown(value: float) -> str:
        return f"{ratio(factor * value, beside=factor * decision.delta, decimals=decimals)}{unit}"

    times = detail.ratio(measure)
    signed = decision.signed and measure in ("P3", "P5")
    compared = (
        f"the audited model reacts {number(times.value)} times as strongly as the second one to {REACTS_TO[measure]}"
        if not times.undefined and not signed
        else f"the models differ in how they react to {REACTS_TO[measure]}"
    )
    found = (
        f"{compared}; the mean difference is {shown(estimate.value)} ({percent(1 - decision.alpha)} interval "
        f"{value_interval(measure, ends.low, ends.high)}, {count(estimate.n, 'text')})"
    )
    tolerated = f"the tolerance of {factor * decision.delta:.10g}{unit}"
    verdict = detail.verdict(decision)
    sure = f"with {percent(1 - decision.alpha)} confidence the difference is"
    if verdict is Verdict.VIOLATION:
        return f"{found}; {sure} at least {shown(estimate.lower_bound(decision.alpha))}, above {tolerated}"
    if _below(detail, decision):
        return (
            f"{found}; {sure} at most {shown(estimate.upper_bound(decision.alpha))}, within {tolerated}, but the "
            "second "
            "model may lean on protected information as much, so that this is no evidence of fairness"
        )
    return _undecided(found, tolerated, detail, decision)


def _undecided(found: str, tolerated: str, detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> str:
    estimate = detail.estimate(decision)
    if estimate.lower_bound(decision.alpha) <= decision.delta < estimate.upper_bound(decision.alpha):
        return (
            f"{found}; the truth may lie on either side of {tolerated}, so these texts neither show a violation nor "
            "exclude one"
        )
    serious = [notice for notice in detail.reasons(decision) if notice.level == "serious"]
    why = lower_first(without_stop(serious[0].what)) if serious else "the numbers cannot carry a verdict"
    return f"{found}, beside {tolerated}, but {why}"


def _below(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> bool:
    """Whether the second model is shown to be as sensitive at least, by a measure that can show it."""
    estimate = detail.estimate(decision)
    if estimate.undefined or decision.judged == "swaps":
        return False
    return not any(unreliable(detail, decision)) and estimate.upper_bound(decision.alpha) <= decision.delta
