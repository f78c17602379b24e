"""Subgroups in words: who they are, how they fare, and what is said about them."""

from __future__ import annotations

import math

import numpy as np

from core.audits.group_fairness.subgroups.scan import SubgroupScan
from core.audits.group_fairness.subgroups.verdicts import Judgements
from core.inference.estimate import Verdict
from core.language.told import localized, say, say_as
from core.phrases import all_at_once, count, number, share_text


def described(scan: SubgroupScan, place: int) -> str:
    """Who belongs to a subgroup: ``sex = Female and age = 34 to 51``."""
    return all_at_once([f"{column} = {value}" for column, value in scan.description(place)])


def state(verdict: Verdict) -> str:
    """What is said about a subgroup."""
    return {
        Verdict.VIOLATION: say("flagged"),
        Verdict.NO_VIOLATION: say("certified"),
        Verdict.INSUFFICIENT: say("insufficient evidence"),
    }[verdict]


def state_told(judged: Judgements, place: int) -> str:
    """As :func:`state`; a firm flag says so."""
    return say("firmly flagged") if judged.firm[place] else state(judged.verdict(place))


def harm_name(scan: SubgroupScan) -> str:
    """What is compared, as the beginning of a sentence."""
    if not scan.shares:
        return say("Mean absolute error")
    return say("Share of unfavourable decisions") if scan.by_decision else say("Share of wrong decisions")


def harm_beside(scan: SubgroupScan, inside: str, outside: str) -> str:
    """What is compared, of a subgroup told of before and of everybody else."""
    if not scan.shares:
        return say(
            "Its mean absolute error is {inside}, that of everybody else {outside}", inside=inside, outside=outside
        )
    if scan.by_decision:
        return say(
            "Its share of unfavourable decisions is {inside}, that of everybody else {outside}",
            inside=inside,
            outside=outside,
        )
    return say(
        "Its share of wrong decisions is {inside}, that of everybody else {outside}", inside=inside, outside=outside
    )


def unit(scan: SubgroupScan) -> str:
    """What an excess is counted in, after a number or a comma."""
    return say("percentage points") if scan.shares else say("% of the mean error")


def counted_in(scan: SubgroupScan) -> str:
    """The same after "in"."""
    return say_as("in", "percentage points") if scan.shares else say_as("in", "% of the mean error")


def shown(scan: SubgroupScan, excess: float) -> float:
    """An excess in :func:`unit`."""
    if not scan.scale:
        return 0.0 if excess == 0 else math.copysign(math.inf, excess)
    return 100 * excess / scan.scale


def harm_text(scan: SubgroupScan, harm: float) -> str:
    """A mean harm: a share of people, or in the outcome's own unit."""
    return share_text(harm) if scan.shares else number(harm)


def tolerance_text(shares: bool, tolerance: float) -> str:
    """``5 percentage points``, or where errors are no shares of people ``5% of the mean error``."""
    size = localized(f"{100 * tolerance:.10g}")
    if shares:
        return say("{n} percentage points", n=size)
    return say("{number} of the mean error", number=say_as("a share", "{number}%", number=size))


def excess_text(scan: SubgroupScan, judged: Judgements, place: int) -> str:
    """``+12.3 (4.1 to 20.5)`` in :func:`unit`; an end that is not known says so."""
    low, high = (shown(scan, float(ends[place])) for ends in (judged.low, judged.high))
    decimals = next((places for places, least in ((1, 1.0), (2, 0.1), (3, 0.01)) if not high - low < least), 6)
    value = localized(f"{shown(scan, float(scan.excess[place])):+,.{decimals}f}")
    least, most = (localized(f"{end:,.{decimals}f}") for end in (low, high))
    if math.isfinite(low + high):
        return say("{value} ({low} to {high})", value=value, low=least, high=most)
    if math.isfinite(low):
        return say("{value} (at least {low})", value=value, low=least)
    if math.isfinite(high):
        return say("{value} (at most {high})", value=value, high=most)
    return say("{value} (no bounds)", value=value)


def told(scan: SubgroupScan, judged: Judgements, place: int) -> str:
    """State, excess and people of a subgroup."""
    people = count(int(scan.rows[place]), "person", "people")
    return f"{state_told(judged, place)}, {excess_text(scan, judged, place)}, {people}"


def worst_first(scan: SubgroupScan, judged: Judgements) -> np.ndarray:
    """Places of all subgroups: flagged ones first, each kind by lower bound, then by excess; shape (s,)."""
    order: np.ndarray = np.lexsort((-scan.excess, -judged.low, ~judged.flagged))
    return order
