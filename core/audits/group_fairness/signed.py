"""Signed differences as papers and fairlearn print them: the rate of a group less that of those it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.subjects import Subject, Subjects
from core.base.thresholds import FEWEST_ROWS
from core.inference.comparisons import Comparisons, People
from core.inference.pairwise import ConfidenceLimits, mean_of_independent


@dataclass(frozen=True)
class Signed:
    """One difference of s pairs, signed; NaN where a side has fewer than 30 people.

    Attributes:
        name: ``SPD``, ``EOD``, ``FPR``, ``AOD``, ``PPV`` or ``accuracy``.
        value: Shape (s,).
        low: Lower ends of intervals, each by itself; shape (s,).
        high: Upper ends, shape (s,).
    """

    name: str
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def signed_differences(
    detail: GroupFairnessDetail, subjects: Subjects, pairs: Sequence[Subject], alpha: float
) -> tuple[Signed, ...]:
    """Statistical parity, equal opportunity, false-positive rate, average odds, predictive value and accuracy.

    The favourable class is the positive one. Average odds is the mean of the second and third (Bellamy et al. 2018).

    Args:
        detail: Decisions with a favourable class.
        subjects: Who is compared.
        pairs: Which of them.
        alpha: Each interval misses with this probability.
    """
    chosen, good = detail.decisions == detail.favourable, detail.outcome == detail.favourable
    everybody = np.ones(len(chosen), dtype=bool)
    rates = {"SPD": (chosen, everybody)}
    if detail.has_outcomes:
        right = detail.decisions == detail.outcome
        rates |= {"EOD": (chosen, good), "FPR": (chosen, ~good), "PPV": (good, chosen), "accuracy": (right, everybody)}
    sides = tuple(np.array([getattr(one, side) for one in pairs], dtype=bool) for side in ("inside", "outside"))
    found = {}
    for name, (values, among) in rates.items():
        cells = np.where(among, subjects.cells, -1)
        people = People.of(values.astype(np.float64), cells, subjects.count, shares=True, sampling=detail.sampling)
        found[name] = _signed(name, Comparisons.alone(people, *sides), alpha)
    if detail.has_outcomes:
        found["AOD"] = _mean(found["EOD"], found["FPR"])
    order = ("SPD", "EOD", "FPR", "AOD", "PPV", "accuracy")
    return tuple(found[name] for name in order if name in found)


def _signed(name: str, compared: Comparisons, alpha: float) -> Signed:
    enough = np.minimum(compared.first.rows, compared.second.rows) >= FEWEST_ROWS
    ends = compared.difference, compared.lower(alpha / 2), compared.upper(alpha / 2)
    return Signed(name, *(np.where(enough, end, np.nan) for end in ends))


def _mean(one: Signed, other: Signed) -> Signed:
    """The mean of two differences of people who share nobody."""
    both = ((getattr(side, part) for side in (one, other)) for part in ("value", "low", "high"))
    found = mean_of_independent(ConfidenceLimits(*(np.stack([*parts], axis=-1) for parts in both)))
    return Signed("AOD", found.value, found.low, found.high)
