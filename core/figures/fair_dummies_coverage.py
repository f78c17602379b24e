"""Prediction sets of each group: how many outcomes they cover, and their size (papers/fair-dummies.md, Fig. 5)."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.fair_dummies.reading import FairDummiesReading
from core.coverage.conformal import Coverage, GroupSets
from core.dataset import MINIMUM_ROWS
from core.figures import sensitivity_rows as rows
from core.figures import theme
from core.figures.sensitivity_rows import Line, Row
from core.result import FairDummiesResult
from core.words import count, interval, number, percent
from core.words_fair_dummies import points

CALIBRATED = ("calibrated in the group", "calibrated together")
"""The two ways."""
_MARKS = ((theme.BLUE, "diamond"), (theme.GREY, "circle-open"))


def applies(result: FairDummiesResult, reading: FairDummiesReading) -> bool:
    """Whether there are prediction sets of anybody."""
    found = result.detail.coverage
    return bool(found) and len(found[result.detail.place(reading)].codes) > 0


def applies_sizes(result: FairDummiesResult, reading: FairDummiesReading) -> bool:
    """Whether any group has sets with a size."""
    return applies(result, reading) and any(
        bool((np.isfinite(one.size) & (one.rows >= MINIMUM_ROWS)).any()) for one in both(result, reading)
    )


def of(result: FairDummiesResult, reading: FairDummiesReading) -> Coverage:
    """The sets of the attribute that is drawn."""
    return result.detail.coverage[result.detail.place(reading)]


def both(result: FairDummiesResult, reading: FairDummiesReading) -> tuple[GroupSets, GroupSets]:
    """How the sets fare if calibrated in each group, and if calibrated for everybody together."""
    sets, seed = of(result, reading), result.detail.seed
    return sets.by_group(reading.alpha, seed=seed), sets.by_group(reading.alpha, seed=seed, common=True)


def draw(result: FairDummiesResult, reading: FairDummiesReading) -> go.Figure:
    """Share of people whose outcome is in their set, both ways of calibrating below each group, beside the target."""
    sets, found = of(result, reading), both(result, reading)
    drawn = []
    for g, group in enumerate(sets.groups):
        drawn.append(_words(f"<b>{theme.literal(group, 24)}</b>, {count(int(found[0].rows[g]), 'person', 'people')}"))
        for way, one, mark in zip(CALIBRATED, found, _MARKS, strict=True):
            ends = 100 * one.covered[g], 100 * one.covered_low[g], 100 * one.covered_high[g]
            told = f"{way}: {covered_text(sets, one, g, common=way == CALIBRATED[1])}"
            drawn.append(_row(told, ends, mark) if one.rows[g] >= MINIMUM_ROWS else _words(told))
    target = 100 * sets.level
    return rows.draw(drawn, [Line(target, f"asked for: {target:.10g}%")], "outcomes that are in the set, in %")


def alt(result: FairDummiesResult, reading: FairDummiesReading) -> str:
    """The figure in words."""
    sets, found = of(result, reading), both(result, reading)
    told = "; ".join(
        f"{group} {way} {covered_text(sets, one, g, common=way == CALIBRATED[1])}"
        for g, group in enumerate(sets.groups)
        for way, one in zip(CALIBRATED, found, strict=True)
    )
    return (
        f"Share of people whose outcome is in their prediction set, by group of {sets.attribute}; "
        f"{percent(sets.level)} was asked for. {told}."
    )


def draw_sizes(result: FairDummiesResult, reading: FairDummiesReading) -> go.Figure:
    """Mean size of the sets, both ways of calibrating below each group."""
    sets, found = of(result, reading), both(result, reading)
    drawn = []
    for g, group in enumerate(sets.groups):
        drawn.append(_words(f"<b>{theme.literal(group, 24)}</b>, {count(int(found[0].rows[g]), 'person', 'people')}"))
        for way, one, mark in zip(CALIBRATED, found, _MARKS, strict=True):
            told = f"{way}: {size_text(one, g)}"
            shown = one.rows[g] >= MINIMUM_ROWS and math.isfinite(one.size[g])
            drawn.append(_row(told, (one.size[g], one.size_low[g], one.size_high[g]), mark) if shown else _words(told))
    return rows.draw(drawn, [Line(0.0, "")], size_name(result))


def alt_sizes(result: FairDummiesResult, reading: FairDummiesReading) -> str:
    """The figure in words."""
    sets, found = of(result, reading), both(result, reading)
    told = "; ".join(
        f"{group} {way} {size_text(one, g)}"
        for g, group in enumerate(sets.groups)
        for way, one in zip(CALIBRATED, found, strict=True)
    )
    return f"{size_name(result)[:1].upper()}{size_name(result)[1:]}, by group of {sets.attribute}. {told}."


def size_name(result: FairDummiesResult) -> str:
    """What a size is."""
    return "width of the interval" if result.detail.numbers else "outcomes in the set, mean"


def covered_text(sets: Coverage, one: GroupSets, g: int, *, common: bool) -> str:
    """Share covered with its interval, or why there is none."""
    if one.rows[g] < MINIMUM_ROWS:
        return f"insufficient evidence ({count(int(one.rows[g]), 'person', 'people')})"
    share, low, high = (f"{points(float(end[g]))}%" for end in (one.covered, one.covered_low, one.covered_high))
    if math.isinf(sets.common_threshold if common else sets.thresholds[g]):
        return f"{share}, as sets hold everything: too few people to calibrate on"
    return f"{share} ({low} to {high})"


def size_text(one: GroupSets, g: int) -> str:
    """Mean size with its interval, or why there is none."""
    if one.rows[g] < MINIMUM_ROWS:
        return f"insufficient evidence ({count(int(one.rows[g]), 'person', 'people')})"
    if math.isinf(one.size[g]):
        return "unbounded: too few people to calibrate on"
    if math.isnan(one.size_low[g]):
        return f"{number(float(one.size[g]))} for each of them"
    return f"{number(float(one.size[g]))} ({interval(float(one.size_low[g]), float(one.size_high[g]))})"


def _row(told: str, ends: tuple[float, float, float], mark: tuple[str, str]) -> Row:
    value, low, high = map(float, ends)
    return Row(told, value, low, high, told, colour=mark[0], symbol=mark[1])


def _words(text: str) -> Row:
    return Row(text, math.nan, math.nan, math.nan, "")
