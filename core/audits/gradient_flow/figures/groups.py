"""Every protected group with an interval that holds for all of them together, against the tolerance."""

import math

import plotly.graph_objects as go

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.result import GradientFlowResult
from core.figures import theme
from core.inference.estimate import Verdict
from core.phrases import count, interval, number, precision

_SAID = {
    Verdict.VIOLATION: "violation",
    Verdict.NO_VIOLATION: "no violation",
    Verdict.INSUFFICIENT: "insufficient evidence",
}


def draw(result: GradientFlowResult, decision: GradientFlowDecision) -> go.Figure:
    """A row per group under its attribute: estimate, simultaneous interval, verdict in words and by marker."""
    groups = result.detail.group_estimates(decision)
    ends = [end for g in groups for end in (g.low, g.high) if _claimed(g)]
    span = theme.padded([1.0, decision.delta, *ends])
    figure = theme.blank(96 + 46 * len(groups))
    for y, group in enumerate(groups):
        _row(figure, y, group, decision)
    theme.line_label(figure, decision.delta, span, f"tolerance {number(decision.delta)}")
    figure.update_xaxes(range=span, title=f"{decision.statistic} (1: treated alike)", nticks=6)
    figure.update_yaxes(range=(len(groups) - 0.5, -0.75), visible=False)
    return figure


def alt(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The figure in words."""
    told = "; ".join(f"{g.attribute} {g.group}: {_told(g)}" for g in result.detail.group_estimates(decision))
    return f"The {decision.statistic} of each protected group, tolerance {number(decision.delta)}. {told}."


def _row(figure: go.Figure, y: int, group: GroupEstimate, decision: GradientFlowDecision) -> None:
    colour = theme.VERDICT_COLOUR[group.verdict]
    name = f"{theme.literal(group.attribute, 14)}: <b>{theme.literal(group.group, 18)}</b>"
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="left",
        y=y - 0.33,
        text=f"{name} {_short(group)}",
        showarrow=False,
    )
    if not _claimed(group):
        return
    theme.row_marks(figure, y + 0.12, decision.delta, below=0.2, above=0.25)
    told = f"{name}<br>{theme.literal(_told(group))}"
    figure.add_scatter(
        name=f"interval {y + 1}",
        x=[group.low, group.high],
        y=[y + 0.12] * 2,
        customdata=[told] * 2,
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={"symbol": "line-ns-open", "size": 12, "color": colour, "line": {"width": 2}},
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.add_scatter(
        name=f"estimate {y + 1}",
        x=[group.estimate.value],
        y=[y + 0.12],
        mode="markers",
        marker={"symbol": theme.VERDICT_MARKER[group.verdict], "size": 12, "color": colour},
        customdata=[told],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _claimed(group: GroupEstimate) -> bool:
    return math.isfinite(group.high)


def _said(group: GroupEstimate) -> str:
    if _claimed(group):
        return _SAID[group.verdict]
    return f"{_SAID[group.verdict]} ({count(group.n, 'person', 'people')})"


def _short(group: GroupEstimate) -> str:
    if not _claimed(group):
        return _said(group)
    return f"{_numbers(group)}, {_said(group)}"


def _told(group: GroupEstimate) -> str:
    if not _claimed(group):
        return _said(group)
    return f"{_numbers(group)} over {count(group.n, 'person', 'people')}, {_SAID[group.verdict]}"


def _numbers(group: GroupEstimate) -> str:
    value = number(group.estimate.value, precision(group.low, group.high))
    return f"{value} ({interval(group.low, group.high)})"
