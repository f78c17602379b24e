"""How every subgroup fares beside everybody else, and how far chance could carry the luckiest of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.subgroups.candidates import Column, choose_columns, find_candidates, read_column
from core.audits.group_fairness.subgroups.differences import differences, draw_largest
from core.audits.group_fairness.subgroups.tails import Means, Shares
from core.data.dataset import Dataset
from core.language.told import retold
from core.models.answered import Answered


@dataclass(frozen=True)
class SubgroupScan:
    """s subgroups of n people, each set of people once, the largest first.

    Attributes:
        columns: The columns that were combined, length m.
        values: Names of each column's values or bins, length m.
        members: Value of each subgroup in each column, shape (s, m), int64; -1 where the column is not used.
        rows: People in each subgroup, shape (s,), int64.
        people: n.
        inside: Mean harm of the subgroup, shape (s,), float64.
        outside: Mean harm of everybody else, shape (s,), float64.
        errors: Standard error of their difference, shape (s,); 0 only where everybody's harm is the same.
        skewness: Third central moment of the difference over its cubed error, shape (s,).
        freedom: Degrees of freedom of the error (Welch 1947), shape (s,).
        largest: The largest of the s studentised differences, in 2B draws of a world without differences; shape
            (2B,), float64; empty without subgroups.
        too_small: Combinations that occur with fewer than 30 people inside or outside, which are not judged.
        alike: Combinations of exactly the same people as a simpler one, which are not repeated.
        beyond: Combinations left out because there were more than can be judged, the smallest.
        shares: Whether a harm is 0 or 1, so that means are shares of people.
        scale: Mean harm of everybody, by which numbers are to be divided; 1 where the harm is a share.
        by_decision: Whether an unfavourable decision is the harm, as nobody knows which decisions were wrong.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    members: np.ndarray
    rows: np.ndarray
    people: int
    inside: np.ndarray
    outside: np.ndarray
    errors: np.ndarray
    skewness: np.ndarray
    freedom: np.ndarray
    largest: np.ndarray
    too_small: int
    alike: int
    beyond: int
    shares: bool
    scale: float
    by_decision: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def excess(self) -> np.ndarray:
        """Mean harm of the subgroup less that of everybody else, shape (s,)."""
        excess: np.ndarray = self.inside - self.outside
        return excess

    def p_values(self, delta: float) -> np.ndarray:
        """Of "the subgroup's excess is at most ``delta``", each on its own; shape (s,)."""
        return self._one_by_one.p_values(delta)

    def level(self, alpha: float) -> float:
        """How often each of s one-sided bounds may miss, for any of them to miss with probability alpha.

        It is the normal tail beyond the 1 - alpha quantile of the largest studentised difference: subgroups that share
        people miss together, so that it is larger than alpha / s (Bonferroni), which holds whatever the draws say.
        """
        from scipy.stats import norm

        if not len(self):
            return alpha
        place = math.ceil((1 - alpha) * (len(self.largest) + 1) - 1e-9) - 1
        by_draws = float(norm.sf(np.sort(self.largest)[place])) if place < len(self.largest) else 0.0
        return max(by_draws, alpha / len(self))

    def together(self, p_value: float) -> float:
        """The smallest error rate whose :meth:`level` is at least ``p_value``.

        It is the p-value of a subgroup counted for all of them: the share of draws, the one seen among them, whose
        largest studentised difference is at least as far out, or s times the p-value (Bonferroni) if that is less.
        """
        from scipy.stats import norm

        as_far = int(np.count_nonzero(self.largest > norm.isf(p_value)))
        return min((1 + as_far) / (len(self.largest) + 1), len(self) * p_value, 1.0)

    def bounds(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of every excess, shape (s,) each.

        All lower bounds hold together with probability 1 - alpha, and so do all upper bounds.
        """
        level = self.level(alpha)
        return self._one_by_one.lower(level), self._one_by_one.upper(level)

    @property
    def _one_by_one(self) -> Shares | Means:
        if not self.shares:
            return Means(self.excess, self.errors, self.skewness, self.freedom)
        n, m = self.rows.astype(np.float64), (self.people - self.rows).astype(np.float64)
        return Shares(np.rint(self.inside * n), n, np.rint(self.outside * m), m)

    def description(self, place: int) -> tuple[tuple[str, str], ...]:
        """Columns and values that make a subgroup."""
        return tuple(
            (name, retold(values[code]))
            for name, values, code in zip(self.columns, self.values, self.members[place], strict=True)
            if code >= 0
        )


def harm_of(answered: Answered) -> np.ndarray:
    """What each person suffers, shape (n,), float64: 1 for a wrong decision; for numbers |error|.

    Without outcomes 1 for a decision that is not the favourable one.
    """
    if answered.numbers:
        apart: np.ndarray = np.abs(answered.answers[:, 0] - answered.outcome)
        return apart
    right = answered.outcome if answered.has_outcomes else answered.asked
    harmed: np.ndarray = answered.decisions != right
    return harmed.astype(np.float64)


def scan(
    dataset: Dataset,
    harm: np.ndarray,
    *,
    shares: bool,
    columns: tuple[str, ...] = (),
    depth: int = 2,
    draws: int = 1_000,
    rng: np.random.Generator,
) -> SubgroupScan:
    """Compare every subgroup with everybody else (Cherian and Candès 2023), by the multiplier bootstrap.

    Args:
        dataset: The n people.
        harm: What happened to each, shape (n,), finite; 0 or 1 where ``shares``.
        shares: Whether harms are 0 or 1.
        columns: Columns that make subgroups; without any those of :func:`choose_columns`.
        depth: Columns combined at once, at most 3.
        draws: B.
        rng: Source of the multipliers.

    Raises:
        SettingsError: A column is neither a protected attribute nor a feature, or there are more than twelve.
    """
    read = tuple(read_column(dataset, name) for name in choose_columns(dataset, columns))
    return compare(read, harm, shares=shares, depth=depth, draws=draws, rng=rng)


def compare(
    columns: tuple[Column, ...], harm: np.ndarray, *, shares: bool, depth: int, draws: int, rng: np.random.Generator
) -> SubgroupScan:
    """As :func:`scan`, of n people in columns that are read already."""
    found = find_candidates(columns, depth)
    seen = differences(found, harm)
    return SubgroupScan(
        columns=tuple(one.name for one in columns),
        values=tuple(one.values for one in columns),
        members=found.members,
        rows=found.rows,
        people=len(harm),
        inside=seen.inside,
        outside=seen.outside,
        errors=seen.errors,
        skewness=seen.skewness,
        freedom=seen.freedom,
        largest=draw_largest(found, harm, seen, draws, rng),
        too_small=found.too_small,
        alike=found.alike,
        beyond=found.beyond,
        shares=shares,
        scale=1.0 if shares else float(harm.mean()),
    )
