"""How the ends of a column of numbers are written in the list of columns."""

import pytest

from dashboard.tables import ColumnSummary
from dashboard.views.data.column_list import _values, _written


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (17.0, "17"),
        (2019.0, "2019"),
        (12285.0, "12,285"),
        (1484705.0, "1,484,705"),
        (0.25, "0.25"),
        (-40000.0, "-40,000"),
    ],
)
def test_whole_numbers_are_written_in_full_and_years_without_marks(value: float, said: str) -> None:
    assert _written(value) == said


def test_values_of_few_numbers_have_no_noise_and_codes_stay_as_they_are() -> None:
    values = ("3.200000047683716", "5.0", "94110")
    assert _values(ColumnSummary("rate", "number", 3, 0, values), 9) == "3.2, 5, 94110"
    text = _values(ColumnSummary("version", "text", 1, 0, ("3.200000047683716",)), 9)
    assert text.replace("\\", "").replace("\u2060", "") == "3.200000047683716"
