"""Large sorted samples in a thousand bins or two: a resample costs as many draws as there are bins, not rows."""

import numpy as np


def quantile_edges(rows: int, bins: int, *, ends: int) -> np.ndarray:
    """Places at which a sorted sample is cut: bins of about equal size, and single rows at both ends.

    The tails of a skewed sample decide how its mean is spread, so that their rows may be kept apart.

    Args:
        rows: Rows of the sample, more than ``bins``.
        bins: Bins in all.
        ends: Of these, bins of a single row at either end.

    Returns:
        Ascending, the first 0, the last ``rows``; shape (bins + 1,), int.
    """
    inner = np.linspace(ends, rows - ends, bins - 2 * ends + 1).astype(np.int64)
    return np.concatenate([np.arange(ends), inner, np.arange(rows - ends + 1, rows + 1)])
