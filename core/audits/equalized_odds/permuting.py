"""The permutation test of one attribute where people of a stratum have the very same value; it is exact.

r̂ are means of the score by group, learned from the rows that are tested, and learned anew from every dummy. A dummy is
then treated as people are, so that the test is exact although no row is kept apart to learn from (Lehmann and Romano
2005, "Testing statistical hypotheses", section 15.2), and no split decides its p-value. The score is centred and scaled
within each stratum, so that losses of strata can be added. Their means by group are taken over all strata, which sees
what goes the same way everywhere, and within each, which sees the rest; the statistic is a mean of both losses,
weighted so that neither drowns the other: by one over the root of how many tables of means there are. Neither asks for
more than the sum of scores by stratum and level, and such sums are drawn from counts
(:mod:`core.audits.equalized_odds.resampling`), whatever the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.levels import AttributeLevels
from core.audits.equalized_odds.question import Question
from core.audits.equalized_odds.resampling import in_units, merged, permuted
from core.base.progress import OnProgress, consecutive_parts
from core.language.told import say

LEARNER = say("means of every group, over all who are tested and at each outcome")
"""What r̂ is, in words."""
SHRUNK = 0.01
"""Means are shrunk as if so large a share of the rows had no difference: small groups of many add little noise."""
_CELLS = 512
"""About so many counts a dummy are drawn, strata and levels multiplied."""
_FEWEST_KINDS = 16
ROUNDING = 2.0**-44
"""Relative differences below this come from adding numbers up."""


@dataclass(frozen=True)
class Permuted:
    """Losses in units of the score's variance within strata.

    Attributes:
        statistic: Of the groups people belong to.
        null: Of the dummies, shape (K,).
        explained: Share of the score's variance that strata and groups explain in the rows tested.
    """

    statistic: float
    null: np.ndarray
    explained: float


def permutation_test(
    question: Question, levels: AttributeLevels, dummies: int, *, rng: np.random.Generator, on_progress: OnProgress
) -> Permuted:
    """Permute levels among the rows of each stratum; every permutation is as likely.

    Args:
        question: What is asked about n rows.
        levels: The level of each row.
        dummies: K.
        rng: Source of the permutations.
        on_progress: Told how far it is; may raise to stop it.
    """
    score, strata, people = question.score, question.strata.codes, question.everybody
    codes, order = levels.codes, np.argsort(strata, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)
    parts = consecutive_parts(on_progress, list(map(len, members)))
    most = max(_FEWEST_KINDS, _CELLS // (len(members) * max(1, len(levels) - 1)))
    within, whole, contrasts = np.zeros(dummies + 1), np.zeros((dummies + 1, len(levels))), []
    left = 0.0
    for rows, part in zip(members, parts, strict=True):
        many = people[rows]
        held, spread = _standardised(score[rows], many)
        values, unit = in_units(merged(held, len(levels), most, many), rows=int(many.sum()))
        counts = np.bincount(codes[rows], many, len(levels)).astype(np.int64)
        sums = np.empty((dummies + 1, len(levels)))
        sums[0] = np.bincount(codes[rows], many * values, len(levels))
        sums[1:] = permuted(values, counts, dummies, times=many, rng=rng, on_progress=part)
        sums *= unit
        own = _Contrasts.of(counts, ordered=levels.ordered)
        contrasts.append(own)
        within += own.gains(sums)
        whole += sums
        means = sums[0] / np.maximum(counts, 1)
        left += spread**2 * float(many @ (held - (own.kept * means)[codes[rows]]) ** 2)
    gains = within
    if len(members) > 1:
        share = 1 / math.sqrt(len(members))
        gains = (share * within + _Contrasts.together(contrasts).gains(whole)) / (share + 1)
    losses = 1 - gains / people.sum()
    return Permuted(float(losses[0]), losses[1:], explained(score, left, people))


def explained(score: np.ndarray, left: float, people: np.ndarray | None = None) -> float:
    """Share of the score's variance explained by what leaves ``left`` of its squares; 0 where all are equal."""
    people = np.ones(len(score), dtype=np.int64) if people is None else people
    total = float(people @ (score - people @ score / people.sum()) ** 2)
    return 1.0 - left / total if _varies(total, score, people) else 0.0


def _standardised(score: np.ndarray, people: np.ndarray) -> tuple[np.ndarray, float]:
    """The score of a stratum less its mean, in standard deviations; and that deviation, 0 where all are equal."""
    n = people.sum()
    apart = score - people @ score / n
    squares = float(people @ apart**2)
    if not _varies(squares, score, people):
        return np.zeros(len(score)), 0.0
    spread = math.sqrt(squares / n)
    return apart / spread, spread


def _varies(squares: float, score: np.ndarray, people: np.ndarray) -> bool:
    return math.sqrt(squares) > ROUNDING * float(people @ np.abs(score))


@dataclass(frozen=True)
class _Contrasts:
    """Sums of standardised scores over sets of levels; l levels, q sets.

    Attributes:
        sets: Which levels each set holds, shape (l, q), 0 or 1.
        variance: Of the sum over each set under permutation, but for a factor near one, shape (q,).
        weight: What a set's gain counts, shape (q,). The means of all groups are one r̂. For a number there is one with
            the means of its bins and one for every cut into a lower and an upper part, and the loss is their mean.
        ghosts: What is added to the variances, which shrinks the means.
        kept: Share of each level's mean that is left after shrinking, shape (l,).
    """

    sets: np.ndarray
    variance: np.ndarray
    weight: np.ndarray
    ghosts: float
    kept: np.ndarray

    @classmethod
    def of(cls, counts: np.ndarray, *, ordered: bool) -> _Contrasts:
        """Those of one stratum, from its rows of each level, shape (l,)."""
        n, size = int(counts.sum()), len(counts)
        sets, share = np.eye(size), counts / n
        weight = 1 - share
        if ordered and size > 1:
            sets = np.column_stack([sets, np.triu(np.ones((size, size)))[:, :-1]])
            bins = 1 / math.sqrt(size - 1)
            weight = np.append(bins * weight, np.full(size - 1, 1 / (size - 1))) / (bins + 1)
        share = share @ sets
        variance = n * share * (1 - share)
        ghosts = SHRUNK * n
        return cls(sets, variance, weight, ghosts, variance[:size] / (variance[:size] + ghosts))

    @classmethod
    def together(cls, strata: Sequence[_Contrasts]) -> _Contrasts:
        """Those of all strata, whose permutations are independent."""
        variance = np.sum([one.variance for one in strata], axis=0)
        weight = np.mean([one.weight for one in strata], axis=0)
        ghosts = sum(one.ghosts for one in strata)
        return cls(strata[0].sets, variance, weight, ghosts, strata[0].kept)

    def gains(self, sums: np.ndarray) -> np.ndarray:
        """How much smaller the loss is with the shrunken means, in rows, shape (m, l) -> (m,)."""
        squares = (sums @ self.sets) ** 2
        return np.asarray(squares @ (self.weight / (self.variance + self.ghosts)))
