"""One estimate with its two-sided interval and the one-sided bound that decides, beside 0 and the tolerance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go

from core.figures import marks, theme
from core.figures.chart import Drawing
from core.figures.series import Span, Spans
from core.inference.estimate import Verdict
from core.inference.resampled import EstimateLike
from core.language.phrases import interval_text, number, percent, precision, ratio
from core.language.told import say


@dataclass(frozen=True)
class Shown:
    """How an estimate is shown.

    Attributes:
        name: What is estimated, as the beginning of a sentence.
        axis: Title of the axis.
        zero: What a value of 0 means, in a few words.
        unit: What stands behind the value, with the blank before it where it needs one.
        scale: A number in the unit shown.
        delta: The tolerance.
        alpha: The error rate.
        tolerance: The tolerance as it is written, without its unit.
    """

    name: str
    axis: str
    zero: str
    unit: str
    scale: Callable[[float], float]
    delta: float
    alpha: float
    tolerance: str


def draw(estimate: EstimateLike, verdict: Verdict, shown: Shown) -> Drawing:
    """The estimate, its interval, the bound that decides and the tolerance."""
    return Drawing(_figure(estimate, verdict, shown), _words(estimate, shown), _spans(estimate, verdict, shown))


def _spans(estimate: EstimateLike, verdict: Verdict, shown: Shown) -> Spans | None:
    if estimate.undefined:
        return None
    ends = estimate.two_sided(shown.alpha)
    low, high, value, delta = map(shown.scale, (ends.low, ends.high, estimate.value, shown.delta))
    bounds = shown.scale(estimate.lower_bound(shown.alpha)), shown.scale(estimate.upper_bound(shown.alpha))
    span = one_span(shown.name, (value, low, high), bounds, verdict, delta)
    axis = f"{shown.axis} (0: {shown.zero})"
    return Spans(
        (span,),
        axis,
        (delta,),
        say("tolerance {tolerance}", tolerance=shown.tolerance),
        0.0,
        confidence(shown.alpha, verdict),
    )


def one_span(
    name: str,
    numbers: tuple[float, float, float],
    bounds: tuple[float, float],
    verdict: Verdict,
    delta: float,
) -> Span:
    """A value with the ends of its interval, and the one of its lower and upper bound that decides."""
    value, low, high = numbers
    decimals, below = precision(low, high), verdict is Verdict.NO_VIOLATION
    bound = bounds[below]
    told = ratio(bound, beside=delta, decimals=decimals) if math.isfinite(bound) else ""
    return Span(
        name,
        f"{number(value, decimals)} ({interval_text(low, high)})",
        value,
        low,
        high,
        bound,
        _bounded(told, below) if told else "",
        theme.VERDICT_COLOUR[verdict],
    )


def _bounded(told: str, below: bool) -> str:
    return say("at most {bound}", bound=told) if below else say("at least {bound}", bound=told)


def confidence(alpha: float, verdict: Verdict) -> str:
    """What the deciding bound is."""
    if verdict is Verdict.NO_VIOLATION:
        return say("“At most”: the bound that decides, with {alpha} confidence.", alpha=percent(1 - alpha))
    return say("“At least”: the bound that decides, with {alpha} confidence.", alpha=percent(1 - alpha))


def _figure(estimate: EstimateLike, verdict: Verdict, shown: Shown) -> go.Figure:
    """The figure; an estimate without a value says so."""
    if estimate.undefined:
        return marks.only_words(say("no value"), 120)
    ends, delta = estimate.two_sided(shown.alpha), shown.scale(shown.delta)
    low, high = shown.scale(ends.low), shown.scale(ends.high)
    bound = shown.scale(estimate.lower_bound(shown.alpha))
    span = theme.padded([0.0, delta, shown.scale(estimate.value), low, high, bound], 0.12)
    colour = theme.VERDICT_COLOUR[verdict]
    figure = theme.blank(210)
    theme.line_label(figure, delta, span, say("tolerance {tolerance}", tolerance=shown.tolerance))
    marks.line(figure, (0.0, 0.0), (-0.5, 0.3), theme.GREY, "dot")
    marks.line(figure, (delta, delta), (-0.5, 0.3), theme.ORANGE, "dash")
    marks.words(figure, 0.62, _heading(estimate, shown))
    figure.add_scatter(
        name="interval",
        x=[low if math.isfinite(low) else span[0], high if math.isfinite(high) else span[1]],
        y=[0, 0],
        mode="lines+markers",
        line={"color": colour, "width": 4},
        marker={"symbol": "line-ns-open", "size": 14, "color": colour, "line": {"width": 2}},
        customdata=[number(low), number(high)],
        hovertemplate=say("end of the two-sided interval: %{customdata}") + "<extra></extra>",
    )
    if math.isfinite(bound):
        text = say("at least {bound}", bound=ratio(bound, beside=delta, decimals=precision(low, high)))
        marks.lower_bound(figure, "one-sided bound", (bound, 0), text, colour, cliponaxis=False)  # verbatim
    marks.point(figure, "estimate", (shown.scale(estimate.value), 0), say("estimate: %{x:.4g}"), colour=colour)
    figure.update_xaxes(range=span, title=f"{shown.axis}<br>(0: {shown.zero})", nticks=7)
    return figure.update_yaxes(range=(-0.75, 0.9), visible=False)


def _words(estimate: EstimateLike, shown: Shown) -> str:
    """The figure in words."""
    beside = say("The tolerance is {tolerance}{unit}.", tolerance=shown.tolerance, unit=shown.unit)
    if estimate.undefined:
        return say(
            "{name} has no value. {undefined} {beside}", name=shown.name, undefined=estimate.undefined, beside=beside
        )
    ends = estimate.two_sided(shown.alpha)
    decimals = precision(shown.scale(ends.low), shown.scale(ends.high))
    bound = shown.scale(estimate.lower_bound(shown.alpha))
    least = (
        say("at least {bound}", bound=number(bound, decimals))
        if math.isfinite(bound)
        else say("nothing excluded from below")
    )
    return say(
        "{name}: {estimate}; with {alpha} confidence {least}. {beside}",
        name=shown.name,
        estimate=_heading(estimate, shown),
        alpha=percent(1 - shown.alpha),
        least=least,
        beside=beside,
    )


def _heading(estimate: EstimateLike, shown: Shown) -> str:
    ends = estimate.two_sided(shown.alpha)
    low, high = shown.scale(ends.low), shown.scale(ends.high)
    value = number(shown.scale(estimate.value), precision(low, high))
    return say(
        "{value}{unit} ({alpha} interval {interval})",
        value=value,
        unit=shown.unit,
        alpha=percent(1 - shown.alpha),
        interval=interval_text(low, high),
    )
