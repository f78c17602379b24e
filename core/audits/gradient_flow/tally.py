"""From searched blocks to sums: losses, ratios and errors in float64, per group cell and stopping time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import torch

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.attack import Trace
from core.audits.gradient_flow.cluster_sums import ClusterSums
from core.audits.gradient_flow.fields import AbstractField
from core.base.errors import AuditError
from core.language.told import say

_OBJECTIVE_SLACK = 1e-4
_CELL_AXIS = {
    "excess": 1,
    "excess_squares": 1,
    "wrong_start": 0,
    "wrong_end": 1,
    "wrong_both": 1,
}
"""Along which axis of each sum the cells lie."""


@dataclass(frozen=True)
class SearchedRows:
    """Rows to search.

    Attributes:
        x: Encoded features, shape (n, d), float64.
        y: True classes, shape (n,).
        record: Row numbers in the file (0-based), shape (n,).
        cell: Group cell of each, shape (n,).
        cells: Number of cells.
        clusters: Code of each row's cluster, shape (n,); None where each stands for itself.
    """

    x: np.ndarray
    y: np.ndarray
    record: np.ndarray
    cell: np.ndarray
    cells: int
    clusters: np.ndarray | None = None

    def part(self, block: tuple[int, int]) -> SearchedRows:
        """The rows from start to end."""
        return self.take(slice(*block))

    def take(self, where: slice | np.ndarray) -> SearchedRows:
        """The rows at these positions."""
        clusters = None if self.clusters is None else self.clusters[where]
        return SearchedRows(self.x[where], self.y[where], self.record[where], self.cell[where], self.cells, clusters)

    def placed(self, place: np.ndarray, cells: int) -> SearchedRows:
        """The same rows among so many cells, each of those there are at its ``place``, shape (C,)."""
        return replace(self, cell=place[self.cell].astype(np.int32), cells=cells)


@dataclass(frozen=True)
class BlockTally:
    """What one block of b rows adds; shapes as in :class:`Totals`.

    Attributes:
        excess: r - 1 of each row at each stopping time, shape (m, b).
        wrong_start: Whether it was misclassified before the search, shape (b,).
        wrong_end: Whether it is at each stopping time, shape (m, b).
    """

    sums: dict[str, np.ndarray]
    ratio: np.ndarray
    loss_start: np.ndarray
    astray: np.ndarray
    excess: np.ndarray
    wrong_start: np.ndarray
    wrong_end: np.ndarray


@dataclass
class Totals:
    """Sums over all rows; m stopping times, C cells, n rows, d columns.

    Attributes:
        sums: ``excess``, ``excess_squares``, ``wrong_end``, ``wrong_both`` (m, C); ``wrong_start`` (C,);
            ``lost_ground`` (m,); ``histogram`` (m, b); ``moved_together`` (d, d), of products of moves;
            ``floored_start`` and ``floored_end``, and ``stuck``, rows that did not move at all, (1,).
        ratio: Ratio of each row at the end, shape (n,).
        loss_start: Loss of each row before the search, shape (n,).
        astray: Positions of rows whose state or ratio is not a finite number.
        clusters: Sums over the rows that belong together, and each row's place in them; None where none do.
    """

    sums: dict[str, np.ndarray]
    ratio: np.ndarray
    loss_start: np.ndarray
    astray: list[int] = field(default_factory=list)
    clusters: tuple[ClusterSums, np.ndarray] | None = None

    @classmethod
    def empty(cls, rows: SearchedRows, m: int) -> Totals:
        """Nothing added yet of these rows at m stopping times."""
        (n, d), cells = rows.x.shape, rows.cells
        shapes = {"excess": (m, cells), "excess_squares": (m, cells), "moved_together": (d, d)}
        counts = {"wrong_start": (cells,), "wrong_end": (m, cells), "wrong_both": (m, cells), "lost_ground": (m,)}
        counts |= {"histogram": (m, histogram.BINS), "floored_start": (1,), "floored_end": (1,), "stuck": (1,)}
        sums = {name: np.zeros(shape) for name, shape in shapes.items()}
        sums |= {name: np.zeros(shape, dtype=np.int64) for name, shape in counts.items()}
        clusters = None if rows.clusters is None else ClusterSums.empty(rows.clusters, rows.cell, m)
        return cls(sums, np.empty(n), np.empty(n), clusters=clusters)

    def add(self, block: tuple[int, int], found: BlockTally) -> None:
        """Add one block."""
        self.ratio[slice(*block)] = found.ratio
        self.loss_start[slice(*block)] = found.loss_start
        self.astray += (block[0] + found.astray).tolist()
        for name, values in found.sums.items():
            self.sums[name] += values
        if self.clusters is not None:
            sums, place = self.clusters
            sums.add(place[slice(*block)], found.excess, found.wrong_start, found.wrong_end)

    def widened(self, place: np.ndarray, cells: int) -> None:
        """Have so many cells, each of those there are at its ``place``, shape (C,)."""
        for name, axis in _CELL_AXIS.items():
            old = np.moveaxis(self.sums[name], axis, 0)
            new = np.zeros((cells, *old.shape[1:]), dtype=old.dtype)
            new[place] = old
            self.sums[name] = np.moveaxis(new, 0, axis)

    def join(self, other: Totals) -> None:
        """Add the sums of other rows, in the same cells; what is known of each row stays that of these rows."""
        for name, values in other.sums.items():
            self.sums[name] += values

    def check(self, rows: SearchedRows, floor: float) -> None:
        """Refuse what may not be reported.

        Raises:
            AuditError: A row's loss was zero, or its search diverged.
        """
        zero = np.flatnonzero(self.loss_start <= 0) if floor == 0 else np.empty(0, dtype=np.int64)
        if len(zero):
            raise AuditError(
                say(
                    "The model is so sure of {sure} of {rows} rows that their loss is zero, and a ratio to zero has no "
                    "value.",
                    sure=len(zero),
                    rows=len(rows.y),
                ),
                where=say("the first is row {record}", record=int(rows.record[zero[0]]) + 1),
                advice=say("Set a smallest loss, for example 1e-6; the rows it touches are counted and shown."),
            )
        if self.astray:
            raise AuditError(
                say(
                    "The search diverged in {astray} of {rows} rows: the loss or the person is no longer a finite "
                    "number. That is no sign of fairness, so no result is given.",
                    astray=len(self.astray),
                    rows=len(rows.y),
                ),
                where=say("the first is row {record}", record=int(rows.record[self.astray[0]]) + 1),
                advice=say("Choose a smaller step size, an exponential integrator, or a smallest loss."),
            )


def tally(field: AbstractField, rows: SearchedRows, trace: Trace, floor: float) -> BlockTally:
    """What one searched block adds to the totals.

    Losses are softplus of the log-odds against the true class, in float64; the first and the last of them come from
    an exact forward pass, those in between from the search's own. A ratio is max(loss_T, c) / max(loss_0, c).
    """
    moved = torch.mm(field.vectors, trace.z.double()).numpy()
    end = rows.x + moved.T
    start_odds, start_wrong = field.answer(rows.x, rows.y)
    end_odds, end_wrong = field.answer(end, rows.y)
    loss_start = _softplus(start_odds)
    with np.errstate(all="ignore"):
        loss = _softplus(np.concatenate([trace.odds, end_odds[None]]))
        against_flow = loss - trace.penalty < loss_start - _OBJECTIVE_SLACK * np.maximum(loss_start, 1e-3)
        excess = _floored(loss, floor) / _floored(loss_start, floor) - 1.0
        wrong = np.concatenate([trace.wrong, end_wrong[None]])
        finite = np.isfinite(excess).all(axis=0) & np.isfinite(trace.penalty).all(axis=0) & np.isfinite(end).all(axis=1)
        per_cell = _PerCell(rows)
        sums = {
            "excess": per_cell(excess),
            "excess_squares": per_cell(excess * excess),
            "wrong_start": per_cell(start_wrong[None])[0],
            "wrong_end": per_cell(wrong),
            "wrong_both": per_cell(wrong & start_wrong),
            "lost_ground": against_flow.sum(axis=1),
            "histogram": histogram.count(excess),
            "moved_together": _products(moved),
            "floored_start": np.array([(loss_start < floor).sum()]),
            "floored_end": np.array([(loss[-1] < floor).sum()]),
            "stuck": np.array([(trace.z == 0).all(0).sum().item()]),
        }
    ratio = 1.0 + excess[-1]
    return BlockTally(sums, ratio, loss_start, np.flatnonzero(~finite), excess, start_wrong, wrong)


def _products(moved: np.ndarray) -> np.ndarray:
    """Sum over rows of the products of their moves, shape (d, n), in every two columns; on torch's own thread."""
    columns = torch.from_numpy(moved)
    return np.asarray(torch.mm(columns, columns.T).numpy())


def _floored(loss: np.ndarray, floor: float) -> np.ndarray:
    return np.maximum(loss, floor) if floor else loss


def _softplus(odds: np.ndarray) -> np.ndarray:
    """log(1 + exp(odds)) to the last digits; beyond 40 it is the odds themselves."""
    return np.asarray(torch.nn.functional.softplus(torch.from_numpy(odds), threshold=40.0).numpy())


class _PerCell:
    """Sums over the rows of each cell, for arrays of shape (k, n); returns (k, C).

    Products are torch's, which keeps to the thread it is called on; NumPy's would start threads of their own.
    """

    def __init__(self, rows: SearchedRows) -> None:
        self._present, place = np.unique(rows.cell, return_inverse=True)
        self._member = torch.zeros(len(place), len(self._present), dtype=torch.float64)
        self._member[torch.arange(len(place)), torch.from_numpy(place)] = 1.0
        self._cells = rows.cells

    def __call__(self, values: np.ndarray) -> np.ndarray:
        kind = np.int64 if values.dtype == bool else np.float64
        sums = np.zeros((len(values), self._cells), dtype=kind)
        sums[:, self._present] = torch.mm(torch.from_numpy(values).double(), self._member).numpy()
        return sums
