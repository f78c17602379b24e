"""What would settle a test whose evidence is insufficient, in plain words."""

import math
from typing import Any

from core.finding import OneEstimateFinding
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.language.phrases import count, whole
from core.language.reader import SOURCE, speaking
from core.language.told import retold, say

MOST_TIMES = 100
"""More rows than so many times those audited are no advice."""


def settle(finding: OneEstimateFinding[Any, Any], rows: tuple[str, str], what: str) -> tuple[str, ...]:
    """The advice of every serious reason, then :func:`more_rows`, which needs to be said once.

    Args:
        finding: The finding.
        rows: What one row is called, and several.
        what: What is estimated, with its article.

    Returns:
        A sentence or two each, the most helpful first; empty where the verdict is clear.
    """
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = [notice.advice for notice in finding.reasons if notice.level == "serious" and notice.advice]
    if not finding.undefined:
        advice += more_rows(finding.inference, finding.decision.delta, finding.decision.alpha, rows, what)
    with speaking(SOURCE):
        steps = {retold(step): step for step in advice}
        more = f"Bring more {retold(rows[1])}"  # verbatim
    if any(step.startswith(f"{more}: ") for step in steps):
        steps.pop(f"{more}.", None)
    return tuple(steps.values())


def more_rows(estimate: Estimated, delta: float, alpha: float, rows: tuple[str, str], what: str) -> tuple[str, ...]:
    """A sentence that asks for more rows, and about how many, if the value stays as estimated.

    Args:
        estimate: What the verdict rests on.
        delta: The tolerance.
        alpha: The error rate.
        rows: What one row is called, and several.
        what: What is estimated, with its article.

    Returns:
        One sentence; none where the bounds lie on one side of the tolerance already.
    """
    noun, plural = rows
    lower, upper = estimate.lower_bound(alpha), estimate.upper_bound(alpha)
    if not lower <= delta < upper:
        return ()
    distance = abs(estimate.value - delta)
    reach = estimate.value - lower if estimate.value > delta else upper - estimate.value
    times = (reach / distance) ** 2 if distance > 0 and math.isfinite(reach) else math.inf
    if not 1 < times <= MOST_TIMES:
        return (say("Bring more {plural}: the estimate lies close to the tolerance.", plural=say(plural)),)
    needed = rounded_up(times * estimate.n)
    return (
        say(
            "Bring more {plural}: about {needed} instead of {n} may settle it, if {what} is as estimated.",
            plural=say(plural),
            needed=count(needed, noun, plural),
            n=whole(estimate.n),
            what=what,
        ),
    )


def rounded_up(rows: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(rows)) - 1)
    return math.ceil(rows / step) * step
