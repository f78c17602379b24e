"""Split-conformal prediction sets, calibrated for all people together or in each group."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.base.thresholds import DRAWS, FEWEST_ROWS
from core.data.attribute import Attribute
from core.data.counted import split_at_random
from core.inference.counted import order_statistic
from core.inference.sampling import Sampling
from core.inference.several import each_of
from core.inference.several_means import several_means
from core.inference.share import Share


@dataclass(frozen=True)
class Coverage:
    """Prediction sets of people who were not used to calibrate them, in m kinds; g groups of one attribute.

    Attributes:
        attribute: The protected attribute.
        groups: Its groups, length g.
        level: The coverage asked for.
        codes: Group of each kind, shape (m,), int.
        calibrated: People each group was calibrated on, shape (g,), int.
        thresholds: Score up to which an outcome is in the set, by group; shape (g,); infinite where too few people
            were there to calibrate.
        covered: Whether the outcome is in the set calibrated for the group, shape (m,), bool.
        sizes: Outcomes in the set, or width of the interval; shape (m,), float64.
        common_threshold: The threshold of everybody together.
        common_covered: Whether the outcome is in the set calibrated for everybody together, shape (m,), bool.
        common_sizes: Sizes of those sets, shape (m,), float64.
        times: How many people each kind is of, shape (m,), int64; None where each is one person.
    """

    attribute: str
    groups: tuple[str, ...]
    level: float
    codes: np.ndarray
    calibrated: np.ndarray
    thresholds: np.ndarray
    covered: np.ndarray
    sizes: np.ndarray
    common_threshold: float
    common_covered: np.ndarray
    common_sizes: np.ndarray
    times: np.ndarray | None = None

    @property
    def rows(self) -> np.ndarray:
        """People of each group, shape (g,), int64."""
        return np.bincount(self.codes, self.times, len(self.groups)).astype(np.int64)

    @property
    def people(self) -> int:
        """People of all groups."""
        return int(self.rows.sum())

    def bounded(self, group: int, *, common: bool = False) -> bool:
        """Whether enough people calibrated the sets of a group for any outcome to be left out of them."""
        return math.isfinite(self.common_threshold if common else float(self.thresholds[group]))

    def by_group(self, alpha: float, *, seed: int, common: bool = False) -> GroupSets:
        """How the sets of each group fare, with intervals that hold together for all groups of the attribute.

        The shares' intervals are Wilson's, those of the mean sizes come from the bootstrap-t; each misses with alpha
        over the number of groups (Bonferroni). Both take the thresholds as they are.

        Args:
            alpha: Any of the intervals of the shares, and any of those of the sizes, misses with this probability.
            seed: Fixes the bootstrap.
            common: Of the sets calibrated for everybody together, instead of those of each group.
        """
        covered, sizes = (self.common_covered, self.common_sizes) if common else (self.covered, self.sizes)
        g, rows = len(self.groups), self.rows
        sampling = Sampling(times=self.times)
        people = sampling.people(len(self.codes))
        members = [np.flatnonzero(self.codes == group) for group in range(g)]
        shares = [Share(int(people[one] @ covered[one]), int(rows[group])) for group, one in enumerate(members)]
        enough = rows >= FEWEST_ROWS
        ends = [share.two_sided(each_of(alpha, max(1, int(enough.sum())))) for share in shares]
        varies = np.array([bool(len(one)) and sizes[one].min() < sizes[one].max() for one in members])
        finite = np.where(np.isfinite(sizes), sizes, 0.0)
        means = several_means(finite, self.codes, g, alpha, draws=DRAWS, seed=seed, sampling=sampling)
        return GroupSets(
            rows=rows,
            covered=np.array([share.value for share in shares]),
            covered_low=np.where(enough, [one.low for one in ends], np.nan),
            covered_high=np.where(enough, [one.high for one in ends], np.nan),
            size=np.array([people[one] @ sizes[one] / people[one].sum() if len(one) else math.nan for one in members]),
            size_low=np.where(varies, means.low, np.nan),
            size_high=np.where(varies, means.high, np.nan),
        )


@dataclass(frozen=True)
class GroupSets:
    """Prediction sets by group; g groups.

    Attributes:
        rows: People judged, shape (g,), int.
        covered: Share whose outcome is in their set, shape (g,); NaN without people.
        covered_low: Lower ends of its intervals, shape (g,); NaN with fewer than 30 people.
        covered_high: Upper ends, shape (g,).
        size: Mean number of outcomes in the set, or mean width of the interval, shape (g,); infinite where nothing
            bounds it, NaN without people.
        size_low: Lower ends of its intervals, shape (g,); NaN with fewer than 30 people, or where all sets of the group
            are of one size, so that there is nothing to be unsure of.
        size_high: Upper ends, shape (g,).
    """

    rows: np.ndarray
    covered: np.ndarray
    covered_low: np.ndarray
    covered_high: np.ndarray
    size: np.ndarray
    size_low: np.ndarray
    size_high: np.ndarray


def calibrate(
    answers: np.ndarray,
    outcome: np.ndarray,
    attribute: Attribute,
    level: float,
    rng: np.random.Generator,
    *,
    times: np.ndarray | None = None,
) -> Coverage:
    """Prediction sets with coverage ``level`` in each group, and for comparison in everybody together.

    A random half of the people calibrates, the other is judged. The score of an outcome is one minus its probability
    (Sadinle, Lei and Wasserman 2019), or the distance from the predicted number; a set holds the outcomes with scores
    up to the ceil((n + 1) level)-th smallest score of the n people calibrated on, which covers a new person of the
    same group with at least this probability, whatever the model (Romano, Barber, Sabatti and Candès 2020, "With
    malice toward none", theorem 1). A group too small for that has an infinite threshold: its sets hold everything.

    Args:
        answers: Class probabilities, shape (n, k), k at least 2; or predicted numbers, shape (n, 1).
        outcome: Index of each person's class, or the number, shape (n,).
        attribute: Groups of the n people; quantile bins of a continuous attribute.
        level: The coverage asked for, between 0 and 1.
        rng: Source of the split; the only randomness.
        times: People that each row stands for, shape (n,), int64; one each if None.
    """
    people = Sampling(times=times).people(len(outcome))
    calibrating = split_at_random(people, int(people.sum()) // 2, rng)
    judging = people - calibrating
    judged = np.flatnonzero(judging)
    numbers = answers.shape[1] == 1
    scores = np.abs(answers - outcome[:, None]) if numbers else 1.0 - answers
    own = scores[:, 0] if numbers else scores[np.arange(len(outcome)), outcome.astype(np.int64)]
    groups = range(len(attribute.groups))
    members = [np.flatnonzero(attribute.codes == g) for g in groups]
    thresholds = np.array([_threshold(own[rows], calibrating[rows], level) for rows in members])
    common = _threshold(own, calibrating, level)
    codes = attribute.codes[judged]
    limits = thresholds[codes], np.full(len(judged), common)
    sizes = [2 * one if numbers else (scores[judged] <= one[:, None]).sum(axis=1).astype(np.float64) for one in limits]
    return Coverage(
        attribute=attribute.name,
        groups=attribute.groups,
        level=level,
        codes=codes,
        calibrated=np.array([calibrating[rows].sum() for rows in members], dtype=np.int64),
        thresholds=thresholds,
        covered=own[judged] <= limits[0],
        sizes=sizes[0],
        common_threshold=common,
        common_covered=own[judged] <= limits[1],
        common_sizes=sizes[1],
        times=judging[judged],
    )


def _threshold(scores: np.ndarray, people: np.ndarray, level: float) -> float:
    """The ceil((n + 1) level)-th smallest of the scores of n people; infinite if there is none."""
    n = int(people.sum())
    place = math.ceil(round((n + 1) * level, 9))
    return order_statistic(scores, people, place) if place <= n else math.inf


@dataclass(frozen=True)
class GroupCoverage:
    """Prediction sets in one group, calibrated in the group: what they promise was chosen, so that it is no claim.

    Attributes:
        attribute: The attribute.
        group: The group.
        calibrated: People it was calibrated on.
        people: People judged.
        covered: Share whose outcome is in the set.
        covered_low: Lower end of its interval; the intervals of an attribute's groups hold together.
        covered_high: Upper end.
        size: Mean number of outcomes in the set, or mean width of the interval.
        common: Share whose outcome is in the set that was calibrated for everybody together.
    """

    attribute: str
    group: str
    calibrated: int
    people: int
    covered: float
    covered_low: float
    covered_high: float
    size: float
    common: float


def coverage_of(sets: Coverage, own: GroupSets, common: GroupSets) -> list[GroupCoverage]:
    """Prediction sets of every group of an attribute, calibrated in the groups and for everybody together."""
    return [
        GroupCoverage(
            sets.attribute,
            group,
            int(sets.calibrated[g]),
            int(own.rows[g]),
            float(own.covered[g]),
            float(own.covered_low[g]),
            float(own.covered_high[g]),
            float(own.size[g]),
            float(common.covered[g]),
        )
        for g, group in enumerate(sets.groups)
    ]
