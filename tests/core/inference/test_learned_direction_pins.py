"""Directions that were learned: what a few repetitions say, and what could be found, by integrals."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import t

from core.inference.learned_direction import LearnedDirection


def test_few_repetitions_have_students_quantile_of_one_less() -> None:
    """Slopes of 9 and 11 about 10, which none reaches zero from, are spread by 1."""
    found = LearnedDirection.of(100.0, np.array([9.0, 11.0, 9.0, 11.0]) ** 2, *np.zeros((2, 4)), directions=1, others=5)
    assert found.above(0.95) == pytest.approx((10 + t.ppf(0.95, 3)) ** 2 - 100)


@pytest.mark.parametrize(("others", "tilt"), [(0, 1 / 3), (1, 1 / 3), (4, 1 / 12)])
def test_a_turn_is_shared_by_the_directions_that_are_not_free(others: int, tilt: float) -> None:
    """The squared tangent of 30 degrees is 1/3."""
    angles = np.full(25, 30.0)
    found = LearnedDirection.of(1.0, np.ones(25), angles, angles, directions=1, others=others)
    assert (found.tilt, found.shortened) == pytest.approx((tilt, 2 / 3))
    assert (found.across, found.beside) == (max(others, 1), 0.0)


@pytest.mark.parametrize(("others", "across"), [(6, 2), (1, 1)])
def test_turns_that_differ_much_are_spread_on_few_directions(others: int, across: int) -> None:
    """Squared tangents of 0 and 2: a mean of 1 and a variance of 1.04; a sum of two squared normals has one of 1."""
    angles = np.degrees(np.arctan(np.sqrt([0.0, 2.0] * 13)))
    found = LearnedDirection.of(1.0, np.ones(26), angles, angles, directions=1, others=others)
    assert (found.across, found.tilt) == (across, pytest.approx(1 / across))


def test_the_other_directions_have_turned_by_what_the_mean_leaves_to_them() -> None:
    """Of three, two turn by 45 degrees and the one that counts not at all: a squared tangent of 1, on four."""
    turned = np.full(25, np.degrees(np.arcsin(np.sqrt(1 / 3))))
    found = LearnedDirection.of(1.0, np.ones(25), np.zeros(25), turned, directions=3, others=4)
    assert (found.tilt, found.beside) == (0.0, pytest.approx(1 / 4))
    none = LearnedDirection.of(1.0, np.ones(25), turned, np.zeros(25), directions=3, others=4)
    assert none.beside == 0.0


def test_a_direction_of_which_nothing_is_left_has_no_upper_end() -> None:
    assert LearnedDirection(0.8, 0.3, 0.0, 24).above(0.95) == math.inf


def test_a_model_that_answers_by_nothing_has_its_lower_end_there() -> None:
    assert LearnedDirection(0.0, 0.0, 1.0, 24).below(0.95, 0.0, math.inf) == 0.0


def test_without_an_error_of_its_own_a_truth_of_what_is_found_without_the_direction_is_as_likely_as_its_errors() -> (
    None
):
    """A slope of 2 spreads, of zero, on either side; a truth below is impossible."""
    found = LearnedDirection(0.5, 0.25, 0.9, 24)
    assert found.chance(0.25, 0.0, math.inf) == pytest.approx(2 * t(24).sf(2) / 0.95, rel=0.02)
    assert found.chance(math.nextafter(0.25, 1), 0.0, math.inf) == 0.0


def test_small_chances_are_summed_over_finely_enough() -> None:
    """What blurs the steps makes the spread larger by 1 in 800; 3 of them away it makes 1% more of the chance."""
    found = LearnedDirection(1.0, 0.01, 1.0, 1000)
    assert found.chance(1 - 0.969**2, 0.0, math.inf) == pytest.approx(t(1000).sf(3.1) / 0.95, rel=0.016)


ERRORS = np.linspace(-15, 15, 1_501)
WEIGHTS = t.pdf(ERRORS, 24) * 30 / 1_500


def reached(needed: float, slope: float, spread: float, error: float) -> float:
    """How likely (slope + spread t)² and a normal error reach what is needed, t of 24 degrees of freedom."""
    return float(WEIGHTS @ ndtr(((slope + spread * ERRORS) ** 2 - needed) / error))


@pytest.mark.parametrize("tolerated", [-0.92, 0.4])
def test_what_is_found_with_some_power_reaches_what_is_hardly_ever_found_of_what_is_tolerated(
    tolerated: float,
) -> None:
    """The first is so low that all that is to be found lies nearer than the direction's error."""
    spread, error = 0.3, 0.5
    most = math.sqrt(max(tolerated, 0.0))
    enough = brentq(lambda by: reached(by - min(tolerated, 0.0), most, spread, error) - 0.05 * 0.95, 0.0, 9.0)
    slope = brentq(lambda one: reached(enough, one, spread, error) - 0.8, 0.0, 9.0)
    found = LearnedDirection(0.7, spread, 0.81, 24).detectable(tolerated, 0.95, 0.8, error, math.inf)
    assert found == pytest.approx(slope**2, rel=0.01)
    assert (enough < spread**2) == (tolerated < 0)


def test_without_a_direction_nothing_is_said_to_be_found_however_far_above_the_tolerance_it_starts() -> None:
    assert LearnedDirection(0.8, 0.3, -0.1, 24).detectable(-1.0, 0.95, 0.8, 0.01, math.inf) == math.inf


@pytest.mark.parametrize("spread", [0.0, 1e-9])
def test_where_the_origin_lies_above_the_tolerance_something_can_be_found_without_a_spread_too(spread: float) -> None:
    """Five errors above: any square is found, and what is asked for is told by the estimate's own error."""
    found = LearnedDirection(0.0, spread, 1.0, 24).detectable(-0.05, 0.95, 0.8, 0.01, math.inf)
    assert found == pytest.approx(0.01 * t.ppf(0.8, math.inf), rel=0.01)
