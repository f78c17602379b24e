"""What lies behind a tile of the transport map: its strata, who is moved to whom, and who is moved in."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport import maps
from core.audits.transport.flow_wording import people_text
from core.audits.transport.maps import Moves, Tile
from core.audits.transport.result import Cells
from core.audits.transport.verdict import TransportFinding
from core.language.phrases import number, percent
from core.language.told import say

MOST_ROWS = 500
"""Strata listed at most, those with most people moved."""


@dataclass(frozen=True)
class TileWords:
    """A tile in words.

    Attributes:
        people: Its people before anybody is moved.
        kinds: Its strata.
        moved_out: Its people who are moved.
        moved_in: People moved into it.
        own: A row for each of its strata, most people moved first.
        arriving: A row for each other kind whose people are moved into it.
    """

    people: int
    kinds: int
    moved_out: float
    moved_in: float
    own: pd.DataFrame
    arriving: pd.DataFrame


def behind(finding: TransportFinding, tile: Tile) -> TileWords:
    """Everything about one tile under decision settings."""
    cells, found = finding.detail.cells, finding.moves
    inside = maps.in_tile(cells, tile)
    leaving = found.only(inside[found.source])
    coming = found.only(inside[found.target])
    own = np.flatnonzero(inside & (cells.people > 0))
    others = np.unique(coming.source[~inside[coming.source]])
    return TileWords(
        people=int(cells.people[inside].sum()),
        kinds=len(own),
        moved_out=leaving.total,
        moved_in=coming.total,
        own=_table(finding, own, leaving),
        arriving=_table(finding, others, coming, with_group=True),
    )


def _table(finding: TransportFinding, members: np.ndarray, found: Moves, *, with_group: bool = False) -> pd.DataFrame:
    """A row for each cell of ``members``, with those of its people whom ``found`` moves."""
    cells = finding.detail.cells
    moved = np.bincount(found.source, found.people, len(cells))
    order = members[np.lexsort((-cells.people[members], -moved[members]))][:MOST_ROWS]
    return pd.DataFrame([_row(finding, cell, found.only(found.source == cell), with_group) for cell in order])


def _row(finding: TransportFinding, cell: int, found: Moves, with_group: bool) -> dict[str, object]:
    cells, losses = finding.detail.cells, finding.part.sample.losses
    row: dict[str, object] = {
        name: maps.value_told(cells, name, cells.frame[name].iloc[cell]) for name in maps.features(cells)
    }
    if with_group:
        row[say("Group")] = maps.group_name(cells, cells.group[cell])
    weights = found.people / found.total if len(found.people) else found.people
    row |= {
        say("People"): int(cells.people[cell]),
        say("Have similar people judged worse"): round(found.total, 1),
        say("Those similar people"): _judged_like(cells, cell, found),
        say("Own decision"): _decided(finding, float(cells.favourable[cell])),
        say("Decision of those"): _decided(finding, float(weights @ cells.favourable[found.target]))
        if len(weights)
        else "",
    }
    if finding.loss != "0-1":
        row[say("Own loss")] = number(float(losses[cell]))
        row[say("Loss of those")] = number(float(weights @ losses[found.target])) if len(weights) else ""
    return row


def _decided(finding: TransportFinding, share: float) -> str:
    """The favourable outcome, the other one, or the share of people who get the favourable one."""
    good = finding.result.data.favourable
    if not np.isfinite(share):
        return say("not known")
    if share == 1:
        return good
    if share == 0:
        others = [name for name in finding.detail.cells.labels if name != good]
        return others[0] if len(others) == 1 else say("not {good}", good=good)
    return say("{good} for {share}", good=good, share=percent(min(max(round(share, 3), 0.001), 0.999)))


def _judged_like(cells: Cells, cell: int, found: Moves) -> str:
    """The strata moved to, with how many are moved to each where there are several."""
    if len(found.people) == 1:
        return _described(cells, cell, found.target[0])
    rows = zip(found.target, found.people, strict=True)
    return "; ".join(f"{people_text(people)} × {_described(cells, cell, target)}" for target, people in rows)


def _described(cells: Cells, cell: int, target: int) -> str:
    """The group moved to, and the columns in which that stratum differs."""
    changed = [
        f"{name} {maps.value_told(cells, name, cells.frame[name].iloc[target])}"
        for name in maps.features(cells)
        if str(cells.frame[name].iloc[cell]) != str(cells.frame[name].iloc[target])
    ]
    return ", ".join((maps.group_name(cells, cells.group[target]), *changed))
