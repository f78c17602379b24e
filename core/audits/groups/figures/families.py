"""Rows of groups under the names of their attributes; as many as can be read."""

from __future__ import annotations

import math
from collections.abc import Callable

import plotly.graph_objects as go

from core.audits.groups.table import GroupTable
from core.audits.groups.wording_groups import too_small
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.phrases import count

MOST_ROWS = 40
"""Rows of estimates in one figure; groups of single attributes come first."""
MOST_SMALL = 3
"""Groups of a family that are too small and named."""


def draw(
    tables: tuple[GroupTable, ...],
    estimates: Callable[[GroupTable, int], list[Row]],
    lines: list[Line],
    title: str,
    *,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Family by family; groups that are too small say so, and groups beyond ``MOST_ROWS`` are counted.

    Args:
        tables: The families.
        estimates: Rows of a group, by its table and index; none where it has no estimate.
        lines: Vertical lines.
        title: Of the axis.
        span: Its range; everything drawn if None.
    """
    drawn: list[Row] = []
    there, left_out = 0, 0
    for table in tables:
        found, small, beyond = [], [], 0
        for g in range(len(table.family.groups)):
            each = estimates(table, g)
            if not each:
                small.append(_words(f"<b>{shown(table, g)}</b> {too_small(int(table.family.rows[g]))}"))
            elif there + len(each) > MOST_ROWS:
                beyond += 1
            else:
                there += len(each)
                found += each
        if len(small) > MOST_SMALL:
            small[MOST_SMALL - 1 :] = [_words(f"{count(len(small) - MOST_SMALL + 1, 'more group')} too small to judge")]
        if beyond and not found:
            left_out += len(table.family.groups)
            continue
        drawn += [_words(f"<i>{theme.literal(table.family.name, 34)}</i>"), *found, *small]
        left_out += beyond
    if left_out:
        drawn.append(_words(f"{count(left_out, 'more group')} in the table"))
    return rows.draw(drawn, lines, title, span=span)


def told(tables: tuple[GroupTable, ...], words: Callable[[GroupTable, int], str]) -> str:
    """Every group of every family in words: ``By sex: Female: …; Male: ….`` and so on."""
    return " ".join(
        f"By {table.family.name}: "
        + "; ".join(f"{table.family.group(g)}: {words(table, g)}" for g in range(len(table.family.groups)))
        + "."
        for table in tables
    )


def shown(table: GroupTable, g: int) -> str:
    """A group's name, safe for plotly and short enough for a telephone."""
    return theme.literal(table.family.group(g), 24)


def _words(text: str) -> Row:
    return Row(text, math.nan, math.nan, math.nan, text)
