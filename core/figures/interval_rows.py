"""Rows of estimates with intervals, each under its own words, so that long names need no margin."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import plotly.graph_objects as go

from core.figures import marks, theme
from core.figures.chart import Drawing
from core.figures.gathered import Canvas, Gathered
from core.figures.series import Span, Spans
from core.language.phrases import interval, number, precision
from core.language.told import say

STEP = 50
"""Pixels from row to row."""
_WORDS_ONLY = 0.5
"""Height of a row without an estimate, as a part of others."""
_DECIMALS = 9
"""Of numbers as they are drawn; what is less is rounding."""
_LINE = 0.38
"""Height of each further line of words."""


@dataclass(frozen=True)
class Row:
    """One estimate, or only words; all texts but ``alt`` are safe for plotly already.

    Attributes:
        words: What stands above it; lines end at ``<br>`` and where the narrowest page has no more room.
        told: What it says when pointed at.
        value: The estimate; NaN for none.
        low: Lower end of its interval; NaN for none.
        high: Upper end.
        alt: What it says to those who cannot see it, names included; empty for nothing.
        colour: Colour of marker and interval.
        symbol: Marker.
        box: First and third quartile, and the 5% and 95% quantiles around them, of what the estimate is the mean of;
            empty for none.
        who: Whose row it is, as it was written; empty for a row that stands in this chart only.
        under: On a slide, the heading of the rows it stands among; empty for none.
        called: Its name below that heading.
    """

    words: str
    told: str = ""
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    alt: str = ""
    colour: str = theme.BLUE
    symbol: str = "diamond"
    box: tuple[float, ...] = ()
    who: str = ""
    under: str = ""
    called: str = ""

    @classmethod
    def named(cls, name: str, said: str, more: str = "", **looks: Any) -> Self:
        """A name with what is said of it behind it, or below where both are long; ``more`` where one points at it."""
        apart = theme.letters(f"{name} {said}") > theme.LONGEST_LINE
        return cls(f"{name}{'<br>' if apart else ' '}{said}", f"{name}<br>{more or said}", **looks)

    @property
    def span(self) -> Span:
        """The row without its looks."""
        if math.isfinite(self.value):
            value, low, high = (round(one, _DECIMALS) + 0.0 for one in (self.value, self.low, self.high))
            numbers = number(value, precision(low, high))
            if math.isfinite(low + high):
                numbers += f" ({interval(low, high)})"
        else:
            numbers = self.alt.removeprefix(f"{self.who}: ")
        looks: dict[str, Any] = {
            "colour": self.colour,
            "symbol": self.symbol,
            "under": self.under,
            "called": self.called,
        }
        return Span(self.who, numbers, self.value, self.low, self.high, **looks)


@dataclass(frozen=True)
class Line:
    """A vertical line through all rows; a dashed one in orange is a tolerance."""

    x: float
    words: str
    dash: str = "dot"
    colour: str = theme.GREY

    @classmethod
    def tolerance(cls, delta: float, told: str) -> Self:
        """The tolerance as it is drawn, and as it is written."""
        return cls(delta, say("tolerance {told}", told=told), "dash", theme.ORANGE)


@dataclass(frozen=True)
class Axis:
    """What rows are drawn along.

    Attributes:
        title: What it measures.
        lines: Drawn beside each row, clear of the words.
        span: Its range; everything drawn, with some room, if None.
    """

    title: str
    lines: Sequence[Line] = ()
    span: tuple[float, float] | None = None


def draw(rows: list[Row], axis: Axis, *, what: str, closing: str = "", left_out: str = "") -> Drawing:
    """The rows from top to bottom, and what they say, between what they are and a closing sentence.

    Args:
        rows: One or more.
        axis: What they are drawn along.
        what: What the rows are, with a full stop or colon.
        closing: A last sentence, if there is one.
        left_out: Who is not drawn and why, a sentence or two.
    """
    told = "; ".join(row.alt for row in rows if row.alt)
    alt = " ".join(filter(None, (f"{what} {told}.", closing, left_out)))
    series = replace(spans(rows, axis), more=left_out)
    return Drawing(figure_of(rows, axis), alt, series, left_out)


def spans(rows: list[Row], axis: Axis) -> Spans:
    """The rows that say whose they are, as numbers and plain words."""
    tolerances = [line for line in axis.lines if line.dash == "dash"]
    levels = [line.x for line in axis.lines if line.dash != "dash" and not line.words]
    return Spans(
        tuple(row.span for row in rows if row.who),
        html.unescape(axis.title.replace("<br>", ", ")),
        tuple(line.x for line in tolerances),
        next((line.words for line in tolerances if line.words), ""),
        levels[0] if levels else math.nan,
    )


def named(attribute: str, group: str, limit: int = 18) -> str:
    """The head of a group's row; what belongs to no attribute goes by its own name."""
    kind = f"{theme.literal(attribute, 14)} = " if attribute else ""
    return f"{kind}<b>{theme.literal(group, limit)}</b>"


def figure_of(rows: list[Row], axis: Axis) -> go.Figure:
    """The rows from top to bottom, without what they say; see :func:`draw`."""
    numbers = [n for row in rows for n in (row.value, row.low, row.high, *row.box)] + [line.x for line in axis.lines]
    span = axis.span or theme.padded([n for n in numbers if math.isfinite(n)] or [0.0, 1.0])
    named = [line for line in axis.lines if line.words]
    words = [theme.in_lines(row.words) for row in rows]
    more = [_LINE * one.count("<br>") for one in words]
    heights = [
        lines + (1.0 if math.isfinite(row.value) else _WORDS_ONLY) for row, lines in zip(rows, more, strict=True)
    ]
    title = theme.in_lines(axis.title)
    figure = theme.blank(round(66 + theme.LINE * title.count("<br>") + 20 * bool(named) + STEP * sum(heights)))
    drawn = Gathered()
    for line in named:
        theme.line_label(drawn, line.x, span, line.words)
    y = 0.0
    for place, (row, height, extra) in enumerate(zip(rows, heights, more, strict=True)):
        marks.words(drawn, y + 0.22 + extra / 2, words[place])
        if math.isfinite(row.value):
            for line in axis.lines:
                beside = (y + extra + 0.42, y + extra + 0.86)
                marks.line(drawn, (line.x, line.x), beside, line.colour, line.dash, layer="below")
            _row(drawn, place + 1, y + extra + 0.64, row)
        y += height
    drawn.put_on(figure)
    figure.update_xaxes(range=span, title=title, nticks=7)
    figure.update_yaxes(range=(y, 0.0), visible=False)
    return figure.update_layout(margin={"t": 34 if named else 10})


def _row(figure: Canvas, place: int, y: float, row: Row) -> None:
    if row.box:
        low, first, third, high = row.box
        for name, ends, width in (("nine in ten", (low, high), 2), ("middle half", (first, third), 15)):  # verbatim
            figure.add_scatter(
                name=f"{name} {place}", x=list(ends), y=[y] * 2, mode="lines", opacity=0.4,
                line={"color": theme.GREY, "width": width}, **marks.hover([row.told] * 2),
            )  # fmt: skip
    if math.isfinite(row.low) and math.isfinite(row.high):
        ends = (row.low, row.high)
        name = f"interval {place}"  # verbatim
        marks.interval(figure, name, ends, y, row.told, line={"color": row.colour, "width": 3})
    if math.isfinite(row.value):
        name = f"estimate {place}"  # verbatim
        marks.point(figure, name, (row.value, y), row.told, colour=row.colour, symbol=row.symbol)
