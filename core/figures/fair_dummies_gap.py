"""How far apart the groups of each attribute may be, beside the tolerance."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.audits.fair_dummies.detail import FairDummiesDetail
from core.audits.fair_dummies.gap import Gap
from core.audits.fair_dummies.reading import FairDummiesReading
from core.figures import sensitivity_rows as rows
from core.figures import theme
from core.figures.sensitivity_rows import Line, Row
from core.inference.estimate import Verdict
from core.result import FairDummiesResult
from core.words import count, percent
from core.words_fair_dummies import gap_comparison, points

SAID = {
    Verdict.VIOLATION: "beyond the tolerance",
    Verdict.NO_VIOLATION: "within the tolerance",
    Verdict.INSUFFICIENT: "may lie on either side",
}


def applies(result: FairDummiesResult, reading: FairDummiesReading) -> bool:
    """Whether two groups of any attribute are large enough to be compared."""
    return any(result.detail.gap(place, reading).stratum >= 0 for place in range(len(result.detail.attributes)))


def draw(result: FairDummiesResult, reading: FairDummiesReading) -> go.Figure:
    """A row an attribute: the largest difference with its bounds, where it lies by marker and in words."""
    detail = result.detail
    delta = 100 * reading.delta
    drawn = []
    for place, one in enumerate(detail.attributes):
        gap, stands = detail.gap(place, reading), standing(detail, place, reading)
        name = f"<b>{theme.literal(one.name, 20)}</b>"
        if math.isnan(gap.value):
            drawn.append(Row(f"{name} {_told(detail, place, reading)}", math.nan, math.nan, math.nan, ""))
            continue
        drawn.append(
            Row(
                words=f"{name} {_numbers(gap)}, {SAID[stands]}",
                value=100 * gap.value,
                low=100 * gap.low,
                high=100 * gap.high,
                told=_hover(name, theme.literal(gap_comparison(detail, place, reading)), gap),
                colour=theme.VERDICT_COLOUR[stands],
                symbol=theme.VERDICT_MARKER[stands],
            )
        )
    lines = [Line(0.0, ""), Line(delta, f"tolerance {delta:.10g}", "dash", theme.ORANGE)]
    return rows.draw(drawn, lines, "largest difference, percentage points")


def alt(result: FairDummiesResult, reading: FairDummiesReading) -> str:
    """The figure in words."""
    detail = result.detail
    told = "; ".join(f"{one.name}: {_told(detail, place, reading)}" for place, one in enumerate(detail.attributes))
    return (
        f"The largest difference between groups, in percentage points, with {percent(1 - reading.alpha)} bounds that "
        f"hold together. {told}. The tolerance is {100 * reading.delta:.10g}."
    )


def standing(detail: FairDummiesDetail, place: int, reading: FairDummiesReading) -> Verdict:
    """Where the bounds of an attribute's largest difference lie; the p-value is another question."""
    gap = detail.gap(place, reading)
    if gap.low > reading.delta:
        return Verdict.VIOLATION
    within = gap.high <= reading.delta and not len(gap.small)
    return Verdict.NO_VIOLATION if within else Verdict.INSUFFICIENT


def _told(detail: FairDummiesDetail, place: int, reading: FairDummiesReading) -> str:
    gap = detail.gap(place, reading)
    if math.isnan(gap.value):
        return f"insufficient evidence: {_few(gap) or 'no two groups to compare'}"
    few = f", {_few(gap)}" if len(gap.small) else ""
    return f"{_numbers(gap)}, {SAID[standing(detail, place, reading)]}{few} ({gap_comparison(detail, place, reading)})"


def _numbers(gap: Gap) -> str:
    return f"{points(gap.value)} ({points(gap.low)} to {points(gap.high)})"


def _few(gap: Gap) -> str:
    return f"{count(len(gap.small), 'combination')} too small to compare" if len(gap.small) else ""


def _hover(name: str, where: str, gap: Gap) -> str:
    wrapped = where.replace(", ", ",<br>")
    return "<br>".join(filter(None, (f"{name} {_numbers(gap)}", wrapped, _few(gap))))
