"""The numbers around a fair-dummies test: of groups, of subgroups and of prediction sets."""

from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.groups.of_detail import tables_of
from core.audits.groups.subgroups.verdicts import judge
from core.audits.groups.table import GroupTable
from core.audits.groups.wording_groups import family_name, group_name


@dataclass(frozen=True)
class GroupNumbers:
    """One number of one group; NaN, like its interval, where the group is too small.

    Attributes:
        attribute: The attribute, or two of them.
        group: The group.
        measure: What it is; an impact ratio is a group's rate over the highest one's.
        of: The class it is about; empty where it is the favourable one, or none.
        people: People in the group.
        value: The number.
        low: Lower end of its interval; those of impact ratios hold together.
        high: Upper end.
    """

    attribute: str
    group: str
    measure: str
    of: str
    people: int
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class DifferenceNumbers:
    """The largest difference between two groups in one measure; the intervals of a measure hold together."""

    attribute: str
    measure: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SubgroupNumbers:
    """How many subgroups there are and what is said about them.

    Attributes:
        judged: Subgroups that are judged.
        flagged: Of these worse than tolerated; a share of at most alpha of them wrongly, on average.
        firm: Flagged ones that are so beyond the doubt about all flags together.
        certified: Not worse than tolerated; any wrong certificate has probability alpha.
        too_small: Combinations with fewer than 30 people inside or outside.
        alike: Combinations of the same people as a simpler one.
        beyond: Combinations beyond the largest that are judged.
        largest: The largest excess found; NaN without subgroups.
        largest_low: Its lower bound.
        largest_high: Its upper bound.
    """

    judged: int
    flagged: int
    firm: int
    certified: int
    too_small: int
    alike: int
    beyond: int
    largest: float
    largest_low: float
    largest_high: float


@dataclass(frozen=True)
class CoverageNumbers:
    """Prediction sets in one group, calibrated in the group.

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


def groups(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[GroupNumbers, ...]:
    """Every number of every group."""
    return tuple(one for table in tables_of(detail, decision) for one in _groups(table))


def _groups(table: GroupTable) -> list[GroupNumbers]:
    found = [(str(one.name), one.of, one.rows, one.values, one.low, one.high) for one in table.measures]
    found += [
        (f"impact ratio of the {one.of}", "", table.family.rows, one.values, one.low, one.high) for one in table.impacts
    ]
    return [
        GroupNumbers(
            family_name(table.family),
            group_name(table.family, g),
            name,
            of,
            int(rows[g]),
            float(values[g]),
            float(low[g]),
            float(high[g]),
        )
        for name, of, rows, values, low, high in found
        for g in range(len(table.family.groups))
    ]


def differences(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[DifferenceNumbers, ...]:
    """The largest differences between groups."""
    return tuple(
        DifferenceNumbers(family_name(table.family), one.name, one.value, one.low, one.high)
        for table in tables_of(detail, decision)
        for one in table.differences
    )


def subgroups(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> SubgroupNumbers:
    """Counts of subgroups, and the one that fares worst."""
    scan = detail.subgroups
    judged = judge(scan, decision.tolerance, decision.alpha)
    worst = (float("nan"),) * 3
    if len(scan):
        place = int(np.argmax(scan.excess))
        worst = float(scan.excess[place]), float(judged.low[place]), float(judged.high[place])
    return SubgroupNumbers(
        len(scan),
        int(judged.flagged.sum()),
        int(judged.firm.sum()),
        int(judged.certified.sum()),
        scan.too_small,
        scan.alike,
        scan.beyond,
        *worst,
    )


def coverage(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[CoverageNumbers, ...]:
    """Prediction sets of every group of every attribute."""
    found = []
    for sets in detail.coverage:
        own = sets.by_group(decision.alpha, seed=detail.seed)
        common = sets.by_group(decision.alpha, seed=detail.seed, common=True)
        found += [
            CoverageNumbers(
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
    return tuple(found)
