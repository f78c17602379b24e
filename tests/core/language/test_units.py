"""One function writes an estimate, its unit and its tolerance."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.language.units import PLAIN, POINTS, Unit


def test_a_share_is_shown_in_points_with_its_tolerance_in_the_same_unit() -> None:
    assert POINTS.text(0.0512) == "5.12 percentage points"
    assert POINTS.text(0.050001, beside=0.05) == "5.0001 percentage points"
    assert POINTS.number(0.05, beside=0.05) == "5.00"
    assert POINTS.interval(0.0123, 0.4) == "1.23 to 40.0"
    assert POINTS.interval(0.050001, 0.050002) == "5.0001 to 5.0002"
    assert POINTS.tolerance(0.0371) == "3.71 percentage points"
    assert POINTS.axis("change") == "change, in percentage points"
    assert POINTS.text(math.nan) == "not defined"
    assert (PLAIN.text(0.5), PLAIN.tolerance(0.0), PLAIN.axis("P3")) == ("0.50", "0", "P3")


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_ends_of_an_interval_are_those_its_numbers_say(low: float, high: float) -> None:
    low, high = sorted((low, high))
    first, second = map(float, POINTS.interval(low, high).split(" to "))
    assert first <= second
    assert abs(first - 100 * low) <= 0.5
    assert abs(second - 100 * high) <= 0.5


def test_decimals_leave_three_digits() -> None:
    assert [Unit(1.0, "").decimals(np.array([x, 0.1])) for x in (2.0, 20.0, 200.0)] == [2, 1, 0]
