"""The derivative against differences of the audit value itself; the closed form against known variances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport.costs import ClassCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local, pooled_variances
from core.inference.transport.methods import closed_form, directional_derivative
from core.inference.transport.prices import Prices
from core.inference.transport.sample import CellSample
from tests.core.inference.transport.designs import Population, free, noisy, of_people, quadratic


def local_of(population: Population, sample: CellSample, budget: float | None = None) -> Local:
    envelope = Envelope.build(sample.losses, population.cost)
    return Local.of(Prices.of(envelope, sample), sample, population.budget if budget is None else budget)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.02, 0.9))
def test_one_price_gives_the_slope_of_the_value(seed: int, share: float) -> None:
    population = quadratic(12, decisions=False, share=share)
    rng = np.random.default_rng(seed)
    sample = population.sample(500, rng)
    local = local_of(population, sample)
    step = 1e-9 * (rng.multinomial(500, sample.masses) / 500 - sample.masses)
    value = local.prices.envelope.value
    change = float(value(sample.masses + step, population.budget) - value(sample.masses, population.budget))
    assert change == pytest.approx(float(step @ local.gains), abs=1e-15, rel=1e-4)


def test_at_a_kink_the_derivative_is_the_least_over_both_prices() -> None:
    """The budget is spent exactly by the sample's first steps, so the prices on both sides are optimal."""
    population = quadratic(12, decisions=False, share=0.3)
    rng = np.random.default_rng(3)
    sample = population.sample(400, rng)
    prices = Prices.of(Envelope.build(sample.losses, population.cost), sample)
    budget = float(prices.spent[6])
    two = (prices.gains(6), prices.gains(7))
    value = prices.envelope.value
    for masses in rng.multinomial(400, sample.masses, size=20) / 400:
        step = 1e-7 * (masses - sample.masses)
        change = float(value(sample.masses + step, budget) - value(sample.masses, budget))
        assert change == pytest.approx(min(float(step @ gains) for gains in two), abs=1e-14, rel=1e-4)
        found = prices.least_change(masses[None], 6, 7, 6)[0] * 1e-7 + step @ two[0]
        assert found == pytest.approx(change, abs=1e-14, rel=1e-4)


def test_the_closed_form_of_free_moves_is_that_of_a_proportion() -> None:
    """Everybody of cell 0 can gain 1, nobody else anything: the value is a share p, with variance p (1 - p) / n."""
    population = Population(ClassCost(np.array([0, 0, 1])), np.array([0.2, 0.3, 0.5]), np.array([0.0, 1.0, 0.0]))
    sample = of_people(np.array([[11, 20, 29], [9, 10, 21]]), population.losses)
    found = closed_form(local_of(population, sample))
    assert found.value == pytest.approx(0.2)
    assert found.standard_error == pytest.approx(np.sqrt(0.2 * 0.8 / 99))


def test_noise_within_cells_adds_its_share_of_the_variance() -> None:
    """Two cells, all free: the value is f_1 (l_2 - l_1), the delta method by hand."""
    count, total = np.array([[30, 20], [30, 20]]), np.array([[6.0, 12.0], [7.0, 13.0]])
    sample = CellSample(count, total, total, np.full(2, 0.5))
    population = Population(ClassCost(np.zeros(2, dtype=np.int64)), np.array([0.6, 0.4]), np.array([0.2, 0.6]))
    found = closed_form(local_of(population, sample))
    people, losses = np.array([60, 40]), np.array([13 / 60, 25 / 40])
    within = people * losses * (1 - losses)
    variances = (within + within.sum() / 98) / people
    assert pooled_variances(sample) == pytest.approx(variances)
    gain = losses[1] - losses[0]
    by_hand = gain**2 * 0.6 * 0.4 / 99 + 0.6**2 * (variances / people).sum() * 100 / 99
    assert found.value == pytest.approx(0.6 * gain)
    assert found.standard_error == pytest.approx(np.sqrt(by_hand))


def test_resampling_finds_the_same_noise() -> None:
    population = noisy(12, 3, 0.3)
    sample = population.sample(4000, np.random.default_rng(1))
    local = local_of(population, sample)
    roots = directional_derivative(local, Draws(sample, 4000, 1)).roots
    assert roots.std() / np.sqrt(sample.n) == pytest.approx(closed_form(local).standard_error, rel=0.05)


def test_exact_losses_have_no_noise_not_even_in_small_cells() -> None:
    sample = free(40, 0.05).sample(60, np.random.default_rng(1))
    assert not pooled_variances(sample).any()


def test_all_draws_of_a_constant_are_0() -> None:
    """Steps of the same slope for everybody: the budget buys the same whoever comes."""
    population = quadratic(12, decisions=True, share=0.005)
    sample = population.sample(500, np.random.default_rng(1))
    found = directional_derivative(local_of(population, sample), Draws(sample, 200, 1))
    assert not found.roots.any()
    assert found.lower_bound(0.05) == found.upper_bound(0.05) == found.value


def test_bounds_lie_on_both_sides_and_the_lower_roots_dominate() -> None:
    population = quadratic(30, decisions=False, share=0.9)
    sample = population.sample(300, np.random.default_rng(5))
    found = directional_derivative(local_of(population, sample), Draws(sample, 1000, 1))
    assert found.upper_roots is not None
    assert found.lower_bound(0.05) < found.value < found.upper_bound(0.05)
    assert np.quantile(found.upper_roots, 0.95) >= np.quantile(found.roots, 0.95)
