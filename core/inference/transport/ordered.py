"""Steps by gain per cost, sorted where they lie and looked at in pieces: they may be most of a test's memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PIECE = 1 << 18
"""Steps looked at together."""


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
        cls, losses: np.ndarray, place: np.ndarray, source: np.ndarray, target: np.ndarray, cost: np.ndarray
    ) -> Steps:
        """Find what steps add to the loss.

        Args:
            losses: Loss of each cell, shape (K,).
            place: Where the steps before these lead from each cell, shape (K,), int. Is brought forward by these.
            source: See above, like the following.
            target: See above.
            cost: See above.
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

    def where(self, some: np.ndarray | slice) -> Steps:
        """Some of them: places, or whether each is meant."""
        return Steps(self.source[some], self.target[some], self.cost[some], self.gain[some])


def put_in_order(
    losses: np.ndarray, free: np.ndarray, fields: tuple[np.ndarray, np.ndarray, np.ndarray], some_slopes: np.ndarray
) -> None:
    """Sort steps in place by gain per cost, largest first, then by source; those of each cell are in order already.

    They are cut into pieces of about the same size, each of which gains more per cost than the next, and each piece is
    sorted by itself. Then they are moved byte by byte, so that little of them is held twice.

    Args:
        losses: Loss of each cell, shape (K,).
        free: Where the first step of each cell begins, shape (K,), int.
        fields: Source, target and cost of each step, shape (S,), as in `Steps`.
        some_slopes: Gain per cost of some steps, about as it is distributed among all.
    """
    size = len(fields[0])
    parts = [slice(start, start + PIECE) for start in range(0, size, PIECE)]
    if not parts:
        return
    ends = np.quantile(-some_slopes, np.arange(1, len(parts)) / len(parts))
    place, pieces = free.copy(), []
    for part in parts:
        steps = Steps.of(losses, place, *(field[part] for field in fields))
        pieces.append(np.searchsorted(ends, -steps.slope).astype(np.min_scalar_type(len(parts))))
    place, order = free.copy(), []
    for number in range(len(parts)):
        some = np.concatenate(
            [part.start + np.flatnonzero(of == number) for part, of in zip(parts, pieces, strict=True)]
        )
        steps = Steps.of(losses, place, *(field[some] for field in fields))
        order.append(some[np.lexsort((steps.source, -steps.slope))].astype(np.min_scalar_type(size)))
    for field in fields:
        for byte in field.view(np.uint8).reshape(size, -1).T:
            np.concatenate([byte[some] for some in order], out=byte)
