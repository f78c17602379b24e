"""How far apart the groups of each attribute may be, beside the tolerance."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.gap import Gap
from core.audits.equalized_odds.result import EqualizedOddsDetail, EqualizedOddsResult
from core.audits.equalized_odds.wording import gap_comparison
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.inference.estimate import Verdict
from core.phrases import count, percent, points

SAID = {
    Verdict.VIOLATION: "beyond the tolerance",
    Verdict.NO_VIOLATION: "within the tolerance",
    Verdict.INSUFFICIENT: "may lie on either side",
}


def applies(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> bool:
    """Whether two groups of any attribute are large enough to be compared."""
    return any(result.detail.gap(place, decision).stratum >= 0 for place in range(len(result.detail.attributes)))


def draw(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> go.Figure:
    """A row an attribute: the largest difference with its bounds, where it lies by marker and in words."""
    detail = result.detail
    delta = 100 * decision.delta
    drawn = []
    for place, one in enumerate(detail.attributes):
        gap, stands = detail.gap(place, decision), standing(detail, place, decision)
        name = f"<b>{theme.literal(one.name, 20)}</b>"
        if math.isnan(gap.value):
            drawn.append(Row(f"{name} {_told(detail, place, decision)}", math.nan, math.nan, math.nan, ""))
            continue
        drawn.append(
            Row(
                words=f"{name} {_numbers(gap)}, {SAID[stands]}",
                value=100 * gap.value,
                low=100 * gap.low,
                high=100 * gap.high,
                told=_hover(name, theme.literal(gap_comparison(detail, place, decision)), gap),
                colour=theme.VERDICT_COLOUR[stands],
                symbol=theme.VERDICT_MARKER[stands],
            )
        )
    lines = [Line(0.0, ""), Line(delta, f"tolerance {delta:.10g}", "dash", theme.ORANGE)]
    return rows.draw(drawn, lines, "largest difference, percentage points")


def alt(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> str:
    """The figure in words."""
    detail = result.detail
    told = "; ".join(f"{one.name}: {_told(detail, place, decision)}" for place, one in enumerate(detail.attributes))
    return (
        f"The largest difference between groups, in percentage points, with {percent(1 - decision.alpha)} bounds that "
        f"hold together. {told}. The tolerance is {100 * decision.delta:.10g}."
    )


def standing(detail: EqualizedOddsDetail, place: int, decision: EqualizedOddsDecision) -> Verdict:
    """Where the bounds of an attribute's largest difference lie; the p-value is another question."""
    gap = detail.gap(place, decision)
    if gap.low > decision.delta:
        return Verdict.VIOLATION
    within = gap.high <= decision.delta and not len(gap.small)
    return Verdict.NO_VIOLATION if within else Verdict.INSUFFICIENT


def _told(detail: EqualizedOddsDetail, place: int, decision: EqualizedOddsDecision) -> str:
    gap = detail.gap(place, decision)
    if math.isnan(gap.value):
        return f"insufficient evidence: {_few(gap) or 'no two groups to compare'}"
    few = f", {_few(gap)}" if len(gap.small) else ""
    return (
        f"{_numbers(gap)}, {SAID[standing(detail, place, decision)]}{few} ({gap_comparison(detail, place, decision)})"
    )


def _numbers(gap: Gap) -> str:
    return f"{points(gap.value)} ({points(gap.low)} to {points(gap.high)})"


def _few(gap: Gap) -> str:
    return f"{count(len(gap.small), 'combination')} too small to compare" if len(gap.small) else ""


def _hover(name: str, where: str, gap: Gap) -> str:
    wrapped = where.replace(", ", ",<br>")
    return "<br>".join(filter(None, (f"{name} {_numbers(gap)}", wrapped, _few(gap))))
