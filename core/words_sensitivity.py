"""The words of the sensitivity audit: its verdict, what a measure asks, and how models, groups and words differ."""

from __future__ import annotations

from core.audits.sensitivity.detail import SensitivityDetail
from core.audits.sensitivity.reading import Measure, SensitivityReading
from core.audits.sensitivity.verdicts import unreliable
from core.inference.estimate import Verdict
from core.result import SensitivityResult
from core.words import (
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


def verdict_headline(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The verdict in a few words, for the top of a card."""
    verdict = result.detail.verdict(reading)
    if reading.judged == "swaps":
        return {
            Verdict.VIOLATION: "Violation found",
            Verdict.NO_VIOLATION: "No violation found by exchanging the words of this list",
            Verdict.INSUFFICIENT: "Insufficient evidence",
        }[verdict]
    if verdict is Verdict.VIOLATION:
        return "Violation found in comparison with the second model"
    if _below(result.detail, reading):
        return "Within the tolerance of the second model, which clears nobody"
    return "Insufficient evidence"


def verdict_sentence(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The verdict in one plain sentence, with texts, estimate, interval, bound and tolerance."""
    estimate = result.detail.estimate(reading)
    headline = verdict_headline(result, reading)
    if estimate.undefined:
        return f"{headline}: this test gives no number, because {lower_first(without_stop(estimate.undefined))}."
    rest = _about_swaps(result, reading) if reading.judged == "swaps" else _about_models(result, reading)
    return f"{headline}: {rest}."


def ratio_sentence(detail: SensitivityDetail, measure: Measure, alpha: float) -> str:
    """How many times as sensitive as the second model the audited one is; empty where that is not known."""
    found = detail.ratio(measure)
    if found.undefined:
        return ""
    ends = found.two_sided(alpha)
    return (
        f"The audited model is {number(found.value)} times as sensitive as the second one to {REACTS_TO[measure]} "
        f"({percent(1 - alpha)} interval {interval(ends.low, ends.high)})."
    )


def flips_sentence(detail: SensitivityDetail, alpha: float, *, second: bool = False) -> str:
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


def status_sentence(detail: SensitivityDetail) -> str:
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


def judged_measure(reading: SensitivityReading) -> Measure:
    """The measure that the verdict rests on."""
    return "CF" if reading.judged == "swaps" else reading.measure


def list_name(result: SensitivityResult) -> str:
    """The list of words in a sentence: ``gendered words``, ``words of the list “Family”``."""
    words = result.audit.words
    shipped = words.complete is not words
    return lower_first(words.complete.name) if shipped else f"words of the list “{words.name}”"


def _about_swaps(result: SensitivityResult, reading: SensitivityReading) -> str:
    detail, estimate = result.detail, result.detail.estimate(reading)
    ends = estimate.two_sided(reading.alpha)
    decimals = precision(100 * ends.low, 100 * ends.high)

    def shown(value: float) -> str:
        return f"{ratio(100 * value, beside=100 * reading.delta, decimals=decimals)}%"

    found = (
        f"exchanging {list_name(result)} moves {shown(estimate.value)} of the answer's probability on average "
        f"({percent(1 - reading.alpha)} interval {share_interval(ends.low, ends.high)}, {count(estimate.n, 'text')})"
    )
    tolerated, verdict = f"the {100 * reading.delta:.10g}% tolerated", detail.verdict(reading)
    sure = f"with {percent(1 - reading.alpha)} confidence it moves"
    if verdict is Verdict.VIOLATION:
        return f"{found}; {sure} at least {shown(estimate.lower_bound(reading.alpha))}, more than {tolerated}"
    if verdict is Verdict.NO_VIOLATION:
        return f"{found}; {sure} at most {shown(estimate.upper_bound(reading.alpha))}, within {tolerated}"
    return _undecided(found, tolerated, detail, reading)


def _about_models(result: SensitivityResult, reading: SensitivityReading) -> str:
    detail, estimate = result.detail, result.detail.estimate(reading)
    ends, measure = estimate.two_sided(reading.alpha), reading.measure
    factor, unit = (100.0, "%") if measure == "CF" else (1.0, "")
    decimals = precision(factor * ends.low, factor * ends.high)

    def shown(value: float) -> str:
        return f"{ratio(factor * value, beside=factor * reading.delta, decimals=decimals)}{unit}"

    times = detail.ratio(measure)
    signed = reading.signed and measure in ("P3", "P5")
    compared = (
        f"the audited model reacts {number(times.value)} times as strongly as the second one to {REACTS_TO[measure]}"
        if not times.undefined and not signed
        else f"the models differ in how they react to {REACTS_TO[measure]}"
    )
    found = (
        f"{compared}; the mean difference is {shown(estimate.value)} ({percent(1 - reading.alpha)} interval "
        f"{value_interval(measure, ends.low, ends.high)}, {count(estimate.n, 'text')})"
    )
    tolerated = f"the tolerance of {factor * reading.delta:.10g}{unit}"
    verdict = detail.verdict(reading)
    sure = f"with {percent(1 - reading.alpha)} confidence the difference is"
    if verdict is Verdict.VIOLATION:
        return f"{found}; {sure} at least {shown(estimate.lower_bound(reading.alpha))}, above {tolerated}"
    if _below(detail, reading):
        return (
            f"{found}; {sure} at most {shown(estimate.upper_bound(reading.alpha))}, within {tolerated}, but the second "
            "model may lean on protected information as much, so that this is no evidence of fairness"
        )
    return _undecided(found, tolerated, detail, reading)


def _undecided(found: str, tolerated: str, detail: SensitivityDetail, reading: SensitivityReading) -> str:
    estimate = detail.estimate(reading)
    if estimate.lower_bound(reading.alpha) <= reading.delta < estimate.upper_bound(reading.alpha):
        return (
            f"{found}; the truth may lie on either side of {tolerated}, so these texts neither show a violation nor "
            "exclude one"
        )
    serious = [notice for notice in detail.reasons(reading) if notice.level == "serious"]
    why = lower_first(without_stop(serious[0].what)) if serious else "the numbers cannot carry a verdict"
    return f"{found}, beside {tolerated}, but {why}"


def _below(detail: SensitivityDetail, reading: SensitivityReading) -> bool:
    """Whether the second model is shown to be as sensitive at least, by a measure that can show it."""
    estimate = detail.estimate(reading)
    if estimate.undefined or reading.judged == "swaps":
        return False
    return not any(unreliable(detail, reading)) and estimate.upper_bound(reading.alpha) <= reading.delta
