"""Possible prices against the same quantities worked out densely, price by price."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport.costs import ClassCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.prices import Prices, closeness
from tests.core.inference.transport.designs import Population, quadratic


def prices_of(population: Population, n: int, seed: int) -> Prices:
    envelope = Envelope.build(population.losses, population.cost)
    return Prices.of(envelope, population.sample(n, np.random.default_rng(seed)))


def spending(prices: Prices, place: int) -> np.ndarray:
    """What each cell's people spend once the first ``place`` steps are taken, shape (K,)."""
    steps, envelope = prices.steps[:place], prices.envelope
    return np.bincount(envelope.source[steps], envelope.cost[steps], len(prices.masses))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.0, 1.3), decisions=st.booleans(), n=st.sampled_from([60, 900]))
def test_possible_prices_are_those_whose_spending_is_close_to_the_budget(
    seed: int, share: float, decisions: bool, n: int
) -> None:
    population = quadratic(14, decisions=decisions, share=share)
    prices, budget = prices_of(population, n, seed), population.budget
    low, high = prices.possible(budget)
    best = prices.best(budget)
    assert low <= best <= high
    least = budget * prices.price + np.array([prices.masses @ prices.gains(p) for p in range(len(prices.price))])
    assert least[best] == pytest.approx(least.min(), abs=1e-12)
    if budget == 0:
        assert low == high
        return
    near = []
    for place in range(len(prices.price)):
        ends = []
        for taken, sign in ((place, -1), (place + 1, 1)):
            cost = spending(prices, taken)
            room = closeness(n) * np.sqrt(prices.sample.spread(cost) / n) if taken else 0.0
            ends.append(np.inf if taken > len(prices.steps) else prices.masses @ cost + sign * room)
        if ends[0] - 1e-9 <= budget <= ends[1] + 1e-9:
            near.append(place)
    assert {low, high} <= {min(best, *near), max(best, *near)}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.01, 1.3), decisions=st.booleans())
def test_the_least_change_and_the_widest_gains_agree_with_every_price_in_turn(
    seed: int, share: float, decisions: bool
) -> None:
    population = quadratic(14, decisions=decisions, share=share)
    prices = prices_of(population, 80, seed)
    low, high = prices.possible(population.budget)
    low, high, best = max(0, low - 2), min(len(prices.steps), high + 2), prices.best(population.budget)
    masses = np.random.default_rng(seed).multinomial(80, prices.masses, size=5) / 80
    gains = np.array([prices.gains(place) for place in range(low, high + 1)])
    expected = ((masses - prices.masses) @ (gains - prices.gains(best)).T).min(axis=1)
    assert np.allclose(prices.least_change(masses, low, high, best), expected, atol=1e-12)
    spreads = [prices.sample.spread(each) for each in gains]
    widest = prices.widest(low, high)
    assert spreads[widest - low] == pytest.approx(max(spreads), rel=1e-9, abs=1e-14)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.01, 1.3), decisions=st.booleans())
def test_with_a_budget_the_least_change_over_all_prices_is_that_of_the_audit_value_itself(
    seed: int, share: float, decisions: bool
) -> None:
    """Strong duality: ψ(f) is the least over all prices of εν + Σ_i f_i a_i(ν)."""
    population = quadratic(14, decisions=decisions, share=share)
    prices, budget = prices_of(population, 80, seed), population.budget
    best, last = prices.best(budget), len(prices.steps)
    masses = np.random.default_rng(seed).multinomial(80, prices.masses, size=5) / 80
    line = budget * prices.price[best] + masses @ prices.gains(best)
    found = prices.least_change(masses, 0, last, best, budget)
    assert np.allclose(found, prices.envelope.value(masses, budget) - line, atol=1e-9)
    assert (found >= prices.least_change(masses, 0, last, best) - 1e-12).all()


def test_a_budget_of_0_or_without_end_leaves_one_price() -> None:
    population = quadratic(14, decisions=False, share=0.2)
    prices = prices_of(population, 100, 1)
    assert prices.possible(0.0) == (0, 0)
    assert prices.possible(np.inf) == (len(prices.steps), len(prices.steps))
    assert np.allclose(prices.gains(0)[prices.masses > 0], prices.envelope.free_gain[prices.masses > 0])


def test_free_moves_have_no_price() -> None:
    population = Population(ClassCost(np.array([0, 0, 1])), np.array([0.5, 0.2, 0.3]), np.array([0.0, 1.0, 0.5]))
    prices = prices_of(population, 100, 1)
    for budget in (0.0, 0.3, np.inf):
        assert prices.possible(budget) == (0, 0)
    assert prices.gains(0).tolist() == [1.0, 0.0, 0.0]


def test_closeness_grows_without_bound_but_slowly() -> None:
    sizes = [10**power for power in range(2, 12)]
    assert (np.diff([closeness(n) for n in sizes]) > 0).all()
    assert [round(closeness(n), 2) for n in (500, 5000)] == [1.01, 1.1]
