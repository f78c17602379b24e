"""The words of the gradient-flow test: its verdict in a headline and in one plain sentence."""

import math

from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.result import GradientFlowResult
from core.inference.estimate import Estimate, Verdict
from core.phrases import count, interval, lower_first, number, percent, precision, ratio, without_stop

_HEADLINES = {
    Verdict.VIOLATION: "Violation found",
    Verdict.NO_VIOLATION: "No violation found by this search with this definition of similar",
    Verdict.INSUFFICIENT: "Insufficient evidence",
}


def verdict_headline(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The verdict in a few words, for the top of a card."""
    return _HEADLINES[result.detail.verdict(decision)]


def verdict_sentence(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The verdict in one plain sentence, with rows, estimate, interval, bound and tolerance."""
    verdict = result.detail.verdict(decision)
    estimate = result.detail.estimate(decision)
    headline = _HEADLINES[verdict]
    if estimate.undefined:
        return f"{headline}: {lower_first(without_stop(estimate.undefined))}, so this test gives no number."
    found = _found(estimate, decision)
    delta = f"the tolerance δ = {decision.delta:g}"
    confidence = percent(1 - decision.alpha)
    ends = estimate.two_sided(decision.alpha)
    decimals = precision(ends.low, ends.high)
    lower = ratio(estimate.lower_bound(decision.alpha), beside=decision.delta, decimals=decimals)
    upper = ratio(estimate.upper_bound(decision.alpha), beside=decision.delta, decimals=decimals)
    if verdict is Verdict.VIOLATION:
        return f"{headline}: {found}; with {confidence} confidence the ratio is at least {lower}, above {delta}."
    if verdict is Verdict.NO_VIOLATION:
        return f"{headline}: {found}; with {confidence} confidence the ratio is at most {upper}, within {delta}."
    if estimate.lower_bound(decision.alpha) <= decision.delta < estimate.upper_bound(decision.alpha):
        return (
            f"{headline}: {found}; the ratio may lie on either side of {delta}, so these rows neither show a violation "
            "nor exclude one."
        )
    reasons = result.detail.reasons(decision)
    why = lower_first(without_stop(reasons[0].what)) if reasons else "the numbers cannot carry a verdict"
    return f"{headline}: {found}, beside {delta}, but {why}."


def resampled(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """What metrics learned from resampled rows find, for a table: ``1.05 to 1.62; 5 of 8 find a violation``."""
    if result.detail.relearned is None:
        return "none; this metric is not learned from rows"
    found = result.detail.resampled(decision)
    if not found:
        return "not tried"
    values = [one.value for one in found]
    violations = sum(one.verdict(decision.delta, decision.alpha) is Verdict.VIOLATION for one in found)
    told = f"{interval(min(values), max(values))}; {violations} of {len(found)} find a violation"
    widened = result.detail.with_metric_error(decision)
    if not math.isfinite(widened.standard_error):
        return told
    low, high = widened.lower_bound(decision.alpha), widened.upper_bound(decision.alpha)
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


def _found(estimate: Estimate, decision: GradientFlowDecision) -> str:
    people = count(estimate.n, "audited person", "audited people")
    change = worse(estimate.value, decision.statistic)
    told = (
        f"the worst-off similar twin that the search found is treated {change} on average"
        if decision.statistic == "loss ratio"
        else f"the model errs {change} on the worst-off similar twins that the search found"
    )
    confidence = percent(1 - decision.alpha)
    ends = estimate.two_sided(decision.alpha)
    value = ratio(estimate.value, beside=decision.delta, decimals=precision(ends.low, ends.high))
    return f"in {people}, {told} ({decision.statistic} {value}, {confidence} interval {interval(ends.low, ends.high)})"
