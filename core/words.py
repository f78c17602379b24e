"""The words a result is told in: verdict sentences and numbers as people read them."""

import math

from core.inference.estimate import Estimate, Verdict
from core.reading import Reading, Statistic
from core.result import AuditResult

_HEADLINES = {
    Verdict.VIOLATION: "Violation found",
    Verdict.NO_VIOLATION: "No violation found by this search with this definition of similar",
    Verdict.INSUFFICIENT: "Insufficient evidence",
}


def verdict_headline(result: AuditResult, reading: Reading) -> str:
    """The verdict in a few words, for the top of a card."""
    return _HEADLINES[result.detail.verdict(reading)]


def verdict_sentence(result: AuditResult, reading: Reading) -> str:
    """The verdict in one plain sentence, with rows, estimate, interval, bound and tolerance."""
    verdict = result.detail.verdict(reading)
    estimate = result.detail.estimate(reading)
    headline = _HEADLINES[verdict]
    if estimate.undefined:
        return f"{headline}: {_lower_first(_without_stop(estimate.undefined))}, so this test gives no number."
    found = _found(estimate, reading)
    delta = f"the tolerance δ = {reading.delta:g}"
    confidence = percent(1 - reading.alpha)
    ends = estimate.two_sided(reading.alpha)
    decimals = precision(ends.low, ends.high)
    lower = ratio(estimate.lower_bound(reading.alpha), beside=reading.delta, decimals=decimals)
    upper = ratio(estimate.upper_bound(reading.alpha), beside=reading.delta, decimals=decimals)
    if verdict is Verdict.VIOLATION:
        return f"{headline}: {found}; with {confidence} confidence the ratio is at least {lower}, above {delta}."
    if verdict is Verdict.NO_VIOLATION:
        return f"{headline}: {found}; with {confidence} confidence the ratio is at most {upper}, within {delta}."
    if estimate.lower_bound(reading.alpha) <= reading.delta < estimate.upper_bound(reading.alpha):
        return (
            f"{headline}: {found}; the ratio may lie on either side of {delta}, so these rows neither show a violation "
            "nor exclude one."
        )
    reasons = result.detail.reasons(reading)
    why = _lower_first(_without_stop(reasons[0].what)) if reasons else "the numbers cannot carry a verdict"
    return f"{headline}: {found}, beside {delta}, but {why}."


def resampled(result: AuditResult, reading: Reading) -> str:
    """What metrics learned from resampled rows find, for a table: ``1.05 to 1.62; 5 of 8 find a violation``."""
    if result.detail.relearned is None:
        return "none; this metric is not learned from rows"
    found = result.detail.resampled(reading)
    if not found:
        return "not tried"
    values = [one.value for one in found]
    violations = sum(one.verdict(reading.delta, reading.alpha) is Verdict.VIOLATION for one in found)
    told = f"{interval(min(values), max(values))}; {violations} of {len(found)} find a violation"
    widened = result.detail.with_metric_error(reading)
    if not math.isfinite(widened.standard_error):
        return told
    low, high = widened.lower_bound(reading.alpha), widened.upper_bound(reading.alpha)
    return f"{told}; with the metric's own uncertainty the bounds are {number(low)} and {number(high)}"


def worse(value: float, statistic: Statistic = "loss ratio") -> str:
    """A ratio as an adverb: 1.83 is ``83% worse`` (or ``83% more often``), 5.7 is ``5.7 times as badly``."""
    more, less, times = (
        ("worse", "better", "badly") if statistic == "loss ratio" else ("more often", "less often", "often")
    )
    if math.isnan(value):
        return "by an unknown amount"
    if value >= 2:
        return f"{number(value)} times as {times}"
    change = abs(value - 1)
    if change == 0:
        return f"no {more}"
    share = "less than 0.1%" if change < 0.0005 else percent(round(change, 2 if change >= 0.1 else 3))
    return f"{share} {more if value > 1 else less}"


