"""The steps of all cells' envelopes, found in blocks of rows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.base.errors import AuditError
from core.base.progress import OnProgress, Progress, ignore_progress
from core.inference.transport.costs import ROUNDING, AbstractCost, Block
from core.inference.transport.hull import Vertices, upper_envelopes
from core.inference.transport.memory import KEPT_MOVE, KEPT_STEP, MOVE, STEP, memory_needed, require_memory
from core.language.phrases import whole
from core.language.told import say


@dataclass(frozen=True)
class Corners:
    """Corners of the envelopes of some cells; corners of a cell follow each other, by rising cost.

    Attributes:
        source: Cell whose envelope it is, shape (v,), int.
        target: Cell the corner stands for, shape (v,), int.
        cost: Cost from source to target, shape (v,).
        above: Largest amount by which any allowed move lies above its cell's envelope; 0 but for rounding.
    """

    source: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    above: float


def find_corners(
    losses: np.ndarray, cost: AbstractCost, on_progress: OnProgress | None = None, *, staying: bool
) -> Iterator[Corners]:
    """Every cell's envelope, in blocks of cells.

    Args:
        losses: Loss of each cell, shape (K,), finite.
        cost: Costs between the K cells.
        on_progress: Called between blocks of rows.
        staying: Whether staying in the own cell counts as a move; each cell has a corner then.

    Raises:
        AuditError: The corners would not fit into memory.
    """
    require_memory(memory_needed(len(losses), cost="points", program=not staying), len(losses))
    report = on_progress or ignore_progress
    each, kept = (STEP, KEPT_STEP) if staying else (MOVE, KEPT_MOVE)
    done, found = 0, 0
    for block in cost.blocks():
        if not staying:
            block.costs[block.sources[:, None] == block.targets] = np.inf
        corners = upper_envelopes(block, losses)
        above, source = _highest_above(block, corners, losses), block.sources[corners.row]
        done, found = done + len(block.sources), found + len(source)
        require_memory(each * found * len(losses) / done - kept * found, len(losses))
        del block
        yield Corners(source, corners.target, corners.cost, above)
        report(Progress(done / len(losses), say("Finding where each kind of person is treated worst")))


def checked_losses(losses: np.ndarray, cells: int) -> np.ndarray:
    """``losses`` as float64; those within ``ROUNDING`` of the next smaller one, relative to the largest, as that one.

    Means of the same losses over different numbers of people differ by rounding, and nobody is moved for that.

    Raises:
        AuditError: There is no cell, one has no finite loss, or the costs are between another number of cells.
    """
    losses = np.asarray(losses, dtype=np.float64)
    if losses.shape != (cells,):
        raise AuditError(
            say(
                "There are {losses} kinds of people, but costs between {cells}.",
                losses=whole(len(losses)),
                cells=whole(cells),
            ),
            advice=say("Give costs with one row and one column per group, in the order of the list of groups."),
        )
    if not cells:
        raise AuditError(say("There is nobody to compare."), advice=say("Choose rows that have a recorded outcome."))
    if not (finite := np.isfinite(losses)).all():
        raise AuditError(
            say("A loss is not a finite number."),
            where=say("group {number}", number=int(finite.argmin()) + 1),
            advice=say("Choose another loss."),
        )
    values, place = np.unique(losses, return_inverse=True)
    apart = np.diff(values, prepend=-np.inf) > ROUNDING * max(abs(values[0]), abs(values[-1]))
    equal: np.ndarray = values[apart][np.cumsum(apart) - 1][place]
    return equal


def _highest_above(block: Block, corners: Vertices, losses: np.ndarray) -> float:
    """How far the highest point of a block lies above its row's envelope."""
    highest, reached = 0.0, losses[block.targets]
    for row, start, stop in _rows(corners.row):
        allowed = block.costs[row] < np.inf
        envelope = np.interp(block.costs[row][allowed], corners.cost[start:stop], corners.loss[start:stop])
        highest = max(highest, float((reached[allowed] - envelope).max()))
    return highest


def _rows(row: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Each row that has corners, with the first of them and the end."""
    first = np.flatnonzero(np.diff(row, prepend=-1))
    ends = np.append(first, len(row))[1:]
    yield from zip(row[first].tolist(), first.tolist(), ends.tolist(), strict=True)
