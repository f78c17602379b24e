"""The linear program with limits against scipy over every allowed pair, and what it says when limits contradict."""

from dataclasses import replace

import numpy as np
import pytest

from core.base.errors import AuditError
from core.inference.transport import program as module
from core.inference.transport.constraints import Constraints, Leaving, OwnBudget
from core.inference.transport.costs import ClassCost, DenseCost, ForbiddenPairs
from core.inference.transport.envelope import Envelope
from core.inference.transport.program import Program, _missed
from tests.transport_oracles import random_problem, with_limits


def random_limits(seed: int, size: int) -> Constraints:
    rng = np.random.default_rng([21, seed])

    def cells() -> np.ndarray:
        return np.flatnonzero(rng.random(size) < 0.5)

    leaving = [
        Leaving(f"group {at}", cells(), float(rng.choice([0.05, 0.3, np.inf])), float(rng.choice([0.0, 0.02, 0.2])))
        for at in range(rng.integers(0, 3))
    ]
    budgets = [OwnBudget(f"label {at}", cells(), float(rng.choice([0.0, 0.05, 1.0]))) for at in range(2)]
    return Constraints(tuple(leaving), tuple(budgets[: rng.integers(0, 3)]))


@pytest.mark.parametrize("seed", [*range(25), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(25, 90))])
def test_limits_are_met_at_the_best_value_or_found_to_contradict(seed: int) -> None:
    problem, limits = random_problem(seed, 2, 14), random_limits(seed, 14)
    size = len(problem.losses)
    limits = Constraints(
        tuple(Leaving(one.name, one.cells[one.cells < size], one.at_most, one.at_least) for one in limits.leaving),
        tuple(OwnBudget(own.name, own.cells[own.cells < size], own.budget) for own in limits.budgets),
    )
    expected = with_limits(problem, limits)
    if expected is None:
        with pytest.raises(AuditError) as raised:
            Program.build(problem.losses, problem.cost).solve(problem.masses, problem.budget, limits)
        assert any(f"moved out of {one.name}, and" in raised.value.what for one in limits.leaving)
        return
    found = Program.build(problem.losses, problem.cost).solve(problem.masses, problem.budget, limits)
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert found.certificate.valid(1e-9)
    plan = found.plan
    paid = plan.mass * problem.costs[plan.source, plan.target]
    assert paid.sum() <= problem.budget + 1e-9
    for one in limits.leaving:
        left = plan.mass[np.isin(plan.source, one.cells)].sum()
        assert one.at_least - 1e-9 <= left <= one.at_most + 1e-9
    for own in limits.budgets:
        assert paid[np.isin(plan.source, own.cells)].sum() <= own.budget + 1e-9


def test_limits_that_contradict_occur_among_the_random_ones() -> None:
    answers = [with_limits(random_problem(seed, 14, 14), random_limits(seed, 14)) for seed in range(40)]
    assert 3 < sum(answer is None for answer in answers) < 37


def chain() -> tuple[np.ndarray, DenseCost, np.ndarray]:
    """Four equally frequent cells; each may go to the next, which is worse, for 1."""
    costs = np.full((4, 4), np.inf)
    np.fill_diagonal(costs, 0.0)
    costs[[0, 1, 2], [1, 2, 3]] = 1.0
    return np.array([0.0, 0.4, 0.75, 1.0]), DenseCost(costs), np.full(4, 0.25)


@pytest.mark.parametrize("at", [(0.32, 0.05, 0.1, 0.2), (0.32, 0.01, 0.1, 0.2), (np.inf, 0.05, 0.1, 0.2)])
def test_duals_are_what_a_unit_more_would_add(at: tuple[float, float, float, float]) -> None:
    losses, cost, masses = chain()
    program, step = Program.build(losses, cost), 1e-3

    def value(budget: float, own: float, most: float, least: float, masses: np.ndarray = masses) -> float:
        limits = Constraints(
            (Leaving("first", np.array([0]), at_most=most), Leaving("third", np.array([2]), at_least=least)),
            (OwnBudget("second", np.array([1]), own),),
        )
        return program.solve(masses, budget, limits).value

    limits = Constraints(
        (Leaving("first", np.array([0]), at_most=at[2]), Leaving("third", np.array([2]), at_least=at[3])),
        (OwnBudget("second", np.array([1]), at[1]),),
    )
    found = program.solve(masses, at[0], limits)
    assert value(at[0] + step, *at[1:]) - found.value == pytest.approx(step * found.price, abs=1e-9)
    assert value(at[0], at[1] + step, *at[2:]) - found.value == pytest.approx(step * found.duals[1], abs=1e-9)
    assert value(*at[:2], at[2] + step, at[3]) - found.value == pytest.approx(step * found.duals[2], abs=1e-9)
    assert value(*at[:3], at[3] + step) - found.value == pytest.approx(-step * found.duals[5], abs=1e-9)
    for cell in range(4):
        more = masses + step * (np.arange(4) == cell)
        assert value(*at, masses=more) - found.value == pytest.approx(step * found.worth[cell], abs=1e-9)


def test_a_floor_can_force_moves_that_lower_the_loss() -> None:
    losses, cost = np.array([0.0, 1.0]), ClassCost(np.zeros(2, dtype=int))
    floor = Constraints((Leaving("worst", np.array([1]), at_least=0.2),))
    found = Program.build(losses, cost).solve(np.array([0.3, 0.7]), 0.0, floor)
    assert found.value == pytest.approx(0.1)
    assert found.duals[2] == pytest.approx(1.0)
    assert found.certificate.valid()


