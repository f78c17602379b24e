"""Limits and numbers of the column test, each pinned."""

import pytest

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.doubts import always
from core.audits.column_sensitivity.verdict import GROUP_DRAWS
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding as Finding
from tests.builders_columns import make_column_result


def test_intervals_told_of_an_attribute_are_those_of_its_estimates() -> None:
    finding = Finding(make_column_result(draws=199), ColumnSensitivityDecision(alpha=0.1))
    for told, one in zip(finding.attributes, finding.estimates, strict=True):
        interval = one.two_sided(0.1)
        assert (told.change, told.change_low, told.change_high) == (one.value, interval.low, interval.high)
        assert told.change_low < told.change < told.change_high
        assert told.slope_low < told.slope < told.slope_high
        assert told.flipped_low <= told.flipped / 600 <= told.flipped_high


@pytest.mark.parametrize(("people", "few"), [(29, True), (30, False)])
def test_fewer_than_thirty_people_are_too_few(people: int, few: bool) -> None:
    result = make_column_result(rows=people, draws=199)
    notices = [notice.what for notice in always(result.detail.attributes[0], ())]
    assert (f"Only {people} people were measured." in notices) is few


def test_draws_of_groups_make_usual_error_rates_whole_numbers() -> None:
    assert (GROUP_DRAWS + 1) % 1000 == 0