def number(value: float, decimals: int | None = None) -> str:
    """A quantity with two to four significant digits (``1.83``, ``1,204``, ``0.0048``), or with so many decimals."""
    if not math.isfinite(value):
        return _not_finite(value)
    size = abs(value)
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    if size == 0 or size >= 0.1:
        return f"{value:,.{2 if size < 10 else 1 if size < 100 else 0}f}"
    return f"{value:.{1 - math.floor(math.log10(size))}f}" if size >= 1e-6 else f"{value:.1e}"


def ratio(value: float, *, beside: float, decimals: int | None = None) -> str:
    """A number with as many decimals as it takes to tell it from ``beside``, at least ``decimals``, at most six."""
    if not math.isfinite(value):
        return _not_finite(value)
    text = number(value, decimals)
    for more in range((decimals or 2) + 1, 7):
        if float(text.replace(",", "")) != beside or value == beside:
            break
        text = number(value, more)
    return text


def precision(low: float, high: float) -> int | None:
    """Decimals that tell the ends of an interval apart, for everything shown beside it; None if the usual ones do."""
    if not math.isfinite(low + high) or low == high or number(low) != number(high):
        return None
    return next((decimals for decimals in range(3, 6) if number(low, decimals) != number(high, decimals)), 6)


def interval(low: float, high: float) -> str:
    """``1.75 to 1.91``; with as many decimals as it takes to tell the ends apart, at most six."""
    decimals = precision(low, high)
    return f"{number(low, decimals)} to {number(high, decimals)}"


def percent(share: float) -> str:
    """A share as a percentage: ``95%``, ``6.2%``, ``99.99%``."""
    if not math.isfinite(share):
        return _not_finite(share)
    value = 100 * share
    for decimals in range(3):
        text = f"{value:.{decimals}f}"
        if math.isclose(float(text), value, rel_tol=5e-3) and (value < 99 or math.isclose(float(text), value)):
            break
    return f"{float(text):,g}%" if abs(float(text)) < 100_000 else f"{value:,.0f}%"


def p_value(value: float, *, alpha: float | None = None) -> str:
    """A p-value for reading: ``0.031``, ``< 0.0001``; more digits where it would look equal to ``alpha``."""
    if math.isnan(value):
        return "not defined"
    if value < 0.0001:
        return "< 0.0001"
    if value > 0.9999:
        return "> 0.9999"
    decimals = 2 if value >= 0.1 else 3 if value >= 0.01 else 4
    while alpha is not None and value != alpha and float(f"{value:.{decimals}f}") == alpha and decimals < 7:
        decimals += 1
    return f"{value:.{decimals}f}"


def count(value: int, noun: str, plural: str = "") -> str:
    """``1 row``, ``9,045 rows``."""
    return f"{value:,} {noun if value == 1 else plural or noun + 's'}"


def _found(estimate: Estimate, reading: Reading) -> str:
    people = count(estimate.n, "audited person", "audited people")
    change = worse(estimate.value, reading.statistic)
    told = (
        f"the worst-off similar twin that the search found is treated {change} on average"
        if reading.statistic == "loss ratio"
        else f"the model errs {change} on the worst-off similar twins that the search found"
    )
    confidence = percent(1 - reading.alpha)
    ends = estimate.two_sided(reading.alpha)
    value = ratio(estimate.value, beside=reading.delta, decimals=precision(ends.low, ends.high))
    return f"in {people}, {told} ({reading.statistic} {value}, {confidence} interval {interval(ends.low, ends.high)})"


def _not_finite(value: float) -> str:
    return "not defined" if math.isnan(value) else "infinite" if value > 0 else "minus infinity"


def _without_stop(sentence: str) -> str:
    return sentence.strip().rstrip(".")


def _lower_first(sentence: str) -> str:
    """Lower the first letter unless the first word is a symbol or an abbreviation."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]
