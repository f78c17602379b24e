"""The first rows of a table travel to the page as plain JSON."""

import json

import pandas as pd
import pytest

from dashboard.jobs.answers import pack, unpack
from dashboard.tables import LONGEST_CELL, ROWS_SHOWN, first_rows


@pytest.mark.parametrize("rows", [0, 3, 120])
def test_the_first_rows_survive_the_way_to_the_page(rows: int) -> None:
    days = pd.date_range("2020-01-01", periods=rows)
    frame = pd.DataFrame(
        {"day": days, "moment": days.tz_localize("UTC"), "text": ["y" * 500] * rows, "number": [1.5] * rows}
    )
    packed = json.dumps(pack(first_rows(frame), pd.DataFrame), allow_nan=False)
    read = unpack(json.loads(packed), pd.DataFrame)
    assert read.shape == (min(rows, ROWS_SHOWN), 4)
    assert list(read.columns) == list(frame.columns)
    if rows:
        assert read["moment"][0] == "2020-01-01 00:00:00+00:00"
        assert read["day"][0] == days[0]
        assert len(read["text"][0]) == LONGEST_CELL + 1
