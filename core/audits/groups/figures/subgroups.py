"""The subgroups that fare worst, with bounds that hold for all subgroups together, beside the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.groups.subgroups.verdicts import judge
from core.audits.groups.wording_subgroups import described, harm_name, shown, told, tolerance_text, unit, worst_first
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.phrases import count, percent

MOST = 12
"""Subgroups drawn; all of them are in the explorer."""
_LINE = 46
"""Characters a row's name may have on the narrowest page."""


def applies(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> bool:
    """Whether any subgroup is large enough."""
    return len(result.detail.subgroups) > 0


def draw(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> go.Figure:
    """A row a subgroup, flagged ones first: excess, simultaneous bounds, what is said of it by marker and in words."""
    scan = result.detail.subgroups
    judged = judge(scan, decision.tolerance, decision.alpha)
    tolerance = 100 * decision.tolerance
    places = worst_first(scan, judged)[:MOST]
    ends = [(shown(scan, float(judged.low[k])), shown(scan, float(judged.high[k]))) for k in places]
    span = theme.padded([0.0, tolerance, *(end for pair in ends for end in pair)])
    drawn = []
    for place, (low, high) in zip(places, ends, strict=True):
        verdict = judged.verdict(place)
        words = told(scan, judged, place)
        drawn.append(
            Row(
                words=f"<b>{_name(described(scan, place))}</b><br>{words}",
                value=shown(scan, float(scan.excess[place])),
                low=max(low, span[0]),
                high=min(high, span[1]),
                told=f"{theme.literal(described(scan, place))}<br>{words}",
                colour=theme.VERDICT_COLOUR[verdict],
                symbol=theme.VERDICT_MARKER[verdict],
            )
        )
    lines = [Line(0.0, ""), Line(tolerance, f"tolerance {tolerance:.10g}", "dash", theme.ORANGE)]
    return rows.draw(drawn, lines, f"worse than everybody else, {unit(scan)}", span=span)


def _name(whole: str) -> str:
    """On one line, or one for each column where it is too long for that."""
    lines = [whole] if len(whole) <= _LINE else whole.split(", ")
    return ",<br>".join(theme.literal(line, _LINE) for line in lines)


def alt(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> str:
    """The figure in words."""
    scan = result.detail.subgroups
    judged = judge(scan, decision.tolerance, decision.alpha)
    places = worst_first(scan, judged)[:MOST]
    listed = "; ".join(f"{described(scan, place)}: {told(scan, judged, place)}" for place in places)
    return (
        f"{harm_name(scan)} of a subgroup less that of everybody else, in {unit(scan)}, for "
        f"{len(places)} of {count(len(scan), 'subgroup')}, flagged ones first; {percent(1 - decision.alpha)} bounds on "
        f"each side hold for all subgroups together. {listed}. The tolerance is "
        f"{tolerance_text(scan, decision.tolerance)}."
    )
