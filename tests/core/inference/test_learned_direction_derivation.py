"""The derivation of core/METHODS.md, section 3, step by step in plain draws, against the code that sums over errors."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t

from core.inference.learned_direction import LearnedDirection

DRAWS = 400_000


def p_value(found: LearnedDirection, beyond: float, error: float, across: int, rng: np.random.Generator) -> float:
    """Section 3.3 of a truth that lies ``beyond`` below what was found."""
    square, degrees = found.slope**2, found.degrees
    whole = square + found.spread**2 / found.tilt
    slope, needed = math.sqrt(max(square - beyond, 0.0)), max(square, beyond)

    def squares(number: int) -> np.ndarray | float:
        if not number:
            return 0.0
        return rng.chisquare(number, DRAWS) / (rng.chisquare(degrees, DRAWS) / degrees)

    turned = np.arcsin(np.clip(math.sqrt(found.tilt) * rng.standard_t(degrees, DRAWS), -1, 1))
    shorter = np.minimum(found.tilt * squares(across - 1), max(1 - needed / whole, 0.0))
    within = slope**2 * (1 - shorter)
    left = np.maximum(np.arctan2(math.sqrt(whole - slope**2), np.sqrt(within)) - turned, 0.0)
    along = (whole - slope**2 + within) * np.cos(left) ** 2
    reached = whole - (whole - along) * (1 - np.minimum(found.beside * squares(found.directions - 1), 1.0))
    chance = float(norm.cdf((reached - needed) / error).mean())
    given, without = norm.sf(beyond / error), norm.sf((beyond - square) / error)
    return min(max(chance, float(given)) / 0.95, float(without) / 0.05, 1.0)


@pytest.mark.parametrize("beyond", [0.0, 0.05, 0.15, 0.25, 0.28])
@pytest.mark.parametrize(("directions", "across"), [(1, 1), (1, 6), (3, 6)])
def test_p_values_are_those_of_the_derivation(directions: int, across: int, beyond: float) -> None:
    found = LearnedDirection(0.5, 0.08, 0.9, 24, directions, tilt=0.01, across=across, beside=0.01 * (directions > 1))
    expected = p_value(found, beyond, 0.02, across, np.random.default_rng(3))
    assert found.chance(beyond, 0.02, math.inf) == pytest.approx(expected, rel=0.05, abs=2e-4)


def test_what_halves_show_is_what_the_derivation_takes_from_them() -> None:
    """Slopes lengthened by the cosine, tilts by Satterthwaite, the whole slope from spread over tilt."""
    rng, sigma, others = np.random.default_rng(5), 0.12, 12
    across = np.append(0.6, np.zeros(others - 1))
    errors = sigma * rng.standard_normal((4_000, others))
    tangents = (errors**2).sum(axis=1)
    slopes = (0.5 + errors @ across) / np.sqrt(1 + tangents)
    angles = np.degrees(np.arctan(np.sqrt(tangents)))
    found = LearnedDirection.of(0.25, slopes**2, angles, angles, directions=1, others=others)
    assert found.spread == pytest.approx(sigma * 0.6, rel=0.03)
    assert (found.across, found.tilt) == (others, pytest.approx(sigma**2, rel=0.03))
    assert found.slope**2 + found.spread**2 / found.tilt == pytest.approx(0.25 + 0.36, rel=0.05)
    assert found.above(0.95) == pytest.approx(
        (0.5 + t.ppf(0.95, 3_999) * found.spread) ** 2 / (1 - others * sigma**2) - 0.25, rel=0.02
    )


def test_the_tangent_between_two_errors_is_the_sine_of_one_in_the_mean() -> None:
    rng, sigma, others = np.random.default_rng(6), 0.1, 20
    first = np.column_stack([np.ones(20_000), sigma * rng.standard_normal((20_000, others))])
    second = first + np.column_stack([np.zeros(20_000), sigma * rng.standard_normal((20_000, others))])
    lengths = (first**2).sum(axis=1), (second**2).sum(axis=1)
    tangents = lengths[0] * lengths[1] / (first * second).sum(axis=1) ** 2 - 1
    assert tangents.mean() == pytest.approx((1 - 1 / lengths[0]).mean(), rel=0.03)
