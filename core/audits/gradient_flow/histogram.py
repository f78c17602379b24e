"""Fine bins of the loss ratio, found from the bits of r - 1 so that counting costs next to nothing.

Bins are geometric in |r - 1|, eight to a factor of two, from 2^-20 to 2^40; smaller excesses share one bin around 1.
"""

import numpy as np

_PER_OCTAVE = 8
_SMALLEST, _LARGEST = -20, 40
_SHIFT = 23 - 3
_ORIGIN = (127 + _SMALLEST) * _PER_OCTAVE
_UP = (_LARGEST - _SMALLEST) * _PER_OCTAVE
_DOWN = -_SMALLEST * _PER_OCTAVE
BINS = _DOWN + 1 + _UP


def _steps(octaves: int) -> np.ndarray:
    """Bin edges of |r - 1| over so many octaves above the smallest, shape (8 octaves + 1,)."""
    whole, part = np.divmod(np.arange(octaves * _PER_OCTAVE + 1), _PER_OCTAVE)
    return np.asarray(np.ldexp(1.0 + part / _PER_OCTAVE, whole + _SMALLEST))


def edges() -> np.ndarray:
    """Edges of the bins, shape (BINS + 1,), from 0 to infinity."""
    up, down = _steps(_LARGEST - _SMALLEST), _steps(-_SMALLEST)
    found = np.concatenate([1.0 - down[::-1], 1.0 + up])
    found[-1] = np.inf
    return found


def count(excess: np.ndarray) -> np.ndarray:
    """Rows per bin, shape (m, BINS), int64.

    Args:
        excess: r - 1 at each stopping time, shape (m, n).
    """
    single = np.ascontiguousarray(excess, dtype=np.float32)
    level = (np.abs(single).view(np.int32) >> _SHIFT) - (_ORIGIN - 1)
    bins = _DOWN + np.clip(np.where(single < 0, -np.maximum(level, 0), np.maximum(level, 0)), -_DOWN, _UP)
    bins += np.arange(len(bins), dtype=bins.dtype)[:, None] * BINS
    return np.bincount(bins.ravel(), minlength=BINS * len(bins)).reshape(len(bins), BINS)


def middles(edges: np.ndarray) -> np.ndarray:
    """A ratio to stand for each bin, shape (b,): the middle, or the finite edge of an open bin."""
    low, high = edges[:-1], edges[1:]
    return np.where(np.isinf(high), low, 0.5 * (low + np.where(np.isinf(high), low, high)))


def coarse(counts: np.ndarray, edges: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Neighbouring bins put together: counts (b,), finite edges (b + 1,), b <= bins, about even in log r."""
    occupied = np.flatnonzero(counts)
    first, last = occupied[0], occupied[-1] + 1
    values = middles(edges)
    inner = edges[first + 1 : last]
    low = edges[first] if edges[first] > 0 else values[first]
    high = edges[last] if np.isfinite(edges[last]) else 2 * edges[last - 1]
    wanted = np.geomspace(low, high, bins + 1)[1:-1]
    nearest = np.unique(inner[np.abs(inner[None, :] - wanted[:, None]).argmin(axis=1)]) if len(inner) else inner
    cuts = np.concatenate([[low], nearest, [high]])
    start = np.concatenate([[first], first + 1 + np.searchsorted(inner, nearest)])
    return np.add.reduceat(counts[:last], start), cuts
