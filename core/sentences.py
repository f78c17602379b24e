"""Sentences that several tests share."""

from collections.abc import Callable
from typing import Any

from core.finding import AbstractFinding, OneEstimateFinding
from core.inference.estimate import Verdict
from core.phrases import lower_first, percent, without_stop


def headline(finding: AbstractFinding[Any, Any], cleared: str) -> str:
    """The verdict in a few words; ``cleared`` says what "no violation" is about."""
    return {
        Verdict.VIOLATION: "Violation found",
        Verdict.NO_VIOLATION: f"No violation found {cleared}",
        Verdict.INSUFFICIENT: "Insufficient evidence",
    }[finding.verdict]


def no_number(finding: OneEstimateFinding[Any, Any], what: str = "this test") -> str:
    """Why there is no estimate, as a whole sentence; ``what`` gives none."""
    return f"{finding.headline}: {what} gives no number, because {lower_first(without_stop(finding.undefined))}."


def conclusion(
    finding: OneEstimateFinding[Any, Any],
    found: str,
    tolerated: str,
    shown: Callable[[float], str],
    *,
    sure: str,
    beyond: str,
    rows: str = "rows",
    truth: str = "the truth",
) -> str:
    """What was found, and what follows for the tolerance, in sentences; no stop at the end.

    Args:
        finding: A finding whose estimate has a value.
        found: What was found, with the estimate and its interval.
        tolerated: The tolerance, with its article.
        shown: A bound as people read it.
        sure: What stands before "at least" and the bound ("it moves").
        beyond: What stands between the bound and the tolerance it exceeds ("more than").
        rows: What was measured ("texts").
        truth: What may lie on either side of the tolerance.
    """
    with_confidence = f"{found}. With {percent(1 - finding.decision.alpha)} confidence {sure}"
    if finding.verdict is Verdict.VIOLATION:
        return f"{with_confidence} at least {shown(finding.lower_bound)}, {beyond} {tolerated}"
    if finding.verdict is Verdict.NO_VIOLATION:
        return f"{with_confidence} at most {shown(finding.upper_bound)}, within {tolerated}"
    if finding.lower_bound <= finding.decision.delta < finding.upper_bound:
        return (
            f"{found}. {truth[:1].upper()}{truth[1:]} may lie on either side of {tolerated}, so these {rows} neither "
            "show a violation nor exclude one"
        )
    reasons = finding.reasons
    why = lower_first(without_stop(reasons[0].what)) if reasons else "the numbers cannot carry a verdict"
    return f"{found}, beside {tolerated}, but {why}"
