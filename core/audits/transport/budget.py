"""A budget to start from, and who can be compared with whom, from the costs alone."""

from dataclasses import dataclass

import numpy as np

from core.inference.transport.costs import AbstractCost, ClassCost

MOVED_SHARE = 0.1
"""The proposed budget moves one person in ten to the nearest stratum that costs something."""


@dataclass(frozen=True)
class Reach:
    """What the costs allow.

    Attributes:
        nearest: Smallest cost above 0 from each cell to another, shape (K,); infinite where there is none.
        across: Whether a cell of another protected group can be reached from each cell, shape (K,), bool.
        moves: Allowed moves in all, staying left out.
    """

    nearest: np.ndarray
    across: np.ndarray
    moves: int


def reach(cost: AbstractCost, group: np.ndarray) -> Reach:
    """Look through all costs once, in blocks; ``group`` is the protected group of each cell, shape (K,), int."""
    nearest = np.full(cost.size, np.inf)
    if isinstance(cost, ClassCost):
        return _within(cost.codes, group, nearest)
    across, allowed = np.zeros(cost.size, dtype=bool), 0
    for block in cost.blocks():
        finite = np.isfinite(block.costs)
        nearest[block.sources] = np.where(finite & (block.costs > 0), block.costs, np.inf).min(axis=1)
        across[block.sources] = (finite & (group[block.sources][:, None] != group[block.targets])).any(axis=1)
        allowed += int(finite.sum()) - len(block.sources)
    return Reach(nearest, across, allowed)


def _within(classes: np.ndarray, group: np.ndarray, nearest: np.ndarray) -> Reach:
    """The same for free moves within classes, without looking at every pair."""
    place = np.unique(classes, return_inverse=True)[1]
    size = np.bincount(place)
    first, last = np.full(len(size), np.iinfo(np.int64).max), np.full(len(size), -1)
    np.minimum.at(first, place, group)
    np.maximum.at(last, place, group)
    return Reach(nearest, (first < last)[place], int((size * (size - 1)).sum()))


def proposed_budget(nearest: np.ndarray, masses: np.ndarray) -> float:
    """A tenth of the mean cost to the nearest stratum that costs something, to two significant digits.

    It depends on the costs and on how many people there are of each stratum, not on the losses. It is 0 where all costs
    are 0 or infinite, so that no budget matters.

    Args:
        nearest: As :attr:`Reach.nearest`, shape (K,).
        masses: Share of the people in each cell, shape (K,).
    """
    priced = np.isfinite(nearest) & (masses > 0)
    if not priced.any():
        return 0.0
    mean = float(nearest[priced] @ masses[priced] / masses[priced].sum())
    return float(f"{MOVED_SHARE * mean:.1e}")
