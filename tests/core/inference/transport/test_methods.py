"""All methods through one door: where they must agree, and laws that hold for each."""

import numpy as np
import pytest

from core.inference.estimate import Estimate
from core.inference.resampled import Checked
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.methods import Method, estimate_value
from core.inference.transport.split_check import Split, split_check
from tests.core.inference.transport.designs import METHODS, fair, noisy, of_people, quadratic

POPULATION = quadratic(30, decisions=False, share=0.1)
SAMPLE = POPULATION.sample(3000, np.random.default_rng(4))
ENVELOPE = Envelope.build(SAMPLE.losses, POPULATION.cost)


def bounds(method: Method, envelope: Envelope, draws: Draws, budget: float) -> tuple[float, float, float]:
    found = estimate_value(method, envelope, draws, budget)
    return found.value, found.lower_bound(0.05), found.upper_bound(0.05)


def test_all_methods_agree_where_the_value_is_smooth() -> None:
    each = np.array([bounds(method, ENVELOPE, Draws(SAMPLE, 4000, 1), POPULATION.budget) for method in METHODS])
    assert (np.ptp(each[:, 0])) == 0
    width = each[0, 2] - each[0, 1]
    assert (np.ptp(each[:, 1:], axis=0) <= 0.12 * width).all()


@pytest.mark.parametrize("method", METHODS)
def test_bounds_enclose_the_value_at_every_budget(method: Method) -> None:
    draws = Draws(SAMPLE, 300, 1)
    total = ENVELOPE.total_cost(SAMPLE.masses)
    for budget in (0.0, 0.01 * total, 0.5 * total, total, 2 * total, np.inf):
        value, low, high = bounds(method, ENVELOPE, draws, budget)
        assert low - 1e-9 <= value <= high + 1e-9
        assert np.isfinite([value, low, high]).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_added_to_all_losses_changes_nothing_and_a_factor_is_one(method: Method) -> None:
    before = bounds(method, ENVELOPE, Draws(SAMPLE, 300, 1), POPULATION.budget)
    moved = of_people(SAMPLE.count, SAMPLE.losses * 3 + 2)
    after = bounds(method, Envelope.build(moved.losses, POPULATION.cost), Draws(moved, 300, 1), POPULATION.budget)
    assert after == pytest.approx(np.multiply(3, before), rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_fair_model_has_value_0_without_any_error(method: Method) -> None:
    population = fair(40)
    sample = population.sample(200, np.random.default_rng(1))
    envelope = Envelope.build(sample.losses, population.cost)
    assert bounds(method, envelope, Draws(sample, 300, 1), 0.0) == (0.0, 0.0, 0.0)


def test_a_live_budget_moves_the_bounds_smoothly() -> None:
    """All budgets share their draws: neighbouring bounds differ by little more than the values do."""
    total = ENVELOPE.total_cost(SAMPLE.masses)
    draws = Draws(SAMPLE, 500, 1)
    each = [bounds("directional derivative", ENVELOPE, draws, budget) for budget in np.linspace(0, total, 300)]
    value, lower, upper = np.array(each).T
    width = (upper - lower).max()
    for ends in (lower, upper):
        assert np.abs(np.diff(ends - value)).max() <= 0.15 * width


def test_noisy_losses_are_confirmed() -> None:
    population = noisy(12, 3, 0.2)
    sample = population.sample(900, np.random.default_rng(1))
    envelope, split = Envelope.build(sample.losses, population.cost), Split.build(sample, population.cost)
    found = Checked(estimate_value("closed form", envelope, Draws(sample, 300, 1), 0.0), split_check((split,), 0.0))
    assert found.lower_bound(0.05) < found.estimate.lower_bound(0.05)


def test_the_closed_form_draws_nothing() -> None:
    found = estimate_value("closed form", ENVELOPE, Draws(SAMPLE, 1, 1), POPULATION.budget)
    assert isinstance(found, Estimate)
    assert found.n == 3000
