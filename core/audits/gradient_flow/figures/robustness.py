"""How much the estimate depends on the fair metric: turned away from its direction, or learned from other rows."""

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import theme
from core.figures.chart import Drawing
from core.inference.estimate import Estimate
from core.language.phrases import count, number
from core.language.told import say


def draw_rotations(finding: GradientFlowFinding) -> Drawing:
    """S_n with its two-sided interval for each angle β by which the free directions were turned."""
    delta, rotations = finding.decision.delta, finding.detail.rotations
    angle, value, error = rotations.T
    half = _half(error, finding.decision.alpha)
    figure = _against_delta([*(value - half), *(value + half)], delta)
    figure.add_scatter(
        name=say("estimate"),
        x=angle,
        y=value,
        mode="lines+markers",
        line={"color": theme.BLUE, "width": 2},
        marker={"size": 9, "symbol": "diamond"},
        error_y={"array": half, "thickness": 2, "width": 5},
        hovertemplate=say("turned by %{x:g}°: %{y:.4g}<extra></extra>"),
    )
    figure.update_xaxes(title=say("degrees by which the free direction is turned"), ticksuffix="°", tickvals=angle)
    told = ", ".join(f"{number(angle)}° {number(value)}" for angle, value, _ in rotations)
    return Drawing(
        figure,
        say(
            "Estimated loss ratio with the metric's free direction turned: {told}; tolerance {delta}.",
            told=told,
            delta=number(delta),
        ),
    )


def draw_resampled(finding: GradientFlowFinding) -> Drawing:
    """The decision's statistic under metrics learned from other halves of the metric's rows, in ascending order.

    The band is the interval, which includes how far they lie apart.
    """
    statistic, delta, own = name_of(finding.decision.statistic), finding.decision.delta, finding.interval
    found = sorted(finding.relearned_estimates, key=lambda one: one.value)
    value = np.array([one.value for one in found])
    ends = [own.low, own.high] if math.isfinite(own.low + own.high) else []
    figure = _against_delta([*value, *ends], delta)
    if ends:
        figure.add_hrect(*ends, fillcolor=theme.BLUE, opacity=0.15, line_width=0, layer="below")
    figure.add_scatter(
        name=say("estimate"),
        x=np.arange(1, len(value) + 1),
        y=value,
        mode="markers",
        marker={"size": 8, "symbol": "circle", "color": theme.BLUE},
        hovertemplate=say("metric learned again: %{y:.4g}<extra></extra>"),
    )
    figure.update_xaxes(title=say("metrics learned again, the lowest first"))
    figure.update_yaxes(title=statistic)
    if not found:
        return Drawing(
            figure,
            say("Under metrics learned again from half of the rows the {statistic} has no value.", statistic=statistic),
        )
    return Drawing(
        figure,
        say(
            "Estimated {statistic} under {metrics} learned again from half of the rows: from {lowest} to "
            "{highest}; under the audit's own metric {estimate}; tolerance {delta}.",
            statistic=statistic,
            metrics=count(len(value), "metric"),
            lowest=number(value[0]),
            highest=number(value[-1]),
            estimate=number(finding.estimate),
            delta=number(delta),
        ),
    )


def _half(errors: np.ndarray, alpha: float) -> np.ndarray:
    """Half widths of the two-sided intervals (eq. 3.6), from the standard errors."""
    return errors * Estimate(0.0, 1.0, 2).two_sided(alpha).high


def _against_delta(values: list[float], delta: float) -> go.Figure:
    """An empty figure with the horizontal line at δ, wide enough for ``values``."""
    span = theme.padded([1.0, delta, *values])
    figure = theme.blank(300)
    theme.tolerance_level(figure, delta)
    figure.update_yaxes(title=say("loss ratio"), range=span)
    return figure
