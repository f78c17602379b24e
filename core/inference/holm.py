"""Several tests on one model: Holm's adjustment keeps the chance of any false alarm at alpha."""

import numpy as np


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjusted p-values (Holm 1979), in the order given; NaN (a test without a value) stays NaN and is not counted.

    Args:
        p_values: Raw p-values, shape (k,).
    """
    raw = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(raw.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(raw))
    order = tested[np.argsort(raw[tested], kind="stable")]
    adjusted[order] = np.minimum(np.maximum.accumulate(raw[order] * np.arange(len(order), 0, -1)), 1.0)
    return adjusted
