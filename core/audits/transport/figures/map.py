"""Who is moved where, by column value and protected group, one map for each true label (papers/faith.md, Fig. 2)."""

import numpy as np
import plotly.graph_objects as go

from core.audits.transport import maps
from core.audits.transport.figures.panels import HeatmapPanel, footnote, heads, stack
from core.audits.transport.flow_wording import people_text
from core.audits.transport.maps import LabelMap, Tile, group_told
from core.audits.transport.result import Cells, TransportResult
from core.audits.transport.verdict import TransportFinding
from core.data.labels import condition
from core.figures import theme
from core.figures.chart import Drawing
from core.figures.series import Tiles
from core.language.phrases import count, percent
from core.language.told import say, say_count

MOST_LABELS = 2
"""Maps drawn at most in one figure, those with most people moved; the figure says how many it leaves out."""
MOST_ROWS = theme.MOST_ROWS
MOST_GROUPS = 12
"""Rows and columns of a map at most, those that change most; the figure says how many it leaves out."""
MOST_ON_A_SLIDE = 6
_HEADING = -1


def draw(finding: TransportFinding) -> Drawing:
    """A map for each true label: change in people by column value (rows) and protected group (columns).

    Every tile's ``customdata`` is what :func:`tile_of` reads.
    """
    every = maps.label_maps(finding.detail.cells, finding.moves)
    found = _chosen(every, MOST_LABELS)
    return Drawing(
        _figure(finding.result, found, len(every) - len(found)),
        _words(finding.result, found),
        _tiles(finding.result, found),
    )


