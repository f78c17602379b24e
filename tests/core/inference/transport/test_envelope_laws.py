"""What holds for every transport problem, the degenerate ones first of all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport.costs import DenseCost
from core.inference.transport.envelope import Envelope
from tests.transport_oracles import Problem, best_price, random_problem

LOSS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1 / 3]) | st.integers(0, 10**6).map(lambda n: n / 2e5)
COST = st.sampled_from([0.0, 1.0, 2.0, 1 / 3, np.inf]) | st.integers(1, 10**6).map(lambda n: n / 1e4)
BUDGET = st.sampled_from([0.0, 0.1, 1.0, np.inf]) | st.integers(1, 10**6).map(lambda n: n / 1e5)


@st.composite
def problems(draw) -> Problem:
    """Ties in loss, cost and gain per cost; rows with nothing allowed; empty cells; a single cell; budgets 0 and ∞."""
    size = draw(st.integers(1, 7))
    losses = np.array(draw(st.lists(LOSS, min_size=size, max_size=size)))
    costs = np.array(draw(st.lists(COST, min_size=size**2, max_size=size**2))).reshape(size, size)
    np.fill_diagonal(costs, 0.0)
    people = np.array(draw(st.lists(st.integers(0, 5), min_size=size, max_size=size)))
    people[draw(st.integers(0, size - 1))] += 1
    return Problem(losses, costs, people / people.sum(), draw(BUDGET))


def envelope_of(problem: Problem) -> Envelope:
    return Envelope.build(problem.losses, problem.cost)


def value(problem: Problem) -> float:
    return float(envelope_of(problem).value(problem.masses, problem.budget))


@settings(max_examples=100, deadline=None)
@given(problems())
def test_every_problem_has_a_certified_solution_that_equals_its_least_price(problem: Problem) -> None:
    found = envelope_of(problem).solution(problem.masses, problem.budget)
    assert found.certificate.valid(1e-9)
    assert found.value >= 0
    assert found.value == pytest.approx(best_price(problem), abs=1e-9)
    low, high = envelope_of(problem).price(problem.masses, problem.budget)
    assert 0 <= found.price == low <= high
    assert envelope_of(problem).curve(problem.masses).at(problem.budget) == pytest.approx(found.value, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_cells_does_not_matter(problem: Problem, random) -> None:
    order = np.array(random.sample(range(len(problem.losses)), len(problem.losses)))
    assert value(problem.permuted(order)) == pytest.approx(value(problem), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(problems(), st.floats(0, 1), st.data())
def test_splitting_a_cell_in_two_changes_nothing(problem: Problem, share: float, data) -> None:
    """The new cell is a copy that is free to reach and to leave, with a share of the old one's people."""
    cell = data.draw(st.integers(0, len(problem.losses) - 1))
    order = np.append(np.arange(len(problem.losses)), cell)
    split = problem.permuted(order)
    split.masses[-1] *= share
    split.masses[cell] *= 1 - share
    assert value(split) == pytest.approx(value(problem), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(problems(), st.floats(0.01, 100))
def test_the_value_is_homogeneous_in_masses_and_budget_and_in_the_loss(problem: Problem, factor: float) -> None:
    expected = pytest.approx(factor * value(problem), rel=1e-9, abs=1e-12)
    assert value(replace(problem, masses=factor * problem.masses, budget=factor * problem.budget)) == expected
    assert value(replace(problem, losses=factor * problem.losses)) == expected
    assert value(replace(problem, costs=factor * problem.costs, budget=factor * problem.budget)) == pytest.approx(
        value(problem), rel=1e-9, abs=1e-12
    )


@settings(max_examples=30, deadline=None)
@given(problems())
def test_the_value_rises_with_the_budget_ever_more_slowly(problem: Problem) -> None:
    envelope = envelope_of(problem)
    curve = envelope.curve(problem.masses)
    assert (np.diff(curve.budgets) > 0).all()
    assert (np.diff(curve.slopes) < 1e-9).all()
    assert (curve.slopes >= 0).all()
    budgets = np.linspace(0, 1.2 * curve.budgets[-1] + 0.1, 25)
    values = np.array([envelope.value(problem.masses, budget) for budget in budgets])
    assert (np.diff(values) >= -1e-12).all()
    assert (np.diff(values, 2) <= 1e-12).all()
    np.testing.assert_allclose(values, curve.at(budgets), atol=1e-11)


@pytest.mark.parametrize("seed", range(30))
def test_the_value_is_concave_in_the_masses(seed: int) -> None:
    """It is a least value, over prices, of functions linear in the masses. (Section 3.2 of the paper says convex.)"""
    rng, problem = np.random.default_rng(seed), random_problem(seed, 5, 20)
    envelope = Envelope.build(problem.losses, problem.cost)
    one, other = rng.dirichlet(np.ones(len(problem.losses)), (2, 50))
    share = rng.random((50, 1))
    between = envelope.value(share * one + (1 - share) * other, 0.2)
    line = share[:, 0] * envelope.value(one, 0.2) + (1 - share[:, 0]) * envelope.value(other, 0.2)
    assert (between >= line - 1e-12).all()


def test_the_value_is_not_linear_in_the_masses() -> None:
    """So that the test above can fail."""
    envelope = Envelope.build(np.array([0.0, 1.0]), DenseCost(np.array([[0.0, 1.0], [1.0, 0.0]])))
    ends = envelope.value(np.eye(2), 0.2)
    assert envelope.value(np.full(2, 0.5), 0.2) > ends.mean() + 0.05


@pytest.mark.parametrize("seed", range(20))
def test_many_masses_at_once_are_each_as_alone_and_twice_the_same(seed: int) -> None:
    rng, problem = np.random.default_rng(seed), random_problem(seed, 5, 40)
    envelope = Envelope.build(problem.losses, problem.cost)
    draws = rng.multinomial(50, problem.masses, (6, 7)) / 50
    for budget in (0.0, 0.05, 1.0, np.inf):
        values = envelope.value(draws, budget)
        assert values.shape == (6, 7)
        alone = [[envelope.solution(masses, budget).value for masses in some] for some in draws]
        np.testing.assert_allclose(values, alone, atol=1e-13)
        again = Envelope.build(problem.losses, problem.cost).value(draws, budget)
        assert again.tobytes() == values.tobytes()


@pytest.mark.parametrize("seed", range(20))
def test_the_derivative_by_the_masses_is_what_cells_gain_at_the_price(seed: int) -> None:
    rng, problem = np.random.default_rng(seed), random_problem(seed, 5, 20)
    envelope = Envelope.build(problem.losses, problem.cost)
    masses = rng.dirichlet(np.ones(len(problem.losses)))
    low, high = envelope.price(masses, 0.05)
    if high > low:
        return
    change = 1e-7 * (rng.dirichlet(np.ones(len(masses))) - masses)
    rise = envelope.value(masses + change, 0.05) - envelope.value(masses, 0.05)
    assert rise == pytest.approx(change @ envelope.gains(low), abs=1e-13)


def test_all_moves_forbidden_or_no_loss_at_all_is_worth_nothing() -> None:
    alone = np.where(np.eye(4) == 1, 0.0, np.inf)
    losses, masses = np.array([0.0, 1.0, 0.5, 1.0]), np.full(4, 0.25)
    for problem in (Problem(losses, alone, masses, 1.0), Problem(np.zeros(4), np.zeros((4, 4)), masses, 1.0)):
        found = envelope_of(problem).solution(masses, 1.0)
        assert found.value == 0
        assert len(found.plan.mass) == 0
        assert found.certificate.valid(0.0)
        assert envelope_of(problem).price(masses, 1.0) == (0.0, 0.0)


def test_costs_too_small_to_divide_by_are_free() -> None:
    costs = np.array([[0.0, 1e-310], [1.0, 0.0]])
    found = envelope_of(Problem(np.array([0.0, 1.0]), costs, np.array([1.0, 0.0]), 0.0))
    assert found.value(np.array([1.0, 0.0]), 0.0) == 1.0
