"""The exact solver against three others that share nothing with it, and what its plan and prices promise."""

import numpy as np
import pytest

from core.base.errors import AuditError
from core.inference.transport import steps
from core.inference.transport.constraints import Constraints, Leaving
from core.inference.transport.costs import ClassCost, DenseCost, QuadraticCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.program import Program
from core.records.codec import decode, encode
from core.records.codec_frames import Arrays
from tests.transport_oracles import Problem, best_price, best_vertex, by_cvxpy, random_problem

FORBIDDEN = np.inf


def solve(problem: Problem):
    return Envelope.build(problem.losses, problem.cost).solution(problem.masses, problem.budget)


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(40, 200))])
def test_engine_program_cvxpy_and_brute_force_agree(seed: int) -> None:
    problem = random_problem(seed)
    found = solve(problem)
    assert found.value == pytest.approx(by_cvxpy(problem), abs=1e-9)
    assert found.value == pytest.approx(best_price(problem), abs=1e-9)
    if len(problem.losses) <= 6:
        assert found.value == pytest.approx(best_vertex(problem), abs=1e-9)
    program = Program.build(problem.losses, problem.cost).solve(problem.masses, problem.budget, Constraints())
    assert program.value == pytest.approx(found.value, abs=1e-9)
    assert found.certificate.valid(1e-12)
    assert program.certificate.valid(1e-9)


