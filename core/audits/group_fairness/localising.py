"""The same comparison among people who are alike in a column: where a difference lies, and whether it stays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.comparing import within_cells
from core.audits.group_fairness.measures import Measure
from core.audits.group_fairness.subjects import Subject, Subjects
from core.base.grouping import Grouping
from core.inference.sampling import Sampling
from core.inference.stratified import WithinCells


@dataclass(frozen=True)
class WithinColumn:
    """A pair compared within the values of one column.

    Attributes:
        subject: Who is compared.
        column: The column.
        found: The difference, by which the subject has less than those they are compared with; more where that harms.
        low: Lower end of its interval; those of all pairs and columns hold together.
        high: Upper end.
        largest: The value of the column at which the lower bound of the difference is largest, index; -1 without one.
        largest_low: That bound; the bounds of all values, pairs and columns hold together.
    """

    subject: Subject
    column: Grouping
    found: WithinCells
    low: float
    high: float
    largest: int
    largest_low: float


def within_columns(
    measure: Measure, subjects: Subjects, columns: Sequence[Grouping], alpha: float, sampling: Sampling
) -> tuple[WithinColumn, ...]:
    """Every group within every column; two-sided intervals that hold together (Bonferroni).

    Those of shares end where a difference of shares does, at -1 and 1.
    """
    found = [
        (pair, column, counted.compare(*(pair.sides[::-1] if measure.more_harms else pair.sides)))
        for column in columns
        for counted in [within_cells(measure, subjects, column.codes, sampling)]
        for pair in subjects.groups
    ]
    tail, end = alpha / 2 / max(len(found), 1), 1.0 if measure.shares else np.inf
    return tuple(
        WithinColumn(pair, column, one, max(one.lower(tail), -end), min(one.upper(tail), end), *_largest(one, tail))
        for pair, column, one in found
    )


def _largest(found: WithinCells, tail: float) -> tuple[int, float]:
    cells = max(int(np.count_nonzero(np.isfinite(found.differences))), 1)
    lows = found.in_cells(tail / cells)
    if not np.isfinite(lows).any():
        return -1, -np.inf
    place = int(np.nanargmax(lows))
    return place, float(lows[place])
