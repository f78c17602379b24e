"""Numbers of the audit value's uncertainty, each by hand or by a law."""

import math
from dataclasses import replace
from math import log, pi, sqrt

import numpy as np
import pytest

from core.inference.resampled import Checked, ResampledEstimate
from core.inference.transport import rises
from core.inference.transport.constrained import Constrained, LimitedSplit
from core.inference.transport.constraints import Constraints, Leaving
from core.inference.transport.costs import ClassCost, DenseCost
from core.inference.transport.doubts import LARGEST_KINK
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.methods import Method
from core.inference.transport.prices import Prices, closeness
from core.inference.transport.program import Program
from core.inference.transport.rises import by_rise
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import Split, split_check
from core.inference.transport.steps import _rows
from core.inference.transport.together import Clusters
from tests.core.inference.transport.designs import of_people, quadratic
from tests.core.inference.transport.test_people_together import costs, some_people, summed


def test_two_clusters_are_half_as_free_as_their_people() -> None:
    sample = of_people(np.array([[3, 2], [3, 2]]), np.array([0.0, 1.0]))
    cell = np.repeat([0, 1], [6, 4])
    for clusters, freedom in ((np.arange(10) % 2, 5.0), (np.arange(10) % 5, 8.0)):
        assert replace(sample, together=Clusters.of(clusters, cell, cell * 1.0)).freedom == pytest.approx(freedom)


def test_prices_of_few_people_count_as_those_of_sixteen() -> None:
    for people in (1, 3, 16):
        assert closeness(people) == 0.75 * sqrt(log(log(16)))
    assert closeness(17) == 0.75 * sqrt(log(log(17)))


def test_errors_of_a_mean_are_those_of_a_normal_one() -> None:
    """Mean 0 and the spread of the gains, within four standard errors of 2,000 draws."""
    population = quadratic(12, decisions=False, share=0.4)
    sample = population.sample(400, np.random.default_rng(1))
    local = Local.of(Prices.of(Envelope.build(sample.losses, population.cost), sample), sample, population.budget)
    errors, spread = local.mean_errors(Draws(sample, 2_000, 3), 400), sqrt(sample.spread(local.gains))
    assert spread > 0
    assert abs(errors.mean()) < 4 * spread / sqrt(2_000)
    assert errors.std() == pytest.approx(spread, rel=4 / sqrt(2 * 2_000))


def test_a_kink_is_told_where_it_is_worth_a_tenth_of_a_standard_error() -> None:
    """The smaller of two normal values whose difference has a deviation of k is k / sqrt(2 pi) too low in the mean."""
    assert LARGEST_KINK / sqrt(2 * pi) == pytest.approx(0.1, abs=0.005)


def test_plans_within_limits_are_measured_by_the_half_that_did_not_choose_them() -> None:
    """Ten people of a kind in each half, four and eight of them judged wrongly; the model errs about the other kind.

    Three in ten may move there: 0.3 (1 - 0.8) and 0.3 (1 - 0.4). What errs is the mean of ten with a variance of
    (4.8 + 4.8 / 19) / 20, times 0.3; everybody of a kind gains alike.
    """
    cost, limits = ClassCost(np.zeros(2, dtype=np.int64)), Constraints((Leaving("all", np.array([0]), at_most=0.3),))
    count, total = np.array([[10, 0], [10, 0]]), np.array([[4.0, 0.0], [8.0, 0.0]])
    sample = CellSample(count, total, total, np.array([np.nan, 1.0]))
    programs = [Program.build(np.array([loss, 1.0]), cost) for loss in (0.6, 0.4, 0.8)]
    limited = Constrained(limits, (programs[0],), ((LimitedSplit(sample, *programs[1:]),),))
    envelope, draws = Envelope.build(sample.losses, cost), Draws(sample, 99, 0)
    found = limited.estimate(0, envelope, draws, math.inf, "directional derivative")
    assert isinstance(found, Checked)
    assert isinstance(found.estimate, ResampledEstimate)
    assert found.estimate.value == pytest.approx(0.3 * 0.4)
    assert found.estimate.roots == pytest.approx(0.3 * sqrt((4.8 + 4.8 / 19) / 20) * np.sort(draws.normal()))
    assert found.confirmed_by.value == pytest.approx((0.06 + 0.18) / 2)
    assert found.confirmed_by.standard_error == pytest.approx(0.3 * sqrt((4.8 + 4.8 / 19) / 20 / 10))


