"""The four-fifths rule as a test: is a group's rate at least 0.8 of the highest one's (29 CFR 1607.4(D))?"""

import math
from collections.abc import Sequence

import numpy as np

from core.audits.group_fairness.table import GroupMeasure, GroupTable
from core.base.thresholds import FEWEST_ROWS
from core.group_answers import SCREENING
from core.inference.pairwise import ConfidenceLimits, ratio_to_largest, share_limits
from core.inference.several import LargestOfPairs

_HALVINGS = 40
_SMALLEST = 1e-12
"""Smallest chance of a limit to miss that is tried."""


def p_values(tables: Sequence[GroupTable], place: int) -> tuple[np.ndarray, ...]:
    """Of "the group's rate is at least 0.8 of the highest", for each group of each table; shapes (g,).

    The test is that of the intervals: a p-value is the smallest error rate at which the upper limit of the impact
    ratio, holding together with those of all groups in all tables whichever group is truly the highest, lies below 0.8.
    NaN for groups that are not compared.

    Args:
        tables: Groups of every attribute, and of every two.
        place: Which of the tables' impact ratios, of a share.
    """
    several = max(1, sum(np.count_nonzero(table.family.judged) > 1 for table in tables))
    found = []
    for table in tables:
        measure = table.measure(table.impacts[place].of)
        tails = np.full(len(table.family.groups), np.nan) if measure is None else _tails(measure, table)
        known = int(np.count_nonzero(table.family.rows >= FEWEST_ROWS))
        found.append(np.minimum(several * LargestOfPairs(known).together(tails), 1.0))
    return tuple(found)


def _tails(measure: GroupMeasure, table: GroupTable) -> np.ndarray:
    """How often single limits may miss at most for a group's ratio not to lie below 0.8; shape (g,)."""
    (counts, rows), g = measure.effective, len(measure.rows)
    compared = np.isfinite(measure.values) & ~table.family.unknown
    values = np.where(compared, measure.values, np.nan)
    least, most = np.full(g, math.log(_SMALLEST)), np.full(g, math.log(0.5))
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        limits = share_limits(np.tile(counts, (g, 1)), np.tile(rows, (g, 1)), np.exp(middle)[:, None])
        highs = np.array(
            [
                ratio_to_largest(
                    ConfidenceLimits(values, np.where(compared, low, np.nan), np.where(compared, high, np.nan)),
                    table.family.reference,
                )[0].high[row]
                for row, (low, high) in enumerate(zip(limits.low, limits.high, strict=True))
            ]
        )
        below = highs < SCREENING
        least, most = np.where(below, least, middle), np.where(below, middle, most)
    found = np.exp(most)
    return np.where(np.isfinite(highs), found, np.nan)
