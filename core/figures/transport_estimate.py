"""The rise of the mean loss with its interval, against the tolerance."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.audits.transport.reading import TransportReading
from core.figures import theme
from core.result import TransportResult
from core.words import number, percent, precision, ratio
from core.words_transport import MEASURES, interval_text, tolerance


def draw(result: TransportResult, reading: TransportReading) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    estimate, measure = result.detail.estimate(reading), MEASURES[reading.loss]
    delta = measure.factor * reading.delta
    if estimate.undefined:
        figure = theme.blank(120)
        figure.add_annotation(text="no value", x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)
        return figure.update_xaxes(visible=False).update_yaxes(visible=False)
    ends = estimate.two_sided(reading.alpha)
    low, high = measure.shown(ends.low), measure.shown(ends.high)
    bound = measure.shown(estimate.lower_bound(reading.alpha))
    span = theme.padded([0.0, delta, measure.shown(estimate.value), low, high, bound], 0.12)
    colour = theme.VERDICT_COLOUR[result.detail.verdict(reading)]
    figure = theme.blank(210)
    theme.line_label(figure, delta, span, f"tolerance {tolerance(reading)}")
    for x, line, dash in ((0.0, theme.GREY, "dot"), (delta, theme.ORANGE, "dash")):
        figure.add_shape(type="line", x0=x, x1=x, y0=-0.5, y1=0.3, line={"color": line, "width": 2, "dash": dash})
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=0.62, text=_heading(result, reading), showarrow=False, align="left"
    )
    figure.add_scatter(
        name="interval",
        x=[low if math.isfinite(low) else span[0], high if math.isfinite(high) else span[1]],
        y=[0, 0],
        mode="lines+markers",
        line={"color": colour, "width": 4},
        marker={"symbol": "line-ns-open", "size": 14, "color": colour, "line": {"width": 2}},
        customdata=[number(low), number(high)],
        hovertemplate="end of the two-sided interval: %{customdata}<extra></extra>",
    )
    if math.isfinite(bound):
        figure.add_scatter(
            name="one-sided bound",
            x=[bound],
            y=[0],
            mode="markers+text",
            marker={"symbol": "triangle-right", "size": 13, "color": colour},
            text=[f"at least {ratio(bound, beside=delta, decimals=precision(low, high))}"],
            textposition="bottom center",
            cliponaxis=False,
            hovertemplate="one-sided lower bound: %{x:.4g}<extra></extra>",
        )
    figure.add_scatter(
        name="estimate",
        x=[measure.shown(estimate.value)],
        y=[0],
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": colour},
        hovertemplate="estimate: %{x:.4g}<extra></extra>",
    )
    figure.update_xaxes(range=span, title=f"{measure.axis}<br>(0: treated alike)", nticks=7)
    return figure.update_yaxes(range=(-0.75, 0.9), visible=False)


def alt(result: TransportResult, reading: TransportReading) -> str:
    """The figure in words."""
    estimate, measure = result.detail.estimate(reading), MEASURES[reading.loss]
    beside = f"The tolerance is {tolerance(reading)}{measure.unit}."
    if estimate.undefined:
        return f"The rise of {measure.name} has no value. {estimate.undefined} {beside}"
    ends = estimate.two_sided(reading.alpha)
    decimals = precision(measure.shown(ends.low), measure.shown(ends.high))
    bound = measure.shown(estimate.lower_bound(reading.alpha))
    least = f"at least {number(bound, decimals)}" if math.isfinite(bound) else "nothing excluded from below"
    return (
        f"Rise of {measure.name}: {_heading(result, reading)}; with {percent(1 - reading.alpha)} confidence {least}. "
        f"{beside}"
    )


def _heading(result: TransportResult, reading: TransportReading) -> str:
    estimate, measure = result.detail.estimate(reading), MEASURES[reading.loss]
    ends = estimate.two_sided(reading.alpha)
    low, high = measure.shown(ends.low), measure.shown(ends.high)
    value = number(measure.shown(estimate.value), precision(low, high))
    return f"{value}{measure.unit} ({percent(1 - reading.alpha)} interval {interval_text(low, high)})"
