"""Possible prices against the same quantities worked out densely, price by price."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport import prices as module
from core.inference.transport.costs import ClassCost, DenseCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.prices import Prices, closeness
from core.inference.transport.sample import CellSample
from tests.core.inference.transport.designs import Population, of_people, quadratic
from tests.core.inference.transport.test_people_together import costs, some_people, summed


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


def with_free_moves(seed: int) -> Prices:
    """Five cells with a few people each; some moves are free, some costs and losses alike."""
    rng = np.random.default_rng(seed)
    costs = rng.choice([0.0, 0.5, 1.0, 2.0, 5.0], (5, 5))
    np.fill_diagonal(costs, 0.0)
    sample = of_people(rng.integers(1, 9, (2, 5)), rng.integers(0, 9, 5) / 4)
    return Prices.of(Envelope.build(sample.losses, DenseCost(costs)), sample)


@pytest.mark.parametrize("seed", [3, 6, 33, 103, 129, 191])
def test_what_is_spent_and_gained_varies_between_people_as_worked_out_densely(seed: int) -> None:
    """Draws where squares or products of sums that are a little wrong make other gains vary most."""
    prices = with_free_moves(seed)
    for place in range(len(prices.steps)):
        cost = spending(prices, place + 1)
        assert prices.spent[place] == pytest.approx(prices.masses @ cost)
        assert prices.deviation[place] ** 2 == pytest.approx(prices.sample.spread(cost), abs=1e-12)
    spreads = [prices.sample.spread(prices.gains(place)) for place in range(len(prices.price))]
    for low, high in combinations(range(len(spreads)), 2):
        found = spreads[prices.widest(low, high)]
        assert found == pytest.approx(max(spreads[low : high + 1]), abs=1e-12)


def test_a_budget_that_the_first_steps_spend_exactly_has_the_price_of_the_last_of_them() -> None:
    """But for rounding."""
    prices = prices_of(quadratic(14, decisions=False, share=0.2), 100, 1)
    for place, spent in enumerate(prices.spent):
        assert [prices.best(spent * (1 + off)) for off in (-1e-15, 0.0, 1e-15)] == [place] * 3
        assert prices.best(spent * (1 + 1e-9)) == place + 1


def two_kinds(people: tuple[int, int], cost: float) -> Prices:
    """The first kind gains 1 by moving to the third, for this cost; nobody is there."""
    costs = np.full((3, 3), np.inf)
    np.fill_diagonal(costs, 0.0)
    costs[0, 2] = cost
    nothing = np.zeros((1, 3))
    sample = CellSample(np.array([[*people, 0]]), nothing, nothing, np.array([0.0, 0.0, 1.0]))
    return Prices.of(Envelope.build(sample.losses, DenseCost(costs)), sample)


@pytest.mark.parametrize(("people", "cost", "budget", "possible"), [
    ((1, 4999), 1.0, 0.0, (0, 0)),
    ((1, 99), 1.0, 0.005, (0, 1)),
    ((50, 50), 2.0, 1.0, (0, 1)),
    ((50, 50), 2.0, 0.5, (0, 0)),
    ((50, 50), 2.0, 1.5, (1, 1)),
    ((100, 0), 2.0, 2.0, (0, 1)),
    ((100, 0), 2.0, 2.001, (1, 1)),
    ((100, 0), 2.0, 1.999, (0, 0)),
])  # fmt: skip
def test_a_price_is_possible_where_chance_could_spend_the_budget_and_at_once_where_all_spend_alike(
    people: tuple[int, int], cost: float, budget: float, possible: tuple[int, int]
) -> None:
    """What a kind pays is off by some 0.93 x 0.1 x its deviation: 0.009 of 0.01, or 0.093 of 1."""
    assert two_kinds(people, cost).possible(budget) == possible


def test_steps_are_those_of_people() -> None:
    assert [two_kinds(people, 1.0).steps.tolist() for people in ((0, 9), (9, 0))] == [[], [0]]


def test_blocks_of_resamples_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    prices = prices_of(quadratic(14, decisions=False, share=0.2), 80, 1)
    masses, last = np.random.default_rng(0).multinomial(80, prices.masses, size=5) / 80, len(prices.steps)
    expected = prices.least_change(masses, 0, last, 3)
    monkeypatch.setattr(module, "BLOCK_NUMBERS", 1)
    np.testing.assert_allclose(prices.least_change(masses, 0, last, 3), expected, rtol=1e-12)


def test_gains_of_people_who_belong_together_may_vary_most_at_any_price() -> None:
    widest = []
    for seed in range(12):
        sample = summed(*some_people(seed))
        prices = Prices.of(Envelope.build(sample.losses, costs(seed)), sample)
        last = len(prices.steps)
        assert last < 25
        spreads = [sample.spread(prices.gains(place)) for place in range(last + 1)]
        assert spreads[prices.widest(0, last)] == max(spreads)
        widest.append(prices.widest(0, last) == last)
    assert len(set(widest)) == 2
