"""Heatmaps with a number in every tile, one above the other, whose tiles can be hovered and clicked."""

import html
import re
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.audits.transport import maps
from core.audits.transport.result import Cells
from core.data.labels import condition
from core.figures import marks, theme

_ROW = 26
"""Height of a row of tiles in pixels, where no name of a row has several lines."""
FEW_HEADS = 5
"""Up to so many columns all groups are shown, whether anybody moves or not, and their names stand in full."""
LONGEST_LINE = 12
"""Letters to a line of a head."""
MANY_HEADS = 9
"""From more columns than this on the numbers are written smaller, and every head has one line only."""
_MOST_LINES, _CUT = 4, 14
"""Lines of a head, and letters to a line of it where it has to be cut."""
_TURNED = 22
"""Letters of a value in a head that may be turned."""
_LETTER = 6.6
_ROOM = 340
"""Pixels of a line on a telephone. Heads that find no room side by side beside the names of rows are turned there, and
stand upright where there is room.
"""


@dataclass(frozen=True)
class HeatmapPanel:
    """One heatmap; R rows, C columns. Every text is already safe for plotly (``theme.literal``).

    Attributes:
        title: Lines above it.
        rows: Name of each row, in bold for a row that is a heading and has no tiles; some of several lines.
        heads: Name of each column.
        values: What decides the colour; NaN for no tile; shape (R, C).
        texts: What stands in each tile; R rows of C.
        hover: What it says when pointed at; R rows of C.
        marks: What a click hands back, three indices; shape (R, C, 3), int.
    """

    title: str
    rows: tuple[str, ...]
    heads: tuple[str, ...]
    values: np.ndarray
    texts: list[list[str]]
    hover: list[list[str]]
    marks: np.ndarray


def stack(panels: list[HeatmapPanel], scale: tuple[tuple[float, str], ...], limits: tuple[float, float]) -> go.Figure:
    """The panels one above the other, with one scale of colours from the first to the second of ``limits``."""
    lines = [head.split("<br>") for panel in panels for head in panel.heads]
    longest = max(len(html.unescape(line)) for head in lines for line in head)
    titles = [theme.in_lines(panel.title, theme.LONGEST_TITLE) for panel in panels]
    names = [name for panel in panels for name in panel.rows]
    row = theme.row_height(names, _ROW)
    beside = max(theme.letters(line) for name in names for line in name.split("<br>"))
    crowded = _LETTER * (beside + longest * max(len(panel.heads) for panel in panels)) > _ROOM
    above = 10 + theme.LINE * (1 + max(title.count("<br>") for title in titles))
    above += max(theme.LINE * max(map(len, lines)), round(_LETTER * longest) + 6 if crowded else 0)
    heights = [above + row * len(panel.rows) + 10 for panel in panels]
    total = sum(heights)
    figure = theme.blank(total + 8, hoverdistance=60)
    top = 0
    for i, (panel, height) in enumerate(zip(panels, heights, strict=True)):
        _draw(figure, panel, i, scale, limits)
        ends = (1 - (top + height - 10) / total, 1 - (top + above) / total)
        name = str(i + 1) if i else ""
        figure.update_layout(
            {
                f"xaxis{name}": {
                    "tickvals": list(range(len(panel.heads))),
                    "ticktext": list(panel.heads),
                    "autotickangles": [0, -90],
                    "tickfont": {"size": 11 if crowded else 13},
                    "range": (-0.5, len(panel.heads) - 0.5),
                    "side": "top",
                    "anchor": f"y{name}",
                    "showgrid": False,
                    "showline": False,
                    "fixedrange": True,
                    "ticks": "",
                    "automargin": False,
                },
                f"yaxis{name}": {
                    "tickvals": list(range(len(panel.rows))),
                    "ticktext": list(panel.rows),
                    "range": (len(panel.rows) - 0.5, -0.5),
                    "domain": ends,
                    "ticklabelstandoff": 4,
                    "anchor": f"x{name}",
                    "showgrid": False,
                    "showline": False,
                    "fixedrange": True,
                    "ticks": "",
                },
            }
        )
        marks.heading(figure, 1 - top / total, titles[i], before=theme.least_width(names))
        top += height
    return figure.update_layout(margin={"t": 4, "b": 4})