def test_moves_are_measured_where_the_other_half_has_people_and_nowhere_else() -> None:
    """One person a half is treated worst. Of the third kind only the first half has people, and all of them move."""
    cost, limits = ClassCost(np.zeros(3, dtype=np.int64)), Constraints((Leaving("all", np.array([0]), at_most=0.3),))
    count, total = np.array([[10, 1, 5], [10, 1, 0]]), np.array([[4.0, 1.0, 1.0], [8.0, 1.0, 0.0]])
    sample = CellSample(count, total, total, np.array([np.nan] * 3))
    programs = [Program.build(np.array(losses), cost) for losses in ([0.6, 1.0, 0.2], [0.4, 1.0, 0.2], [0.8, 1.0, 1.0])]
    limited = Constrained(limits, (programs[0],), ((LimitedSplit(sample, *programs[1:]),),))
    plan = programs[1].solve(sample.masses, math.inf, limits).plan
    first, third = (float(plan.mass[plan.source == kind].sum()) for kind in (0, 2))
    assert min(first, third) > 0.1
    found = limited.estimate(
        0, Envelope.build(sample.losses, cost), Draws(sample, 99, 0), math.inf, "directional derivative"
    )
    assert isinstance(found, Checked)
    assert found.confirmed_by.value == pytest.approx((first * (1 - 0.8) + first * (1 - 0.4)) / 2)


@pytest.mark.parametrize("method", ["directional derivative", "m out of n"])
def test_roots_within_limits_are_studentised_means_and_how_much_lower_other_lines_are(method: Method) -> None:
    """Oracle: every resample is a linear program of its own; 400^(3/4) is 89."""
    population = quadratic(12, decisions=False, share=0.4)
    sample, limits = population.sample(400, np.random.default_rng(0)), Constraints((Leaving("six", np.arange(6), 0.1),))
    program, draws = Program.build(sample.losses, population.cost), Draws(sample, 20, 2)
    small, large = (np.concatenate(list(draws.masses(size))) for size in (89, 400))
    solved = [program.solve(one, population.budget, limits) for one in (sample.masses, *small)]
    slopes = np.array([one.worth for one in solved])
    starts = np.array([one.value - mass @ one.worth for one, mass in zip(solved, (sample.masses, *small), strict=True)])
    spread = np.array([sample.spread(one) for one in slopes])
    apart = np.array([sample.spread(one - slopes[0]) for one in slopes])
    ahead = starts + slopes @ sample.masses - solved[0].value
    near = ahead <= 0.75 * sqrt(log(log(400))) * np.sqrt(apart / 400) + 1e-12
    assert 1 < near.sum() < len(near)

    def studentised(gains: np.ndarray) -> np.ndarray:
        deviations = np.sqrt(large @ gains**2 - (large @ gains) ** 2)
        return 20 * (large - sample.masses) @ gains * sqrt(sample.spread(gains)) / deviations

    if method == "directional derivative":  # verbatim
        expected = studentised(slopes[0]) + 20 * ((large - sample.masses) @ (slopes - slopes[0])[near].T).min(axis=1)
    else:
        values, own = np.array([one.value for one in solved[1:]]), starts[0] + small @ slopes[0]
        expected = np.sort(studentised(slopes[0]))[own.argsort().argsort()] + sqrt(89) * (values - own)
    found = Constrained(limits, (program,), ((),)).estimate(
        0, Envelope.build(sample.losses, population.cost), draws, population.budget, method
    )
    assert isinstance(found, ResampledEstimate)
    assert found.upper_roots is not None
    np.testing.assert_allclose(found.roots, np.sort(expected), atol=1e-9)
    widest = slopes[near][spread[near].argmax()]
    np.testing.assert_allclose(found.upper_roots, np.sort(studentised(widest)), atol=1e-9)


FORBIDDEN = math.inf
INTO_ONE = np.array([[0, FORBIDDEN, 1], [FORBIDDEN, 0, 2], [FORBIDDEN, FORBIDDEN, 0]])
ONE_ON_ITS_WAY = np.array([[0, 1, 3], [FORBIDDEN, 0, FORBIDDEN], [FORBIDDEN, FORBIDDEN, 0]])


