"""How far people lie from all rows of a table, under a fair metric."""

import numpy as np
import torch

from core.contracts.metric import FittedMetric

NO_DISTANCE = 1e-8
"""A squared distance from which on the metric tells two people apart."""
_HELD = 1e-12
_AT_ONCE = 32
"""People whose distances from all rows are held at the same time."""


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
        self._z = torch.mm(torch.from_numpy(x), self._scaled)
        self._squares = (self._z * self._z).sum(1)

    def squared(self, points: np.ndarray) -> np.ndarray:
        """Squared distance of each row from each point, shape (k, d); returns (k, n)."""
        if not self._metric.quadratic:
            return self._metric.between(points, self._x)
        at = torch.mm(torch.from_numpy(np.ascontiguousarray(points)), self._scaled)
        found = (at * at).sum(1)[:, None] + self._squares - 2 * torch.mm(at, self._z.T)
        return np.asarray(found.clamp_(min=0.0).numpy())

    def told_apart(self, rows: np.ndarray) -> np.ndarray:
        """Squared distance of the nearest of the others who is told apart from each row, (k,); infinite without one."""
        nearest = [
            np.where(one > NO_DISTANCE, one, np.inf).min(axis=1)
            for one in (self._from_others(self._x[some], some) for some in _parts(rows))
        ]
        return np.concatenate([np.empty(0), *nearest])

    def nearest(self, points: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Position of the row nearest to each point, shape (k, d), of somebody else than the row at ``but``, (k,).

        Of several that are as similar it is the one that differs least in all columns together, then the first.
        """
        found = []
        for some, left in zip(_parts(points), _parts(but), strict=True):
            for point, one in zip(some, self._from_others(some, left), strict=True):
                close = np.flatnonzero(one <= one.min() + NO_DISTANCE)
                found.append(close[np.square(self._x[close] - point).sum(axis=1).argmin()])
        return np.array(found, dtype=np.int64)

    def _from_others(self, points: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Squared distances from points, (k, d), infinite for the rows of whose row is at ``but``; shape (k, n)."""
        return np.where(self._whose == self._whose[but][:, None], np.inf, self.squared(points))


def _parts(values: np.ndarray) -> list[np.ndarray]:
    return [values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE)]
