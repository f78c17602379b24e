"""How the ends of a column of numbers are written in the list of columns."""

import pytest

from dashboard.views.data.column_list import _written


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
