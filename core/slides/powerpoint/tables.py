"""Heatmaps as tables of PowerPoint with coloured cells."""

from typing import Any

from pptx.enum.text import PP_ALIGN

from core.figures.series import Tiles
from core.language.fitted import short
from core.slides.layout import EDGE, INSIDE, LONGEST_READING, head_room, tile_shade
from core.slides.powerpoint.words import QUIET, Look, describe, fill, over_white, put, px

_NAMES, _TITLE, _BELOW = 340, 64, 590
_WHITE = "#FFFFFF"


def draw(page: Any, tiles: Tiles, alt: str, top: float) -> None:
    """Title, table and how to read it, from top to bottom."""
    put(
        page,
        "Title of the table",  # verbatim
        (EDGE, top - 6, INSIDE, _TITLE),
        (short(tiles.title, LONGEST_READING),),
        Look(bold=True),
    )
    rows, columns = len(tiles.rows) + 1, len(tiles.heads) + 1
    line = min(46.0, 300 / rows)
    frame = page.shapes.add_table(rows, columns, *map(px, (EDGE, top + _TITLE, INSIDE, line * rows)))
    frame.name = "Table"
    describe(frame, alt)
    frame.table.horz_banding = False
    for i, column in enumerate(frame.table.columns):
        column.width = px((INSIDE - _NAMES) / (columns - 1) if i else _NAMES)
    for r, row in enumerate(frame.table.rows):
        row.height = px(line)
        for c in range(columns):
            _fill(frame.table.cell(r, c), tiles, r - 1, c - 1)
    if tiles.more:
        put(
            page,
            "How to read it",  # verbatim
            (EDGE, _BELOW, INSIDE, 64),
            (short(tiles.more, LONGEST_READING),),
            Look(colour=QUIET),
        )


def _fill(cell: Any, tiles: Tiles, row: int, column: int) -> None:
    """A tile, or the name of a row or column where the other of the two is -1."""
    text, shade = "", (_WHITE, 0.0)
    if row >= 0 and column >= 0:
        text, shade = tiles.texts[row][column], tile_shade(tiles.shares[row][column])
    elif row >= 0 or column >= 0:
        text = tiles.rows[row] if row >= 0 else tiles.heads[column]
    cell.fill.solid()
    cell.fill.fore_color.rgb = over_white(*shade)
    look = Look(align=PP_ALIGN.LEFT if column < 0 else PP_ALIGN.CENTER, middle=True)
    fill(cell.text_frame, (short(text, 26 if column < 0 else head_room(len(tiles.heads))),), look)
    cell.vertical_anchor = cell.text_frame.vertical_anchor
    cell.margin_top = cell.margin_bottom = px(2)
    cell.margin_left = cell.margin_right = px(4)
