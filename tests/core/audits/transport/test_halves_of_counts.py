"""Halves of people who are counted, beside halves of the people one by one."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from core.audits.transport.losses import CellLosses, halves, halves_of_counts
from core.inference.sampling import Sampling


def test_halves_of_counts_are_spread_as_those_of_people() -> None:
    cell, times = np.array([0, 0, 1, 1, 1, 2]), np.array([5, 8, 3, 1, 9, 7])
    people, kind = np.repeat(cell, times), np.repeat(np.arange(6), times)
    rng = np.random.default_rng(0)
    ours = np.array([halves_of_counts(cell, times, rng)[0] for _ in range(2_000)])
    theirs = np.array([np.bincount(kind, halves(people, rng) == 0, 6) for _ in range(2_000)])
    assert (
        np.abs(np.bincount(cell, times) - 2 * np.apply_along_axis(lambda h: np.bincount(cell, h), 1, ours)) <= 1
    ).all()
    for one in range(6):
        assert ks_2samp(ours[:, one], theirs[:, one]).pvalue > 1e-3
    assert np.cov(ours.T) == pytest.approx(np.cov(theirs.T), abs=0.15)


def test_sums_of_counts_are_those_of_people() -> None:
    rng = np.random.default_rng(1)
    cell, values, times = np.sort(rng.integers(5, size=40)), rng.random(40), rng.integers(1, 9, 40)
    first = rng.integers(0, times + 1)
    parts = np.stack([first, times - first])
    half = np.concatenate([np.repeat([0, 1], part) for part in parts.T])
    counted = CellLosses(values, cell, 5, sampling=Sampling(times=times))
    found = counted.sample(parts)
    people = CellLosses(values.repeat(times), cell.repeat(times), 5).sample(half)
    assert found.count.tolist() == people.count.tolist()
    np.testing.assert_allclose(found.total, people.total)
    np.testing.assert_allclose(found.squares, people.squares)
    assert counted.sample().n == times.sum()
