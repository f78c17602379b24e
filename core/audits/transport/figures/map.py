"""Who is moved where, by column value and protected group, one map for each true label (papers/faith.md, Fig. 2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.audits.transport import maps
from core.audits.transport.figures.panels import Panel, by_groups, footnote, heads, stack
from core.audits.transport.flow_wording import people_text
from core.audits.transport.maps import LabelMap, Tile, group_told
from core.audits.transport.result import Cells, TransportResult
from core.audits.transport.verdict import TransportFinding
from core.figures import theme
from core.figures.chart import Drawing
from core.figures.series import Tiles
from core.phrases import count, percent

MOST_LABELS = 4
"""Maps drawn at most in one figure, those with most people moved."""
MOST_ROWS = 40
MOST_GROUPS = 12
"""Rows and columns of a map at most, those that change most; the figure says how many it leaves out."""
MOST_ON_A_SLIDE = 6
_HEADING = -1


def draw(finding: TransportFinding) -> Drawing:
    """A map for each true label: change in people by column value (rows) and protected group (columns).

    Every tile's ``customdata`` is what :func:`tile_of` reads.
    """
    found = _chosen(maps.label_maps(finding.detail.cells, finding.moves), MOST_LABELS)
    return Drawing(_figure(finding.result, found), _words(finding.result, found), _tiles(finding.result, found))


def _tiles(result: TransportResult, found: list[LabelMap]) -> Tiles | None:
    """The map with most people moved: everybody, then the column that changes most, by the largest groups; None where
    nobody is moved.
    """
    most = max(found, key=lambda one: one.moved, default=None)
    if most is None or not most.moved:
        return None
    groups = _largest_groups([most])[:MOST_ON_A_SLIDE]
    rows = [r for r, _ in _rows(most) if r != _HEADING]
    column = most.rows[rows[1]][0] if len(rows) > 1 else ""
    rows = [r for r in rows if most.rows[r][0] in ("", column)][: MOST_ON_A_SLIDE + 1]
    change, people = most.change[rows][:, groups], (most.people + most.moved_in)[rows][:, groups]
    strongest = float(np.abs(change).max()) or 1.0
    left_out = len(most.people[0]) - len(groups)
    return Tiles(
        f"Of {count(int(most.people[0].sum()), 'person', 'people')} with "
        f"{_label(result, result.detail.cells, most.label)}, {people_text(most.moved)} "
        "are moved to similar people on whom the model does worse",
        tuple(group_told(result.detail.cells, group) for group in groups),
        tuple(" = ".join(most.rows[r]) if r else "everybody" for r in rows),
        tuple(map(tuple, np.where(people > 0, change / strongest, np.nan).tolist())),
        tuple(
            tuple(people_text(value, signed=True) if there else "" for value, there in zip(*line, strict=True))
            for line in zip(change.tolist(), people.tolist(), strict=True)
        ),
        "+ (orange): others are moved to these people, on whom the model does worse. − (blue): people are moved away."
        + (f" {count(left_out, 'more group')} not shown." if left_out else ""),
    )


def _words(result: TransportResult, maps: list[LabelMap]) -> str:
    """For each true label how many are moved, and where most leave and arrive."""
    cells = result.detail.cells
    told = []
    for found in maps:
        head = f"{_label(result, cells, found.label)}: {_moved(found)}"
        change = found.change[0]
        if np.any(change):
            fewest, most = int(change.argmin()), int(change.argmax())
            head += (
                f"; largest changes {group_told(cells, fewest)} {people_text(change[fewest], signed=True)}, "
                f"{group_told(cells, most)} {people_text(change[most], signed=True)}"
            )
            tile = _largest(found)
            if tile is not None:
                row, group = tile
                head += (
                    f", and by column {' '.join(found.rows[row])}, {group_told(cells, group)} "
                    f"{people_text(found.change[row, group], signed=True)}"
                )
        told.append(head + ".")
    return " ".join(["Heatmaps of the change in people by column value and protected group.", *told])


def tile_of(result: TransportResult, mark: tuple[int, int, int]) -> Tile:
    """The tile that was clicked, from its ``customdata``: label, row of its map, group.

    Raises:
        IndexError: No such tile.
    """
    label, row, group = (int(index) for index in mark)
    cells = result.detail.cells
    rows = maps.rows_of(cells, label)
    if not (0 <= row < len(rows) and 0 <= group < len(cells.groups)):
        raise IndexError(f"no tile {mark}")
    return Tile(label, *rows[row], group)


def _chosen(found: tuple[LabelMap, ...], most: int) -> list[LabelMap]:
    """The maps with most people moved, in the labels' order."""
    order = sorted(range(len(found)), key=lambda i: -found[i].moved)[:most]
    return [found[i] for i in sorted(order)]


