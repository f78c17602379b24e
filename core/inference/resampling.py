"""How resamples are drawn: in blocks that fit into memory, and of large sorted samples in bins."""

from collections.abc import Iterator

import numpy as np

_BLOCK_NUMBERS = 1_000_000
"""Numbers of a block of resamples (8 MB)."""


def blocks(draws: int, numbers: int) -> Iterator[int]:
    """Resamples of each block when one takes so many numbers: memory does not grow with B, all draws are the same."""
    block = max(1, _BLOCK_NUMBERS // numbers)
    return (min(block, draws - start) for start in range(0, draws, block))


def resampled_rows(n: int, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Rows of B samples of n rows with replacement, in blocks of shape (b, n)."""
    rng = np.random.default_rng((seed, n))
    return (rng.integers(n, size=(size, n), dtype=np.int32) for size in blocks(draws, n))


def quantile_edges(rows: int, bins: int, *, ends: int) -> np.ndarray:
    """Places at which a sorted sample is cut: bins of about equal size, and single rows at both ends.

    A resample costs as many draws as there are bins then, not rows. The tails of a skewed sample decide how its mean is
    spread, so that their rows may be kept apart.

    Args:
        rows: Rows of the sample, more than ``bins``.
        bins: Bins in all.
        ends: Of these, bins of a single row at either end.

    Returns:
        Ascending, the first 0, the last ``rows``; shape (bins + 1,), int.
    """
    inner = np.linspace(ends, rows - ends, bins - 2 * ends + 1).astype(np.int64)
    return np.concatenate([np.arange(ends), inner, np.arange(rows - ends + 1, rows + 1)])
