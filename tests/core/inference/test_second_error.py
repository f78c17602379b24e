"""An estimate with a second source of error, such as a metric that was learned: its ends, and how often they miss."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.estimate import Estimate
from core.inference.learned_direction import LearnedDirection

OWN = Estimate(1.2, 0.01, 400)


def test_upper_ends_lie_above_as_many_repetitions_as_they_are_sure() -> None:
    moved = np.linspace(-0.1, 0.1, 25)
    moved[-2:] = 0.5, 0.9
    found = OWN.widened(moved[::-1])
    assert found.upper_bound(0.05) == pytest.approx(1.2 + 0.9)
    assert found.two_sided(0.1).high == found.upper_bound(0.05)
    assert replace(found, error_above=0.0).upper_bound(1.5 / 26) == pytest.approx(1.2 + 0.9)
    assert replace(found, error_above=0.0).upper_bound(2 / 26) == pytest.approx(1.2 + 0.5)
    assert found.lower_bound(0.05) == replace(found, repeated=()).lower_bound(0.05)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40), st.floats(0.001, 0.5), st.floats(0.001, 0.5))
def test_surer_ends_lie_no_nearer_and_repetitions_bring_none_nearer(moved: list[float], one: float, two: float) -> None:
    found, (low, high) = OWN.widened(np.array(moved)), sorted((one, two))
    assert found.upper_bound(low) >= found.upper_bound(high)
    assert found.upper_bound(low) >= replace(found, repeated=()).upper_bound(low)


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


@pytest.mark.parametrize(
    ("columns", "error"), [(6, 0.083), (6, 0.16), (6, 0.24), (20, 0.083), (20, 0.16)], ids="{}".format
)
@pytest.mark.parametrize("slope", [(1.5, 0.3), (1.5, 0.7), (1.5, 1.2), (0.2, 1.5)], ids=str)
def test_a_learned_directions_ends_miss_as_often_as_they_may(
    slope: tuple[float, float], columns: int, error: float
) -> None:
    """A search along a learned direction finds the square of the model's slope there; noise turns the direction.

    The spread alone put the upper end too low in up to 40% of tables where the model answers by little else than the
    true direction, so that every turn finds less; a rule for six columns, in up to 20% with twenty.
    """
    rng, repeats = np.random.default_rng(7), 600
    true, slopes = np.eye(columns)[1], np.array([*slope, *np.zeros(columns - 2)])
    alphas = np.array([0.1, 0.05, 0.01])
    missed = np.zeros((3, 2))
    for _ in range(repeats):
        learned = true + error * rng.standard_normal(columns)
        value = float((unit(learned) @ slopes) ** 2)
        again = unit(learned + error * rng.standard_normal((25, columns)))
        halves, angles = (again @ slopes) ** 2, np.degrees(np.arccos(np.abs(again @ unit(learned))))
        direction = LearnedDirection.of(value, halves, angles)
        found = Estimate(value, 0.002, 1000).widened(halves - value, direction)
        missed += [(found.upper_bound(at) < slope[1] ** 2, found.lower_bound(at) > slope[1] ** 2) for at in alphas]
    assert (missed.T / repeats <= alphas + 2 * np.sqrt(alphas * (1 - alphas) / repeats)).all()


def test_slopes_that_change_their_sign_are_spread_as_far_as_they_are_beneath() -> None:
    rng = np.random.default_rng(1)
    for mean in (0.0, 0.3, 1.0, 3.0, 30.0):
        signed = mean + rng.standard_normal(100_000)
        found = LearnedDirection.of(mean**2, signed**2, np.zeros(100_000))
        assert found.spread == pytest.approx(1.0, rel=0.02)


def test_directions_half_a_right_angle_apart_leave_no_upper_end() -> None:
    near, far = (LearnedDirection.of(0.2, np.full(25, 0.2), np.full(25, angle)) for angle in (44.0, 46.0))
    assert 0 < near.above(0.95) < np.inf
    found = OWN.widened(np.linspace(-0.1, 0.1, 25), far)
    assert found.upper_bound(0.05) == np.inf
    assert found.lower_bound(0.05) == replace(found, direction=None).lower_bound(0.05)
    assert LearnedDirection.of(0.2, np.full(25, 0.2), np.zeros(25)).above(0.95) == pytest.approx(0.0)
