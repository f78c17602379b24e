"""Prediction sets of each group: how many outcomes they cover, and their size (papers/fair-dummies.md, Fig. 5)."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.groups.conformal import Coverage
from core.audits.groups.wording_coverage import CALIBRATED, covered_text, size_name, size_text
from core.data.dataset import MINIMUM_ROWS
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.phrases import count, percent

_MARKS = {False: (theme.BLUE, "diamond"), True: (theme.GREY, "circle-open")}
"""Sets calibrated in each group, and for everybody together."""


def applies(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> bool:
    """Whether there are prediction sets of anybody."""
    found = result.detail.coverage
    return bool(found) and len(found[result.detail.place(decision)].codes) > 0


def applies_sizes(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> bool:
    """Whether any group has sets with a size."""
    if not applies(result, decision):
        return False
    sets = result.detail.coverage[result.detail.place(decision)]
    enough = np.bincount(sets.codes, minlength=len(sets.groups)) >= MINIMUM_ROWS
    return any(enough[g] and sets.bounded(g, common=common) for g in range(len(sets.groups)) for common in _MARKS)


def draw(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> go.Figure:
    """Share of people whose outcome is in their set, both ways of calibrating below each group, beside the target."""
    sets = result.detail.coverage[result.detail.place(decision)]
    drawn = []
    for g, group in enumerate(sets.groups):
        drawn.append(_head(sets, group, g))
        for common, mark in _ways(sets, g):
            one = sets.by_group(decision.alpha, seed=result.detail.seed, common=common)
            told = f"{CALIBRATED[common]}: {covered_text(sets, one, g, common=common)}"
            ends = 100 * one.covered[g], 100 * one.covered_low[g], 100 * one.covered_high[g]
            drawn.append(_row(told, ends, mark) if sets.bounded(g, common=common) else _words(told))
    target = 100 * sets.level
    return rows.draw(drawn, [Line(target, f"asked for: {target:.10g}%")], "outcomes that are in the set, in %")


def alt(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> str:
    """The figure in words."""
    sets = result.detail.coverage[result.detail.place(decision)]
    told = "; ".join(
        f"{group}, {CALIBRATED[common]}: "
        + covered_text(sets, sets.by_group(decision.alpha, seed=result.detail.seed, common=common), g, common=common)
        for g, group in enumerate(sets.groups)
        for common in _MARKS
    )
    return (
        f"Share of people whose outcome is in their prediction set, by group of {sets.attribute}; "
        f"{percent(sets.level)} was asked for. {told}."
    )


def draw_sizes(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> go.Figure:
    """Mean size of the sets, both ways of calibrating below each group."""
    sets = result.detail.coverage[result.detail.place(decision)]
    drawn = []
    for g, group in enumerate(sets.groups):
        drawn.append(_head(sets, group, g))
        for common, mark in _ways(sets, g):
            one = sets.by_group(decision.alpha, seed=result.detail.seed, common=common)
            told = f"{CALIBRATED[common]}: {size_text(sets, one, g, common=common)}"
            ends = one.size[g], one.size_low[g], one.size_high[g]
            drawn.append(_row(told, ends, mark) if sets.bounded(g, common=common) else _words(told))
    return rows.draw(drawn, [Line(0.0, "")], size_name(result.detail))


def alt_sizes(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> str:
    """The figure in words."""
    sets = result.detail.coverage[result.detail.place(decision)]
    told = "; ".join(
        f"{group}, {CALIBRATED[common]}: "
        + size_text(sets, sets.by_group(decision.alpha, seed=result.detail.seed, common=common), g, common=common)
        for g, group in enumerate(sets.groups)
        for common in _MARKS
    )
    return f"Prediction sets by group of {sets.attribute}: {size_name(result.detail)}. {told}."


def _ways(sets: Coverage, g: int) -> list[tuple[bool, tuple[str, str]]]:
    """The rows of a group; none where it is too small, since its head says so."""
    return list(_MARKS.items()) if np.count_nonzero(sets.codes == g) >= MINIMUM_ROWS else []


def _head(sets: Coverage, group: str, g: int) -> Row:
    people = count(int(np.count_nonzero(sets.codes == g)), "person", "people")
    told = f", {people}" if _ways(sets, g) else f": insufficient evidence ({people})"
    return _words(f"<b>{theme.literal(group, 24)}</b>{told}")


def _row(told: str, ends: tuple[float, float, float], mark: tuple[str, str]) -> Row:
    value, low, high = map(float, ends)
    return Row(told, value, low, high, told, colour=mark[0], symbol=mark[1])


def _words(text: str) -> Row:
    return Row(text, math.nan, math.nan, math.nan, "")
