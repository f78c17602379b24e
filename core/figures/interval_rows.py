"""Rows of estimates with intervals, each under its own words, so that long names need no margin."""

from __future__ import annotations

import math
from dataclasses import dataclass

import plotly.graph_objects as go

from core.figures import theme

STEP = 50
"""Pixels from row to row."""
_WORDS_ONLY = 0.5
"""Height of a row without an estimate, as a part of others."""
_LINE = 0.34
"""Height of each further line of words."""


@dataclass(frozen=True)
class Row:
    """One estimate; all texts are safe for plotly already.

    Attributes:
        words: What stands above it, on one line or, with ``<br>`` between them, several.
        value: The estimate; NaN for none.
        low: Lower end of its interval; NaN for none.
        high: Upper end.
        told: What it says when pointed at.
        colour: Colour of marker and interval.
        symbol: Marker.
        box: First and third quartile, and the 5% and 95% quantiles around them, of what the estimate is the mean of;
            empty for none.
    """

    words: str
    value: float
    low: float
    high: float
    told: str
    colour: str = theme.BLUE
    symbol: str = "diamond"
    box: tuple[float, ...] = ()


@dataclass(frozen=True)
class Line:
    """A vertical line through all rows; a dashed one in orange is a tolerance."""

    x: float
    words: str
    dash: str = "dot"
    colour: str = theme.GREY


def draw(rows: list[Row], lines: list[Line], title: str, *, span: tuple[float, float] | None = None) -> go.Figure:
    """The rows from top to bottom.

    Args:
        rows: One or more.
        lines: Drawn beside each row, clear of the words.
        title: Of the axis.
        span: Its range; everything drawn, with some room, if None.
    """
    numbers = [n for row in rows for n in (row.value, row.low, row.high, *row.box)] + [line.x for line in lines]
    span = span or theme.padded([n for n in numbers if math.isfinite(n)] or [0.0, 1.0])
    named = [line for line in lines if line.words]
    more = [_LINE * row.words.count("<br>") for row in rows]
    heights = [
        lines + (1.0 if math.isfinite(row.value) else _WORDS_ONLY) for row, lines in zip(rows, more, strict=True)
    ]
    figure = theme.blank(round(66 + 20 * bool(named) + STEP * sum(heights)))
    for line in named:
        theme.line_label(figure, line.x, span, line.words)
    y = 0.0
    for place, (row, height, extra) in enumerate(zip(rows, heights, more, strict=True)):
        figure.add_annotation(
            x=0, xref="paper", xanchor="left", y=y + 0.22 + extra / 2, text=row.words, showarrow=False, align="left"
        )
        if math.isfinite(row.value):
            for line in lines:
                figure.add_shape(
                    type="line", x0=line.x, x1=line.x, y0=y + extra + 0.42, y1=y + extra + 0.86,
                    line={"color": line.colour, "width": 2, "dash": line.dash}, layer="below",
                )  # fmt: skip
            _row(figure, place + 1, y + extra + 0.64, row)
        y += height
    figure.update_xaxes(range=span, title=title, nticks=6)
    figure.update_yaxes(range=(y, 0.0), visible=False)
    return figure.update_layout(margin={"t": 34 if named else 10})


def _row(figure: go.Figure, place: int, y: float, row: Row) -> None:
    hover = {"hovertemplate": "%{customdata}<extra></extra>"}
    if row.box:
        low, first, third, high = row.box
        for name, ends, width in (("nine in ten", (low, high), 2), ("middle half", (first, third), 15)):
            figure.add_scatter(
                name=f"{name} {place}", x=list(ends), y=[y] * 2, mode="lines", opacity=0.4,
                line={"color": theme.GREY, "width": width}, customdata=[row.told] * 2, **hover,
            )  # fmt: skip
    if math.isfinite(row.low) and math.isfinite(row.high):
        figure.add_scatter(
            name=f"interval {place}", x=[row.low, row.high], y=[y] * 2, mode="lines+markers",
            line={"color": row.colour, "width": 3},
            marker={"symbol": "line-ns-open", "size": 12, "color": row.colour, "line": {"width": 2}},
            customdata=[row.told] * 2, **hover,
        )  # fmt: skip
    if math.isfinite(row.value):
        figure.add_scatter(
            name=f"estimate {place}", x=[row.value], y=[y], mode="markers",
            marker={"symbol": row.symbol, "size": 12, "color": row.colour}, customdata=[row.told], **hover,
        )  # fmt: skip
