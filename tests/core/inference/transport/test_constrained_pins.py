"""The audit value within limits: its curve, its roots at a kink and its halves, by hand or by loops over people."""

import math
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from core.inference.clusters import ratio_error
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from core.inference.transport import constrained as module
from core.inference.transport.constrained import Constrained, LimitedSplit
from core.inference.transport.constraints import Constraints, Leaving, OwnBudget, linear_constraints
from core.inference.transport.costs import AbstractCost, ClassCost, DenseCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import pooled_variances
from core.inference.transport.program import Program
from core.inference.transport.sample import CellSample
from tests.core.inference.transport.designs import of_people
from tests.core.inference.transport.test_people_together import CELLS, costs, some_people, summed

ONE_WAY = DenseCost(np.array([[0.0, 1.0], [math.inf, 0.0]]))
WORSE = np.array([0.0, 1.0])


@pytest.mark.parametrize(("end", "least", "budgets"), [
    (0.8, 0.1, [0.2, 0.4, 0.6, 0.8]),
    (0.0, 0.0, [0.0]),
])  # fmt: skip
def test_the_curve_rises_in_even_steps_from_where_the_limits_can_be_met(
    monkeypatch: pytest.MonkeyPatch, end: float, least: float, budgets: list[float]
) -> None:
    """Every move costs 1 and gains 1, and at most half of the people may move."""
    monkeypatch.setattr(module, "CURVE_BUDGETS", 5)
    limits = Constraints((Leaving("all", np.array([0]), at_most=0.5, at_least=least),))
    found = Constrained(limits, (Program.build(WORSE, ONE_WAY),), ((),)).curve(0, np.array([0.7, 0.3]), end)
    assert found.budgets == pytest.approx(budgets)
    assert found.values == pytest.approx(np.minimum(budgets, 0.5))


def test_the_curve_goes_in_twentieths() -> None:
    program = Program.build(np.ones(2), ONE_WAY)
    found = Constrained(Constraints(), (program,), ((),)).curve(0, np.array([0.7, 0.3]), 4.0)
    assert found.budgets == pytest.approx(np.arange(21) / 5)
    assert not found.values.any()


