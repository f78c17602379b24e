"""Possible people beside real ones: of evenly spaced rows, and of those who are shown.

These are the people for whom the search found most, each beside a possible twin and the nearest real person.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import torch

from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.changes import Changes
from core.audits.gradient_flow.fields import AbstractField
from core.audits.gradient_flow.pair import SAME
from core.audits.gradient_flow.people import ROWS, PossiblePeople, taken_of
from core.audits.gradient_flow.result import WorstPairs, in_turn
from core.audits.gradient_flow.tally import SearchedRows
from core.audits.gradient_flow.twins import Twin, Twins
from core.contracts.metric import FittedMetric
from core.data.cells import as_text
from core.data.encoded import EncodedDataset

_HELD = 1e-12
_AT_ONCE, _MOST_HELD = 32, 2**22
"""People whose distances from all rows are held at the same time, and how many distances at most."""
_BLOCK = 2**16
"""Rows that are turned to the directions of a metric at once."""


class Around:
    """Squared fair distances from all of some rows, and who is nearest of those who are somebody else.

    Args:
        x: The rows, encoded, shape (n, d).
        metric: Who is similar.
        clusters: Code of each row's cluster, shape (n,), rows of one being of the same person or household; None where
            each stands for itself.
    """

    def __init__(self, x: np.ndarray, metric: FittedMetric, clusters: np.ndarray | None = None) -> None:
        self._x, self._metric = x, metric
        self._whose = np.arange(len(x)) if clusters is None else clusters
        values, vectors = metric.eigen
        held = values > _HELD * values[-1]
        self._scaled = torch.from_numpy(vectors[:, held] * np.sqrt(values[held]))
        turned = (self._turned(x[start : start + _BLOCK]) for start in range(0, len(x), _BLOCK))
        self._squares = torch.cat([(z * z).sum(1) for z in turned])

    def told_apart(self, rows: np.ndarray) -> np.ndarray:
        """Squared distance of the nearest of the others who is told apart from each row, (k,); infinite without one."""
        others = self._from_others(self._x[rows], rows)
        return np.array([one.min(where=one > SAME, initial=np.inf) for one in others])

    def nearest(self, points: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Position of the row nearest to each point, shape (k, d), of somebody else than the row at ``but``, (k,).

        Of several that are as similar it is the one that differs least in all columns together, then the first.
        """
        found = []
        for point, one in zip(points, self._from_others(points, but), strict=True):
            close = np.flatnonzero(one <= one.min() + SAME)
            found.append(close[np.square(self._x[close] - point).sum(axis=1).argmin()])
        return np.array(found, dtype=np.int64)

    def _from_others(self, points: np.ndarray, but: np.ndarray) -> Iterator[np.ndarray]:
        """Squared distances of all rows from each point, shape (n,), infinite of the rows of whose row is at ``but``.

        Each is to be read before the next: they are written into the same memory.
        """
        size = max(1, min(_AT_ONCE, _MOST_HELD // len(self._x)))
        held = torch.empty((size, len(self._x)), dtype=torch.float64)
        for start in range(0, len(points), size):
            part = slice(start, start + size)
            for one, whose in zip(self._squared(points[part], held), self._whose[but[part]], strict=True):
                one[self._whose == whose] = np.inf
                yield one

    def _squared(self, points: np.ndarray, held: torch.Tensor) -> np.ndarray:
        """Squared distance of each row from each point, shape (k, d), at most as many as ``held`` has rows; (k, n)."""
        if not self._metric.quadratic:
            return self._metric.between(points, self._x)
        at = self._turned(points)
        found = torch.mm(torch.mm(-2 * at, self._scaled.T), torch.from_numpy(self._x).T, out=held[: len(points)])
        return np.asarray(found.add_(self._squares).add_((at * at).sum(1)[:, None]).clamp_(min=0.0).numpy())

    def _turned(self, points: np.ndarray) -> torch.Tensor:
        """Points in the directions that the metric sees, each as long as it counts; shape (k, r)."""
        return torch.mm(torch.from_numpy(np.ascontiguousarray(points)), self._scaled)


SHOWN = 12
TRIED = 60
"""People among whom those are looked for who have a possible twin."""

States = Callable[[np.ndarray], np.ndarray]
"""Where the search took the people at some positions, (p,), at each recorded stopping time: (m, p, d)."""


@dataclass(frozen=True)
class Searched:
    """What was searched.

    Attributes:
        data: The audited rows.
        metric: Who is similar.
        field: The model.
        floor: Smallest loss c.
    """

    data: EncodedDataset
    metric: FittedMetric
    field: AbstractField
    floor: float

    @cached_property
    def around(self) -> Around:
        """Who is near whom of the rows."""
        return Around(self.data.x, self.metric, self.data.clusters)

    @cached_property
    def twins(self) -> Twins:
        """Possible people."""
        return Twins(self.data, self.metric, self.field, self.floor)

    def loss(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Losses of rows in nats, shape (n,)."""
        return np.asarray(np.logaddexp(0.0, self.field.answer(x, y)[0]))

    def floored(self, loss: np.ndarray) -> np.ndarray:
        """Losses, none below the smallest."""
        return np.asarray(np.maximum(loss, self.floor))


def pairs_of(given: Searched, cell: np.ndarray, ratio: np.ndarray, states: States) -> WorstPairs:
    """The pairs of an audit, in which the combinations of protected values take turns.

    Args:
        given: What was searched.
        cell: Code of each row's combination, shape (n,), int.
        ratio: Loss ratio of each row at the last stopping time, shape (n,).
        states: Searches some of them again.
    """
    data = given.data
    rows = _different(data, in_turn(np.lexsort((np.arange(len(ratio)), -ratio)), cell))
    ends = states(rows)
    if data.encoder.is_embedding:
        return _pairs(given, rows[:SHOWN], ends[:, :SHOWN], looked_for=None)
    limits = given.around.told_apart(rows)
    found = {twin.place: twin for twin in given.twins.of(rows, ends[-1], limits)}
    start = given.floored(given.loss(data.x[rows], data.y[rows]))
    order = sorted(range(len(rows)), key=lambda place: _rank(found.get(place), float(start[place]), place))
    with_twin = [place for place in order if place in found]
    order = [*in_turn(np.array(with_twin, dtype=np.int64), cell[rows]).tolist(), *order[len(with_twin) :]]
    chosen = np.array(order[:SHOWN], dtype=np.int64)
    return _pairs(given, rows[chosen], ends[:, chosen], looked_for=limits[chosen])


def possible_people(
    given: Searched, cells: GroupCells, rows: SearchedRows, states: States, most: int = ROWS
) -> tuple[PossiblePeople, Changes] | None:
    """The most misjudged possible people found who are similar to those of some rows, and in what they differ.

    None of texts.

    Args:
        given: What was searched.
        cells: The groups.
        rows: The audited rows.
        states: Searches some of them again.
        most: How many rows are taken of everybody.
    """
    if given.data.encoder.is_embedding:
        return None
    chosen, taken = taken_of(cells, rows.cell, most)
    some, x = rows.take(chosen), rows.x[chosen].copy()
    for twin in given.twins.of(chosen, states(chosen)[-1], given.around.told_apart(chosen)):
        x[twin.place] = twin.x
    (start, wrong_start), (end, wrong_end) = (given.field.answer(one, some.y) for one in (some.x, x))
    loss_start, loss_end = (given.floored(np.logaddexp(0.0, one)) for one in (start, end))
    people = PossiblePeople(some.record, taken, some.clusters, loss_end / loss_start, wrong_start, wrong_end)
    before, after = map(given.twins.frame, (some.x, x))
    return people, Changes.of(before, after, taken, given.data.encoder)


def _different(data: EncodedDataset, order: np.ndarray) -> np.ndarray:
    """The first of the positions in this order, shape (n,); of those who are the same to the model one."""
    found: dict[bytes, int] = {}
    for row in order:
        if len(found) == TRIED:
            break
        found.setdefault(data.x[row].tobytes() + data.y[row].tobytes(), int(row))
    return np.array(list(found.values()), dtype=np.int64)


def _rank(twin: Twin | None, start: float, place: int) -> tuple[bool, bool, float, int]:
    if twin is None:
        return True, True, 0.0, place
    return False, not twin.as_similar, -twin.loss / start, place


def _pairs(given: Searched, rows: np.ndarray, ends: np.ndarray, *, looked_for: np.ndarray | None) -> WorstPairs:
    """The people at these positions, (p,), whom the search took to ``ends``, (m, p, d).

    Twins are looked for with these limits, (p,), where there are any.
    """
    data, metric = given.data, given.metric
    m, p, _ = ends.shape
    every, flat = np.tile(rows, m), ends.reshape(m * p, -1)
    x, as_similar, has_twin = data.x[every].copy(), np.zeros(m * p, dtype=bool), np.zeros(m * p, dtype=bool)
    people = data.people(rows)
    decimals, beyond = np.zeros(people.shape[1], dtype=np.int64), np.zeros((m * p, people.shape[1]), dtype=bool)
    after = pd.concat([people] * m, ignore_index=True)
    if looked_for is not None:
        twins = given.twins
        decimals = twins.decimals
        for twin in twins.of(every, flat, np.tile(looked_for, m)):
            x[twin.place], as_similar[twin.place], has_twin[twin.place] = twin.x, twin.as_similar, True
        beyond = twins.beyond(flat) & has_twin[:, None]
        after = twins.frame(x)
    start = given.floored(given.loss(data.x[rows], data.y[rows]))
    loss, searched = given.loss(x, data.y[every]), given.loss(flat, data.y[every])
    real = given.around.nearest(np.where(has_twin[:, None], x, flat), every)
    numbers = data.dataset.frame.index.to_numpy(dtype=np.int64)
    shown = (m, p)
    return WorstPairs(
        rows=numbers[rows],
        before=people,
        groups=data.dataset.frame.iloc[rows].loc[:, list(data.dataset.roles.protected)].reset_index(drop=True),
        outcome=tuple(as_text(data.dataset.frame[data.dataset.roles.outcome].iloc[rows])),
        chance=np.exp(-given.loss(data.x[rows], data.y[rows])),
        decimals=decimals,
        searched=given.floored(searched).reshape(shown) / start,
        after=after,
        ratios=np.where(has_twin, given.floored(loss), np.nan).reshape(shown) / start,
        chance_after=np.where(has_twin, np.exp(-loss), np.nan).reshape(shown),
        distance=np.where(has_twin, metric.squared_distance(x, data.x[every]), np.nan).reshape(shown),
        as_similar=as_similar.reshape(shown),
        beyond=beyond.reshape(m, p, -1),
        real_rows=numbers[real].reshape(shown),
        real=data.people(real),
        real_chance=np.exp(-given.loss(data.x[real], data.y[every])).reshape(shown),
        real_distance=metric.squared_distance(data.x[real], data.x[every]).reshape(shown),
    )
