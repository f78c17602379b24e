"""How much the estimate depends on the fair metric: turned away from its direction, or learned from other rows."""

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.result import GradientFlowResult
from core.figures import theme
from core.inference.estimate import Estimate
from core.phrases import count, number


def draw_rotations(result: GradientFlowResult, decision: GradientFlowDecision) -> go.Figure:
    """S_n with its two-sided interval for each angle β by which the free directions were turned."""
    angle, value, error = result.detail.rotations.T
    half = _half(error, decision)
    figure = _against_delta([*(value - half), *(value + half)], decision)
    figure.add_scatter(
        name="estimate",
        x=angle,
        y=value,
        mode="lines+markers",
        line={"color": theme.BLUE, "width": 2},
        marker={"size": 9, "symbol": "diamond"},
        error_y={"array": half, "thickness": 2, "width": 5},
        hovertemplate="turned by %{x:g}°: %{y:.4g}<extra></extra>",
    )
    figure.update_xaxes(title="degrees by which the free direction is turned", ticksuffix="°", tickvals=angle)
    return figure


def alt_rotations(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The figure in words."""
    told = ", ".join(f"{number(angle)}° {number(value)}" for angle, value, _ in result.detail.rotations)
    return f"Estimated loss ratio with the metric's free direction turned: {told}; tolerance {number(decision.delta)}."


def draw_resampled(result: GradientFlowResult, decision: GradientFlowDecision) -> go.Figure:
    """The decision's statistic under metrics learned from bootstrap samples of the metric's rows, in ascending order.

    The band is the interval under the audit's own metric.
    """
    found = sorted(result.detail.resampled(decision), key=lambda one: one.value)
    value = np.array([one.value for one in found])
    half = _half(np.array([one.standard_error for one in found]), decision)
    own = result.detail.estimate(decision).two_sided(decision.alpha)
    ends = [own.low, own.high] if math.isfinite(own.low + own.high) else []
    figure = _against_delta([*(value - half), *(value + half), *ends], decision)
    if ends:
        figure.add_hrect(*ends, fillcolor=theme.BLUE, opacity=0.15, line_width=0, layer="below")
    figure.add_scatter(
        name="estimate",
        x=np.arange(1, len(value) + 1),
        y=value,
        mode="markers",
        marker={"size": 8, "symbol": "circle", "color": theme.BLUE},
        error_y={"array": half, "thickness": 1.5, "width": 3},
        hovertemplate="metric learned again: %{y:.4g}<extra></extra>",
    )
    figure.update_xaxes(title="metrics learned from resampled rows, in order", showticklabels=False)
    figure.update_yaxes(title=decision.statistic)
    return figure


def alt_resampled(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The figure in words."""
    value = [one.value for one in result.detail.resampled(decision)]
    if not value:
        return f"Under metrics learned from resampled rows the {decision.statistic} has no value."
    return (
        f"Estimated {decision.statistic} under {count(len(value), 'metric')} learned from resampled rows: from "
        f"{number(min(value))} to {number(max(value))}; under the audit's own metric "
        f"{number(result.detail.estimate(decision).value)}; tolerance {number(decision.delta)}."
    )


def _half(errors: np.ndarray, decision: GradientFlowDecision) -> np.ndarray:
    """Half widths of the two-sided intervals (eq. 3.6), from the standard errors."""
    return errors * Estimate(0.0, 1.0, 2).two_sided(decision.alpha).high


def _against_delta(values: list[float], decision: GradientFlowDecision) -> go.Figure:
    """An empty figure with the horizontal line at δ, wide enough for ``values``."""
    span = theme.padded([1.0, decision.delta, *values])
    figure = theme.blank(300)
    theme.tolerance_level(figure, decision.delta)
    figure.update_yaxes(title="loss ratio", range=span)
    return figure
