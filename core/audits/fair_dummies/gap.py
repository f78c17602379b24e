"""How far apart the answers of groups lie, with bounds that hold at any sample size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gap:
    """The largest difference between two groups in the share of people above any threshold, within a stratum.

    It is the largest Kolmogorov distance between the groups' distributions of an answer, over strata and answers. For
    decisions it is the difference of rates that fairlearn calls the equalized odds difference.

    Attributes:
        value: The largest distance found, 0 to 1; NaN where no stratum has two groups with enough rows.
        low: Lower bound of the largest distance; 0 if none is certain.
        high: Upper bound of every distance; 1 where a group is too small to say.
        stratum: Where the largest one is, index; -1 without one.
        answer: Index of the answer that differs most.
        groups: The two groups, indices.
        threshold: The answer at which their shares differ most.
        small: Stratum and group of every cell with people, but too few to judge; shape (m, 2), int.
    """

    value: float
    low: float
    high: float
    stratum: int
    answer: int
    groups: tuple[int, int]
    threshold: float
    small: np.ndarray


def largest_gap(
    answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, alpha: float, *, groups: int, fewest: int = 30
) -> Gap:
    """The largest gap, with bounds by the Dvoretzky-Kiefer-Wolfowitz inequality (Massart 1990).

    Args:
        answers: What is compared, shape (n, c), finite.
        strata: Stratum of each row, shape (n,), int, from 0; -1 for rows that are in none.
        codes: Group of each row, shape (n,), int.
        alpha: Any of the bounds misses with this probability.
        groups: g.
        fewest: A cell with fewer rows is too small to judge.
    """
    raise NotImplementedError