def test_a_cap_of_zero_leaves_a_group_alone() -> None:
    losses, cost, masses = chain()
    found = Program.build(losses, cost).solve(masses, np.inf, Constraints((Leaving("all", np.arange(4), at_most=0.0),)))
    assert found.value == 0
    assert len(found.plan.mass) == 0


def test_a_protected_pair_is_forbidden_through_the_cost() -> None:
    losses, cost, masses = chain()
    barred = ForbiddenPairs(cost, np.array([0, 1, 1, 1]), ((0, 1),))
    found = Program.build(losses, barred).solve(masses, np.inf, Constraints())
    assert found.value == pytest.approx(Envelope.build(losses, barred).value(masses, np.inf), abs=1e-12)
    assert 0 not in found.plan.source


@pytest.mark.parametrize(
    ("budget", "limits", "what", "advice"),
    [
        (9, (Leaving("cell 1", np.array([0]), at_least=0.3),), "30.00%.*at most 25.00%", "no more people"),
        (9, (Leaving("cell 4", np.array([3]), at_least=0.1),), "10.00%.*at most 0.00%", "nobody to be compared"),
        (0.1, (Leaving("cell 1", np.array([0]), at_least=0.2),), "20.00%.*at most 10.00%", "relax the budget"),
        (
            9,
            (Leaving("cell 1", np.array([0]), 0.1, 0.2),),
            "at most 10.00%",
            "relax the limit of at most 0.1 for cell 1",
        ),
        (
            9,
            (Leaving("cell 1", np.array([0]), at_least=0.2), Leaving("everybody", np.arange(4), at_most=0.05)),
            "at most 5.00%",
            "relax the limit of at most 0.05 for everybody",
        ),
        (
            0.1,
            (Leaving("cell 1", np.array([0]), 0.1, 0.2),),
            "at most 10.00%",
            "relax several of the other limits",
        ),
    ],
)
def test_the_limit_at_fault_is_named_with_what_stands_in_its_way(budget, limits, what, advice) -> None:
    losses, cost, masses = chain()
    with pytest.raises(AuditError, match=what) as raised:
        Program.build(losses, cost).solve(masses, budget, Constraints(limits))
    assert f"moved out of {limits[0].name}, and" in raised.value.what
    assert advice in raised.value.advice


def test_a_budget_of_its_own_stands_in_the_way_by_its_name() -> None:
    losses, cost, masses = chain()
    limits = Constraints(
        (Leaving("women", np.arange(2), at_least=0.3),), (OwnBudget("outcome yes", np.arange(4), 0.1),)
    )
    with pytest.raises(AuditError, match="relax the budget for outcome yes"):
        Program.build(losses, cost).solve(masses, 5.0, limits)


def test_the_second_limit_at_fault_does_not_stand_in_its_own_way() -> None:
    losses, cost, masses = chain()
    limits = Constraints((Leaving("cell 3", np.array([2]), at_most=0.2), Leaving("cell 1", np.array([0]), 0.1, 0.2)))
    with pytest.raises(AuditError) as raised:
        Program.build(losses, cost).solve(masses, 9.0, limits)
    assert raised.value.advice == "Ask for at most 10.00%, or relax the limit of at most 0.1 for cell 1."


def test_where_all_of_a_group_are_asked_for_it_is_not_too_small() -> None:
    losses, cost, masses = chain()
    limits = Constraints((Leaving("cell 1", np.array([0]), at_least=0.25),))
    with pytest.raises(AuditError, match=r"Ask for at most 9\.99%, or relax the budget\."):
        Program.build(losses, cost).solve(masses, 0.1 - 1.5e-8, limits)


def test_two_floors_that_share_too_little_are_both_seen() -> None:
    losses, cost, masses = chain()
    limits = Constraints((Leaving("one", np.array([0]), at_least=0.2), Leaving("two", np.array([1]), at_least=0.2)))
    with pytest.raises(AuditError, match=r"relax the budget or the limit of at least 0\.2 for"):
        Program.build(losses, cost).solve(masses, 0.3, limits)


def test_a_program_that_is_solved_twice_gives_the_same_bytes() -> None:
    problem, limits = random_problem(5, 30, 30), random_limits(2, 30)
    one, two = (Program.build(problem.losses, problem.cost).solve(problem.masses, 0.2, limits) for _ in range(2))
    assert one.plan.mass.tobytes() == two.plan.mass.tobytes()
    assert one.worth.tobytes() == two.worth.tobytes()


def test_what_is_missed_is_the_most_relative_to_bounds_above_1() -> None:
    """0.1 of 0.5, 0.6 of 3; nothing where there is no bound."""
    sums, bounds = np.array([0.6, 3.6, 9.0]), np.array([0.5, 3.0, np.inf])
    assert _missed(sums, bounds) == pytest.approx(0.2)
    assert _missed(sums[[0, 2]], bounds[[0, 2]]) == pytest.approx(0.1)
    assert _missed(sums - 0.7, bounds) == 0.0


def test_an_answer_that_gains_too_little_or_leaves_a_move_above_is_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody of the first cell moves where loss is 4; the answer moves half of them, with a price of 0."""
    losses, cost = np.array([0.0, 4.0]), DenseCost(np.array([[0.0, 1.0], [np.inf, 0.0]]))
    program, masses = replace(Program.build(losses, cost), above=0.2), np.array([0.6, 0.4])
    rows = len(masses) + 1
    monkeypatch.setattr(module, "maximise", lambda *_: (np.array([0.3]), np.zeros(rows)))
    found = program.solve(masses, 2.0, Constraints()).certificate
    assert (found.primal, found.dual) == (0.0, 0.2 / 4)
    assert found.complementarity == pytest.approx((0.6 * 4 - 0.3 * 4) / 4)
