"""What tests of how far answers move have in common: claims of groups, of who is decided otherwise, and their words."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.inference.estimate import Interval, Verdict
from core.inference.several_means import SeveralMeans
from core.inference.share import Share
from core.language.phrases import count, percent, share_interval
from core.language.told import say, say_as
from core.language.units import SHARES
from core.one_estimate import BoundWords, OneEstimateFinding, conclusion


def means_of_groups(
    attribute: str,
    groups: Sequence[str],
    found: SeveralMeans,
    like: Claim,
    *,
    alpha: float,
    p_values: Sequence[float] = (),
) -> tuple[Claim, ...]:
    """A claim a group: the mean of how far the answers of its own rows move; intervals hold together.

    Args:
        attribute: The protected attribute.
        groups: Its groups.
        found: Their means.
        like: A claim with the quantity, unit and tolerance that these have too.
        alpha: The error rate of the intervals.
        p_values: Of "the group's mean is within the tolerance", adjusted for all groups; none where it is not known.
    """
    numbers = zip(groups, found.rows, found.means, found.low, found.high, strict=True)
    return tuple(
        Claim.with_ends(
            f"{attribute} = {group}",
            like.what,
            float(mean),
            Interval(float(low), float(high), 1 - alpha),
            people=int(rows),
            judged=bool(rows >= FEWEST_ROWS),
            p_value=float(p_values[place]) if len(p_values) else math.nan,
            tolerance=like.tolerance,
            unit=like.unit,
        )
        for place, (group, rows, mean, low, high) in enumerate(numbers)
    )


def decided_otherwise(who: str, what: str, found: Share, alpha: float, p_value: float = math.nan) -> Claim:
    """The share of rows whose predicted outcome changes, with an interval by itself.

    No tolerance is held against the interval: what is shown of groups is said by their p-values, which are adjusted for
    all of them. Of few rows no number is told: it would say much of single ones.
    """
    known: dict[str, Any] = {"people": found.n, "unit": SHARES, "p_value": p_value}
    if found.n < FEWEST_ROWS:
        return Claim.with_ends(who, what, math.nan, **known)
    return Claim.with_ends(who, what, found.value, found.two_sided(alpha), **known)


def open_share(finding: OneEstimateFinding[Any, Any], who: str, found: Share) -> Claim | None:
    """The share of rows that would be decided otherwise, where it leaves open what the means alone would clear."""
    decision = finding.decision
    cleared = finding.by_claims is Verdict.NO_VIOLATION and finding.verdict is Verdict.INSUFFICIENT
    if not (cleared and found.n and found.upper_bound(decision.alpha) > decision.delta):
        return None
    return Claim(
        who=who,
        what=say("Share decided otherwise"),
        people=found.n,
        estimate=found.value,
        low=found.lower_bound(decision.alpha),
        high=found.upper_bound(decision.alpha),
        tolerance=decision.delta,
        one_sided=False,
        unit=SHARES,
    )


def share_told(found: Share, alpha: float) -> dict[str, str]:
    """A share with its interval, as parts of a sentence."""
    ends = found.two_sided(alpha)
    return {
        "share": percent(round(found.value, 4)),
        "confidence": percent(1 - alpha),
        "interval": share_interval(ends.low, ends.high),
    }


def how_far(finding: OneEstimateFinding[Any, Any], changes: Callable[[str], str], rows: tuple[str, str]) -> str:
    """How far answers move on average, with bounds and rows, and what follows for the tolerance; no stop at the end.

    Args:
        finding: A finding whose estimate has a value.
        changes: What moves them by the estimate, as a clause.
        rows: What one row is called, and several.
    """
    unit, delta = finding.unit, finding.decision.delta
    decimals = unit.precision(finding.lower_bound, finding.upper_bound)

    def told(value: float) -> str:
        return unit.text(value, decimals, beside=delta)

    found = say(
        "{changes} ({people})",
        changes=changes(told(finding.estimate)),
        people=count(finding.n, *rows),
    )
    tolerated = say("the {delta} tolerated", delta=unit.tolerance(delta))
    sure, beyond = say("it is"), say_as("the tolerance", "more than")
    return conclusion(finding, found, BoundWords(tolerated, told, sure, beyond, rows[1]))
