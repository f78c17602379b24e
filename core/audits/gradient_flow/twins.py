"""From the point that a search reached to a person: possible values only, and everything computed again.

The search moves people continuously (eq. 2.6), so that its ends lie between people. Of the possible people on the way
from a person to such an end, each column either as it was or moved, the one with the largest loss is taken that is as
similar as the end itself. Where nobody is, they may be as far as the plainly rounded end, but no farther than the
nearest real person whom the metric tells apart. The test's statistic does not know of it: it is the search's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.gradient_flow.fields import AbstractField
from core.contracts.metric import FittedMetric
from core.data.cells import as_numbers, as_text
from core.data.encoded import EncodedDataset
from core.data.possible import Possible

MOST_COLUMNS = 8
"""Columns of which every combination is tried, those that the search moved most."""
SHARES = np.array([1.0, 0.75, 0.5, 0.25])
"""Of the way to the search's end."""
_ROUNDING = 1e-9


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
        start = self._data.x[rows]
        way = start[:, None] + SHARES[:, None] * (ends - start)[:, None]
        at = way.reshape(-1, way.shape[2])
        own, reached = self._values(self._data.dataset.frame.iloc[rows]), self._reached(at)
        x = self._data.encoder.transform(self._frame(reached)).reshape(way.shape)
        moved = self._data.encoder.moved(np.repeat(start, len(SHARES), axis=0), at)
        for place in range(len(rows)):
            before = [values[place] for values in own]
            tried = []
            for share in range(len(SHARES)):
                one = place * len(SHARES) + share
                after = [values[one] for values in reached]
                order = np.argsort(-moved[one], kind="stable")
                tried.append(self._combined(before, after, order, (start[place], x[place, share])))
            row = int(rows[place])
            near = float(self._apart(ends[place][None], start[place])[0]) + _ROUNDING
            rounded = float(self._apart(x[place, :1], start[place])[0])
            near_by = tuple(map(np.concatenate, zip(*tried, strict=True)))
            found = self._best(row, near_by, near, min(rounded, float(limits[place])) + _ROUNDING)
            if found is not None:
                yield Twin(place, *found)

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

    def _best(
        self, row: int, people: tuple[np.ndarray, ...], reached: float, limit: float
    ) -> tuple[np.ndarray, float, float, bool] | None:
        """What is kept of the one of possible people who is shown; None where nobody can be.

        Args:
            row: Position of the person.
            people: The possible people, encoded, shape (k, d), and their squared distances from that person, (k,).
            reached: Squared distance of the search's end.
            limit: How far the twin may lie where nobody is as near as that.
        """
        (x, distance), y = people, int(self._data.y[row])
        loss, first = self._loss(x, y), self._loss(self._data.x[row][None], y)[0]
        for most in (reached, limit):
            kept = np.flatnonzero((distance <= most) & (loss > max(first, self._floor)))
            if len(kept):
                best = kept[np.lexsort((distance[kept], -loss[kept]))[0]]
                return x[best], float(loss[best]), float(distance[best]), bool(distance[best] <= reached)
        return None

    def _combined(
        self,
        own: list[str | float],
        reached: list[str | float],
        order: np.ndarray,
        encoded: tuple[np.ndarray, np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray]:
        """Everybody possible who has some of the values reached and else their own: encoded, (k, d), and d², (k,).

        Args:
            own: The person's values.
            reached: Those reached.
            order: Columns, the one that moved most first.
            encoded: Both, encoded.
        """
        start, x = encoded
        differs = [place for place in order.tolist() if own[place] != reached[place]][:MOST_COLUMNS]
        sources = self._data.encoder.sources
        chosen = ((np.arange(1, 2 ** len(differs))[:, None] >> np.arange(len(differs))) & 1).astype(bool)
        possible = np.ones(len(chosen), dtype=bool)
        for i, place in enumerate(differs):
            for other in range(len(own)):
                if other == place:
                    continue
                if not self._possible.go_together(place, reached[place], other, own[other]):
                    possible &= ~chosen[:, i] | (chosen[:, differs.index(other)] if other in differs else False)
                if other in differs[:i] and not self._possible.go_together(
                    place, reached[place], other, reached[other]
                ):
                    possible &= ~(chosen[:, i] & chosen[:, differs.index(other)])
        moves = np.where(sources == np.array(differs, dtype=np.int64)[:, None], x - start, 0.0)
        taken = chosen[possible].astype(np.float64)
        people = start + taken @ moves
        if not self._metric.quadratic:
            return people, self._apart(people, start)
        together = moves @ self._metric.matrix @ moves.T
        return people, np.maximum(np.einsum("ni,ij,nj->n", taken, together, taken), 0.0)

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

    def _loss(self, x: np.ndarray, y: int) -> np.ndarray:
        """Loss of rows at one outcome, shape (n,)."""
        return np.asarray(np.logaddexp(0.0, self._field.answer(x, np.full(len(x), y, dtype=np.int64))[0]))

    def _apart(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Squared fair distances of rows, shape (n, d), from one, shape (d,)."""
        return self._metric.squared_distance(x, np.broadcast_to(other, x.shape))
