"""Numbers of envelopes, plans and their certificates that are right in every other test whatever they are."""

from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.inference.transport import envelope as module
from core.inference.transport import rises, steps
from core.inference.transport.costs import Block, ClassCost, DenseCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.hull import _chain, upper_envelopes
from core.inference.transport.linear import maximise
from core.inference.transport.memory import KEPT_MOVE, KEPT_STEP, MOVE, STEP, memory_needed
from core.inference.transport.rises import by_rise
from core.inference.transport.solution import Certificate, Plan, scale
from core.inference.transport.steps import checked_losses, find_corners
from tests.core.inference.transport.designs import of_people

LOSSES, COSTS = np.array([0.0, 1.0, 4.0]), np.array([[0.0, 1.0, 8.0], [9.0, 0.0, 2.0], [9.0, 9.0, 0.0]])
MASSES = np.array([0.5, 0.25, 0.25])


def sloped() -> Envelope:
    """Cell 1 gains 3 for 2, cell 0 gains 1 for 1 and 3 more for 7 more."""
    return Envelope.build(LOSSES, DenseCost(COSTS))


def drawn(cells: int) -> Envelope:
    rng = np.random.default_rng(0)
    losses, costs = rng.random(cells), rng.random((cells, cells))
    np.fill_diagonal(costs, 0.0)
    return Envelope.build(losses, DenseCost(costs))


def test_an_envelope_without_steps_has_neither_costs_nor_gains_nor_a_residual() -> None:
    codes, losses = np.array([0, 1, 0, 1]), np.array([0.0, 0.5, 1.0, 0.25])
    cost = ClassCost(codes)
    fast, slow = Envelope.build(losses, cost), Envelope.build(losses, DenseCost(cost.rows(0, 4)))
    for field in fields(Envelope):
        np.testing.assert_array_equal(getattr(fast, field.name), getattr(slow, field.name))


def test_sums_are_kept_for_fewer_places_than_there_are_steps() -> None:
    """Each holds a number for every cell."""
    envelope = drawn(20)
    assert 2 < len(envelope._before[0]) < len(envelope.source) / 2


def test_blocks_of_masses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    envelope, masses = drawn(6), np.random.default_rng(1).dirichlet(np.ones(6), 20)
    expected = envelope.value(masses, 0.1)
    monkeypatch.setattr(module, "BLOCK", 1)
    np.testing.assert_allclose(envelope.value(masses, 0.1), expected, rtol=1e-14)


def test_a_budget_that_covers_all_steps_but_for_rounding_buys_them_all() -> None:
    """One sum says that it is a digit too small, another that it suffices."""
    envelope = drawn(20)
    masses = np.random.default_rng(0).dirichlet(np.ones(20), 50)
    most = envelope.value(masses, np.inf)
    for one, value, total in zip(masses, most, masses @ envelope._before[0][-1], strict=True):
        assert envelope.value(one, float(np.nextafter(total, 0.0))) == pytest.approx(value, rel=1e-12)


def test_a_plan_costs_what_its_moves_cost() -> None:
    """A budget of 1.5: cell 1 moves for 0.25 x 2, cell 0 for 0.5 x 1, and 0.5 / 7 of it go on."""
    plan, paid = sloped()._plan(MASSES, 1.5)
    np.testing.assert_array_equal([plan.source, plan.target], [[0, 0, 1], [1, 2, 2]])
    np.testing.assert_allclose(plan.mass, [0.5 - 0.5 / 7, 0.5 / 7, 0.25])
    assert paid == pytest.approx(1.5)
    assert plan.mass @ COSTS[plan.source, plan.target] == pytest.approx(1.5)


@pytest.mark.parametrize(("price", "best"), [(0.2, [2, 2, 2]), (0.75, [1, 2, 2]), (1.2, [0, 2, 2]), (9.0, [0, 1, 2])])
def test_gains_are_those_of_the_best_moves_at_a_price(price: float, best: list[int]) -> None:
    worth = LOSSES[best] - price * COSTS[np.arange(3), best]
    np.testing.assert_allclose(LOSSES + sloped().gains(price), worth)


def test_a_solution_s_potentials_are_at_its_price() -> None:
    found = sloped().solution(MASSES, 1.5)
    assert found.price == pytest.approx(3 / 7)
    np.testing.assert_allclose(found.potentials, [4 - 8 * 3 / 7, 4 - 2 * 3 / 7, 4.0])
    assert found.value == pytest.approx(1.5 * 3 / 7 + MASSES @ (found.potentials - LOSSES))


