"""A picture of what a fair metric calls similar: how free each column is, and real pairs it holds for the same."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from core.contracts.metric import FittedMetric
from core.data.encoded import EncodedDataset
from core.data.encoder import BinaryColumn, CoordinateColumn, Encoder, NumericColumn, categories_of

ROW_LIMIT = 4000
"""At most this many rows, drawn at random, are searched for pairs."""

NEARLY = 0.1
"""Two people are nearly the same within this share of the typical squared fair distance."""

_BLOCK = 500


@dataclass(frozen=True)
class ColumnFreedom:
    """How far people may differ in one original column without counting as different.

    Attributes:
        column: The original column.
        share: Share of the squared length of a change in it that lies in the free subspace, 0 (held) to 1 (free); for
            a category the mean over changes from one category to another.
        largest: The largest share over such changes; ``share`` for a number.
        change: The two categories of that change; empty for a number.
    """

    column: str
    share: float
    largest: float
    change: tuple[str, ...]


@dataclass(frozen=True)
class SimilarPairs:
    """Real people whom the metric calls nearly the same although they differ in a protected attribute, and in more.

    Attributes:
        rows: Row numbers in the file (0-based), shape (p, 2), int.
        distance: Squared fair distance of each pair, shape (p,).
        plain: Squared distance if nothing were free (I in place of Σ), shape (p,).
        typical: Median squared fair distance between two people drawn at random.
        first: The first person of each pair, features in original units, p rows.
        second: The second, same columns.
        first_groups: Protected values of the first, p rows.
        second_groups: Of the second.
    """

    rows: np.ndarray
    distance: np.ndarray
    plain: np.ndarray
    typical: float
    first: pd.DataFrame
    second: pd.DataFrame
    first_groups: pd.DataFrame
    second_groups: pd.DataFrame

    @classmethod
    def of(
        cls, data: EncodedDataset, first: np.ndarray, second: np.ndarray, distance: np.ndarray, typical: float
    ) -> Self:
        """The rows at these positions; the other arguments are attributes."""
        frame = data.dataset.frame
        protected, rows = frame[list(data.dataset.roles.protected)], frame.index.to_numpy()
        return cls(
            rows=np.stack([rows[first], rows[second]], axis=1),
            distance=distance,
            plain=((data.x[first] - data.x[second]) ** 2).sum(axis=1),
            typical=typical,
            first=data.people(first),
            second=data.people(second),
            first_groups=protected.iloc[first].reset_index(drop=True),
            second_groups=protected.iloc[second].reset_index(drop=True),
        )


def column_freedom(metric: FittedMetric, encoder: Encoder) -> tuple[ColumnFreedom, ...]:
    """How free each original column is, freest first; equally free ones in the table's order."""
    free = metric.free.T @ metric.free
    table = []
    for number, column in enumerate(encoder.columns):
        own = np.flatnonzero(encoder.sources == number)
        block = free[np.ix_(own, own)]
        if isinstance(column, NumericColumn | CoordinateColumn) or len(own) == 1:
            change = column.categories if isinstance(column, BinaryColumn) else ()
            table.append(ColumnFreedom(column.name, float(block[0, 0]), float(block[0, 0]), change))
            continue
        one, other = np.triu_indices(len(own), 1)
        shares = (block[one, one] + block[other, other]) / 2 - block[one, other]
        most = int(shares.round(12).argmax())
        categories = categories_of(column)
        change = (categories[one[most]], categories[other[most]])
        table.append(ColumnFreedom(column.name, float(shares.mean()), float(shares[most]), change))
    return tuple(sorted(table, key=lambda row: -row.largest))


def similar_pairs(metric: FittedMetric, data: EncodedDataset, rng: np.random.Generator, k: int = 5) -> SimilarPairs:
    """Up to ``k`` pairs of real rows whose protected values differ and which the metric calls nearly the same.

    Nearly the same means a fair distance of at most a tenth of the typical one. Of such pairs those come first of
    whose plain distance the metric forgives the largest share, for they show what it does; where they are too few,
    the closest of the others follow. Pairs that differ in the same columns as one before come last; pairs alike in
    every column the model reads show nothing and are passed over. No row appears twice. At most 4,000 rows, drawn at
    random, are compared, in blocks.
    """
    chosen = np.sort(rng.permutation(len(data))[:ROW_LIMIT])
    part = data.take(chosen)
    protected = part.dataset.frame[list(part.dataset.roles.protected)]
    group = protected.groupby(list(protected.columns), sort=True, observed=True).ngroup().to_numpy()
    order = rng.permutation(len(part))
    typical = float(np.median(metric.squared_distance(part.x[order], part.x[np.roll(order, 1)])))
    first, second = _disjoint(_telling(metric, part.x, group, NEARLY * typical), part.x, part.encoder.sources, k)
    return SimilarPairs.of(part, first, second, metric.squared_distance(part.x[first], part.x[second]), typical)


def _telling(metric: FittedMetric, x: np.ndarray, group: np.ndarray, limit: float) -> np.ndarray:
    """For each row its most telling partner of another group, as pairs of positions, most telling first; (m, 2)."""
    values, vectors = metric.eigen
    fair = x @ (vectors * np.sqrt(values))
    length, size = (fair**2).sum(axis=1), (x**2).sum(axis=1)
    found = []
    for start in range(0, len(x), _BLOCK):
        rows = slice(start, start + _BLOCK)
        if metric.quadratic:
            apart = np.maximum(length[rows, None] + length - 2 * fair[rows] @ fair.T, 0.0)
        else:
            apart = metric.between(x[rows], x)
        plain = np.maximum(size[rows, None] + size - 2 * x[rows] @ x.T, 0.0)
        apart[(group[rows, None] == group) | (plain < 1e-9 * (1 + size))] = np.inf
        with np.errstate(divide="ignore", invalid="ignore"):
            rank = np.where(apart <= limit, apart / plain - 1, apart)
        other = rank.argmin(axis=1)
        own = np.arange(len(other))
        found.append(np.stack([rank[own, other], own + start, other], axis=1))
    pairs = np.concatenate(found)
    pairs = pairs[np.isfinite(pairs[:, 0])]
    ordered: np.ndarray = pairs[np.argsort(pairs[:, 0], kind="stable"), 1:].astype(np.int64)
    return ordered


def _disjoint(candidates: np.ndarray, x: np.ndarray, sources: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The first ``k`` candidates without a row twice; those that differ in columns not shown before go first."""
    used: set[int] = set()
    shown: set[frozenset[int]] = set()
    chosen: list[tuple[int, int]] = []
    for fresh in (True, False):
        for first, second in candidates.tolist():
            columns = frozenset(sources[x[first] != x[second]].tolist())
            if len(chosen) == k or first in used or second in used or (fresh and columns in shown):
                continue
            chosen.append((first, second))
            used |= {first, second}
            shown.add(columns)
    pairs = np.array(chosen, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
