"""Who is shown: the people for whom the search found most, each beside a possible twin and the nearest real person."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.gradient_flow.around import Around
from core.audits.gradient_flow.fields import AbstractField
from core.audits.gradient_flow.result import WorstPairs
from core.audits.gradient_flow.twins import Twin, Twins
from core.contracts.metric import FittedMetric
from core.data.cells import as_text
from core.data.dataset import EncodedDataset

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

    def loss(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Losses of rows in nats, shape (n,)."""
        return np.asarray(np.logaddexp(0.0, self.field.answer(x, y)[0]))

    def floored(self, loss: np.ndarray) -> np.ndarray:
        """Losses, none below the smallest."""
        return np.asarray(np.maximum(loss, self.floor))


def pairs_of(given: Searched, ratio: np.ndarray, states: States) -> WorstPairs:
    """The pairs of an audit.

    Args:
        given: What was searched.
        ratio: Loss ratio of each row at the last stopping time, shape (n,).
        states: Searches some of them again.
    """
    data, metric, field = given.data, given.metric, given.field
    around = Around(data.x, metric, data.clusters)
    rows = _different(data, ratio)
    ends = states(rows)
    if data.encoder.is_embedding:
        return _pairs(given, around, rows[:SHOWN], ends[:, :SHOWN], looked_for=None)
    twins = Twins(data, metric, field, given.floor)
    limits = around.told_apart(rows)
    found = {twin.place: twin for twin in twins.of(rows, ends[-1], limits)}
    start = given.floored(given.loss(data.x[rows], data.y[rows]))
    order = sorted(range(len(rows)), key=lambda place: _rank(found.get(place), float(start[place]), place))
    chosen = np.array(order[:SHOWN], dtype=np.int64)
    return _pairs(given, around, rows[chosen], ends[:, chosen], looked_for=(twins, limits[chosen]))


def _different(data: EncodedDataset, ratio: np.ndarray) -> np.ndarray:
    """Positions of the people with the largest ratios, largest first; of those who are the same to the model one."""
    found: dict[bytes, int] = {}
    for row in np.lexsort((np.arange(len(ratio)), -ratio)):
        if len(found) == TRIED:
            break
        found.setdefault(data.x[row].tobytes() + data.y[row].tobytes(), int(row))
    return np.array(list(found.values()), dtype=np.int64)


def _rank(twin: Twin | None, start: float, place: int) -> tuple[bool, bool, float, int]:
    if twin is None:
        return True, True, 0.0, place
    return False, not twin.as_similar, -twin.loss / start, place


def _pairs(
    given: Searched, around: Around, rows: np.ndarray, ends: np.ndarray, *, looked_for: tuple[Twins, np.ndarray] | None
) -> WorstPairs:
    """The people at these positions, (p,), whom the search took to ``ends``, (m, p, d)."""
    data, metric = given.data, given.metric
    m, p, _ = ends.shape
    every, flat = np.tile(rows, m), ends.reshape(m * p, -1)
    x, as_similar, has_twin = data.x[every].copy(), np.zeros(m * p, dtype=bool), np.zeros(m * p, dtype=bool)
    people = data.people(rows)
    decimals, beyond = np.zeros(people.shape[1], dtype=np.int64), np.zeros((m * p, people.shape[1]), dtype=bool)
    after = pd.concat([people] * m, ignore_index=True)
    if looked_for is not None:
        twins, limits = looked_for
        decimals = twins.decimals
        for twin in twins.of(every, flat, np.tile(limits, m)):
            x[twin.place], as_similar[twin.place], has_twin[twin.place] = twin.x, twin.as_similar, True
        beyond = twins.beyond(flat) & has_twin[:, None]
        after = twins.frame(x)
    start = given.floored(given.loss(data.x[rows], data.y[rows]))
    loss, searched = given.loss(x, data.y[every]), given.loss(flat, data.y[every])
    real = around.nearest(np.where(has_twin[:, None], x, flat), every)
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
