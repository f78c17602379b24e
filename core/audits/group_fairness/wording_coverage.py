"""The words of prediction sets: how often they hold the outcome, and how large they are."""

import math

from core.audits.group_fairness.conformal import Coverage, GroupSets
from core.audits.group_fairness.result import GroupFairnessDetail
from core.base.thresholds import FEWEST_ROWS
from core.language.phrases import count, interval, number, share_to_tenths
from core.language.told import say


def calibrated(*, common: bool) -> str:
    """The two ways, by whether one threshold is common to everybody."""
    return say("calibrated together") if common else say("calibrated in the group")


def size_name(detail: GroupFairnessDetail) -> str:
    """What a size is."""
    return say("width of the interval") if detail.numbers else say("outcomes in the set, mean")


def covered_text(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    """Share covered with its interval, or why there is none."""
    if why := _unknown(sets, one, g, common=common):
        return why
    share, low, high = (share_to_tenths(float(end[g])) for end in (one.covered, one.covered_low, one.covered_high))
    return say("{value} ({low} to {high})", value=share, low=low, high=high)


def size_text(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    """Mean size with its interval, or why there is none."""
    if why := _unknown(sets, one, g, common=common):
        return why
    if math.isnan(one.size_low[g]):
        return say("{size} for each of them", size=number(float(one.size[g])))
    return f"{number(float(one.size[g]))} ({interval(float(one.size_low[g]), float(one.size_high[g]))})"


def _unknown(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    if one.rows[g] < FEWEST_ROWS:
        return say("insufficient evidence ({people})", people=count(int(one.rows[g]), "person", "people"))
    return "" if sets.bounded(g, common=common) else say("too few people to calibrate on, so sets hold everything")
