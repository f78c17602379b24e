"""The words of prediction sets: how often they hold the outcome, and how large they are."""

from __future__ import annotations

import math

from core.audits.group_fairness.conformal import Coverage, GroupSets
from core.audits.group_fairness.result import GroupFairnessDetail
from core.phrases import count, interval, number, points
from core.thresholds import FEWEST_ROWS

CALIBRATED = {False: "calibrated in the group", True: "calibrated together"}
"""The two ways, by whether one threshold is common to everybody."""


def size_name(detail: GroupFairnessDetail) -> str:
    """What a size is."""
    return "width of the interval" if detail.numbers else "outcomes in the set, mean"


def covered_text(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    """Share covered with its interval, or why there is none."""
    if why := _unknown(sets, one, g, common=common):
        return why
    share, low, high = (f"{points(float(end[g]))}%" for end in (one.covered, one.covered_low, one.covered_high))
    return f"{share} ({low} to {high})"


def size_text(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    """Mean size with its interval, or why there is none."""
    if why := _unknown(sets, one, g, common=common):
        return why
    if math.isnan(one.size_low[g]):
        return f"{number(float(one.size[g]))} for each of them"
    return f"{number(float(one.size[g]))} ({interval(float(one.size_low[g]), float(one.size_high[g]))})"


def _unknown(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    if one.rows[g] < FEWEST_ROWS:
        return f"insufficient evidence ({count(int(one.rows[g]), 'person', 'people')})"
    return "" if sets.bounded(g, common=common) else "too few people to calibrate on, so sets hold everything"
