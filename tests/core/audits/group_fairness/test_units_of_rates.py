"""Differences of rates are told in percentage points, and in nothing else."""

from core.audits.group_fairness.table import LargestDifference
from core.audits.group_fairness.wording_groups import apart


def test_a_difference_of_rates_is_told_in_percentage_points() -> None:
    found = LargestDifference("statistical parity", 0.169, 0.142, 0.195)
    assert apart(found, shares=True) == "16.9 percentage points (14.2 to 19.5)"
