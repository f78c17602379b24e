"""The m-out-of-n bootstrap against linear programs, and the laws of its two parts."""

import numpy as np
import pytest
from scipy.optimize import linprog

from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.methods import as_published, default_size, m_out_of_n
from core.inference.transport.prices import Prices
from tests.core.inference.transport.designs import Population, free, quadratic


def setting(population: Population, n: int, draws: int = 400) -> tuple[Envelope, Local, Draws]:
    sample = population.sample(n, np.random.default_rng(11))
    envelope = Envelope.build(sample.losses, population.cost)
    return envelope, Local.of(Prices.of(envelope, sample), sample, population.budget), Draws(sample, draws, 5)


def by_program(population: Population, masses: np.ndarray) -> float:
    """Eq. 3.1 as it is written."""
    cells = len(masses)
    costs = population.cost.rows(0, cells)
    allowed = np.isfinite(costs).ravel()
    gain = (population.losses[None, :] - population.losses[:, None]).ravel()[allowed]
    leaves = np.kron(np.eye(cells), np.ones(cells))[:, allowed]
    found = linprog(-gain, costs.ravel()[allowed][None], [population.budget], leaves, masses, method="highs")
    return -float(found.fun)


def test_published_roots_are_differences_of_linear_programs() -> None:
    population = quadratic(10, decisions=False, share=0.3)
    envelope, _, draws = setting(population, 300, draws=8)
    size = default_size(300)
    value = by_program(population, draws.sample.masses)
    roots = [np.sqrt(size) * (by_program(population, one) - value) for one in next(draws.masses(size))]
    found = as_published(envelope, draws, population.budget, size)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert np.allclose(found.roots, np.sort(roots), atol=1e-7)


def test_the_default_size_is_n_to_three_quarters() -> None:
    assert [default_size(n) for n in (1, 500, 5000)] == [1, 106, 595]


@pytest.mark.parametrize("share", [0.1, 0.9, 1.0, 1.3])
@pytest.mark.parametrize("decisions", [True, False])
def test_bends_only_lower_the_roots(share: float, decisions: bool) -> None:
    population = quadratic(30, decisions=decisions, share=share)
    _, local, draws = setting(population, 400)
    mean = np.sort(local.linear(draws).studentised)
    for size in (400, default_size(400), 30):
        assert (m_out_of_n(local, draws, population.budget, size).roots <= mean + 1e-9).all()


def test_few_people_do_not_bring_back_prices_that_all_people_rule_out() -> None:
    """Above the total cost only the price 0 is possible for 2,000 people; 30 people see others too."""
    population = quadratic(12, decisions=True, share=1.15)
    envelope, local, draws = setting(population, 2000)
    assert local.low == local.high
    mean = np.sort(local.linear(draws).studentised)
    assert np.allclose(m_out_of_n(local, draws, population.budget, 30).roots, mean, atol=1e-12)
    few = next(draws.masses(30))
    assert (envelope.value(few, population.budget) < few @ local.gains - 1e-9).any()


def test_where_the_value_is_a_mean_the_size_changes_nothing() -> None:
    population = free(40, 0.1)
    _, local, draws = setting(population, 400)
    small, large = (m_out_of_n(local, draws, 0.0, size) for size in (30, 400))
    assert np.allclose(small.roots, large.roots, atol=1e-9)


def test_the_same_seed_gives_the_same_bounds_and_another_other_ones() -> None:
    population = quadratic(30, decisions=False, share=0.3)
    _, local, draws = setting(population, 400)
    again = Draws(draws.sample, 400, 5)
    one, two = (m_out_of_n(local, each, population.budget) for each in (draws, again))
    assert (one.roots == two.roots).all()
    other = m_out_of_n(local, Draws(draws.sample, 400, 6), population.budget)
    assert other.upper_bound(0.05) != one.upper_bound(0.05)


def test_another_seed_moves_the_bounds_by_their_monte_carlo_error() -> None:
    population = quadratic(30, decisions=False, share=0.3)
    _, local, draws = setting(population, 400)
    found = [m_out_of_n(local, Draws(draws.sample, 400, seed), population.budget) for seed in range(150)]
    for bound, error in (("lower_bound", "lower_error"), ("upper_bound", "upper_error")):
        spread = np.std([getattr(one, bound)(0.05) for one in found])
        assert spread == pytest.approx(np.mean([getattr(one, error)(0.05) for one in found]), rel=0.3)
