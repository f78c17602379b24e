"""The marks of which charts are made: words, intervals, points, bars, areas and lines, each with one look."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.figures import theme
from core.figures.gathered import Canvas

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_COLOURS = (theme.BLUE, theme.ORANGE, theme.GREEN, theme.GREY)


def hover(told: str | Sequence[Any]) -> dict[str, Any]:
    """What points say when pointed at: a text for each of them, or plotly's own template for all."""
    if isinstance(told, str):
        return {"hovertemplate": f"{told}<extra></extra>"}
    return {"customdata": list(told), "hovertemplate": "%{customdata}<extra></extra>"}


def line(
    figure: Canvas,
    x: tuple[float, float],
    y: tuple[float, float],
    colour: str,
    dash: str,
    *,
    width: float = 2,
    **looks: Any,
) -> None:
    """A straight line that is no data: a tolerance, a level, where nothing changes."""
    ends = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    figure.add_shape(type="line", **ends, line={"color": colour, "width": width, "dash": dash}, **looks)


def two_plots(
    figure: go.Figure,
    ends: tuple[float, float],
    *,
    across: dict[str, Any],
    upper: dict[str, Any],
    lower: dict[str, Any],
    level: tuple[float, str],
    **looks: Any,
) -> None:
    """Two plots above each other that share their horizontal axis.

    Args:
        figure: Traces on ``y2`` are the lower plot's.
        ends: Where the lower one ends and the upper one begins, in parts of the figure's height.
        across: Looks of the horizontal axis, which stands below both.
        upper: Looks of the upper plot's own axis.
        lower: Those of the lower one's.
        level: Where a dashed line crosses the lower plot, and what is written above that plot about it.
        looks: Those of the whole figure.
    """
    own = theme.TEMPLATE.layout.yaxis.to_plotly_json()
    figure.update_layout(
        yaxis={"domain": (ends[1], 1.0), **upper},
        yaxis2={**own, "domain": (0.0, ends[0]), "anchor": "x", **lower},
        xaxis={"anchor": "y2", **across},
        **looks,
    )
    at, told = level
    line(figure, (0, 1), (at, at), theme.ORANGE, "dash", xref="paper", yref="y2")
    note(figure, told, right=True, at=round(ends[0] + 0.01, 2))


def one_of_several(place: int) -> dict[str, Any]:
    """The look of one of several lines, which colour and dash tell apart."""
    return {"color": _COLOURS[place % len(_COLOURS)], "dash": _DASHES[place % len(_DASHES)], "width": 2}


def names_below(figure: go.Figure, room: int) -> None:
    """The names of several lines below the plot, where there are so many pixels for them."""
    legend = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0}
    figure.update_layout(showlegend=True, legend=legend, margin_b=room)


def words(figure: Canvas, y: float, text: str) -> None:
    """Words at the left end of the plot, at a height of its own axis."""
    figure.add_annotation(x=0, xref="paper", xanchor="left", y=y, text=text, showarrow=False, align="left")


def note(
    figure: go.Figure, text: str, *, right: bool = False, below: bool = False, at: float = 1, **looks: Any
) -> None:
    """Words just above the plot, or a height in parts of the figure's, or below it, at its left or right end."""
    figure.add_annotation(
        text=text,
        x=int(right),
        xref="paper",
        xanchor="right" if right else "left",
        y=0 if below else at,
        yref="paper",
        yanchor="top" if below else "bottom",
        showarrow=False,
        **looks,
    )


def heading(figure: go.Figure, y: float, text: str, *, before: float = 0) -> None:
    """Words above one of several plots in a figure, below a height in parts of it, so many pixels before the plot."""
    figure.add_annotation(
        text=text, x=0, xref="paper", xanchor="left", xshift=-before, y=y, yref="paper", yanchor="top",
        showarrow=False, align="left",
    )  # fmt: skip


def instead(figure: go.Figure, text: str) -> None:
    """Words in the middle of a plot that has nothing to show."""
    figure.add_annotation(text=text, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)