@pytest.mark.parametrize(("matrix", "ones", "gains", "paid", "weight"), [
    (INTO_ONE, [2, 4, 8], [0.6 - 0.2 * 1, 0, 0], 0.2 * 0.5, [-1, -0.25, 1.25]),
    (ONE_ON_ITS_WAY, [2, 6, 8], [0.4 - 0.1 * 1, 0, 0], 0.1 * 0.5, [-1, 0.75, 0.25]),
])  # fmt: skip
def test_a_step_that_the_budget_covers_in_part(
    matrix: np.ndarray, ones: list[int], gains: list[float], paid: float, weight: list[float]
) -> None:
    """Ten people of each of three kinds in each half, alike; a budget of 0.5 pays for one kind and half the next step.

    That moves (0.5 - 1/3) / 2 = 1/12. A cell's variance counts one more squared deviation, the mean one of all.
    """
    count, total = np.full((2, 3), 10), np.tile(np.array(ones, dtype=np.float64), (2, 1))
    sample = CellSample(count, total, total, np.full(3, np.nan))
    found = split_check((Split.build(sample, DenseCost(matrix)),), 0.5)
    within = total[0] * (10 - total[0]) / 10
    losses = float(np.mean(np.square(weight) * (within + within.sum() / 27) / 10)) / 30
    assert found.value == pytest.approx(np.mean(gains) + paid)
    assert found.standard_error == pytest.approx(sqrt(np.var(gains) / 59 + losses))


def test_errors_by_clusters_are_studentised_by_each_resample_s_own_error() -> None:
    """Sum over the clusters drawn of (what it adds - mean x people)², over the people drawn."""
    clusters, cell, losses = some_people(5, people=200)
    sample = summed(clusters, cell, losses)
    draws = Draws(sample, 50, 1)
    local = replace(
        Local.of(Prices.of(Envelope.build(sample.losses, costs(5)), sample), sample, 0.2), noise=np.zeros(6)
    )
    together = draws.together
    assert together is not None
    own, drawn = (
        together.scores(local.gains, local.weight, sample.losses),
        np.concatenate(list(draws.counts(together.clusters))),
    )
    whole = drawn @ together.people
    mean = drawn @ own / whole
    errors = np.sqrt(np.sum(drawn * (own - mean[:, None] * together.people) ** 2, axis=1)) / whole
    expected = mean / errors * sqrt(own @ own)
    assert local.linear(draws).studentised == pytest.approx(expected / sqrt(sample.n))


def test_people_by_their_rise_keep_the_losses_that_the_envelope_has() -> None:
    sample = of_people(np.array([[3, 2, 4], [3, 2, 4]]), np.array([0.0, 1.0, 0.4]))
    merged, envelope = by_rise(sample, Envelope.build(sample.losses, ClassCost(np.zeros(3, dtype=np.int64))))
    assert merged.losses.tolist() == envelope.losses.tolist() == [0.0, -0.6, -1.0, 0.0]


def test_of_too_many_rises_those_within_a_step_of_their_range_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rises of 0, .1, .2, .3, .4 and 1, and steps of a third: the largest stays alone."""
    monkeypatch.setattr(rises, "MOST_RISES", 3)
    losses = np.array([1.0, 0.9, 0.8, 0.7, 0.6, 0.0])
    sample = of_people(np.array([[2, 1, 1, 2, 3, 1], [2, 3, 1, 4, 1, 1]]), losses)
    merged, _ = by_rise(sample, Envelope.build(losses, ClassCost(np.zeros(6, dtype=np.int64))))
    assert merged.people.tolist() == [16, 4, 2, 0]
    np.testing.assert_allclose(-merged.losses, [(4 * 0.1 + 2 * 0.2 + 6 * 0.3) / 16, 0.4, 1.0, 0.0])


def test_rows_without_corners_are_passed_over() -> None:
    assert list(_rows(np.array([0, 0, 1, 3]))) == [(0, 0, 2), (1, 2, 3), (3, 3, 4)]
    assert list(_rows(np.array([1, 1, 2]))) == [(1, 0, 2), (2, 2, 3)]
