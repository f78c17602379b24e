"""What tests of how far answers move have in common: claims of groups, of who is decided otherwise, and their words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.inference.estimate import Interval
from core.inference.several_means import SeveralMeans
from core.inference.share import Share
from core.language.phrases import percent, share_interval
from core.language.units import SHARES


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


def share_told(found: Share, alpha: float) -> dict[str, str]:
    """A share with its interval, as parts of a sentence."""
    ends = found.two_sided(alpha)
    return {
        "share": percent(round(found.value, 4)),
        "confidence": percent(1 - alpha),
        "interval": share_interval(ends.low, ends.high),
    }
