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
    """Squared fair distances from all of some rows, and who is nearest.

    Args:
        x: The rows, encoded, shape (n, d).
        metric: Who is similar.
    """

    def __init__(self, x: np.ndarray, metric: FittedMetric) -> None:
        self._x, self._metric = x, metric
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

    def told_apart(self, points: np.ndarray) -> np.ndarray:
        """Squared distance of the nearest row that is told apart from each point, (k, d); infinite without one."""
        nearest = [np.where(one > NO_DISTANCE, one, np.inf).min(axis=1) for one in map(self.squared, _parts(points))]
        return np.concatenate([np.empty(0), *nearest])

    def nearest(self, points: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Position of the row nearest to each point, shape (k, d), other than the row at ``but``, shape (k,).

        Of several that are as similar it is the one that differs least in all columns together, then the first.
        """
        found = []
        for some, left in zip(_parts(points), _parts(but), strict=True):
            distance = self.squared(some)
            distance[np.arange(len(some)), left] = np.inf
            for point, one in zip(some, distance, strict=True):
                close = np.flatnonzero(one <= one.min() + NO_DISTANCE)
                found.append(close[np.square(self._x[close] - point).sum(axis=1).argmin()])
        return np.array(found, dtype=np.int64)


def _parts(values: np.ndarray) -> list[np.ndarray]:
    return [values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE)]
