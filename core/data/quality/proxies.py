"""Whether one column is a proxy of another: it says the same in other words."""

import numpy as np

from core.data.cells import Coded, is_number_column, one_to_one

_AGREEMENT = 0.9999
"""Two quantities whose ranks correlate by more than this say the same."""

_ENOUGH_TO_REFUTE = 5_000
_NEAR = 0.99


def is_proxy_of(first: Coded, second: Coded) -> bool:
    """Whether each value of one column goes with one value of the other.

    Where hardly a value repeats, that says nothing: of two columns of numbers the ranks then have to agree, and of
    others it is not said.

    Args:
        first: The column that may give the other away; numbers where its ``distinct`` are.
        second: The other.
    """
    if _are_numbers(first) and _are_numbers(second) and _ranks_agree(_numbers(first), _numbers(second)):
        return True
    repeated = 2 * len(second.distinct) <= int((~second.missing).sum())
    return (repeated or not _are_numbers(second)) and one_to_one(first, second)


def _are_numbers(coded: Coded) -> bool:
    return len(coded.distinct) > 2 and is_number_column(coded.distinct.to_series())


def _numbers(coded: Coded) -> np.ndarray:
    """Value of each row, shape (n,), float64; NaN where it is missing."""
    numbers: np.ndarray = np.append(coded.distinct.to_numpy(dtype=np.float64), np.nan)[coded.codes]
    return numbers


def _ranks_agree(first: np.ndarray, second: np.ndarray) -> bool:
    both = np.isfinite(first) & np.isfinite(second)
    first, second = first[both], second[both]
    some = slice(None, None, max(1, len(first) // _ENOUGH_TO_REFUTE))
    return _rank_correlation(first[some], second[some]) > _NEAR and _rank_correlation(first, second) > _AGREEMENT


def _rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Size of Spearman's correlation; 0 where one column is constant."""
    from scipy.stats import spearmanr

    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    return abs(float(spearmanr(first, second).statistic))
