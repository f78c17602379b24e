"""Differences of rates are told in percentage points, and in nothing else."""

from types import SimpleNamespace
from typing import cast

from core.audits.group_fairness.claims import parts
from core.audits.group_fairness.table import GroupTable, LargestDifference
from core.claims_shown import each
from core.group_answers import GroupAnswers


def test_a_difference_of_rates_is_told_in_percentage_points() -> None:
    found = LargestDifference("statistical parity", 0.169, 0.142, 0.195)
    table = SimpleNamespace(measures=(), impacts=(), differences=(found,), family=SimpleNamespace(name="sex"))
    claims = parts([cast("GroupTable", table)], 0.05, GroupAnswers(), shares=True)["groups differences"]
    told = each(claims, alpha=0.05, rows="People")
    assert told.header[:3] == (
        "Statistical parity difference, in percentage points",
        "Found",
        "95% interval, two-sided",
    )
    assert told.rows[0][:3] == ("sex", "16.9", "14.2 to 19.5")
