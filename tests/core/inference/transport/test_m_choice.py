"""The choice of m: its parts against scipy, and what it does at a kink and away from it."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import ks_2samp

from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.m_choice import SMALLEST, choose_size, sup_distance, tried_sizes
from core.inference.transport.methods import as_published
from tests.core.inference.transport.designs import quadratic


def test_sizes_fall_by_a_quarter_down_to_the_smallest() -> None:
    assert tried_sizes(500) == [500, 375, 282, 212, 159, 120, 90, 68, 51, 39, 30]
    assert tried_sizes(20) == [20]
    assert min(tried_sizes(10_000)) >= SMALLEST


def test_the_distance_is_kolmogorovs() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        one, two = np.sort(rng.integers(0, 9, 30) / 3), np.sort(rng.normal(1.5, 1, 50))
        assert sup_distance(one, two) == pytest.approx(ks_2samp(one, two).statistic)


def test_the_chosen_size_is_where_neighbours_are_closest() -> None:
    population = quadratic(12, decisions=True, share=1.0)
    sample = population.sample(500, np.random.default_rng(2))
    envelope, draws = Envelope.build(sample.losses, population.cost), Draws(sample, 300, 1)
    sizes = tried_sizes(500)
    roots = [as_published(envelope, draws, population.budget, size).roots for size in sizes]
    distances = [ks_2samp(*pair).statistic for pair in pairwise(roots)]
    chosen = choose_size(envelope, draws, population.budget)
    assert chosen == sizes[int(np.argmin(distances))]
    assert chosen == choose_size(envelope, Draws(sample, 300, 1), population.budget)


def test_a_value_that_cannot_vary_takes_everybody() -> None:
    """All distributions are the same, and of equally good sizes the largest is taken."""
    population = quadratic(12, decisions=True, share=0.005)
    sample = population.sample(500, np.random.default_rng(2))
    envelope = Envelope.build(sample.losses, population.cost)
    assert choose_size(envelope, Draws(sample, 200, 1), population.budget) == 500
