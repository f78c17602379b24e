"""Groups, their numbers and how they compare, in words."""

from __future__ import annotations

import math

from core.audits.group_fairness.families import Family
from core.audits.group_fairness.table import GroupMeasure, Impact, LargestDifference
from core.language.told import localized, say
from core.phrases import count, interval, number, precision

SCREENING = 0.8
"""The four-fifths rule of thumb (29 CFR § 1607.4 D): a ratio below it is worth a closer look, no more."""
INSUFFICIENT = say("insufficient evidence")
_NUMBERS = ("mean prediction", "mean outcome", "mean error", "RMSE", "mean absolute error")
"""What is in units of the outcome where that is a number."""


def too_small(rows: int) -> str:
    """What is said of a group that cannot be judged."""
    return f"{INSUFFICIENT} ({count(rows, 'person', 'people')})"


def measured(measure: GroupMeasure, g: int, *, shares: bool) -> str:
    """A group's value with its interval, ``53.0% (48.2% to 57.8%)``; "insufficient evidence" where it has none.

    Args:
        measure: The measure.
        g: The group.
        shares: Whether mean predictions, outcomes and errors are shares too, as those of classes are.
    """
    value, low, high = (float(one[g]) for one in (measure.values, measure.low, measure.high))
    if math.isnan(value):
        return too_small(int(measure.rows[g]))
    if shares or measure.name not in _NUMBERS:
        return say("{share} ({low} to {high})", share=_share(value), low=_share(low), high=_share(high))
    return f"{number(value, precision(low, high))} ({interval(low, high)})"


def compared(impact: Impact, g: int) -> str:
    """A group's impact ratio with its interval, ``0.54 (0.46 to 0.63)``."""
    low, high = float(impact.low[g]), float(impact.high[g])
    return f"{number(float(impact.values[g]), precision(low, high))} ({interval(low, high)})"


def remark(family: Family, impact: Impact, g: int) -> str:
    """What else is to be said of a group's impact ratio; empty where nothing is.

    A ratio is called below the screening ratio only where its whole interval is.
    """
    if not family.judged[g]:
        return INSUFFICIENT
    if family.unknown[g]:
        return say("group not known: counted, not compared")
    if math.isnan(impact.values[g]):
        return say("nobody to compare with")
    said = ["highest"] if g == impact.highest else []
    said += [say("under 2% of all: not compared with")] if family.below_two_percent[g] else []
    said += [say("below {screening}", screening=localized(f"{SCREENING:g}"))] if impact.high[g] < SCREENING else []
    return "; ".join(said)


def apart(found: LargestDifference, *, shares: bool) -> str:
    """A largest difference with its interval, ``25.5 points (19.5 to 31.3)``; points are percentage points."""
    if math.isnan(found.value):
        return INSUFFICIENT
    if shares or found.name not in _NUMBERS:
        return say(
            "{value} points ({low} to {high})",
            value=localized(f"{100 * found.value:.1f}"),
            low=localized(f"{100 * found.low:.1f}"),
            high=localized(f"{100 * found.high:.1f}"),
        )
    return f"{number(found.value, precision(found.low, found.high))} ({interval(found.low, found.high)})"


def _share(value: float) -> str:
    return f"{100 * value:.1f}%"
