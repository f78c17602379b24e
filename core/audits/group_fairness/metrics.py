"""Metrics of every group of a family, by the functions of fairlearn and scikit-learn."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from core.audits.group_fairness.families import Family, SignificanceLevels
from core.audits.group_fairness.table import GroupMeasure, Name, of_known, shares, wider
from core.base.thresholds import FEWEST_ROWS
from core.inference.clusters import spread_of_one
from core.inference.counted import median
from core.inference.pairwise import mean_limits
from core.inference.several import LargestOfPairs


def by_group(
    metrics: Mapping[str, Callable[..., Any]], true: np.ndarray, predicted: np.ndarray, family: Family
) -> dict[str, np.ndarray]:
    """Each metric in each group, shape (g,), float64; NaN in groups with too few people to be judged.

    What fairlearn's ``MetricFrame`` says, to the last digit; that takes five times as long for 50,000 people in 54
    groups.

    Args:
        metrics: Functions of (y_true, y_pred), by name.
        true: Outcome of each person, shape (n,).
        predicted: Answer for each person, shape (n,).
        family: The groups.
    """
    found = {name: np.full(len(family.groups), np.nan) for name in metrics}
    order = np.argsort(family.codes, kind="stable")
    ends = np.searchsorted(family.codes[order], np.arange(len(family.groups) + 1))
    for g in np.flatnonzero(family.judged):
        rows = order[ends[g] : ends[g + 1]]
        weights = {} if family.sampling.times is None else {"sample_weight": family.sampling.times[rows]}
        for name, metric in metrics.items():
            found[name][g] = metric(true[rows], predicted[rows], **weights)
    return found


def rows_with(condition: np.ndarray, family: Family) -> np.ndarray:
    """People of each group of whom ``condition``, shape (n,), bool, is true; shape (g,), int64."""
    rows = condition & (family.codes >= 0)
    return family.sampling.take(rows).count(family.codes[rows], len(family.groups))


def effects_of(values: np.ndarray, family: Family, among: np.ndarray | None = None) -> np.ndarray | None:
    """How many rows of each group say as much about a mean as one that stands alone, shape (g,), at least 1.

    Args:
        values: What the mean is of, shape (n,).
        family: The groups; None is given where their rows stand alone.
        among: The people the mean is over, shape (n,), bool; everybody if None.
    """
    if family.sampling.clusters is None:
        return None
    effects = np.ones(len(family.groups))
    for g in range(len(family.groups)):
        rows = family.codes == g
        rows = np.flatnonzero(rows if among is None else rows & among)
        own = values[rows].astype(np.float64)
        if len(rows) > 1 and own.std() > 0:
            effects[g] = max(1.0, (spread_of_one(own, family.sampling.clusters[rows]) / own.std(ddof=1)) ** 2)
    return effects


def scoring_rate(family: Family, scores: np.ndarray, levels: SignificanceLevels) -> GroupMeasure:
    """The share of each group with a score above the median of the whole sample (6 RCNY § 5-300).

    The median is taken as given: intervals are about the share above this number.

    Args:
        family: The groups.
        scores: Score or number of each person, shape (n,), the higher the better; of numbers of which low ones are
            good, their negatives.
        levels: How often intervals may miss.
    """
    from fairlearn.metrics import selection_rate

    above = (scores > median(scores, family.sampling.times)).astype(np.int64)
    values = by_group({"rate": selection_rate}, above, above, family)["rate"]
    return shares("scoring rate", values, family.rows, levels, effects=effects_of(above, family))


def means(
    name: Name,
    values: np.ndarray,
    each: np.ndarray,
    family: Family,
    levels: SignificanceLevels,
    *,
    within: tuple[float, float] = (-np.inf, np.inf),
) -> GroupMeasure:
    """A measure that is a mean of rows.

    Args:
        name: What it is.
        values: It, shape (g,).
        each: What it is the mean of, shape (n,).
        family: The groups.
        levels: How often intervals may miss.
        within: The smallest and the largest value there can be.
    """
    known, times = family.rows >= FEWEST_ROWS, family.sampling.times
    rows = [family.codes == group if enough else np.zeros(0, dtype=int) for group, enough in enumerate(known)]
    samples, people = [each[one] for one in rows], None if times is None else [times[one] for one in rows]
    tails = (levels.own / 2, LargestOfPairs(int(known.sum())).level(levels.together))
    own, apart = (mean_limits(samples, tail, within=within, times=people) for tail in tails)
    if (effects := effects_of(each, family)) is not None:
        own, apart = (wider(one, np.sqrt(effects), within) for one in (own, apart))
    return of_known(GroupMeasure(name, family.rows, values, own.low, own.high, apart, effects=effects), known)
