"""Steps by gain per cost: sorted where they lie, and looked at in pieces, because they may be most of a test's memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PIECE = 1 << 18
"""Steps looked at together."""
_LOOKED_AT = 64
"""One step in so many is looked at to cut all of them into pieces of about the same size."""


@dataclass(frozen=True)
class Steps:
    """Some steps that follow each other, those of a cell in order; s steps.

    Attributes:
        source: Cell of each step, shape (s,), int.
        target: Cell the step leads to, shape (s,), int.
        cost: What the step costs more than the corner before it, shape (s,), positive.
        gain: What it adds to the loss, shape (s,), positive.
    """

    source: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    gain: np.ndarray

    @classmethod
    def of(
        cls, losses: np.ndarray, source: np.ndarray, target: np.ndarray, cost: np.ndarray, place: np.ndarray
    ) -> Steps:
        """Find what steps add to the loss.

        Args:
            losses: Loss of each cell, shape (K,).
            source: See above, and so for the next two.
            target: See above.
            cost: See above.
            place: Where the steps before these lead from each cell, shape (K,), int. Is brought forward by these.
        """
        order = np.argsort(source, kind="stable")
        cell, reached = source[order], target[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = cell[1:] != cell[:-1]
        left = np.empty_like(reached)
        left[1:] = reached[:-1]
        left[first] = place[cell[first]]
        gain = np.empty(len(order))
        gain[order] = losses[reached] - losses[left]
        place[source] = target
        return cls(source, target, cost, gain)

    @property
    def slope(self) -> np.ndarray:
        """Gain per cost, shape (s,)."""
        slope: np.ndarray = self.gain / self.cost
        return slope

    def where(self, some: np.ndarray) -> Steps:
        """Some of them: places, or whether each is meant."""
        return Steps(self.source[some], self.target[some], self.cost[some], self.gain[some])


def put_in_order(
    losses: np.ndarray, free: np.ndarray, source: np.ndarray, target: np.ndarray, cost: np.ndarray
) -> None:
    """Sort steps in place by gain per cost, largest first, then by source; those of each cell are in order already.

    Args:
        losses: Loss of each cell, shape (K,).
        free: Where the first step of each cell begins, shape (K,), int.
        source: Of each step, shape (S,); this and the following as in `Steps`.
        target: Of each step.
        cost: Of each step.
    """
    order = np.empty(len(source), dtype=np.min_scalar_type(len(source)))
    piece_of, done, place = _pieces(losses, free, source, target, cost), 0, free.copy()
    for piece in range(int(piece_of.max(initial=0)) + 1):
        some = np.flatnonzero(piece_of == piece)
        steps = Steps.of(losses, source[some], target[some], cost[some], place)
        order[done : done + len(some)] = some[np.lexsort((steps.source, -steps.slope))]
        done += len(some)
    del piece_of
    for field in (source, target, *cost.view(np.uint32).reshape(-1, 2).T):
        field[:] = field[order]


def _pieces(
    losses: np.ndarray, free: np.ndarray, source: np.ndarray, target: np.ndarray, cost: np.ndarray
) -> np.ndarray:
    """Piece of each step, shape (S,), int: steps of a piece gain more per cost than those of the next."""
    place, many = free.copy(), -(-len(source) // PIECE)
    rough = np.empty(len(source), dtype=np.float32)
    for start in range(0, len(source), PIECE):
        some = slice(start, start + PIECE)
        rough[some] = -Steps.of(losses, source[some], target[some], cost[some], place).slope
    ends = np.quantile(rough[::_LOOKED_AT], np.arange(1, many) / many) if many > 1 else np.empty(0)
    found = np.empty(len(source), dtype=np.min_scalar_type(many))
    for start in range(0, len(source), PIECE):
        some = slice(start, start + PIECE)
        found[some] = np.searchsorted(ends.astype(np.float32), rough[some], side="right")
    return found
