"""Limits of pairs of groups where few or equal rows are left: each by hand or by a law."""

import math

import numpy as np
import pytest

from core.inference.pairwise import ConfidenceLimits, mean_limits, ratio_to_largest, ratios, share_limits

TWO = ConfidenceLimits(np.array([2.0, 0.5]), np.array([1.5, 0.25]), np.array([3.0, 1.0]))


def test_of_none_half_of_what_is_seen_weighs_so_that_twice_the_tail_is_the_chance_to_see_none() -> None:
    found = share_limits(np.array([0]), np.array([30]), 0.01)
    assert found.high[0] == pytest.approx(1 - 0.02 ** (1 / 30))


def test_limits_of_what_is_not_so_are_those_of_what_is_so_turned_round() -> None:
    counts, rows = np.array([0, 1, 3, 7]), np.array([7, 7, 7, 7])
    one, other = share_limits(counts, rows, 0.02), share_limits(rows - counts, rows, 0.02)
    assert one.low == pytest.approx(1 - other.high)
    assert one.high == pytest.approx(1 - other.low)


def test_the_value_of_a_ratio_is_the_row_over_the_column() -> None:
    found = ratios(TWO)
    assert found.value.tolist() == [[1.0, 4.0], [0.25, 1.0]]
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()


def test_two_groups_are_enough_to_be_compared_with_the_larger() -> None:
    found, largest = ratio_to_largest(TWO, np.array([True, True]))
    assert largest == 0
    assert found.value.tolist() == [1.0, 0.25]


def test_a_group_in_which_it_never_happens_is_compared_with_one_in_which_it_does() -> None:
    one = share_limits(np.array([0, 10]), np.array([40, 40]), 0.01)
    found, largest = ratio_to_largest(one, np.array([True, True]))
    assert largest == 1
    assert found.value.tolist() == [0.0, 1.0]
    assert found.low[0] == 0.0 < found.high[0] < 1.0


def test_a_sample_of_noughts_has_nought_for_both_limits_and_within_known_ends_those_of_what_was_not_seen() -> None:
    free, within = (mean_limits([np.zeros(10)], 0.05, within=ends) for ends in ((-np.inf, np.inf), (-1.0, 3.0)))
    assert (free.value[0], free.low[0], free.high[0]) == (0.0, 0.0, 0.0)
    unseen = 1 - 0.1 ** (1 / 10)
    assert (within.value[0], within.low[0], within.high[0]) == pytest.approx((0.0, -unseen, 3 * unseen))


@pytest.mark.parametrize("ends", [(0.0, math.inf), (-math.inf, 1.0)])
def test_one_known_end_does_not_say_how_far_others_lie(ends: tuple[float, float]) -> None:
    found = mean_limits([np.full(10, 0.25)], 0.05, within=ends)
    assert (found.low[0], found.high[0]) == (0.25, 0.25)


def test_the_limits_of_a_constant_sample_move_with_its_ends() -> None:
    here = mean_limits([np.full(10, 0.25)], 0.05, within=(0.0, 1.0))
    there = mean_limits([np.full(10, 5.25)], 0.05, within=(5.0, 6.0))
    assert (there.low[0], there.high[0]) == pytest.approx((here.low[0] + 5, here.high[0] + 5))