@pytest.mark.parametrize("seed", range(15))
def test_larger_problems_agree_with_cvxpy(seed: int) -> None:
    problem = random_problem(seed, 30, 60)
    found = solve(problem)
    assert found.value == pytest.approx(by_cvxpy(problem), abs=1e-9)
    assert found.certificate.valid(1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_the_potentials_are_the_best_moves_at_any_price(seed: int) -> None:
    problem = random_problem(seed, 2, 30)
    envelope = Envelope.build(problem.losses, problem.cost)
    allowed = problem.costs < np.inf
    for price in (0.0, 0.3, 1.0, *envelope.slope[:3], 50.0):
        worth = np.where(allowed, problem.losses - price * np.where(allowed, problem.costs, 0.0), -np.inf).max(axis=1)
        np.testing.assert_allclose(problem.losses + envelope.gains(price), worth, atol=1e-12)
    free = np.where(problem.costs == 0, problem.losses, -np.inf).max(axis=1)
    np.testing.assert_array_equal(problem.losses + envelope.gains(np.inf), free)


@pytest.mark.parametrize("seed", range(60))
def test_the_plan_moves_what_is_there_for_no_more_than_the_budget(seed: int) -> None:
    problem = random_problem(seed, 2, 30)
    found = solve(problem)
    plan, masses = found.plan, problem.masses
    assert (plan.mass > 0).all()
    assert (plan.source != plan.target).all()
    assert (np.bincount(plan.source, plan.mass, len(masses)) <= masses + 1e-15).all()
    assert plan.mass @ problem.costs[plan.source, plan.target] <= problem.budget + 1e-15
    after = plan.after(masses)
    assert after.sum() == pytest.approx(1)
    assert problem.losses @ (after - masses) == pytest.approx(found.value, abs=1e-12)
    assert (np.diff(plan.source) >= 0).all()


@pytest.mark.parametrize("seed", range(40))
def test_the_prices_are_the_slopes_of_the_curve_on_both_sides_of_the_budget(seed: int) -> None:
    problem = random_problem(seed, 2, 12)
    envelope = Envelope.build(problem.losses, problem.cost)
    curve = envelope.curve(problem.masses)
    ends = [*curve.budgets, *(curve.budgets[:-1] + np.diff(curve.budgets) / 2), curve.budgets[-1] + 1]
    for budget in ends:
        low, high = envelope.price(problem.masses, budget)
        after = int(np.searchsorted(curve.budgets, budget, side="right")) - 1
        before = int(np.searchsorted(curve.budgets, budget)) - 1
        assert low == pytest.approx(curve.slopes[after], rel=1e-9)
        assert high == (np.inf if budget == 0 else pytest.approx(curve.slopes[before], rel=1e-9))


def test_a_redundant_budget_has_a_price_of_zero_and_an_exact_one_an_interval() -> None:
    """Everybody of cell 0 can move to cell 1 for 2 each, a gain of 1: the price is 1/2 up to a budget of 0.8."""
    envelope = Envelope.build(np.array([0.0, 1.0]), DenseCost(np.array([[0.0, 2.0], [2.0, 0.0]])))
    masses = np.array([0.4, 0.6])
    assert envelope.price(masses, 0.0) == (0.5, np.inf)
    assert envelope.price(masses, 0.3) == (0.5, 0.5)
    assert envelope.price(masses, 0.8) == (0.0, 0.5)
    assert envelope.price(masses, 0.9) == (0.0, 0.0)
    assert envelope.price(masses, np.inf) == (0.0, 0.0)
    assert envelope.total_cost(masses) == pytest.approx(0.8)
    curve = envelope.curve(masses)
    np.testing.assert_allclose(curve.budgets, [0.0, 0.8])
    np.testing.assert_allclose(curve.values, [0.0, 0.4])
    np.testing.assert_allclose(curve.at([0.2, 5.0]), [0.1, 0.4])


def test_an_exact_budget_is_recognised_through_rounding() -> None:
    rng = np.random.default_rng(0)
    losses, costs = rng.random(50), rng.random((50, 50))
    np.fill_diagonal(costs, 0.0)
    envelope = Envelope.build(losses, DenseCost(costs))
    masses = rng.dirichlet(np.ones(50))
    low, high = envelope.price(masses, envelope.total_cost(masses[::1]) * (1 + 1e-15))
    assert low == 0.0
    assert high > 0


def test_ties_go_to_the_lower_cell() -> None:
    """Cells 0 and 1 gain alike per cost, 2 and 3 are equally good; the budget is enough for one and a half of them."""
    costs = np.full((4, 4), FORBIDDEN)
    np.fill_diagonal(costs, 0.0)
    costs[:2, 2:] = 1.0
    envelope = Envelope.build(np.array([0.0, 0.0, 1.0, 1.0]), DenseCost(costs))
    plan = envelope.solution(np.full(4, 0.25), 0.375).plan
    np.testing.assert_array_equal(plan.source, [0, 1])
    np.testing.assert_array_equal(plan.target, [2, 2])
    np.testing.assert_array_equal(plan.mass, [0.25, 0.125])


def test_nobody_moves_to_an_equally_good_cell_for_nothing() -> None:
    envelope = Envelope.build(np.ones(3), ClassCost(np.zeros(3, dtype=int)))
    assert len(envelope.solution(np.full(3, 1 / 3), 1.0).plan.mass) == 0


def test_a_class_cost_is_its_matrix() -> None:
    rng = np.random.default_rng(1)
    codes, losses = rng.integers(0, 6, 40), rng.integers(0, 3, 40) / 2
    cost = ClassCost(codes)
    fast, slow = Envelope.build(losses, cost), Envelope.build(losses, DenseCost(cost.rows(0, 40)))
    np.testing.assert_array_equal(fast.free, slow.free)
    assert len(fast.source) == len(slow.source) == 0


@pytest.mark.parametrize("many", [1, 10**9])
def test_both_ways_to_thin_out_corners_give_the_same_bytes(many: int, monkeypatch) -> None:
    x = np.sort(np.random.default_rng(2).normal(size=(200, 1)), axis=0)
    cost = QuadraticCost(x, np.zeros(200, dtype=int))
    losses = np.logaddexp(0, 2 * x[:, 0])
    usual = Envelope.build(losses, cost)
    monkeypatch.setattr("core.inference.transport.hull._MANY", many)
    other = Envelope.build(losses, cost)
    for name in ("source", "target", "cost", "gain"):
        np.testing.assert_array_equal(getattr(usual, name), getattr(other, name))
    assert usual.above == 0
    assert len(usual.source) > 2000


def test_blocks_of_rows_do_not_change_a_byte(monkeypatch) -> None:
    problem = random_problem(3, 60, 60)
    whole = Envelope.build(problem.losses, problem.cost)
    monkeypatch.setattr("core.inference.transport.costs.BLOCK", 150)
    parts = Envelope.build(problem.losses, problem.cost)
    for name in ("free", "source", "target", "cost", "gain"):
        assert getattr(whole, name).tobytes() == getattr(parts, name).tobytes()


def test_a_saved_envelope_answers_as_before() -> None:
    problem = random_problem(7, 30, 30)
    envelope = Envelope.build(problem.losses, problem.cost)
    arrays = Arrays()
    again = decode(encode(envelope, Envelope, arrays), Envelope, arrays)
    assert again.solution(problem.masses, 0.1).value == envelope.solution(problem.masses, 0.1).value


def test_progress_rises_to_one(monkeypatch) -> None:
    monkeypatch.setattr("core.inference.transport.costs.BLOCK", 100)
    problem, told = random_problem(4, 40, 40), []
    Envelope.build(problem.losses, problem.cost, lambda progress: told.append(progress.done))
    assert len(told) > 5
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(("losses", "words"), [([0.0, np.nan], "group 2"), ([0.0], "costs between 2"), ([], "costs")])
def test_losses_that_cannot_be_used_are_refused(losses: list[float], words: str) -> None:
    with pytest.raises(AuditError, match=words):
        Envelope.build(np.array(losses), DenseCost(np.zeros((2, 2))))


def test_no_cells_at_all_are_refused() -> None:
    with pytest.raises(AuditError, match="nobody"):
        Envelope.build(np.empty(0), ClassCost(np.empty(0, dtype=int)))


def test_a_point_above_the_envelope_would_be_found(monkeypatch) -> None:
    """The certificate's dual residual can fail: corners with a hole in them leave a move above."""
    real = steps.upper_envelopes

    def holed(block, losses):
        found = real(block, losses)
        keep = np.ones(len(found.row), dtype=bool)
        keep[1] = False
        return type(found)(found.row[keep], found.target[keep], found.cost[keep], found.loss[keep])

    monkeypatch.setattr(steps, "upper_envelopes", holed)
    envelope = Envelope.build(np.array([0.0, 1.0]), DenseCost(np.array([[0.0, 2.0], [2.0, 0.0]])))
    assert not envelope.solution(np.array([0.5, 0.5]), 1.0).certificate.valid()


@pytest.mark.parametrize("loss", [1e-9, 0.3, 15.7])
def test_nobody_is_moved_for_rounding(loss: float) -> None:
    """Mean losses of a class that treats everybody alike, over different numbers of people."""
    losses = np.array([np.sum([loss] * people) / people for people in range(1, 60)])
    assert len(np.unique(losses)) > 1
    masses, same = np.full(59, 1 / 59), np.zeros(59, dtype=int)
    for cost in (ClassCost(same), QuadraticCost(np.arange(59.0)[:, None], same)):
        envelope = Envelope.build(losses, cost)
        solution = envelope.solution(masses, 1.0)
        assert solution.value == 0.0
        assert not len(solution.plan.mass)
        assert not len(envelope.source)
    limits = Constraints((Leaving("everybody", np.arange(59), 0.5),))
    found = Program.build(losses, ClassCost(same)).solve(masses, np.inf, limits)
    assert found.value == 0.0


def test_losses_that_differ_by_more_than_rounding_are_told_apart() -> None:
    losses = np.array([0.3, 0.3 + 1e-9, 0.3 + 2e-9])
    np.testing.assert_array_equal(Envelope.build(losses, ClassCost(np.zeros(3, dtype=int))).losses, losses)
