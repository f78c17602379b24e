"""One look for every figure: legible on white and on black, for every kind of colour vision, at 380 pixels and more.

Colours are close to Okabe and Ito's; each reaches a contrast of 3:1 on white and on Streamlit's dark background. None
carries meaning alone: markers differ in shape, areas in pattern, and lines are labelled where they are.
"""

import html
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.figures.gathered import Canvas
from core.inference.estimate import Verdict
from core.language.catalogue import separators
from core.language.phrases import number
from core.language.reader import SOURCE, language
from core.language.told import say

BLUE = "#0A84CC"
ORANGE = "#D55E00"
GREEN = "#009E73"
GREY = "#7F8790"
TEXT = "#666D76"
TEXT_SIZE = 14
"""Pixels of words and numbers in a chart, to be read from across a table and on a telephone."""
FAINT = "rgba(127, 135, 144, 0.22)"
SCALE = ((0.0, "rgba(127, 135, 144, 0.1)"), (1.0, "rgba(10, 132, 204, 0.6)"))
DIVERGING = ((0.0, "rgba(10, 132, 204, 0.6)"), (0.5, "rgba(127, 135, 144, 0.1)"), (1.0, "rgba(213, 94, 0, 0.6)"))
"""For changes: fewer, none, more; the number stands in every tile. Colours lie over the page, so that nothing recedes
into it, light or dark, and words of the page's own colour can be read on them.
"""
INK = "#1B1F24"
"""Text on a colour of ``SCALE`` or ``DIVERGING`` in a saved picture, which is light; pages put their own instead."""

VERDICT_COLOUR = {Verdict.VIOLATION: ORANGE, Verdict.NO_VIOLATION: BLUE, Verdict.INSUFFICIENT: GREY}
VERDICT_MARKER = {Verdict.VIOLATION: "x", Verdict.NO_VIOLATION: "circle", Verdict.INSUFFICIENT: "square-open"}

LONGEST_LINE = 43
"""Letters of a line of words, bold ones among them, that begins at the left edge of a chart on the narrowest page."""
_LONGEST_PLAIN = 51
"""Letters of such a line without bold ones, which are wider."""
LONGEST_NAME = 2 * LONGEST_LINE
"""Letters of a name; what is longer is cut."""
LONGEST_TITLE = 38
"""Letters of a line below an axis, whose middle is that of the plot, or above a plot, where its heading begins."""
_BESIDE = 22
"""Letters of a line that stands left of a plot, which a telephone has room for beside it."""
LINE = 18
"""Pixels of a line."""
_NARROW = 5
"""Pixels of a letter at least, on the average of a name."""

MOST_ROWS = 12
"""Rows of a chart that fit on one screen: of more the first are drawn, and a table or a fold holds all."""

CONFIG = {"displayModeBar": False, "responsive": True, "scrollZoom": False}
"""Plotly's own options, for every page that shows a figure."""

SMALL_TICKS = {"minexponent": 5, "exponentformat": "power"}
"""For axes of plain numbers, which may be small: no letters such as μ stand for a power of ten."""

_FONTS = "Source Sans, Source Sans Pro, Segoe UI, Arial, sans-serif"  # verbatim
_AXIS = {"gridcolor": FAINT, "linecolor": GREY, "zeroline": False, "automargin": True, "title": {"standoff": 8}}
_AN_AXIS = re.compile(r"[xy]axis\d+")
_TAG = re.compile("<[^>]+>")
TEMPLATE = go.layout.Template(
    layout={
        "font": {"family": _FONTS, "size": TEXT_SIZE, "color": TEXT},
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "colorway": [BLUE, ORANGE, GREEN, GREY],
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "hoverlabel": {"align": "left", "namelength": -1},
    }
)


class Unwatched(go.Figure):  # type: ignore[misc]
    """A figure that no program watches for changes: Plotly gathers them into one message, which takes as long again."""

    @contextmanager
    def batch_update(self) -> Iterator[None]:
        """Make changes at once."""
        yield


def blank(height: int, **layout: object) -> go.Figure:
    """An empty figure in the house style; ``height`` in pixels, the width follows the page."""
    looks: dict[str, Any] = {
        "template": TEMPLATE,
        "height": height,
        "margin": {"l": 8, "r": 12, "t": 34, "b": 8},
        "showlegend": False,
        "dragmode": False,
    }
    if language() != SOURCE:
        looks["separators"] = "".join(separators(language()))
    return Unwatched(layout={**looks, **layout})