def only_words(text: str, height: int) -> go.Figure:
    """A figure that has nothing to show, and says so."""
    figure = theme.blank(height)
    instead(figure, text)
    return figure.update_xaxes(visible=False).update_yaxes(visible=False)


def interval(
    figure: Canvas,
    name: str,
    ends: tuple[float, float],
    y: float,
    told: str,
    *,
    line: dict[str, Any],
) -> None:
    """A line between two ends, which are marked; ``line`` holds its colour and width, as plotly calls them."""
    figure.add_scatter(
        name=name,
        x=list(ends),
        y=[y] * 2,
        mode="lines+markers",
        line=line,
        marker={"symbol": "line-ns-open", "size": 12, "color": line["color"], "line": {"width": 2}},
        **_both(told, 2),
    )


def point(
    figure: Canvas, name: str, at: tuple[float, float], told: str, *, colour: str = theme.BLUE, symbol: str = "diamond"
) -> None:
    """One estimate."""
    marker = {"symbol": symbol, "size": 12, "color": colour}
    figure.add_scatter(name=name, x=[at[0]], y=[at[1]], mode="markers", marker=marker, **_both(told, 1))


def _both(told: str, points: int) -> dict[str, Any]:
    """Plotly's own template where there is one, else the same words at every point."""
    return hover(told if "%{" in told else [told] * points)


def whiskers(y: np.ndarray, low: np.ndarray, high: np.ndarray, **looks: Any) -> dict[str, Any]:
    """Bars from points to the ends of what they are the middle of; none where an end lies on the other side."""
    ends = {"array": np.maximum(high - y, 0), "arrayminus": np.maximum(y - low, 0)}
    return {"type": "data", "symmetric": False, **ends, **looks}


def band(figure: go.Figure, x: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    """The area between two curves."""
    figure.add_scatter(
        name="bounds",
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor="rgba(10, 132, 204, 0.22)",
        hoverinfo="skip",
    )


def bars(
    figure: go.Figure, edges: np.ndarray, heights: np.ndarray, told: Sequence[str], hatched: np.ndarray, **looks: Any
) -> None:
    """A histogram; bars that are hatched are beyond what is tolerated or compared with, and orange."""
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=heights,
        width=np.diff(edges) * 0.96,
        marker={
            "color": np.where(hatched, theme.ORANGE, theme.BLUE).tolist(),
            "pattern": {"shape": np.where(hatched, "/", "").tolist()},
        },
        **hover(told),
        **looks,
    )


def tiles(
    figure: go.Figure,
    values: np.ndarray,
    *,
    rows: Sequence[str],
    heads: Sequence[str],
    told: list[list[str]],
    texts: list[list[str]] | None = None,
    **looks: Any,
) -> None:
    """A heatmap: deeper is more, heads above it, and a text in every tile if there are texts."""
    written = {"text": texts, "texttemplate": "%{text}", "textfont": {"size": 12, "color": theme.INK}} if texts else {}
    figure.add_heatmap(
        z=values,
        x=list(range(len(heads))),
        y=list(range(len(rows))),
        **hover(told),
        **written,
        colorscale=theme.SCALE,
        zmin=0,
        showscale=False,
        xgap=2,
        ygap=2,
    )
    figure.update_xaxes(tickvals=list(range(len(heads))), ticktext=heads, side="top", showgrid=False, **looks)
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=rows, autorange="reversed", showgrid=False)


def named_bars(
    figure: go.Figure,
    values: Sequence[float],
    names: Sequence[str],
    texts: Sequence[str],
    told: Sequence[str],
    **looks: Any,
) -> None:
    """A horizontal bar for each name from top to bottom, with a text at its end."""
    places = list(range(len(names)))
    figure.add_bar(
        x=values,
        y=places,
        orientation="h",
        text=texts,
        textposition="outside",
        cliponaxis=False,
        **hover(told),
        **looks,
    )
    figure.update_yaxes(tickvals=places, ticktext=names, range=(len(names) - 0.4, -0.6), showgrid=False)
