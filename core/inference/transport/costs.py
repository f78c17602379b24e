"""What it costs to move mass from one cell to another: the matrix C of papers/faith.md, eq. 3.1, in blocks of rows.

No cost is ever held as a K x K matrix unless the auditor uploaded one. A forbidden move (D of eq. 3.1) costs infinity.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.base.errors import AuditError
from core.language.told import say

BLOCK = 1 << 20
"""Costs held at once, as a number of pairs of cells (8 MB)."""

ROUNDING = 1e-12
"""Distances are off by rounding, and so are the points between which they are taken: a cost below this share of the
largest is 0."""

_TOGETHER = 512
"""Small classes share a block of up to this many cells, because one block for each would be slow."""


@dataclass(frozen=True)
class Block:
    """Costs from some cells to all cells they may move to.

    Attributes:
        sources: Cells, shape (b,), int.
        targets: Every cell that any of them may reach, themselves included, shape (t,), int.
        costs: Cost from each source to each target, shape (b, t); infinity where forbidden, 0 from a cell to itself.
    """

    sources: np.ndarray
    targets: np.ndarray
    costs: np.ndarray


class AbstractCost(ABC):
    """Costs between K cells: at least 0, infinity where forbidden, 0 from a cell to itself."""

    @property
    @abstractmethod
    def size(self) -> int:
        """K, the number of cells."""

    @property
    def kinds(self) -> np.ndarray:
        """Kind of each cell, shape (K,), int: moves from one kind to another are forbidden."""
        return np.zeros(self.size, dtype=np.int64)

    @abstractmethod
    def rows(self, start: int, stop: int) -> np.ndarray:
        """Costs from the cells ``start`` to ``stop`` - 1 to every cell; shape (stop - start, K), float64."""

    def blocks(self) -> Iterator[Block]:
        """Every cell as a source in exactly one block, with all the targets it may reach."""
        everyone = np.arange(self.size)
        step = max(1, BLOCK // max(self.size, 1))
        for start in range(0, self.size, step):
            stop = min(start + step, self.size)
            yield Block(everyone[start:stop], everyone, self.rows(start, stop))


class _WithinClasses(AbstractCost):
    """Costs that are infinite between classes, so that only pairs within a class are ever looked at."""

    codes: np.ndarray

    @property
    def size(self) -> int:
        """See the base class."""
        return len(self.codes)

    @property
    def kinds(self) -> np.ndarray:
        """See the base class."""
        return self.codes

    @abstractmethod
    def _costs(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Costs from sources to targets, whatever their classes; shape (len(sources), len(targets))."""

    def rows(self, start: int, stop: int) -> np.ndarray:
        """See the base class."""
        return self._checked(np.arange(start, stop), np.arange(self.size))

    def blocks(self) -> Iterator[Block]:
        """See the base class."""
        for cells in _whole_classes(self.codes):
            step = max(1, BLOCK // len(cells))
            for start in range(0, len(cells), step):
                sources = cells[start : start + step]
                yield Block(sources, cells, self._checked(sources, cells))

    def _checked(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        costs = self._costs(sources, targets)
        across = self.codes[sources][:, None] != self.codes[targets]
        costs[across] = np.inf
        return costs


@dataclass(frozen=True)
class ClassCost(_WithinClasses):
    """Moves within a class are free, others forbidden ("differ only in race and sex", papers/faith.md, section 5).

    Attributes:
        codes: Class of each cell, shape (K,), int.
    """

    codes: np.ndarray

    def _costs(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        return np.zeros((len(sources), len(targets)))


@dataclass(frozen=True)
class QuadraticCost(_WithinClasses):
    """A fair metric's d² within a class (the true outcome), forbidden across.

    Attributes:
        points: One point per cell, multiplied by a square root of the metric's matrix, so that d² is the squared
            distance between points; shape (K, d), float64.
        codes: Class of each cell, shape (K,), int.
    """

    points: np.ndarray
    codes: np.ndarray

    def _costs(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        from scipy.spatial.distance import cdist

        if self.points.shape[1] == 0:
            return np.zeros((len(sources), len(targets)))
        costs: np.ndarray = cdist(self.points[sources], self.points[targets], "sqeuclidean")
        costs[costs <= self._rounding] = 0.0
        return costs

    @cached_property
    def _rounding(self) -> float:
        """``ROUNDING`` times the largest cost there could be: the squared diagonal of the box around all points."""
        return ROUNDING * float((np.ptp(self.points, axis=0) ** 2).sum()) if len(self.points) else 0.0


@dataclass(frozen=True)
class DistanceCost(_WithinClasses):
    """Any distance within a class (the true outcome), forbidden across.

    Attributes:
        points: One point per cell, shape (K, d), float64.
        codes: Class of each cell, shape (K,), int.
        between: The distance of each row of one array, (n, d), from each of another, (m, d); shape (n, m).
    """

    points: np.ndarray
    codes: np.ndarray
    between: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def _costs(self, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
        costs = self.between(self.points[sources], self.points[targets])
        costs[costs <= self._rounding] = 0.0
        return costs

    @cached_property
    def _rounding(self) -> float:
        """``ROUNDING`` times the distance between the corners of the box around all points."""
        corners = (self.points.min(axis=0)[None], self.points.max(axis=0)[None])
        return ROUNDING * float(self.between(*corners)[0, 0])


@dataclass(frozen=True)
class DenseCost(AbstractCost):
    """A matrix somebody uploaded.

    Attributes:
        matrix: Cost from each cell (row) to each (column), shape (K, K); infinity where forbidden.

    Raises:
        AuditError: The matrix is not square, holds NaN or a negative cost, or charges for staying.
    """

    matrix: np.ndarray

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            shape = " x ".join(map(str, self.matrix.shape))
            raise AuditError(
                say("The cost matrix is {shape}, but it needs one row and one column per group.", shape=shape),
                advice=say("Give a square matrix in the order of the list of groups."),
            )
        for wrong, what, advice in (
            (np.isnan, say("A cost is not a number."), say("Write a number, or inf where the move is forbidden.")),
            (lambda row: row < 0, say("A cost is negative."), say("Costs are 0 or more.")),
        ):
            for row, costs in enumerate(self.matrix):
                if (bad := wrong(costs)).any():
                    at = say("row {row}, column {column}", row=row + 1, column=int(bad.argmax()) + 1)
                    raise AuditError(what, where=at, advice=advice)
        if (staying := np.diagonal(self.matrix) != 0).any():
            cell = int(staying.argmax()) + 1
            raise AuditError(
                say("Staying in a cell has a cost other than 0."),
                where=say("row {row}, column {column}", row=cell, column=cell),
                advice=say("Put 0 on the diagonal of the cost matrix."),
            )

    @property
    def size(self) -> int:
        """See the base class."""
        return len(self.matrix)

    def rows(self, start: int, stop: int) -> np.ndarray:
        """See the base class."""
        return np.array(self.matrix[start:stop], dtype=np.float64)


@dataclass(frozen=True)
class ForbiddenPairs(AbstractCost):
    """Another cost, with moves between some groups forbidden; staying in one's own cell is always allowed.

    Attributes:
        cost: The cost of all other moves.
        codes: Group of each cell, shape (K,), int from 0.
        pairs: Group codes (from, to).
    """

    cost: AbstractCost
    codes: np.ndarray
    pairs: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """See the base class."""
        return self.cost.size

    @property
    def kinds(self) -> np.ndarray:
        """See the base class."""
        return self.cost.kinds

    def rows(self, start: int, stop: int) -> np.ndarray:
        """See the base class."""
        return self._forbid(np.arange(start, stop), np.arange(self.size), self.cost.rows(start, stop))

    def blocks(self) -> Iterator[Block]:
        """See the base class."""
        for block in self.cost.blocks():
            yield Block(block.sources, block.targets, self._forbid(block.sources, block.targets, block.costs))

    def _forbid(self, sources: np.ndarray, targets: np.ndarray, costs: np.ndarray) -> np.ndarray:
        for origin, target in self.pairs:
            costs[np.ix_(self.codes[sources] == origin, self.codes[targets] == target)] = np.inf
        costs[sources[:, None] == targets] = 0.0
        return costs


def _whole_classes(codes: np.ndarray) -> Iterator[np.ndarray]:
    """Cells in runs of whole classes: small classes together, a large one alone."""
    order = np.argsort(codes, kind="stable")
    bounds = np.append(np.flatnonzero(np.diff(codes[order], prepend=codes[order[:1]] - 1)), len(codes))
    start = 0
    for previous, bound in pairwise(bounds):
        if bound - start > _TOGETHER and previous > start:
            yield order[start:previous]
            start = int(previous)
    if start < len(codes):
        yield order[start:]