@pytest.mark.parametrize("more", [0, -1])
def test_the_roots_at_a_kink_are_those_of_the_lower_line_unless_moves_are_too_many(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """31 of 100 gain 1, and 30 may move: the value is the smaller of 0.3, which is certain, and of their share."""
    sample = of_people(np.array([[31, 69]]), WORSE)
    program = Program.build(WORSE, ONE_WAY)
    monkeypatch.setattr(module, "SOLVED_RESAMPLES", 8)
    monkeypatch.setattr(module, "LARGEST_RESAMPLED", len(program.source) + more)
    draws, limits = Draws(sample, 30, 0), Constraints((Leaving("all", np.array([0]), at_most=0.3),))
    found = Constrained(limits, (program,), ((),)).estimate(
        0, Envelope.build(WORSE, ONE_WAY), draws, math.inf, "directional derivative"
    )
    assert isinstance(found, ResampledEstimate)
    assert found.upper_roots is not None
    assert found.value == pytest.approx(0.3)
    share = np.concatenate(list(draws.masses(100)))[:, 0]
    errors, deviations = 10 * (share - 0.31), np.sqrt(share * (1 - share))
    assert found.roots == pytest.approx(np.sort(np.minimum(errors, 0.0)) if more == 0 else np.zeros(30), abs=1e-9)
    widest = np.sort(errors / deviations) * sqrt(0.31 * 0.69)
    assert found.upper_roots == pytest.approx(widest if more == 0 else np.zeros(30), abs=1e-9)


def confirmed(
    sample: CellSample, limits: Constraints, budget: float, cost: AbstractCost, split: LimitedSplit
) -> CrossFitted:
    program = Program.build(np.nan_to_num(sample.losses), cost)
    found = Constrained(limits, (program,), ((split,),)).estimate(
        0, Envelope.build(program.losses, cost), Draws(sample, 9, 0), budget, "directional derivative"
    )
    assert isinstance(found, Checked)
    return found.confirmed_by


def test_a_single_person_is_measured_and_a_move_to_where_nobody_of_that_half_is_counts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 17 people one in each half is of the first kind, and gains 2/3 and 1 by the other half.

    The fourth kind has people in the first half alone, which sends the 8 of the third there; the second half cannot say
    what that gains, and leaves the kind alone.
    """
    monkeypatch.setattr(module, "SOLVED_RESAMPLES", 0)
    count, ones = np.array([[1, 2, 4, 2], [1, 3, 4, 0]]), np.array([[0.0, 2, 1, 2], [0, 2, 2, 0]])
    sample = CellSample(count, ones, ones, np.full(4, np.nan))
    cost = ClassCost(np.array([0, 0, 1, 1]))
    first = Program.build(np.array([0, 1, 1 / 4, 1]), cost)
    second = Program.build(np.array([0, 2 / 3, 2 / 4, 0]), ClassCost(np.array([0, 0, 1, 2])))
    found = confirmed(sample, Constraints(), math.inf, cost, LimitedSplit(sample, first, second))
    assert found.value == pytest.approx((2 / 17 * 2 / 3 + 2 / 17 * 1) / 2)
    squares = np.array([0, 4 * 1 / 5, 3 * 5 / 8, 0])
    variances = (squares + squares.sum() / (1 + 4 + 7 + 1)) / [2, 5, 8, 2]
    errors = []
    for gains, moved, people in (
        ([1, 0, 3 / 4, 0], [2, 2, 8, 8], [1, 3, 4, 1]),
        ([2 / 3, 0, 0, 0], [2, 2, 0, 0], count[0]),
    ):
        between = np.average(np.square(gains), weights=[2, 5, 8, 2]) - np.average(gains, weights=[2, 5, 8, 2]) ** 2
        errors.append(sqrt(between / 16 + np.sum((np.array(moved) / 17) ** 2 / people * variances)))
    assert found.standard_error == pytest.approx(np.mean(errors))


def test_errors_of_halves_are_added_up_by_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loop: what each cluster of the half that measures adds to the losses of those moved, and the noise it hides."""
    monkeypatch.setattr(module, "SOLVED_RESAMPLES", 0)
    clusters, cell, losses = some_people(3, people=120)
    half = np.arange(clusters.max() + 1) % 2
    sample, cost = summed(clusters, cell, losses, half=half), costs(3)
    programs = [Program.build(sample.half(each).losses, cost) for each in (0, 1)]
    limits = Constraints((Leaving("four", np.arange(4), at_most=0.1),))
    expected = []
    for program, measured in ((programs[0], 1), (programs[1], 0)):
        solution = program.solve(sample.masses, 0.3, limits)
        ours = half[clusters] == measured
        weight = (solution.plan.after(sample.masses) - sample.masses) / np.bincount(cell[ours], minlength=CELLS)
        off = weight[cell] * (losses - sample.half(measured).losses[cell])
        by_cluster = [off[ours & (clusters == each)].sum() for each in range(len(half))]
        hidden = np.sum(weight[cell[ours]] ** 2 * pooled_variances(sample)[cell[ours]])
        _, between = ratio_error(np.bincount(clusters, solution.worth[cell]), np.bincount(clusters))
        assert min(between, hidden, np.abs(by_cluster).max()) > 0
        expected.append(sqrt(between**2 + np.sum(np.square(by_cluster)) + hidden))
    found = confirmed(sample, limits, 0.3, cost, LimitedSplit(sample, *programs))
    assert found.standard_error == pytest.approx(np.mean(expected))


def test_a_limit_that_asks_nothing_has_no_bound() -> None:
    one = Leaving("all", np.array([0]))
    for limits, bounds in (
        ((one,), [0.2, math.inf, math.inf]),
        ((replace(one, at_most=0.0),), [0.2, 0.0, math.inf]),
        ((replace(one, at_least=0.1),), [0.2, math.inf, -0.1]),
    ):
        assert [each.bound for each in linear_constraints(Constraints(limits), 2, 0.2)] == bounds
    own = OwnBudget("first", np.array([0]), math.inf)
    assert [each.bound for each in linear_constraints(Constraints((), (own,)), 2, math.inf)] == [math.inf] * 2
