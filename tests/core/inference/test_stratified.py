"""A difference within cells: against least squares, Berkeley's admissions, and how often bounds miss."""

import numpy as np
import pytest

from core.inference.stratified import WithinCells

MEN = ((512, 313), (353, 207), (120, 205), (138, 279), (53, 138), (22, 351))
WOMEN = ((89, 19), (17, 8), (202, 391), (131, 244), (94, 299), (24, 317))
"""Admitted and rejected in the six largest departments, Berkeley 1973 (Bickel, Hammel and O'Connell 1975)."""


def counted(values: np.ndarray, cells: np.ndarray, count: int) -> np.ndarray:
    return np.stack([np.bincount(cells, values**power, count) for power in range(3)], axis=1)


def test_it_is_the_least_squares_difference_with_an_intercept_for_each_cell() -> None:
    rng = np.random.default_rng(0)
    cells, first = rng.integers(12, size=400), rng.random(400) < 0.3
    values = rng.normal(size=400) + cells + 0.7 * first
    design = np.column_stack([first, np.eye(12)[cells]])
    coefficient = np.linalg.lstsq(design, values, rcond=None)[0][0]
    found = WithinCells.of(counted(values[first], cells[first], 12), counted(values[~first], cells[~first], 12))
    assert found.value == pytest.approx(coefficient, abs=1e-10)
    assert found.weights.sum() == pytest.approx(1.0)


def test_berkeley() -> None:
    """Pooled, women are admitted 14.2 points less often; within departments 1.8 points more often, by hand."""
    sides = [np.array([[a + b, a, a] for a, b in side], dtype=np.float64) for side in (MEN, WOMEN)]
    n, m = (np.array([a + b for a, b in side], dtype=np.float64) for side in (MEN, WOMEN))
    p, q = (np.array([a / (a + b) for a, b in side]) for side in (MEN, WOMEN))
    weights = n * m / (n + m)
    found = WithinCells.of(*sides)
    assert found.value == pytest.approx(float(weights @ (p - q) / weights.sum()))
    assert found.value == pytest.approx(-0.0184, abs=5e-5)
    assert found.lower(0.025) < 0 < found.upper(0.025) < 0.02
    assert found.compared == 4_526


def test_nobody_to_compare_with_shows_nothing() -> None:
    found = WithinCells.of(np.array([[5.0, 2, 2], [0, 0, 0]]), np.array([[0.0, 0, 0], [7, 3, 3]]))
    assert np.isnan(found.value)
    assert (found.lower(0.05), found.upper(0.05), found.p_value(0.1)) == (-np.inf, np.inf, 1.0)


def test_a_p_value_is_the_smallest_alpha_whose_bound_exceeds_the_tolerance() -> None:
    found = WithinCells.of(np.array([[50.0, 30, 30]]), np.array([[60.0, 20, 20]]))
    p = found.p_value(0.1)
    assert found.lower(p * 1.001) > 0.1 > found.lower(p * 0.999)


@pytest.mark.parametrize(("cells", "rows"), [(6, 600), (60, 300)])
def test_bounds_miss_no_more_often_than_they_say(cells: int, rows: int) -> None:
    """Cells of rates from .1 to .8 in which one set lies .1 above the other, few of it where rates are high."""
    rng, tables, wrong = np.random.default_rng(cells), 600, np.zeros(2)
    base = np.linspace(0.1, 0.8, cells)
    for _ in range(tables):
        where = rng.integers(cells, size=rows)
        first = rng.random(rows) < 0.6 - 0.4 * base[where]
        values = (rng.random(rows) < base[where] + 0.1 * first).astype(np.float64)
        found = WithinCells.of(*(counted(values[one], where[one], cells) for one in (first, ~first)))
        wrong += (found.lower(0.05) > 0.1, found.upper(0.05) < 0.1)
    assert (wrong <= tables * 0.05 + 2 * np.sqrt(tables * 0.05 * 0.95)).all()