@pytest.mark.parametrize(("budget", "mass", "spent", "primal"), [
    (0.5, 0.75, 0.5, 0.75 - 0.25),
    (0.5, 0.25, 0.7, 0.7 - 0.5),
    (0.5, 0.5, 0.6, 0.5 - 0.25),
    (0.5, 0.5, 0.9, 0.9 - 0.5),
    (3.0, 0.25, 3.6, 0.6 / 3),
    (3.0, 0.25, 2.0, 0.0),
])  # fmt: skip
def test_a_plan_that_moves_or_spends_too_much_is_no_solution(
    budget: float, mass: float, spent: float, primal: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moved out of cell 1, where a quarter is; spending beyond a budget above 1 is told relative to it."""
    plan = Plan(np.array([1]), np.array([2]), np.array([mass]))
    monkeypatch.setattr(Envelope, "_plan", lambda *_: (plan, spent))
    assert sloped().solution(MASSES, budget).certificate.primal == pytest.approx(primal)


def test_a_plan_that_gains_too_little_is_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget of 0.5 buys the move of cell 1, 0.25 x 3; a tenth moved gains 0.45 less; losses are up to 4."""
    plan = Plan(np.array([1]), np.array([2]), np.array([0.1]))
    monkeypatch.setattr(Envelope, "_plan", lambda *_: (plan, 0.2))
    assert sloped().solution(MASSES, 0.5).certificate.complementarity == pytest.approx(0.45 / 4)


def test_a_price_that_bounds_too_high_is_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the budget of 1.5 the price is 3 / 7; at 0 everybody would move where loss is 4."""
    monkeypatch.setattr(Envelope, "price", lambda *_: (0.0, 0.0))
    found = sloped().solution(MASSES, 1.5)
    assert found.certificate.complementarity == pytest.approx((0.5 * 4 + 0.25 * 3 - found.value) / 4)


def test_a_move_above_the_envelope_is_told_relative_to_the_largest_loss() -> None:
    assert replace(sloped(), above=0.2).solution(MASSES, 1.5).certificate.dual == pytest.approx(0.2 / 4)


@pytest.mark.parametrize("between", [0.25, 1.0])
def test_a_point_on_or_below_the_line_between_its_neighbours_is_no_corner(between: float) -> None:
    """Of a single cell that may move: no other row makes them more than three points."""
    block = Block(np.array([0]), np.arange(3), np.array([[0.0, 1.0, 2.0]]))
    found = upper_envelopes(block, np.array([0.0, between, 2.0]))
    np.testing.assert_array_equal(found.target, [0, 2])
    assert _chain([0.0, 1.0, 2.0], [0.0, between, 2.0]) == [0, 2]


def test_a_limit_without_moves_may_be_missed_by_what_counts_as_met() -> None:
    matrix, gain = csr_array(np.zeros((1, 1))), np.zeros(1)
    assert maximise(gain, matrix, np.array([-1e-9])) is not None
    assert maximise(gain, matrix, np.array([-1.01e-9])) is None


@pytest.mark.parametrize("place", range(3))
def test_a_certificate_leaves_a_billionth_and_no_more(place: int) -> None:
    for rest in (1e-9, 1.01e-9):
        assert Certificate(*np.where(np.arange(3) == place, rest, 0.0)).valid() == (rest == 1e-9)


def test_gains_are_told_relative_to_the_largest_loss_above_1() -> None:
    assert [scale(np.array(losses)) for losses in ([], [0.5, 0.25], [1.5, 0.5], [-3.0, 2.0])] == [1.0, 1.0, 1.5, 3.0]


@pytest.mark.parametrize(("staying", "corners", "each"), [(True, 6, STEP - KEPT_STEP), (False, 5, MOVE - KEPT_MOVE)])
def test_memory_is_asked_for_by_a_guess_and_again_by_the_corners_met(
    staying: bool, corners: int, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is counted with the bytes that it holds already; of cell 2, staying apart, the cheaper move is to cell 1.

    Staying, cells 0, 1 and 2 have 3, 2 and 1 corners; otherwise 2, 2 and 1.
    """
    asked: list[float] = []
    monkeypatch.setattr(steps, "require_memory", lambda needed, cells: asked.append(needed))
    costs = np.where(COSTS == 9.0, [[np.inf], [3.0], [9.0]], COSTS)
    costs[1, 0], costs[2, 0] = 1.0, np.inf
    list(find_corners(LOSSES, DenseCost(costs), staying=staying))
    assert asked == [memory_needed(3, cost="points", program=not staying), each * corners]


def test_losses_that_rounding_leaves_apart_are_one_beside_a_loss_of_0() -> None:
    found = checked_losses(np.array([0.0, 0.1 + 0.2, 0.3]), 3)
    assert 0.1 + 0.2 > 0.3
    assert found.tolist() == [0.0, 0.3, 0.3]


def rising(rises_of: list[float], people: list[int]) -> tuple[list[int], np.ndarray]:
    """People and rises once those of about the same rise are together; all are moved to a last cell without people."""
    losses = np.append(1.0 - np.array(rises_of), 1.0)
    sample = of_people(np.array([[*people, 0], [*people, 0]]), losses)
    merged, envelope = by_rise(sample, Envelope.build(losses, ClassCost(np.zeros(len(losses), dtype=np.int64))))
    np.testing.assert_allclose(merged.squares, merged.count * merged.losses**2)
    np.testing.assert_allclose(merged.losses, envelope.losses, rtol=1e-15)
    return merged.people.tolist(), -envelope.losses


@pytest.mark.parametrize("rise", [0.0, 0.25])
def test_people_of_one_rise_are_one_cell(rise: float) -> None:
    people, rises_found = rising([rise, rise, rise], [1, 2, 3])
    assert people == [12, 0]
    np.testing.assert_allclose(rises_found, [rise, 0.0])


def test_as_many_rises_as_there_may_be_are_told_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last digit, as no mean over the people would leave them."""
    monkeypatch.setattr(rises, "MOST_RISES", 3)
    people, rises_found = rising([0.0, 0.1, 0.7], [1, 2, 3])
    assert people == [2, 4, 6, 0]
    assert rises_found.tolist() == [0.0, 1 - (1 - 0.1), 1 - (1 - 0.7), 0.0]


def test_steps_of_rises_begin_at_the_least_one_and_the_last_holds_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rises from 1/4 to 1 in steps of 1/4."""
    monkeypatch.setattr(rises, "MOST_RISES", 3)
    people, rises_found = rising([0.25, 0.4375, 0.5, 0.8125, 1.0], [1, 1, 1, 3, 1])
    assert people == [4, 2, 8, 0]
    np.testing.assert_allclose(rises_found, [(0.25 + 0.4375) / 2, 0.5, (3 * 0.8125 + 1.0) / 4, 0.0])
