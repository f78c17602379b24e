"""Prediction sets of each group: how many outcomes they cover, and their size (papers/fair-dummies.md, Fig. 5)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.audits.groups.conformal import Coverage, GroupSets
from core.audits.groups.verdict import GroupsFinding
from core.audits.groups.wording_coverage import CALIBRATED, covered_text, size_name, size_text
from core.data.dataset import MINIMUM_ROWS
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.phrases import count, percent

_MARKS = {False: (theme.BLUE, "diamond"), True: (theme.GREY, "circle-open")}
"""Sets calibrated in each group, and for everybody together."""


def applies(finding: GroupsFinding) -> bool:
    """Whether there are prediction sets of anybody."""
    sets = finding.shown_sets
    return sets is not None and len(sets.codes) > 0


def applies_sizes(finding: GroupsFinding) -> bool:
    """Whether any group has sets with a size."""
    sets = finding.shown_sets
    if sets is None:
        return False
    enough = np.bincount(sets.codes, minlength=len(sets.groups)) >= MINIMUM_ROWS
    return any(enough[g] and sets.bounded(g, common=common) for g in range(len(sets.groups)) for common in _MARKS)


def draw(finding: GroupsFinding) -> Drawing:
    """Share of people whose outcome is in their set, both ways of calibrating below each group, beside the target."""
    sets = finding.result.detail.coverage[finding.place]
    target = 100 * sets.level
    drawn, told = _each(
        finding,
        lambda one, g, common: covered_text(sets, one, g, common=common),
        lambda one, g: (100 * one.covered[g], 100 * one.covered_low[g], 100 * one.covered_high[g]),
    )
    return Drawing(
        rows.draw(drawn, [Line(target, f"asked for: {target:.10g}%")], "outcomes that are in the set, in %"),
        f"Share of people whose outcome is in their prediction set, by group of {sets.attribute}; "
        f"{percent(sets.level)} was asked for. {told}.",
    )


def draw_sizes(finding: GroupsFinding) -> Drawing:
    """Mean size of the sets, both ways of calibrating below each group."""
    sets, name = finding.result.detail.coverage[finding.place], size_name(finding.result.detail)
    drawn, told = _each(
        finding,
        lambda one, g, common: size_text(sets, one, g, common=common),
        lambda one, g: (one.size[g], one.size_low[g], one.size_high[g]),
    )
    return Drawing(
        rows.draw(drawn, [Line(0.0, "")], name), f"Prediction sets by group of {sets.attribute}: {name}. {told}."
    )


def _each(
    finding: GroupsFinding,
    words: Callable[[GroupSets, int, bool], str],
    ends: Callable[[GroupSets, int], tuple[float, float, float]],
) -> tuple[list[Row], str]:
    """Rows of every group, each way of calibrating below its name, and what they say in words."""
    sets = finding.result.detail.coverage[finding.place]
    drawn, told = [], []
    for g, group in enumerate(sets.groups):
        drawn.append(_head(sets, group, g))
        for common, mark in _MARKS.items():
            one = finding.sets(finding.place, common=common)
            said = f"{CALIBRATED[common]}: {words(one, g, common)}"
            told.append(f"{group}, {said}")
            if _enough(sets, g):
                drawn.append(_row(said, ends(one, g), mark) if sets.bounded(g, common=common) else _words(said))
    return drawn, "; ".join(told)


def _enough(sets: Coverage, g: int) -> bool:
    """Whether the group has rows; where it is too small, its head says so."""
    return int(np.count_nonzero(sets.codes == g)) >= MINIMUM_ROWS


def _head(sets: Coverage, group: str, g: int) -> Row:
    people = count(int(np.count_nonzero(sets.codes == g)), "person", "people")
    told = f", {people}" if _enough(sets, g) else f": insufficient evidence ({people})"
    return _words(f"<b>{theme.literal(group, 24)}</b>{told}")


def _row(told: str, ends: tuple[float, float, float], mark: tuple[str, str]) -> Row:
    value, low, high = map(float, ends)
    return Row(told, value, low, high, told, colour=mark[0], symbol=mark[1])


def _words(text: str) -> Row:
    return Row(text, math.nan, math.nan, math.nan, "")