def _figure(result: TransportResult, found: list[LabelMap]) -> go.Figure:
    cells = result.detail.cells
    groups = _largest_groups(found)
    strongest = max([float(np.abs(one.change[:, groups]).max()) for one in found], default=0.0) or 1.0
    panels = [_panel(result, cells, one, groups) for one in found]
    figure = stack(panels, theme.DIVERGING, (-strongest, strongest))
    left_out = len(found[0].people[0]) - len(groups) if found else 0
    left = count(left_out, "more group changes less", "more groups change less")
    return footnote(figure, left) if left_out > 0 else figure


def _panel(result: TransportResult, cells: Cells, found: LabelMap, groups: list[int]) -> Panel:
    rows = _rows(found)
    people = found.people + found.moved_in
    values = np.array(
        [[np.nan if r == _HEADING or not people[r, g] else found.change[r, g] for g in groups] for r, _ in rows]
    )
    told = f"{_moved(found)}{_fewer(found, rows)}{by_groups(cells)}"
    return Panel(
        title=f"<b>{theme.literal(_label(result, cells, found.label), 36)}</b><br>{told}",
        rows=tuple(name for _, name in rows),
        heads=heads(cells, groups),
        values=values,
        texts=[
            ["" if np.isnan(value) else people_text(value, signed=True) for value in line] for line in values.tolist()
        ],
        hover=[["" if r == _HEADING else _hover(result, cells, found, r, g) for g in groups] for r, _ in rows],
        marks=np.array([[(found.label, r, g) for g in groups] for r, _ in rows], dtype=np.int64),
    )


def _rows(found: LabelMap) -> list[tuple[int, str]]:
    """Row of the map and its name, a heading before the values of each column.

    The column whose values differ most in how the groups change comes first; its values stay in their own order.
    """
    strength = np.abs(found.change).sum(axis=1) + 1e-6 * found.people.sum(axis=1)
    kept = {0, *(1 + np.argsort(-strength[1:], kind="stable")[:MOST_ROWS]).tolist()}
    columns: dict[str, list[int]] = {}
    for r, (column, _) in enumerate(found.rows):
        if r and r in kept:
            columns.setdefault(column, []).append(r)
    rows = [(0, "everybody")]
    for column in sorted(columns, key=lambda name: -float(np.ptp(found.change[columns[name]], axis=0).sum())):
        rows.append((_HEADING, f"<b>{theme.literal(column, 20)}</b>"))
        rows += [(r, theme.literal(found.rows[r][1], 18)) for r in columns[column]]
    return rows


def _fewer(found: LabelMap, rows: list[tuple[int, str]]) -> str:
    shown = sum(r > 0 for r, _ in rows)
    return "" if shown == len(found.rows) - 1 else f"; {shown} of {len(found.rows) - 1} values shown"


def _largest_groups(found: list[LabelMap]) -> list[int]:
    """The groups through which most people move, the most first, then the largest."""
    if not found:
        return []
    moved = sum(one.moved_out[0] + one.moved_in[0] + 1e-6 * one.people[0] for one in found)
    return [int(group) for group in np.argsort(-np.asarray(moved), kind="stable")[:MOST_GROUPS]]


def _label(result: TransportResult, cells: Cells, label: int) -> str:
    return f"{result.data.outcome} = {cells.labels[label]}"


def _moved(found: LabelMap) -> str:
    return f"{people_text(found.moved)} of {count(int(found.people[0].sum()), 'person', 'people')} moved"


def _hover(result: TransportResult, cells: Cells, found: LabelMap, row: int, group: int) -> str:
    column, value = found.rows[row]
    who = f"{theme.literal(column)}: {theme.literal(value)}" if column else "everybody"
    people, out = int(found.people[row, group]), float(found.moved_out[row, group])
    share = f" ({percent(out / people)})" if people else ""
    within = float(found.within[row, group])
    inside = f"<br>{people_text(within)} of them from and to this tile" if within else ""
    return (
        f"<b>{who}</b>, {theme.literal(group_told(cells, group))}<br>"
        f"{theme.literal(_label(result, cells, found.label))}<br>"
        f"{count(people, 'person', 'people')}<br>moved out {people_text(out)}{share}<br>"
        f"moved in {people_text(float(found.moved_in[row, group]))}{inside}<br>"
        f"change {people_text(float(found.change[row, group]), signed=True)}"
    )


def _largest(found: LabelMap) -> tuple[int, int] | None:
    """Row and group of the largest change by column, if there is one."""
    change = np.abs(found.change[1:])
    if not change.size or not change.any():
        return None
    row, group = np.unravel_index(int(change.argmax()), change.shape)
    return int(row) + 1, int(group)
