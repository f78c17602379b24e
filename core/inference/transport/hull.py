"""Upper concave envelopes of the points (cost, loss) that each cell can reach, for many cells at once."""

from dataclasses import dataclass

import numpy as np

from core.inference.transport.costs import Block

NEGLIGIBLE = 1e-200
"""A smaller cost counts as 0: gain per cost would overflow."""


_MANY = 50
"""Dropping fewer than one point in so many at once is slower than going through the rows one by one."""


@dataclass(frozen=True)
class Vertices:
    """Corners of the envelopes of some source cells, ordered by source as in the block, then by cost.

    Attributes:
        row: Row of the block, shape (v,), int32.
        target: Cell the corner stands for, shape (v,), int32.
        cost: Its cost, shape (v,).
        loss: Its loss, shape (v,); rises with the cost, by ever less per cost.
    """

    row: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    loss: np.ndarray


def upper_envelopes(block: Block, losses: np.ndarray) -> Vertices:
    """Corners of the least concave rising function above each row's points, from the cheapest point on.

    Targets are looked at from the largest loss down; a point counts only if it is cheaper than all before it. What is
    left is thinned by dropping corners below the line between their neighbours until none is left to drop. A corner of
    the envelope never lies below such a line, so nothing else is ever dropped.

    Args:
        block: Costs from b cells to t cells.
        losses: Loss of every cell, shape (K,).
    """
    return _thinned(_better_if_dearer(block, losses))


def _better_if_dearer(block: Block, losses: np.ndarray) -> Vertices:
    """The points that are cheaper than all with a larger loss; arguments as of :func:`upper_envelopes`."""
    order = np.lexsort((block.targets, -losses[block.targets]))
    targets = block.targets[order].astype(np.int32)
    costs = block.costs[:, order]
    costs[costs < NEGLIGIBLE] = 0.0
    cheaper = np.empty(costs.shape, dtype=bool)
    cheaper[:, 0] = costs[:, 0] < np.inf
    least = np.minimum.accumulate(costs, axis=1, out=costs)
    np.less(least[:, 1:], least[:, :-1], out=cheaper[:, 1:])
    row, column = (place.astype(np.int32) for place in np.nonzero(cheaper[:, ::-1]))
    column = least.shape[1] - 1 - column
    return Vertices(row, targets[column], least[row, column], losses[targets[column]])


def _thinned(points: Vertices) -> Vertices:
    """Drop whole sets of corners at once while that drops many, then go through the rows that are not done."""
    row, target, cost, loss = points.row, points.target, points.cost, points.loss
    keep = np.ones(len(row), dtype=bool)
    keep[1:] = (row[1:] != row[:-1]) | (loss[1:] > loss[:-1])
    while True:
        row, target, cost, loss = row[keep], target[keep], cost[keep], loss[keep]
        below = _below_neighbours(row, cost, loss)
        keep = ~below
        if below.sum() * _MANY <= len(row):
            break
    for start, stop in _runs(row, below):
        keep[start:stop] = False
        keep[start + np.array(_chain(cost[start:stop].tolist(), loss[start:stop].tolist()))] = True
    return Vertices(row[keep], target[keep], cost[keep], loss[keep])


def _below_neighbours(row: np.ndarray, cost: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """Points that do not lie above the line between the points beside them in the same row."""
    below = np.zeros(len(row), dtype=bool)
    if len(row) > 2:
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.diff(loss) / np.diff(cost)
        below[1:-1] = (row[2:] == row[:-2]) & (slope[1:] >= slope[:-1])
    return below


def _runs(row: np.ndarray, marked: np.ndarray) -> list[tuple[int, int]]:
    """First point and end of each row that has a marked point."""
    rows = np.unique(row[marked])
    return list(zip(*(np.searchsorted(row, rows, side).tolist() for side in ("left", "right")), strict=True))


def _chain(cost: list[float], loss: list[float]) -> list[int]:
    """Corners of one row's envelope (Andrew's monotone chain)."""
    corners, slopes = [0], [float("inf")]
    for point in range(1, len(cost)):
        slope = (loss[point] - loss[corners[-1]]) / (cost[point] - cost[corners[-1]])
        while len(corners) > 1 and slope >= slopes[-1]:
            corners.pop()
            slopes.pop()
            slope = (loss[point] - loss[corners[-1]]) / (cost[point] - cost[corners[-1]])
        corners.append(point)
        slopes.append(slope)
    return corners