def readable(figure: go.Figure) -> dict[str, Any]:
    """A figure as plotly writes it, whose words keep size and colour on a page that has its own look for charts."""
    drawn: dict[str, Any] = figure.to_dict()
    layout = drawn["layout"]
    for name in dict.fromkeys(("xaxis", "yaxis", *filter(_AN_AXIS.fullmatch, layout))):
        axis = layout.setdefault(name, {})
        axis["tickfont"] = {"size": axis.get("tickfont", {}).get("size", TEXT_SIZE), "color": TEXT}
        axis["title"] = {**axis.get("title", {}), "font": {"size": TEXT_SIZE, "color": TEXT}}
    layout["font"] = {**layout.get("font", {}), "size": TEXT_SIZE, "color": TEXT}
    return drawn


def literal(text: object, limit: int = 0) -> str:
    """Text of a user's own as plotly shows it letter by letter: no tag, link or formula in it has any effect.

    Args:
        text: Anything; a column name, a group, a file name.
        limit: Cut after this many characters, with an ellipsis; 0 keeps all.
    """
    whole = " ".join(str(text).split())
    cut = whole if not limit or len(whole) <= limit else whole[: limit - 1].rstrip() + "…"
    return html.escape(cut, quote=False).replace("$", "&#36;")


def in_lines(words: str, room: int = 0) -> str:
    """Words that are safe for plotly, tags among them, broken where a line would be too long.

    Args:
        words: On one line or, with ``<br>`` between them, several.
        room: Letters of a line; as many as the narrowest page holds if 0.
    """
    lines: list[str] = []
    for line in words.split("<br>"):
        lines.append("")
        longest = room or (LONGEST_LINE if "<b>" in line else _LONGEST_PLAIN)
        for word in line.split(" "):
            joined = f"{lines[-1]} {word}".strip()
            if lines[-1] and letters(joined) > longest:
                lines.append(word)
            else:
                lines[-1] = joined
    return "<br>".join(lines)


def beside(name: str) -> str:
    """A name left of its row of a plot, in lines short enough for a telephone."""
    return in_lines(literal(name, LONGEST_NAME), _BESIDE)


def row_height(names: Iterable[str], least: int) -> int:
    """Pixels of each row of a plot beside which these names stand, at least so many."""
    return max(least, 8 + LINE * max((1 + name.count("<br>") for name in names), default=1))


def least_width(names: Iterable[str]) -> int:
    """Pixels that names left of a plot take at least; its words may begin so far before it."""
    return _NARROW * max((letters(line) for name in names for line in name.split("<br>")), default=0)


def letters(words: str) -> int:
    """How many letters of words that are safe for plotly are seen."""
    return len(html.unescape(_TAG.sub("", words)))


def two_lines(text: str, limit: int) -> str:
    """As :func:`literal`, broken after the blank or hyphen nearest the middle where it is long."""
    whole = " ".join(text.split())
    breaks = [i + 1 for i, mark in enumerate(whole[:limit]) if mark in " -"]
    if len(whole) <= 9 or not breaks:
        return literal(whole, limit)
    cut = min(breaks, key=lambda i: abs(i - min(len(whole), limit) / 2))
    return f"{literal(whole[:cut])}<br>{literal(whole[cut:], limit - cut)}"


def line_label(figure: Canvas, x: float, span: tuple[float, float], text: str, **looks: object) -> None:
    """Words just above the plot for a vertical line at ``x``, on the side of the axis' range ``span`` that has room.

    On a logarithmic axis ``x`` is a power of ten, as ``span`` is.
    """
    late = x > (span[0] + span[1]) / 2
    figure.add_annotation(
        x=x,
        y=1,
        yref="paper",
        yanchor="bottom",
        xanchor="right" if late else "left",
        text=text,
        showarrow=False,
        **looks,
    )


def padded(values: list[float], share: float = 0.08) -> tuple[float, float]:
    """A range that holds every finite one of ``values`` with some room on both sides."""
    finite = [value for value in values if np.isfinite(value)]
    low, high = min(finite), max(finite)
    room = share * (high - low) or share * max(abs(high), 1.0)
    return low - room, high + room


def tolerance_level(figure: go.Figure, delta: float, *, rise: int = 0, told: str = "") -> None:
    """A dashed horizontal line at δ, named above the plot where no curve can run into the words.

    Args:
        figure: The figure.
        delta: The tolerance.
        rise: Pixels by which to lift the words over an axis drawn on top.
        told: The tolerance as it is to be written; as other numbers are if empty.
    """
    figure.add_hline(y=delta, line={"color": ORANGE, "width": 2, "dash": "dash"})
    figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=rise,
        text=say("dashed: tolerance {tolerance}", tolerance=told or number(delta)),
        showarrow=False,
    )
