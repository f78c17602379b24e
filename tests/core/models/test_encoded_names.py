"""Names of encoded columns, as pandas, R and LightGBM write them."""

import pandas as pd
import pytest

from core.models.encoded_names import Indicator, find_indicators

FRAME = pd.DataFrame(
    {
        "job": ["cook", "self-employed", "night nurse"],
        "area": [2.0, 7.0, 9.5],
        "home owner": [True, False, True],
        "sex": ["f", "m", "m"],
        "sex_": ["x", "y", "y"],
    }
)


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("job_cook", "job", "cook"),
        ("job=cook", "job", "cook"),
        ("job: night nurse", "job", "night nurse"),
        ("jobcook", "job", "cook"),
        ("jobself-employed", "job", "self-employed"),
        ("jobself.employed", "job", "self-employed"),
        ("job_night_nurse", "job", "night nurse"),
        ("area_2.0", "area", "2"),
        ("area_2", "area", "2"),
        ("area2", "area", "2"),
        ("area_9.5", "area", "9.5"),
        ("area9.5", "area", "9.5"),
        ("home ownerTRUE", "home owner", "True"),
        ("home_owner_True", "home owner", "True"),
        ("sex_x", "sex_", "x"),
    ],
)
def test_a_column_and_a_value_are_found_with_and_without_a_sign_between_them(
    name: str, column: str, value: str
) -> None:
    assert find_indicators([name], FRAME) == {name: Indicator(column, value)}


@pytest.mark.parametrize("name", ["joblessness", "age", "job_", "area_3", "", "job"])
def test_other_names_are_no_indicators(name: str) -> None:
    assert find_indicators([name], FRAME) == {}


def test_a_name_that_could_mean_two_columns_is_left_out() -> None:
    frame = pd.DataFrame({"a": ["bc", "x"], "ab": ["c", "y"]})
    assert find_indicators(["abc"], frame) == {}


def test_others_of_a_column_may_mark_values_that_the_table_does_not_have() -> None:
    found = find_indicators(["area_2.0", "area_3.0", "jobcook", "jobsmith"], FRAME)
    assert found["area_3.0"] == Indicator("area", "3", occurs=False)
    assert found["jobsmith"] == Indicator("job", "smith", occurs=False)
