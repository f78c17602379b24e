"""One small plot a group, one above the other on the same axes, so that groups can be compared on a telephone."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.figures import marks, theme
from core.language.told import say

_PLOT = 150
"""Height of a plot in pixels."""
_HEAD = 30
"""Height of a head of one line."""
_BOTTOM = 46


@dataclass(frozen=True)
class GroupPanel:
    """A plot of one group; b points. All texts are safe for plotly already.

    Attributes:
        head: What stands above it.
        x: Shape (b,); without any points only the head is shown.
        y: Shape (b,).
        low: Lower ends of bars, shape (b,).
        high: Upper ends, shape (b,).
        told: What each point says when pointed at, length b.
    """

    head: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    told: tuple[str, ...]


def draw(
    panels: list[GroupPanel],
    *,
    x_title: str,
    y_title: str,
    line: tuple[np.ndarray, np.ndarray],
    line_told: str,
) -> go.Figure:
    """The panels from top to bottom.

    Args:
        panels: One or more.
        x_title: Of the common axis.
        y_title: What the heights are; stands above them all, where it is short enough for any page.
        line: x and y of a dotted line that every panel shows, in ascending x.
        line_told: What it means.
    """
    shown = [panel for panel in panels if len(panel.x)]
    x_span = theme.padded([*line[0], *(value for one in shown for value in one.x)], 0.04)
    y_span = theme.padded([*line[1], *(value for one in shown for value in (*one.y, *one.low, *one.high))], 0.05)
    texts = [theme.in_lines(panel.head) for panel in panels]
    heads = [_HEAD + theme.LINE * text.count("<br>") for text in texts]
    heights = [head + (_PLOT if len(panel.x) else 0) for head, panel in zip(heads, panels, strict=True)]
    total = sum(heights)
    figure = theme.blank(total + _BOTTOM + 44)
    top, place = 0, 0
    for panel, text, head, height in zip(panels, texts, heads, heights, strict=True):
        marks.heading(figure, 1 - top / total, text)
        if len(panel.x):
            place += 1
            _add(figure, panel, place, line, domain=(1 - (top + height - 8) / total, 1 - (top + head) / total))
            axis = "" if place == 1 else str(place)
            last = place == len(shown)
            figure.update_layout({f"xaxis{axis}": {"range": x_span, "showticklabels": last, "nticks": 6}})
            figure.update_layout({f"yaxis{axis}": {"range": y_span, "nticks": 5}})
            if last:
                figure.update_layout(
                    {f"xaxis{axis}": {"title": {"text": theme.in_lines(x_title, theme.LONGEST_TITLE)}}}
                )
        top += height
    up, dotted = say("up: {what}", what=y_title), say("dotted: {what}", what=line_told)
    marks.note(figure, f"{up}<br>{dotted}", align="left")
    return figure.update_layout(margin={"t": 44})


def _add(
    figure: go.Figure, panel: GroupPanel, place: int, line: tuple[np.ndarray, np.ndarray], domain: tuple[float, float]
) -> None:
    axis = "" if place == 1 else str(place)
    axes = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    figure.update_layout({f"xaxis{axis}": {"anchor": f"y{axis}"}, f"yaxis{axis}": {"domain": domain}})
    figure.update_layout({f"yaxis{axis}": {"anchor": f"x{axis}"}})
    figure.add_scatter(
        name=f"line {place}",  # verbatim
        x=line[0],
        y=line[1],
        mode="lines",
        line={"color": theme.GREY, "width": 2, "dash": "dot"},
        hoverinfo="skip",
        **axes,
    )
    figure.add_scatter(
        name=f"points {place}",  # verbatim
        x=panel.x,
        y=panel.y,
        mode="markers",
        marker={"symbol": "diamond", "size": 9, "color": theme.BLUE},
        error_y=marks.whiskers(panel.y, panel.low, panel.high, thickness=1.5, width=3),
        **marks.hover(panel.told),
        **axes,
    )
