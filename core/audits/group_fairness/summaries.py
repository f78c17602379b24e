"""What the record and the report keep of groups and prediction sets."""

from __future__ import annotations

from dataclasses import dataclass

from core.audits.group_fairness.conformal import Coverage, GroupSets
from core.audits.group_fairness.table import GroupTable


@dataclass(frozen=True)
class GroupSummary:
    """One measure of one group; NaN, like its interval, where the group is too small.

    Attributes:
        attribute: The attribute, or two of them.
        group: The group.
        measure: What it is; an impact ratio is a group's rate over the highest one's.
        of: The class it is about; empty where it is the favourable one, or none.
        people: People in the group.
        value: Its value.
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
class DifferenceSummary:
    """The largest difference between two groups in one measure; the intervals of a measure hold together."""

    attribute: str
    measure: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class CoverageSummary:
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


def summarise_groups(table: GroupTable) -> list[GroupSummary]:
    """Every measure of every group of a family."""
    found = [(str(one.name), one.of, one.rows, one.values, one.low, one.high) for one in table.measures]
    found += [
        (f"impact ratio of the {one.of}", "", table.family.rows, one.values, one.low, one.high)  # verbatim
        for one in table.impacts
    ]
    return [
        GroupSummary(
            table.family.name,
            table.family.group(g),
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


def summarise_differences(table: GroupTable) -> list[DifferenceSummary]:
    """The largest differences between groups of a family."""
    return [DifferenceSummary(table.family.name, one.name, one.value, one.low, one.high) for one in table.differences]


def summarise_coverage(sets: Coverage, own: GroupSets, common: GroupSets) -> list[CoverageSummary]:
    """Prediction sets of every group of an attribute, calibrated in the groups and for everybody together."""
    return [
        CoverageSummary(
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
