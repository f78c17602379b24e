"""Sentences that several tests share."""

from collections.abc import Callable
from typing import Any

from core.finding import AbstractFinding, OneEstimateFinding
from core.inference.estimate import Verdict
from core.language.phrases import lower_first, percent, without_stop
from core.language.told import retold, say


def headline(finding: AbstractFinding[Any, Any], cleared: str) -> str:
    """The verdict in a few words; ``cleared`` says what "no violation" is about."""
    return {
        Verdict.VIOLATION: say("Violation found"),
        Verdict.NO_VIOLATION: say("No violation found {cleared}", cleared=retold(cleared)),
        Verdict.INSUFFICIENT: say("Insufficient evidence"),
    }[finding.verdict]


def no_number(finding: OneEstimateFinding[Any, Any], what: str = say("this test")) -> str:
    """Why there is no estimate, as a whole sentence; ``what`` gives none."""
    return say(
        "{headline}: {what} gives no number, because {undefined}.",
        headline=finding.headline,
        what=retold(what),
        undefined=lower_first(without_stop(finding.undefined)),
    )


_THESE: dict[str, Callable[[], str]] = {
    "rows": lambda: say("these rows"),
    "people": lambda: say("these people"),
    "texts": lambda: say("these texts"),
}


def conclusion(
    finding: OneEstimateFinding[Any, Any],
    found: str,
    tolerated: str,
    shown: Callable[[float], str],
    *,
    sure: str,
    beyond: str,
    rows: str = "rows",
    truth: str = say("the truth"),
) -> str:
    """What was found, and what follows for the tolerance, in sentences; no stop at the end.

    Args:
        finding: A finding whose estimate has a value.
        found: What was found, with the estimate and its interval.
        tolerated: The tolerance, with its article.
        shown: A bound as people read it.
        sure: What stands before "at least" and the bound ("it moves"); in other languages after "with confidence".
        beyond: What stands between the bound and the tolerance it exceeds ("more than").
        rows: What was measured: "rows", "people" or "texts".
        truth: What may lie on either side of the tolerance.
    """
    with_confidence = say(
        "{found}. With {alpha} confidence {sure}", found=found, alpha=percent(1 - finding.decision.alpha), sure=sure
    )
    if finding.verdict is Verdict.VIOLATION:
        return say(
            "{with_confidence} at least {lower_bound}, {beyond} {tolerated}",
            with_confidence=with_confidence,
            lower_bound=shown(finding.lower_bound),
            beyond=beyond,
            tolerated=tolerated,
        )
    if finding.verdict is Verdict.NO_VIOLATION:
        return say(
            "{with_confidence} at most {upper_bound}, within {tolerated}",
            with_confidence=with_confidence,
            upper_bound=shown(finding.upper_bound),
            tolerated=tolerated,
        )
    if finding.lower_bound <= finding.decision.delta < finding.upper_bound:
        truth = retold(truth)
        return say(
            "{found}. {truth} may lie on either side of {tolerated}, so {these} neither show a violation nor "
            "exclude one",
            found=found,
            truth=truth[:1].upper() + truth[1:],
            tolerated=tolerated,
            these=_THESE.get(rows, _THESE["rows"])(),
        )
    reasons = finding.reasons
    why = lower_first(without_stop(reasons[0].what)) if reasons else say("the numbers cannot carry a verdict")
    return say("{found}, beside {tolerated}, but {why}", found=found, tolerated=tolerated, why=why)
