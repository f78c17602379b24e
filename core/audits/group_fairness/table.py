"""Numbers of every group with their intervals, and how far groups lie apart.

An interval of a group's own number holds by itself. Intervals of comparisons hold together: for all groups and pairs
of all families, for one measure at a time.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels
from core.base.thresholds import FEWEST_ROWS
from core.inference.pairwise import (
    ConfidenceLimits,
    differences,
    largest_difference,
    mean_of_independent,
    ratio_to_largest,
    share_limits,
)
from core.inference.several import LargestOfPairs
from core.inference.share import Share

Name = Literal[
    "selection rate",
    "scoring rate",
    "true-positive rate",
    "false-positive rate",
    "positive predictive value",
    "negative predictive value",
    "accuracy",
    "balanced accuracy",
    "mean prediction",
    "mean outcome",
    "mean error",
    "RMSE",
    "mean absolute error",
]
DifferenceName = Literal[
    "statistical parity",
    "equal opportunity",
    "false-positive rate",
    "average odds",
    "equalized odds",
    "accuracy",
    "balanced accuracy",
    "scoring rate",
    "mean prediction",
    "mean error",
    "RMSE",
    "mean absolute error",
]


@dataclass(frozen=True)
class GroupMeasure:
    """One number of every group; NaN where it rests on too few rows.

    Attributes:
        name: What it is.
        rows: Rows it rests on, shape (g,), int.
        values: Shape (g,).
        low: Lower ends of the groups' own intervals, shape (g,).
        high: Upper ends, shape (g,).
        apart: The estimates with limits far enough out for the intervals of all comparisons to hold together.
        of: The class a selection rate is about; empty where it is the favourable one, or none.
        effects: How many rows of each group say as much as one that stands alone, shape (g,); 1 where each does.
    """

    name: Name
    rows: np.ndarray
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    apart: ConfidenceLimits
    of: str = ""
    effects: np.ndarray | None = None

    @property
    def effective(self) -> tuple[np.ndarray, np.ndarray]:
        """Of a share, people counted and all people, as many as say as much; shape (g,) each."""
        rows = self.rows / (1.0 if self.effects is None else self.effects)
        return np.where(np.isfinite(self.values), self.values, 0.0) * rows, rows

    @property
    def pairs(self) -> ConfidenceLimits:
        """The row's group less the column's, with intervals that hold together; shape (g, g)."""
        return differences(self.apart)


@dataclass(frozen=True)
class Impact:
    """Impact ratios: each group's rate over the highest one's (6 RCNY § 5-300).

    The intervals hold together, and hold whichever group is truly the highest.

    Attributes:
        of: The rate.
        values: Shape (g,); NaN for groups that are not compared.
        low: Lower ends, shape (g,).
        high: Upper ends, shape (g,).
        highest: The group with the highest rate, index; -1 where there is none.
    """

    of: Name
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    highest: int


@dataclass(frozen=True)
class LargestDifference:
    """The largest difference between groups of a family that are large enough and known.

    Attributes:
        name: In what they differ.
        value: Largest less smallest; NaN where fewer than two groups have a value.
        low: Lower end of its interval.
        high: Upper end.
        highest: Group with the largest value, index; -1 where there is none or it is two differences in one.
        lowest: Group with the smallest.
    """

    name: DifferenceName
    value: float
    low: float
    high: float
    highest: int = -1
    lowest: int = -1


@dataclass(frozen=True)
class GroupTable:
    """What is known of the groups of one family.

    Attributes:
        family: The groups.
        measures: Their numbers; those that the answers have none of are absent.
        impacts: Impact ratios of selection and scoring rates.
        differences: The largest differences.
    """

    family: Family
    measures: tuple[GroupMeasure, ...]
    impacts: tuple[Impact, ...]
    differences: tuple[LargestDifference, ...]

    def measure(self, name: Name) -> GroupMeasure | None:
        """The measure of that name for the favourable class, or for no class in particular; None if absent."""
        return next((one for one in self.measures if one.name == name and not one.of), None)

    def impact(self, of: Name) -> Impact | None:
        """The impact ratios of that rate; None if absent."""
        return next((one for one in self.impacts if one.of == of), None)

    def difference(self, name: DifferenceName) -> LargestDifference | None:
        """The difference of that name; None if absent."""
        return next((one for one in self.differences if one.name == name), None)


def shares(
    name: Name,
    values: np.ndarray,
    rows: np.ndarray,
    levels: SignificanceLevels,
    *,
    of: str = "",
    effects: np.ndarray | None = None,
) -> GroupMeasure:
    """A measure that is a share of rows; intervals of the groups' own by Wilson.

    Args:
        name: What it is.
        values: Shares, shape (g,); anything where there are no rows.
        rows: Rows they are shares of, shape (g,), int.
        levels: How often intervals may miss.
        of: See :class:`GroupMeasure`.
        effects: See :class:`GroupMeasure`.
    """
    known = rows >= FEWEST_ROWS
    least = rows if effects is None else rows / effects
    counts = np.where(known, values, 0.0) * least
    if effects is None:
        counts = np.rint(counts)
    ends = [Share(round(c), round(n)).two_sided(levels.own) for c, n in zip(counts, least, strict=True)]
    apart = share_limits(counts, least, LargestOfPairs(int(known.sum())).level(levels.together))
    low, high = np.array([end.low for end in ends]), np.array([end.high for end in ends])
    return of_known(GroupMeasure(name, rows, values, low, high, apart, of, effects), known)


def root(mean: GroupMeasure) -> GroupMeasure:
    """The measure that is the square root of a mean."""
    value, low, high = np.sqrt([mean.values, mean.low, mean.high])
    apart = ConfidenceLimits(value, np.sqrt(mean.apart.low), np.sqrt(mean.apart.high))
    return replace(mean, values=value, low=low, high=high, apart=apart)


def balanced(
    values: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    levels: SignificanceLevels,
    *,
    effects: np.ndarray | None = None,
) -> GroupMeasure:
    """Balanced accuracy: the mean over the outcomes of the share decided rightly.

    A group in which an outcome never occurs has none: it would be a mean of fewer shares than others'.

    Args:
        values: It, shape (g,).
        right: Rows with each outcome that are decided rightly, shape (g, k), int.
        rows: Rows with each outcome, shape (g, k), int.
        levels: How often intervals may miss.
        effects: See :class:`GroupMeasure`.
    """
    known = (rows.sum(axis=1) >= FEWEST_ROWS) & (rows > 0).all(axis=1)
    tails = (levels.own / 2, LargestOfPairs(int(known.sum())).level(levels.together))
    fewer = 1.0 if effects is None else effects[:, None]
    own, apart = (mean_of_independent(share_limits(right / fewer, rows / fewer, tail)) for tail in tails)
    found = GroupMeasure("balanced accuracy", rows.sum(axis=1), values, own.low, own.high, apart, effects=effects)
    return of_known(found, known)


def impact(measure: GroupMeasure, family: Family) -> Impact:
    """The impact ratios of a rate; groups that are not known are not compared, those below 2% not compared with."""
    compared = _of(measure.apart, ~family.unknown)
    ratio, highest = ratio_to_largest(compared, family.reference)
    return Impact(measure.name, ratio.value, ratio.low, ratio.high, highest)


def difference(name: DifferenceName, measure: GroupMeasure, family: Family) -> LargestDifference:
    """The largest difference of a measure between groups that are known."""
    return LargestDifference(name, *largest_difference(differences(_of(measure.apart, ~family.unknown))))


def average(name: DifferenceName, one: LargestDifference, other: LargestDifference) -> LargestDifference:
    """The mean of two differences; both have to be at half the error rate."""
    return LargestDifference(
        name, (one.value + other.value) / 2, (one.low + other.low) / 2, (one.high + other.high) / 2
    )


def larger(name: DifferenceName, one: LargestDifference, other: LargestDifference) -> LargestDifference:
    """The larger of two differences; both have to be at half the error rate."""
    if math.isnan(one.value + other.value):
        return LargestDifference(name, math.nan, math.nan, math.nan)
    which = one if one.value >= other.value else other
    return LargestDifference(
        name, which.value, max(one.low, other.low), max(one.high, other.high), which.highest, which.lowest
    )


def wider(one: ConfidenceLimits, times: np.ndarray, within: tuple[float, float]) -> ConfidenceLimits:
    """Limits that lie so many times as far away, but within these ends."""
    low, high = one.value - times * (one.value - one.low), one.value + times * (one.high - one.value)
    return ConfidenceLimits(one.value, np.maximum(low, within[0]), np.minimum(high, within[1]))


def of_known(measure: GroupMeasure, known: np.ndarray) -> GroupMeasure:
    """A measure of the groups that have enough rows, and of no others."""
    value, low, high = (np.where(known, part, np.nan) for part in (measure.values, measure.low, measure.high))
    apart = replace(_of(measure.apart, known), value=value)
    return replace(measure, values=value, low=low, high=high, apart=apart)


def _of(apart: ConfidenceLimits, compared: np.ndarray) -> ConfidenceLimits:
    return ConfidenceLimits(*(np.where(compared, part, np.nan) for part in (apart.value, apart.low, apart.high)))
