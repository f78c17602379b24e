"""From the point that a search reached to a person: possible values only, and everything computed again.

The search moves people continuously (eq. 2.6), so that its ends lie between people, or beyond them: a column of two
values that may differ freely is moved on and on. Of the possible people who have some of the possible values nearest to
such an end and else the person's own, and of those to whom changing one column after the other leads, the one with the
largest loss is taken that is similar: no farther from the person than the end is, or than both who has all of these
nearest values and the nearest real person whom the metric tells apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from core.audits.gradient_flow.fields import AbstractField
from core.contracts.metric import FittedMetric
from core.data.cells import as_numbers, as_text
from core.data.encoded import EncodedDataset
from core.data.possible import Possible

MOST_COLUMNS = 6
"""Columns of which every combination is tried, those that the search moved most."""
MOST_CHOICES = 16
"""Values of each column that are tried where one column is changed after the other."""
_ROUNDING = 1e-9
_GAIN = 1e-6
"""By how much, as a share, a loss has to be larger to count as larger."""
_NUMBERS_AT_ONCE = 2**22


@dataclass(frozen=True)
class Twin:
    """A possible person and what the model makes of them.

    Attributes:
        place: Which of the people asked about it is a twin of.
        x: Encoded, shape (d,).
        loss: The loss at that person's outcome, in nats.
        distance: Squared fair distance from that person.
        as_similar: Whether that is no more than the search's own.
    """

    place: int
    x: np.ndarray
    loss: float
    distance: float
    as_similar: bool


class Twins:
    """Possible twins of the people of some rows.

    Args:
        data: The audited rows.
        metric: Who is similar.
        field: The model.
        floor: Smallest loss c, below which nobody is misjudged more than anybody.
    """

    def __init__(self, data: EncodedDataset, metric: FittedMetric, field: AbstractField, floor: float = 0.0) -> None:
        self._data, self._metric, self._field, self._floor = data, metric, field, floor
        self._possible = Possible(data.dataset.frame, data.encoder)

    def of(self, rows: np.ndarray, ends: np.ndarray, limits: np.ndarray) -> Iterator[Twin]:
        """The possible twin of each person who has one that is similar enough and misjudged more.

        Args:
            rows: Positions of the people, shape (p,).
            ends: Where the search took them, shape (p, d).
            limits: Squared distance of the nearest real person whom the metric tells apart from each, shape (p,).
        """
        at_once = max(_NUMBERS_AT_ONCE // (2**MOST_COLUMNS * ends.shape[1]), 1)
        for first in range(0, len(rows), at_once):
            part = slice(first, first + at_once)
            for twin in self._of_part(rows[part], ends[part], limits[part]):
                yield replace(twin, place=first + twin.place)

    def _of_part(self, rows: np.ndarray, ends: np.ndarray, limits: np.ndarray) -> Iterator[Twin]:
        start, y = self._data.x[rows], self._data.y[rows]
        reached = self._reached(ends)
        x = self._data.encoder.transform(self._frame(reached))
        own_ends = self._metric.squared_distance(ends, start)
        nears = np.maximum(own_ends, np.minimum(self._metric.squared_distance(x, start), limits)) + _ROUNDING
        changed = self._changed(rows, nears)
        order = np.argsort(-self._data.encoder.moved(start, ends), axis=1, kind="stable")
        held, there = self._possible.held(rows), self._held(reached)
        differs = [most[one[most]][:MOST_COLUMNS] for most, one in zip(order, held != there, strict=True)]
        between = list(map(self._combined, differs, self._together(differs, held, there), start, x))
        people = np.concatenate([changed, *(each for each, _ in between)])
        distance = np.concatenate([self._metric.squared_distance(changed, start), *(apart for _, apart in between)])
        whose = np.concatenate([np.arange(len(rows)), np.repeat(range(len(rows)), [len(one) for _, one in between])])
        loss = self._losses(people, y[whose])
        least = np.maximum(self._losses(start, y), self._floor) * (1 + _GAIN)
        kept = np.flatnonzero((distance <= nears[whose]) & (loss > least[whose]))
        kept = kept[np.lexsort((distance[kept], -loss[kept], whose[kept]))]
        places, best = np.unique(whose[kept], return_index=True)
        for place, one in zip(places.tolist(), kept[best].tolist(), strict=True):
            far = float(distance[one])
            yield Twin(place, people[one], float(loss[one]), far, far <= own_ends[place] + _ROUNDING)

    @property
    def decimals(self) -> np.ndarray:
        """Decimals with which each column is written, shape (c,), int."""
        return np.array([one.decimals for one in self._possible.columns], dtype=np.int64)

    def frame(self, x: np.ndarray) -> pd.DataFrame:
        """People who are encoded as ``x``, shape (n, d), as rows of the table."""
        return self._frame(self._reached(x))

    def beyond(self, ends: np.ndarray) -> np.ndarray:
        """In which columns ends of the search, shape (p, d), lie beyond what occurs; shape (p, c), bool."""
        decoded = self._data.encoder.inverse(ends)
        return np.stack(
            [
                values.beyond(decoded[values.name].to_numpy())
                if values.are_numbers
                else np.zeros(len(ends), dtype=bool)
                for values in self._possible.columns
            ],
            axis=1,
        )

    def _together(self, differs: list[np.ndarray], held: np.ndarray, there: np.ndarray) -> np.ndarray:
        """Whether a value reached goes with what each person holds, and with what was reached in the other columns.

        Args:
            differs: Columns of each person whose values are asked about.
            held: The people's values, as :meth:`Possible.held` has them, shape (p, c).
            there: Those reached.

        Returns:
            Shape (p, MOST_COLUMNS, 2, c), bool.
        """
        both = np.stack([held, there], axis=1)
        asked = np.full((len(held), MOST_COLUMNS), -1)
        for own, places in zip(asked, differs, strict=True):
            own[: len(places)] = places
        together = np.ones((*asked.shape, *both.shape[1:]), dtype=bool)
        for place in np.unique(asked[asked >= 0]).tolist():
            whose, nth = np.nonzero(asked == place)
            together[whose, nth] = self._possible.goes_with(place, there[whose, place][:, None], both[whose])
        return together

    def _combined(
        self, differs: np.ndarray, together: np.ndarray, start: np.ndarray, x: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Everybody possible who has some of the values reached and else their own: encoded, (k, d), and d², (k,).

        Args:
            differs: Columns in which they may, the one that moved most first.
            together: Whether the value reached in each goes with theirs and with those reached, shape (k, 2, c).
            start: The person, encoded.
            x: Who has all of the values reached, encoded.
        """
        if not len(differs):
            return np.empty((0, len(start))), np.empty(0)
        chosen = ((np.arange(1, 2 ** len(differs))[:, None] >> np.arange(len(differs))) & 1).astype(bool)
        together = together[: len(differs)]
        kept = np.ones(together.shape[-1], dtype=bool)
        kept[differs] = False
        with_own, with_reached = together[:, 0, differs], together[:, 1, differs]
        apart = chosen @ ~together[:, 0, kept].all(axis=1)
        for i in range(len(differs)):
            apart |= chosen[:, i] & ((~chosen & ~with_own[i]) | (chosen & ~with_reached[i])).any(axis=1)
        moves = np.where(self._data.encoder.sources == differs[:, None], x - start, 0.0)
        taken = chosen[~apart].astype(np.float64)
        people = start + taken @ moves
        if not self._metric.quadratic:
            return people, self._apart(people, start)
        products = moves @ self._metric.matrix @ moves.T
        return people, np.maximum(np.einsum("ni,ij,nj->n", taken, products, taken), 0.0)

    def _changed(self, rows: np.ndarray, nears: np.ndarray) -> np.ndarray:
        """To whom changing one column after the other leads, each time the one by which the loss rises most.

        Args:
            rows: Positions of the people, shape (p,).
            nears: Squared distances within which each has to stay, shape (p,).

        Returns:
            These people, encoded, shape (p, d).
        """
        x: np.ndarray = self._data.x[rows].copy()
        y, holds = self._data.y[rows], self._possible.held(rows)
        loss, left = self._losses(x, y), np.arange(len(rows))
        for _ in range(MOST_COLUMNS):
            least = loss[left] * (1 + _GAIN)
            most, best, held = least.copy(), x[left], holds[left]
            for place, (blocks, known) in enumerate(self._choices):
                possible = self._possible.goes_with(place, known, holds[left][:, None]).all(axis=2)
                whose, value = np.nonzero(possible)
                tried = x[left[whose]]
                tried[:, self._data.encoder.sources == place] = blocks[value]
                apart = self._metric.squared_distance(tried, self._data.x[rows[left[whose]]])
                near = apart <= nears[left[whose]]
                reached = np.full(possible.shape, -np.inf)
                reached[whose[near], value[near]] = self._losses(tried[near], y[left[whose[near]]])
                chosen = reached.argmax(axis=1)
                better = np.flatnonzero(reached.max(axis=1) > most)
                most[better] = reached[better, chosen[better]]
                best[better] = x[left[better]]
                best[np.ix_(better, self._data.encoder.sources == place)] = blocks[chosen[better]]
                held[better] = holds[left[better]]
                held[better, place] = known[chosen[better]]
            rose = most > least
            left, most, best, held = left[rose], most[rose], best[rose], held[rose]
            x[left], loss[left], holds[left] = best, most, held
            if not len(left):
                break
        return x

    @cached_property
    def _choices(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Values of each column that are tried: as its encoded columns, shape (v, b), and as rows hold them, (v,)."""
        first, columns = self._values(self._data.dataset.frame.iloc[[0]]), range(len(self._possible.columns))
        values = [self._possible.choices(place, MOST_CHOICES) for place in columns]
        of = np.repeat(columns, [len(one) for one in values])
        people = [
            [*own * int((of < place).sum()), *values[place], *own * int((of > place).sum())]
            for place, own in zip(columns, first, strict=True)
        ]
        x = self._data.encoder.transform(self._frame(people))
        return [
            (x[of == place][:, self._data.encoder.sources == place], self._possible.holding(place, values[place]))
            for place in columns
        ]

    def _held(self, values: list[list[str | float]]) -> np.ndarray:
        """Values, a list a column, as rows hold them, shape (n, c)."""
        return np.stack([self._possible.holding(place, cells) for place, cells in enumerate(values)], axis=1)

    def _values(self, frame: pd.DataFrame) -> list[list[str | float]]:
        return [
            (as_numbers(frame[one.name]) if one.are_numbers else as_text(frame[one.name])).tolist()
            for one in self._possible.columns
        ]

    def _reached(self, at: np.ndarray) -> list[list[str | float]]:
        """The nearest value of each column at points, shape (n, d), a list a column."""
        decoded = self._data.encoder.inverse(at)
        return [
            (one.nearest(decoded[one.name].to_numpy()) if one.are_numbers else decoded[one.name]).tolist()
            for one in self._possible.columns
        ]

    def _frame(self, values: list[list[str | float]]) -> pd.DataFrame:
        return pd.DataFrame(
            {
                one.name: np.array(cells, dtype=np.float64) if one.are_numbers else pd.array(cells, dtype="str")
                for one, cells in zip(self._possible.columns, values, strict=True)
            }
        )

    def _losses(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Losses of rows in nats, shape (n,)."""
        return np.asarray(np.logaddexp(0.0, self._field.answer(x, y)[0]))

    def _apart(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Squared fair distances of rows, shape (n, d), from one, shape (d,)."""
        return self._metric.squared_distance(x, np.broadcast_to(other, x.shape))
