"""Subgroups in words: who they are, how they fare, and what is said about them."""

from __future__ import annotations

import math

import numpy as np

from core.audits.group_fairness.subgroups.scan import SubgroupScan
from core.audits.group_fairness.subgroups.verdicts import Judgements
from core.inference.estimate import Verdict
from core.phrases import count, number, share_text

STATES = ("flagged", "certified", "insufficient evidence")
_STATE = dict(zip((Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT), STATES, strict=True))


def described(scan: SubgroupScan, place: int) -> str:
    """Who belongs to a subgroup: ``sex = Female and age = 34 to 51``."""
    return " and ".join(f"{column} = {value}" for column, value in scan.description(place))


def state(judged: Judgements, place: int) -> str:
    """What is said about a subgroup, one of :data:`STATES`."""
    return _STATE[judged.verdict(place)]


def state_told(judged: Judgements, place: int) -> str:
    """As :func:`state`; a firm flag says so."""
    return f"{'firmly ' if judged.firm[place] else ''}{state(judged, place)}"


def harm_name(scan: SubgroupScan) -> str:
    """What is compared, as the beginning of a sentence."""
    if not scan.shares:
        return "Mean absolute error"
    return f"Share of {'unfavourable' if scan.by_decision else 'wrong'} decisions"


def unit(scan: SubgroupScan) -> str:
    """What an excess is counted in."""
    return "percentage points" if scan.shares else "% of the mean error"


def shown(scan: SubgroupScan, excess: float) -> float:
    """An excess in :func:`unit`."""
    if not scan.scale:
        return 0.0 if excess == 0 else math.copysign(math.inf, excess)
    return 100 * excess / scan.scale


def harm_text(scan: SubgroupScan, harm: float) -> str:
    """A mean harm: a share of people, or in the outcome's own unit."""
    return share_text(harm) if scan.shares else number(harm)


def tolerance_text(scan: SubgroupScan, tolerance: float) -> str:
    """``5 percentage points``, ``5% of the mean error``."""
    return f"{100 * tolerance:.10g}{' ' if scan.shares else ''}{unit(scan)}"


def excess_text(scan: SubgroupScan, judged: Judgements, place: int) -> str:
    """``+12.3 (4.1 to 20.5)`` in :func:`unit`; an end that is not known says so."""
    low, high = (shown(scan, float(ends[place])) for ends in (judged.low, judged.high))
    decimals = next((places for places, least in ((1, 1.0), (2, 0.1), (3, 0.01)) if not high - low < least), 6)
    value = f"{shown(scan, float(scan.excess[place])):+,.{decimals}f}"
    if math.isfinite(low + high):
        return f"{value} ({low:,.{decimals}f} to {high:,.{decimals}f})"
    if math.isfinite(low):
        return f"{value} (at least {low:,.{decimals}f})"
    return f"{value} (at most {high:,.{decimals}f})" if math.isfinite(high) else f"{value} (no bounds)"


def told(scan: SubgroupScan, judged: Judgements, place: int) -> str:
    """State, excess and people of a subgroup."""
    people = count(int(scan.rows[place]), "person", "people")
    return f"{state_told(judged, place)}, {excess_text(scan, judged, place)}, {people}"


def worst_first(scan: SubgroupScan, judged: Judgements) -> np.ndarray:
    """Places of all subgroups: flagged ones first, each kind by lower bound, then by excess; shape (s,)."""
    order: np.ndarray = np.lexsort((-scan.excess, -judged.low, ~judged.flagged))
    return order
