"""Sentences that several tests share."""

from collections.abc import Callable
from typing import Any

from core.finding import OneEstimateFinding
from core.inference.estimate import Verdict
from core.phrases import lower_first, percent, without_stop


def conclusion(
    finding: OneEstimateFinding[Any, Any],
    found: str,
    tolerated: str,
    shown: Callable[[float], str],
    *,
    sure: str,
    beyond: str,
    rows: str,
) -> str:
    """What was found, and what follows for the tolerance; no stop.

    Args:
        finding: A finding whose estimate has a value.
        found: What was found, with the estimate and its interval.
        tolerated: The tolerance, with its article.
        shown: A bound as people read it.
        sure: What stands before "at least" and the bound ("it moves").
        beyond: What stands between the bound and the tolerance it exceeds ("more than").
        rows: What was measured ("texts").
    """
    with_confidence = f"{found}; with {percent(1 - finding.decision.alpha)} confidence {sure}"
    if finding.verdict is Verdict.VIOLATION:
        return f"{with_confidence} at least {shown(finding.lower_bound)}, {beyond} {tolerated}"
    if finding.verdict is Verdict.NO_VIOLATION:
        return f"{with_confidence} at most {shown(finding.upper_bound)}, within {tolerated}"
    if finding.lower_bound <= finding.decision.delta < finding.upper_bound:
        return (
            f"{found}; the truth may lie on either side of {tolerated}, so these {rows} neither show a violation nor "
            "exclude one"
        )
    serious = [notice.what for notice in finding.reasons if notice.level == "serious"]
    why = lower_first(without_stop(serious[0])) if serious else "the numbers cannot carry a verdict"
    return f"{found}, beside {tolerated}, but {why}"