def _tiles(result: TransportResult, found: list[LabelMap]) -> Tiles | None:
    """The map with most people moved: everybody, then the column that changes most, by the largest groups; None where
    nobody is moved.
    """
    most = max(found, key=lambda one: one.moved, default=None)
    if most is None or not most.moved:
        return None
    groups = _largest_groups([most])[:MOST_ON_A_SLIDE]
    rows = [r for r, _ in _rows(result.detail.cells, most) if r != _HEADING]
    column = most.rows[rows[1]][0] if len(rows) > 1 else ""
    rows = [r for r in rows if most.rows[r][0] in ("", column)][: MOST_ON_A_SLIDE + 1]
    change, people = most.change[rows][:, groups], (most.people + most.moved_in)[rows][:, groups]
    strongest = float(np.abs(change).max()) or 1.0
    left_out = len(most.people[0]) - len(groups)
    return Tiles(
        say(
            "Of {people} with {outcome}, {moved} have similar people on whom the model does worse",
            people=count(int(most.people[0].sum()), "person", "people"),
            outcome=_label(result, result.detail.cells, most.label),
            moved=people_text(most.moved),
        ),
        tuple(group_told(result.detail.cells, group) for group in groups),
        tuple(" = ".join(_read(result.detail.cells, most.rows[r])) if r else say("everybody") for r in rows),
        tuple(map(tuple, np.where(people > 0, change / strongest, np.nan).tolist())),
        tuple(
            tuple(people_text(value, signed=True) if there else "" for value, there in zip(*line, strict=True))
            for line in zip(change.tolist(), people.tolist(), strict=True)
        ),
        say(
            "− (blue): so many have similar people on whom the model does worse. + (orange): the similar people "
            "on whom it does, by those who have them."
        )
        + (say_count(" {n} more group not shown.", " {n} more groups not shown.", left_out) if left_out else ""),
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
            head += say(
                "; most {first_group} {first_change}, {second_group} {second_change}",
                first_group=group_told(cells, fewest),
                first_change=people_text(change[fewest], signed=True),
                second_group=group_told(cells, most),
                second_change=people_text(change[most], signed=True),
            )
            tile = _largest(found)
            if tile is not None:
                row, group = tile
                head += say(
                    ", and by column {value}, {group} {change}",
                    value=" ".join(_read(cells, found.rows[row])),
                    group=group_told(cells, group),
                    change=people_text(found.change[row, group], signed=True),
                )
        told.append(head + ".")
    about = say(
        "Heatmaps of how many have similar people judged worse (−), and of whom these are (+), by column and group."
    )
    return " ".join([about, *told])


def tile_of(result: TransportResult, mark: tuple[int, int, int]) -> Tile:
    """The tile that was clicked, from its ``customdata``: label, row of its map, group.

    Raises:
        IndexError: No such tile.
    """
    label, row, group = (int(index) for index in mark)
    cells = result.detail.cells
    rows = maps.rows_of(cells, label)
    if not (0 <= row < len(rows) and 0 <= group < len(cells.groups)):
        raise IndexError(f"no tile {mark}")  # verbatim
    return Tile(label, *rows[row], group)


def _chosen(found: tuple[LabelMap, ...], most: int) -> list[LabelMap]:
    """The maps with most people moved, in the labels' order."""
    order = sorted(range(len(found)), key=lambda i: -found[i].moved)[:most]
    return [found[i] for i in sorted(order)]


def _figure(result: TransportResult, found: list[LabelMap], not_drawn: int) -> go.Figure:
    cells = result.detail.cells
    groups = _largest_groups(found)
    strongest = max([float(np.abs(one.change[:, groups]).max()) for one in found], default=0.0) or 1.0
    panels = [_panel(result, cells, one, groups) for one in found]
    figure = stack(panels, theme.DIVERGING, (-strongest, strongest))
    left_out = len(found[0].people[0]) - len(groups) if found else 0
    left = [
        count(left_out, "more group changes less", "more groups change less") if left_out > 0 else "",
        count(not_drawn, "more outcome with fewer of them", "more outcomes with fewer of them") if not_drawn else "",
    ]
    return footnote(figure, "; ".join(filter(None, left))) if any(left) else figure


def _panel(result: TransportResult, cells: Cells, found: LabelMap, groups: list[int]) -> HeatmapPanel:
    rows = _rows(cells, found)
    people = found.people + found.moved_in
    values = np.array(
        [[np.nan if r == _HEADING or not people[r, g] else found.change[r, g] for g in groups] for r, _ in rows]
    )
    title = (f"<b>{theme.literal(_label(result, cells, found.label), theme.LONGEST_LINE)}</b>", _moved(found))
    return HeatmapPanel(
        title="<br>".join(filter(None, (*title, _fewer(found, rows)))),
        rows=tuple(name for _, name in rows),
        heads=heads(cells, groups),
        values=values,
        texts=[
            ["" if np.isnan(value) else people_text(value, signed=True) for value in line] for line in values.tolist()
        ],
        hover=[["" if r == _HEADING else _hover(result, cells, found, r, g) for g in groups] for r, _ in rows],
        marks=np.array([[(found.label, r, g) for g in groups] for r, _ in rows], dtype=np.int64),
    )


def _read(cells: Cells, row: tuple[str, str]) -> tuple[str, str]:
    """Column and value of a row as people read them."""
    column, value = row
    return column, maps.value_told(cells, column, value)


def _rows(cells: Cells, found: LabelMap) -> list[tuple[int, str]]:
    """Row of the map and its name, a heading before the values of each column.

    The column whose values differ most in how the groups change comes first; its values stay in their own order.
    """
    strength = np.abs(found.change).sum(axis=1) + 1e-6 * found.people.sum(axis=1)
    kept = {0, *(1 + np.argsort(-strength[1:], kind="stable")[:MOST_ROWS]).tolist()}
    columns: dict[str, list[int]] = {}
    for r, (column, _) in enumerate(found.rows):
        if r and r in kept:
            columns.setdefault(column, []).append(r)
    rows: list[tuple[int, str]] = [(0, say("everybody"))]
    for column in sorted(columns, key=lambda name: -float(np.ptp(found.change[columns[name]], axis=0).sum())):
        rows.append((_HEADING, f"<b>{theme.beside(column)}</b>"))
        rows += [(r, theme.beside(_read(cells, found.rows[r])[1])) for r in columns[column]]
    return rows


def _fewer(found: LabelMap, rows: list[tuple[int, str]]) -> str:
    shown = sum(r > 0 for r, _ in rows)
    return (
        ""
        if shown == len(found.rows) - 1
        else say("{shown} of {all} values shown", shown=shown, all=len(found.rows) - 1)
    )


def _largest_groups(found: list[LabelMap]) -> list[int]:
    """The groups through which most people move, the most first, then the largest."""
    if not found:
        return []
    moved = sum(one.moved_out[0] + one.moved_in[0] + 1e-6 * one.people[0] for one in found)
    return [int(group) for group in np.argsort(-np.asarray(moved), kind="stable")[:MOST_GROUPS]]


def _label(result: TransportResult, cells: Cells, label: int) -> str:
    return condition(result.data.outcome, cells.labels[label])


def _moved(found: LabelMap) -> str:
    """How many are moved; more than any tile says where some go one way and some the other."""
    moved, people = people_text(found.moved), count(int(found.people[0].sum()), "person", "people")
    within = found.within[0]
    if np.any((found.moved_out[0] > within) & (found.moved_in[0] > within)):
        return say("{moved} of {people} have similar people judged worse, both ways", moved=moved, people=people)
    return say("{moved} of {people} have similar people judged worse", moved=moved, people=people)


def _hover(result: TransportResult, cells: Cells, found: LabelMap, row: int, group: int) -> str:
    column, value = _read(cells, found.rows[row])
    who = f"{theme.literal(column)}: {theme.literal(value)}" if column else say("everybody")
    people, out = int(found.people[row, group]), float(found.moved_out[row, group])
    share = f" ({percent(out / people)})" if people else ""
    within = float(found.within[row, group])
    inside = "<br>" + say("{n} of them from and to this tile", n=people_text(within)) if within else ""
    return say(
        "<b>{who}</b>, {group}<br>{outcome}<br>{people}<br>−{out}{share} have similar people judged worse<br>"
        "+{moved_in} others are similar to people here judged worse{inside}<br>together {change}",
        who=who,
        group=theme.literal(group_told(cells, group)),
        outcome=theme.literal(_label(result, cells, found.label)),
        people=count(people, "person", "people"),
        out=people_text(out),
        share=share,
        moved_in=people_text(float(found.moved_in[row, group])),
        inside=inside,
        change=people_text(float(found.change[row, group]), signed=True),
    )


def _largest(found: LabelMap) -> tuple[int, int] | None:
    """Row and group of the largest change by column, if there is one."""
    change = np.abs(found.change[1:])
    if not change.size or not change.any():
        return None
    row, group = np.unravel_index(int(change.argmax()), change.shape)
    return int(row) + 1, int(group)