def _draw(
    figure: go.Figure, panel: HeatmapPanel, i: int, scale: tuple[tuple[float, str], ...], limits: tuple[float, float]
) -> None:
    """Colours and numbers as a heatmap, and over them invisible markers: only those can be clicked in a dashboard."""
    axes = {"xaxis": f"x{i + 1 if i else ''}", "yaxis": f"y{i + 1 if i else ''}"}
    figure.add_heatmap(
        z=panel.values,
        x=list(range(len(panel.heads))),
        y=list(range(len(panel.rows))),
        text=panel.texts,
        texttemplate="%{text}",
        textfont={"size": 12 if len(panel.heads) <= FEW_HEADS else 10, "color": theme.INK},
        colorscale=scale,
        zmin=limits[0],
        zmax=limits[1],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        name=f"colours {i + 1}",  # verbatim
        **axes,
    )
    row, column = np.nonzero(np.isfinite(panel.values))
    figure.add_scatter(
        x=column,
        y=row,
        mode="markers",
        marker={"symbol": "square", "size": _ROW - 4, "color": theme.INK, "opacity": 0},
        selected={"marker": {"opacity": 0.15}},
        unselected={"marker": {"opacity": 0}},
        customdata=panel.marks[row, column].tolist(),
        hovertext=[panel.hover[r][c] for r, c in zip(row, column, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
        name=f"tiles {i + 1}",  # verbatim
        **axes,
    )


def heads(cells: Cells, groups: list[int]) -> tuple[str, ...]:
    """Names of protected groups as heads of columns, on short lines; on two where there are more columns than few,
    which a telephone turns, and on one where there are many.
    """
    if len(groups) > MANY_HEADS:
        return tuple(theme.literal(group_name(cells, group, 30)) for group in groups)
    lines = _head if len(groups) <= FEW_HEADS else _two_lines
    return tuple("<br>".join(map(theme.literal, lines(cells, group))) for group in groups)


def _head(cells: Cells, group: int) -> list[str]:
    """Lines of a head, each value on its own; cut where a word is too long for a line, or there are too many lines."""
    values = _values(cells, group)
    lines = [line for value in _with_commas(values) for line in _lines(value)]
    if len(lines) <= _MOST_LINES and all(len(line) <= LONGEST_LINE for line in lines):
        return lines
    most = max(1, _MOST_LINES // len(values))
    return [line for value in _with_commas(values) for line in _first(_lines(value), most)]


def _two_lines(cells: Cells, group: int) -> list[str]:
    """Half of the values on each line; a single value on one."""
    values = _with_commas([_first([value], 1, _TURNED)[0] for value in _values(cells, group)])
    half = (len(values) + 1) // 2
    return [line for line in (" ".join(values[:half]), " ".join(values[half:])) if line]


def _values(cells: Cells, group: int) -> list[str]:
    """A group's values; with their attributes where one is too short to say by itself what it is, as 0 and yes are."""
    values = maps.group_values(cells, group)
    if any(len(value) <= maps.BARE for _, value in values):
        return [condition(*one) for one in values]
    return [value for _, value in values] or [maps.group_name(cells, group)]


def _first(lines: list[str], most: int, cut: int = _CUT) -> list[str]:
    """The first lines, each cut where it is too long, with an ellipsis where something is left out."""
    kept = [line if len(line) <= cut else f"{line[: cut - 1].rstrip()}…" for line in lines[:most]]
    if len(lines) > most and not kept[-1].endswith("…"):
        kept[-1] = f"{kept[-1]}…"
    return kept


def _with_commas(values: list[str]) -> list[str]:
    return [f"{value}," for value in values[:-1]] + values[-1:]


def group_name(cells: Cells, group: int, limit: int = theme.LONGEST_NAME) -> str:
    """A group's name in about ``limit`` characters: where it is longer, its values are cut."""
    values = _values(cells, group)
    room = max(3, (limit - 2 * (len(values) - 1)) // len(values))
    spare = sum(max(0, room - len(value)) for value in values)
    cut = [value if len(value) <= room + spare else value[: room + spare - 1].rstrip() + "…" for value in values]
    return ", ".join(cut)


def _lines(text: str) -> list[str]:
    """Words, broken after blanks and hyphens, put together to lines of up to ``LONGEST_LINE`` letters."""
    lines = [""]
    for word in re.findall(r"[^ -]*[ -]?", text):
        if lines[-1] and len((lines[-1] + word).rstrip()) > LONGEST_LINE:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines if line.strip()]


def footnote(figure: go.Figure, text: str) -> go.Figure:
    """The figure with a line of words below it."""
    marks.note(figure, text, below=True)
    return figure.update_layout(height=figure.layout.height + 24, margin_b=28)
