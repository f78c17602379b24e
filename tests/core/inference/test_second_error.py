"""An estimate with a second source of error, such as a metric that was learned: its ends, and how often they miss."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.estimate import Estimate

OWN = Estimate(1.2, 0.01, 400)


def test_upper_ends_lie_above_as_many_repetitions_as_they_are_sure() -> None:
    moved = np.linspace(-0.1, 0.1, 25)
    moved[-2:] = 0.5, 0.9
    found = OWN.widened(moved[::-1])
    assert found.upper_bound(0.05) == pytest.approx(1.2 + 0.9)
    assert found.upper_bound(0.01) == pytest.approx(1.2 + 0.9)
    assert found.two_sided(0.1).high == found.upper_bound(0.05)
    assert replace(found, error_above=0.0).upper_bound(1.5 / 26) == pytest.approx(1.2 + 0.9)
    assert replace(found, error_above=0.0).upper_bound(2 / 26) == pytest.approx(1.2 + 0.5)
    assert found.lower_bound(0.05) == replace(found, repeated=()).lower_bound(0.05)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40), st.floats(0.001, 0.5), st.floats(0.001, 0.5))
def test_surer_ends_lie_no_nearer_and_repetitions_bring_none_nearer(moved: list[float], one: float, two: float) -> None:
    found, (low, high) = OWN.widened(np.array(moved)), sorted((one, two))
    assert found.upper_bound(low) >= found.upper_bound(high)
    assert found.upper_bound(low) >= replace(found, repeated=()).upper_bound(low)


def directions(centre: np.ndarray, error: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    found = centre + error * rng.standard_normal((*shape, centre.shape[-1]))
    return np.asarray(found / np.linalg.norm(found, axis=-1, keepdims=True))


@pytest.mark.parametrize("weight", [0.3, 0.7, 1.2])
def test_a_learned_directions_ends_miss_as_often_as_they_may(weight: float) -> None:
    """A search along a learned direction finds the square of the model's slope there; 1,000 rows teach the direction.

    The spread alone, without the repetitions, put the upper end too low in up to 7% of tables.
    """
    rng, repeats = np.random.default_rng(7), 800
    true, slope = np.eye(6)[1], np.array([1.5, weight, 0, 0, 0, 0])
    missed = np.zeros(2)
    for _ in range(repeats):
        learned = directions(true, 0.083, (), rng)
        value = float((learned @ slope) ** 2)
        halves = (directions(learned, 0.083, (25,), rng) @ slope) ** 2
        found = Estimate(value, 0.002, 1000).widened(halves - value)
        missed += found.upper_bound(0.05) < weight**2, found.lower_bound(0.05) > weight**2
    assert (missed / repeats <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / repeats)).all()
